"""Everything this package raises. `code` tells errors apart; classes are there for `except`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import httpx

from ._steps import Answer

if TYPE_CHECKING:
    from ._codes import ErrorCode, FailureCode


class TonwerkError(Exception):
    """Base of all errors of this package."""


@dataclass(frozen=True)
class Issue:
    """One field that a request got wrong: where it stands, what is wrong, and a stable `type`."""

    loc: tuple[str | int, ...]
    msg: str
    type: str


class ApiError(TonwerkError):
    """The server refused the request. Nothing was created and nothing was charged."""

    status: int
    """HTTP status, 300 to 599."""
    code: ErrorCode | str
    """Stable and machine-readable; `http_<status>` where an answer has none, as those of proxies."""
    doc_url: str | None
    """A page that tells cause and cure."""
    request_id: str | None
    """`x-request-id` of the answer: what to give to who runs the server."""
    retry_after: float | None
    """Seconds after which the server wants the request again."""
    issues: tuple[Issue, ...]
    """The fields that are wrong, of a 422; else empty."""
    body: Any
    """The answer's JSON, or its text where it is none."""

    def __init__(self, answer: Answer) -> None:
        self.body = _parse(answer.body)
        said: Mapping[str, Any] = self.body if isinstance(self.body, Mapping) else {}
        detail = said.get("detail")
        self.status = answer.status
        self.code = said.get("code") or f"http_{answer.status}"
        self.doc_url = said.get("doc_url")
        self.request_id = answer.headers.get("x-request-id")
        self.retry_after = _seconds_of(answer.headers.get("retry-after"))
        self.issues = _issues_of(detail) if isinstance(detail, list) else ()
        wrong = "; ".join(f"{'.'.join(map(str, issue.loc[1:] or issue.loc))}: {issue.msg}" for issue in self.issues)
        super().__init__(f"{answer.status} {wrong or (detail if isinstance(detail, str) else answer.reason)}")


class AuthenticationError(ApiError):
    """401: the key is missing, wrong or revoked, or this address may not use it."""


class InsufficientCreditsError(ApiError):
    """402: the account has fewer credits than the request costs."""

    @property
    def required(self) -> int:
        return int(self.body["required"])

    @property
    def available(self) -> int:
        return int(self.body["available"])


class NotFoundError(ApiError):
    """404: unknown, foreign or expired."""


class ValidationError(ApiError):
    """422: `issues` names every field that is wrong."""


class RateLimitError(ApiError):
    """429, after all retries: a limit of the account is reached."""


class ServerError(ApiError):
    """5xx, after all retries."""


class ConnectionError(TonwerkError):
    """No answer, after all retries.

    The server may have accepted the request all the same: send it again with the same `idempotency_key`, at any later
    time, and you get the one operation that it made, charged once.
    """

    def __init__(self, message: str, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


class OperationFailedError(TonwerkError):
    """The operation ended as `failed`. Its credits came back, unless it was cancelled after work had begun."""

    def __init__(self, operation_id: str, code: FailureCode | str, message: str, source: str | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code: FailureCode | str = code
        self.source = source
        """The input that the failure concerns, where there are several."""
        self.operation_id = operation_id


class ChecksumError(TonwerkError):
    """What was downloaded is not what the server made: its SHA-256 differs."""


class WebhookVerificationError(TonwerkError):
    """A delivery that nobody with your secret sent, or an old one."""


_CLASSES: Mapping[int, type[ApiError]] = {
    401: AuthenticationError,
    402: InsufficientCreditsError,
    404: NotFoundError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of(answer: Answer) -> ApiError:
    """The class that fits an answer."""
    return _CLASSES.get(answer.status, ServerError if answer.status >= 500 else ApiError)(answer)


def refusal_of(data: Mapping[str, Any]) -> ApiError:
    """Of one submission of a batch."""
    headers = httpx.Headers({} if data.get("retry_after") is None else {"retry-after": str(data["retry_after"])})
    reason = HTTPStatus(data["status"]).phrase
    return error_of(Answer(data["status"], headers, reason, json.dumps(data["body"]).encode()))


def _issues_of(detail: list[Any]) -> tuple[Issue, ...]:
    return tuple(
        Issue(tuple(one.get("loc", ())), str(one.get("msg", "")), str(one.get("type", "")))
        for one in detail
        if isinstance(one, Mapping)
    )


def _parse(body: bytes) -> Any:
    """Text where it is no JSON, as proxies answer."""
    try:
        return json.loads(body)
    except ValueError:
        return body.decode(errors="replace")


def _seconds_of(header: str | None) -> float | None:
    """`Retry-After` in seconds: the server sends a number, proxies may send a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (ValueError, TypeError):
        return None
