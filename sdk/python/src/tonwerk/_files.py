"""Uploads: of a path, bytes, a file object or an iterator."""

from __future__ import annotations

import os
from collections.abc import AsyncIterable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, cast
from urllib.parse import quote

from ._errors import TonwerkError
from ._model import Model, read_model
from ._session import AsyncSession, Body, Session, SyncSession
from ._steps import Steps, Work, perform

UPLOAD_TIMEOUT = 600.0
PART_BYTES = 65_536

Uploadable = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | Iterable[bytes]
"""A path, or the audio itself."""
AsyncUploadable = Uploadable | AsyncIterable[bytes]


@dataclass(frozen=True, kw_only=True)
class UploadedFile(Model):
    """An upload. It works as a source, and lives 24 hours after its last use."""

    id: str
    url: str
    expires_at: datetime
    duration: float
    """Seconds."""


class Files:
    def __init__(self, session: SyncSession) -> None:
        self._session = session

    def upload(self, audio: Uploadable, *, timeout: float = UPLOAD_TIMEOUT) -> UploadedFile:
        """Uploads WAV, MP3 or FLAC. Raises ValidationError `audio_invalid`.

        What can be read once only (an iterator, a pipe) is not sent again where the connection breaks.
        """
        return self._session.run(_upload(self._session, audio, timeout))

    def get(self, id: str) -> UploadedFile:
        """The upload with a URL that works. Raises NotFoundError."""
        return self._session.run(_get(self._session, id))


class AsyncFiles:
    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def upload(self, audio: AsyncUploadable, *, timeout: float = UPLOAD_TIMEOUT) -> UploadedFile:
        """Uploads WAV, MP3 or FLAC. Raises ValidationError `audio_invalid`.

        What can be read once only (an iterator, a pipe) is not sent again where the connection breaks.
        """
        return await self._session.run(_upload(self._session, audio, timeout))

    async def get(self, id: str) -> UploadedFile:
        """The upload with a URL that works. Raises NotFoundError."""
        return await self._session.run(_get(self._session, id))


def _upload(session: Session, audio: AsyncUploadable, timeout: float) -> Steps[UploadedFile]:
    body = _once(audio) if isinstance(audio, AsyncIterable) else (yield from perform(Work(lambda: _body_of(audio))))
    answer = yield from session.json("PUT", "/v1/files", body=body, timeout=timeout)
    return read_model(UploadedFile, answer["file"])


def _get(session: Session, id: str) -> Steps[UploadedFile]:
    answer = yield from session.json("GET", f"/v1/files?id={quote(id, safe='')}")
    return read_model(UploadedFile, answer["file"])


def _body_of(audio: Uploadable) -> Body:
    if isinstance(audio, str | os.PathLike):
        path = Path(audio)
        # What cannot be opened is told before anything is sent.
        path.open("rb").close()
        return Body(open=lambda: (_read_path(path), _length(path.stat().st_size)))
    if isinstance(audio, bytes | bytearray | memoryview):
        whole = bytes(audio)
        return Body(open=lambda: (whole, {}))
    if not isinstance(audio, Iterable) or hasattr(audio, "read"):
        return _file_body(cast("IO[bytes]", audio))
    if isinstance(audio, Iterator):
        return _once(audio)
    return Body(open=lambda: (iter(audio), {}))


def _file_body(file: IO[bytes]) -> Body:
    if not file.seekable():
        return _once(_read_file(file))
    start = file.tell()
    bytes_left = file.seek(0, os.SEEK_END) - start

    def open_again() -> tuple[Iterator[bytes], dict[str, str]]:
        file.seek(start)
        return _read_file(file), _length(bytes_left)

    return Body(open=open_again)


def _once(parts: Iterator[bytes] | AsyncIterable[bytes]) -> Body:
    left: list[Iterator[bytes] | AsyncIterable[bytes]] = [parts]
    return Body(open=lambda: (left.pop(), {}) if left else None)


def _length(bytes_left: int) -> dict[str, str]:
    return {"content-length": str(bytes_left)}


def _read_path(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from _read_file(file)


def _read_file(file: IO[bytes]) -> Iterator[bytes]:
    while part := file.read(PART_BYTES):
        if not isinstance(part, bytes):
            raise TonwerkError("Files are to be opened as binary, as open(path, 'rb') does")
        yield part
