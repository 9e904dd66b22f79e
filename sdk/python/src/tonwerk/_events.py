"""Server-sent events, going on where a connection broke."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from ._errors import ApiError, ConnectionError
from ._session import AGAIN, FIRST_PAUSE, LONGEST_PAUSE, LONGEST_RETRY_AFTER, Session, read_refusal
from ._steps import Close, Open, Read, Sleep, Steps, Stream, perform


@dataclass(frozen=True)
class ServerEvent:
    type: str
    id: str | None
    data: Mapping[str, Any]


class EventStream:
    """Events of a path. A new connection goes on after the last event that has an id."""

    def __init__(self, session: Session, path: str, last_event_id: str | None = None, *, retries: int) -> None:
        self._session = session
        self._path = path
        self._last_event_id = last_event_id
        self._retries = retries
        self._failed = 0
        self._stream: Stream | None = None
        self._text = b""
        self._events: deque[ServerEvent] = deque()

    def next(self, timeout: float | None = None) -> Steps[ServerEvent | None]:
        """None where there is nothing more to tell. `timeout` of silence, in seconds."""
        while not self._events:
            try:
                if self._stream is None and not (yield from self._open(timeout)):
                    return None
                assert self._stream is not None
                part = yield from perform(Read(self._stream))
                if not part:
                    raise ConnectionError("The events broke off")
                self._failed = 0
                self._take(part)
            except (ApiError, ConnectionError, httpx.RequestError) as error:
                yield from self.close()
                yield from self._recover(error)
        return self._events.popleft()

    def close(self) -> Steps[None]:
        if self._stream is not None:
            stream, self._stream = self._stream, None
            yield from perform(Close(stream))

    def _open(self, timeout: float | None) -> Steps[bool]:
        headers = {**self._session.key, "accept": "text/event-stream", "accept-encoding": "identity"}
        if self._last_event_id is not None:
            headers["last-event-id"] = self._last_event_id
        self._text = b""
        seconds = min(self._session.timeout, timeout or self._session.timeout)
        self._stream = yield from perform(Open(self._session.base_url + self._path, headers, seconds))
        response = self._stream.response
        if response.status_code == 204:
            yield from self.close()
            return False
        if not response.is_success:
            raise (yield from read_refusal(self._stream))
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise ConnectionError("The answer is no stream of events")
        return True

    def _take(self, part: bytes) -> None:
        *blocks, self._text = (self._text + part).split(b"\n\n")
        for block in blocks:
            # Lines that begin with a colon are comments.
            lines = (line.partition(": ") for line in block.decode().split("\n"))
            fields = {name: value for name, _, value in lines}
            if "data" in fields:
                self._last_event_id = fields.get("id") or self._last_event_id
                self._events.append(
                    ServerEvent(fields.get("event", "message"), fields.get("id"), json.loads(fields["data"]))
                )

    def _recover(self, error: Exception) -> Steps[None]:
        self._failed += 1
        wait = 0.0
        is_final = self._failed > self._retries
        if isinstance(error, ApiError):
            wait = error.retry_after or 0.0
            is_final = is_final or error.status not in AGAIN or wait > LONGEST_RETRY_AFTER
        if is_final and isinstance(error, httpx.RequestError):
            raise ConnectionError(f"The events broke off: {error}") from error
        if is_final:
            raise error
        pause = min(FIRST_PAUSE * 2**self._failed, LONGEST_PAUSE) * random.uniform(0.5, 1)
        yield from perform(Sleep(max(pause, wait)))
