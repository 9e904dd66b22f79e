"""Outputs and their downloads, which go on where they broke off and end with the right checksum."""

from __future__ import annotations

import hashlib
import os
import random
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

import httpx

from ._errors import ApiError, ChecksumError, ConnectionError, TonwerkError, error_of
from ._model import Model
from ._session import AsyncSession, Session, SyncSession
from ._steps import Answer, Close, Open, Read, Sleep, Steps, Stream, Tell, Work, perform

TRIES = 5

Bytes = bytes
"""The type; outputs have a field of that name."""

DownloadProgress = Callable[[int, int], object]
"""Called with bytes so far and bytes in all."""


@dataclass(frozen=True)
class Place:
    """Where an output stands, to sign its URL again."""

    session: Session
    action: str
    operation_id: str
    index: int

    def sign(self) -> Steps[str]:
        answer = yield from self.session.json("GET", f"/v1/{self.action}?id={self.operation_id}")
        data = next(iter(answer.values()))
        outputs = data.get("outputs") or [data.get("output")]
        if self.index >= len(outputs) or outputs[self.index] is None:
            raise TonwerkError(f"{self.operation_id} has no such output any more")
        return str(outputs[self.index]["url"])


@dataclass(frozen=True, kw_only=True)
class OutputFields(Model):
    """One piece of audio, as far as all actions share it."""

    url: str
    """Signed download URL, FLAC, 44.1 kHz. Time-limited, not to be cached."""
    expires_at: datetime
    """The URL stops working then; what downloads here signs it again."""
    duration: float
    """Seconds."""
    bytes: int
    """Length of the file."""
    sha256: str
    """Of the file, hexadecimal."""
    engine: str
    """What made it."""
    _place: Place = field(init=False, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Output(OutputFields):
    def stream(self, *, on_progress: DownloadProgress | None = None) -> Iterator[Bytes]:
        """The file's bytes as they come. What ends without an error is the file."""
        parts = Parts(self, on_progress)
        run = _sync(self).run
        try:
            while part := run(parts.next()):
                yield part
        finally:
            run(parts.close())

    def read(self, *, on_progress: DownloadProgress | None = None) -> Bytes:
        """The whole file in memory."""
        return b"".join(self.stream(on_progress=on_progress))

    def download(self, path: str | os.PathLike[str], *, on_progress: DownloadProgress | None = None) -> None:
        """Saves the file; `path` appears when it is whole."""
        _sync(self).run(_save(Parts(self, on_progress), path))


@dataclass(frozen=True, kw_only=True)
class AsyncOutput(OutputFields):
    async def stream(self, *, on_progress: DownloadProgress | None = None) -> AsyncIterator[Bytes]:
        """The file's bytes as they come. What ends without an error is the file."""
        parts = Parts(self, on_progress)
        run = _async(self).run
        try:
            while part := await run(parts.next()):
                yield part
        finally:
            await run(parts.close())

    async def read(self, *, on_progress: DownloadProgress | None = None) -> Bytes:
        """The whole file in memory."""
        return b"".join([part async for part in self.stream(on_progress=on_progress)])

    async def download(self, path: str | os.PathLike[str], *, on_progress: DownloadProgress | None = None) -> None:
        """Saves the file; `path` appears when it is whole."""
        await _async(self).run(_save(Parts(self, on_progress), path))


class Parts:
    """A download under way."""

    def __init__(self, output: OutputFields, on_progress: DownloadProgress | None) -> None:
        self._output = output
        self._on_progress = on_progress
        self._url = output.url
        self._hash = hashlib.sha256()
        self._bytes = 0
        self._failed = 0
        self._stream: Stream | None = None

    def next(self) -> Steps[bytes]:
        """The next part; empty at the end, which is reached only by what has the right checksum."""
        total = self._output.bytes
        while self._bytes < total:
            try:
                part = yield from self._read()
            except (ApiError, ConnectionError, httpx.RequestError) as error:
                yield from self.close()
                yield from self._recover(error)
                continue
            self._failed = 0
            self._bytes += len(part)
            self._hash.update(part)
            if self._on_progress is not None:
                yield from perform(Tell(partial(_tell, self._on_progress), (self._bytes, total)))
            return part
        if self._bytes != total or self._hash.hexdigest() != self._output.sha256:
            raise ChecksumError("The download is not the file that was made")
        return b""

    def close(self) -> Steps[None]:
        if self._stream is not None:
            stream, self._stream = self._stream, None
            yield from perform(Close(stream))

    def _read(self) -> Steps[bytes]:
        if self._stream is None:
            headers = {"accept-encoding": "identity"}
            if self._bytes > 0:
                headers["range"] = f"bytes={self._bytes}-"
            timeout = self._output._place.session.timeout
            self._stream = yield from perform(Open(self._url, headers, timeout))
            response = self._stream.response
            if not response.is_success:
                raise error_of(Answer(response.status_code, response.headers, response.reason_phrase, b""))
            if self._bytes > 0 and response.status_code != 206:
                raise ConnectionError("The server does not continue downloads")
        part = yield from perform(Read(self._stream))
        if not part:
            raise ConnectionError("The download broke off")
        return part

    def _recover(self, error: Exception) -> Steps[None]:
        self._failed += 1
        status = error.status if isinstance(error, ApiError) else None
        is_final = status is not None and status < 500 and status not in (403, 429)
        if is_final or self._failed >= TRIES:
            if isinstance(error, httpx.RequestError):
                raise ConnectionError(f"The download broke off: {error}") from error
            raise error
        if status == 403:
            self._url = yield from self._output._place.sign()
        else:
            yield from perform(Sleep(0.25 * 2**self._failed * random.uniform(0.5, 1)))


def _save(parts: Parts, path: str | os.PathLike[str]) -> Steps[None]:
    """Writes beside `path` and moves it there when it is whole, so that `path` never holds half a file."""
    target = Path(path)
    unfinished = target.with_name(f"{target.name}.{uuid.uuid4().hex[:8]}.part")
    file = unfinished.open("xb")
    try:
        while part := (yield from parts.next()):
            yield from perform(Work(partial(file.write, part)))
        file.close()
        unfinished.replace(target)
    except BaseException:
        file.close()
        with suppress(FileNotFoundError):
            unfinished.unlink()
        yield from parts.close()
        raise
    yield from parts.close()


def _tell(on_progress: DownloadProgress, news: tuple[int, int]) -> object:
    return on_progress(*news)


def _sync(output: OutputFields) -> SyncSession:
    session = output._place.session
    assert isinstance(session, SyncSession)
    return session


def _async(output: OutputFields) -> AsyncSession:
    session = output._place.session
    assert isinstance(session, AsyncSession)
    return session
