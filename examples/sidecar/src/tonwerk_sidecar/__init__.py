"""Tonwerk's sidecar protocol: derive from `Model`, hand it to `create_app`, serve that with any ASGI server."""

from .app import create_app
from .model import (
    Array,
    Cancelled,
    GenerateRequest,
    GenerateTask,
    Job,
    Model,
    OutOfMemory,
    SeparateTask,
)

__all__ = [
    "Array",
    "Cancelled",
    "GenerateRequest",
    "GenerateTask",
    "Job",
    "Model",
    "OutOfMemory",
    "SeparateTask",
    "create_app",
]
