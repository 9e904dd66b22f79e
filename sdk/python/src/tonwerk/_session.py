"""Requests with a key, retries and errors: everything between a method of the client and httpx."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import httpx

from ._errors import ApiError, ConnectionError, TonwerkError, error_of
from ._steps import Answer, Content, Read, Send, Sleep, Steps, Stream, perform, run, run_async

T = TypeVar("T")

AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504, 507))
"""Answers after which the same request may be sent again as it is."""
FIRST_PAUSE = 0.25
LONGEST_PAUSE = 8.0
LONGEST_RETRY_AFTER = 60.0
"""A server that wants to be left alone for longer tells its limit, not its state: who called should know."""


@dataclass(frozen=True, kw_only=True)
class Body:
    """What an upload sends. A stream can be read once only; `open` returns None when it is asked for another."""

    open: Callable[[], tuple[Content, Mapping[str, str]] | None]


@dataclass(frozen=True, kw_only=True)
class Session:
    """Where the server is and how it is asked."""

    base_url: str
    api_key: str
    retries: int
    timeout: float

    @property
    def key(self) -> Mapping[str, str]:
        return {"authorization": f"Bearer {self.api_key}"}

    def json(
        self,
        method: str,
        path: str,
        *,
        json_body: Mapping[str, Any] | None = None,
        body: Body | None = None,
        headers: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        retries: int | None = None,
        is_repeatable: bool = True,
    ) -> Steps[Mapping[str, Any]]:
        """The JSON of a 2xx answer. A path is of the server; a URL is signed, and gets no key.

        Answers that ask for another try, and connections that break, are tried again: after what `Retry-After` says,
        else after pauses that double, each between half and all of its length so that many clients do not come back
        at once. What is not repeatable may have been done where no answer came.
        """
        is_signed = "://" in path
        url = path if is_signed else self.base_url + path
        sent = {**({} if is_signed else self.key), **(headers or {})}
        content: Content = None
        if json_body is not None:
            sent["content-type"] = "application/json"
            content = json.dumps(json_body, default=write_time).encode()
        tried = 0
        while True:
            if body is not None:
                opened = body.open()
                if opened is None:
                    raise ConnectionError("The upload broke off; its stream was read already")
                content, length = opened
                sent |= length
            pause = min(FIRST_PAUSE * 2**tried, LONGEST_PAUSE) * random.uniform(0.5, 1)
            is_last = tried >= (self.retries if retries is None else retries)
            try:
                answer = yield from perform(Send(method, url, sent, timeout or self.timeout, content))
                return _object_of(answer)
            except ApiError as error:
                wait = error.retry_after or 0.0
                if is_last or error.status not in AGAIN or wait > LONGEST_RETRY_AFTER:
                    raise
                pause = max(pause, wait)
            except (httpx.UnsupportedProtocol, httpx.TooManyRedirects) as error:
                raise TonwerkError(f"Cannot ask {self.base_url}: {error}") from error
            except (httpx.RequestError, ValueError) as error:
                if is_last or not is_repeatable:
                    why = str(error) or type(error).__name__
                    raise ConnectionError(f"No answer from {self.base_url}: {why}", idempotency_key) from error
            yield from perform(Sleep(pause))
            tried += 1


@dataclass(frozen=True, kw_only=True)
class SyncSession(Session):
    http: httpx.Client

    def run(self, steps: Steps[T]) -> T:
        return run(steps, self.http)


@dataclass(frozen=True, kw_only=True)
class AsyncSession(Session):
    http: httpx.AsyncClient

    async def run(self, steps: Steps[T]) -> T:
        return await run_async(steps, self.http)


def read_refusal(stream: Stream) -> Steps[ApiError]:
    """Of an answer that was to be a stream."""
    body = b""
    while part := (yield from perform(Read(stream))):
        body += part
    response = stream.response
    return error_of(Answer(response.status_code, response.headers, response.reason_phrase, body))


def write_time(value: Any) -> str:
    """Without a zone it is the time of this machine."""
    if isinstance(value, datetime):
        return value.astimezone().isoformat()
    raise TypeError(f"JSON has no {type(value).__name__}")


def _object_of(answer: Answer) -> Mapping[str, Any]:
    if not 200 <= answer.status < 300:
        raise error_of(answer)
    parsed = json.loads(answer.body)
    # An answer that is cut off where no length was promised.
    if not isinstance(parsed, dict):
        raise ValueError("The answer is no JSON object")
    return parsed
