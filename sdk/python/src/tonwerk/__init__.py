"""Client of a Tonwerk server, synchronous and for asyncio."""

from . import types, webhooks
from ._client import AnyAction, AsyncAnyAction, AsyncTonwerk, Tonwerk
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
from ._files import AsyncUploadable, Uploadable, UploadedFile
from ._operation import AsyncOperation, Operation, OperationError, OperationFields, OperationStatus, Progress
from ._output import AsyncOutput, Output, OutputFields
from ._resource import HasUrl, Source, Submission
from .webhooks import WebhookEvent

__all__ = [
    "AnyAction",
    "ApiError",
    "AsyncAnyAction",
    "AsyncOperation",
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
    "OperationFailedError",
    "OperationFields",
    "OperationStatus",
    "Output",
    "OutputFields",
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
