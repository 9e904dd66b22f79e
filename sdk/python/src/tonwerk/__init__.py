"""Client of a Tonwerk server, synchronous and for asyncio."""

from . import types, webhooks
from ._async_client import AsyncAnyAction, AsyncTonwerk
from ._async_live import AsyncOperation, AsyncOperationEvent, AsyncOutput
from ._client import AnyAction, Tonwerk
from ._codes import ErrorCode, FailureCode
from ._errors import (
    ApiError,
    AuthenticationError,
    ChecksumError,
    ConnectionError,
    InsufficientCreditsError,
    Issue,
    NotFoundError,
    OperationFailedError,
    RateLimitError,
    ServerError,
    TonwerkError,
    ValidationError,
    WebhookVerificationError,
)
from ._files import AsyncUploadable, Uploadable
from ._generated import UploadedFile
from ._live import Operation, OperationEvent, Output
from ._operation import OperationError, OperationFields, OperationStatus, Progress
from ._output import OutputFields, Peaks
from ._resource import HasUrl, Source, Submission
from .webhooks import WebhookEvent

__all__ = [
    "AnyAction",
    "ApiError",
    "AsyncAnyAction",
    "AsyncOperation",
    "AsyncOperationEvent",
    "AsyncOutput",
    "AsyncTonwerk",
    "AsyncUploadable",
    "AuthenticationError",
    "ChecksumError",
    "ConnectionError",
    "ErrorCode",
    "FailureCode",
    "HasUrl",
    "InsufficientCreditsError",
    "Issue",
    "NotFoundError",
    "Operation",
    "OperationError",
    "OperationEvent",
    "OperationFailedError",
    "OperationFields",
    "OperationStatus",
    "Output",
    "OutputFields",
    "Peaks",
    "Progress",
    "RateLimitError",
    "ServerError",
    "Source",
    "Submission",
    "Tonwerk",
    "TonwerkError",
    "Uploadable",
    "UploadedFile",
    "ValidationError",
    "WebhookEvent",
    "WebhookVerificationError",
    "types",
    "webhooks",
]
