"""Uploads: of a path, bytes, a file object or an iterator."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, cast

from ._errors import TonwerkError
from ._query import query_of
from ._session import Body, Session
from ._steps import Steps, Work, perform

UPLOAD_TIMEOUT = 600.0
PART_BYTES = 65_536

Uploadable = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes] | Iterable[bytes]
"""A path, or the audio itself."""
AsyncUploadable = Uploadable | AsyncIterable[bytes]


def upload(
    session: Session, audio: AsyncUploadable, name: str | None, key: str | None, timeout: float
) -> Steps[Mapping[str, Any]]:
    body = _once(audio) if isinstance(audio, AsyncIterable) else (yield from perform(Work(lambda: _body_of(audio))))
    key = key or str(uuid.uuid4())
    path = f"/v1/files?{query_of({'name': name})}"
    headers = {"idempotency-key": key}
    answer = yield from session.json("PUT", path, body=body, headers=headers, idempotency_key=key, timeout=timeout)
    return cast("Mapping[str, Any]", answer["file"])


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
