"""Outputs and their downloads, which go on where they broke off and end with the right checksum."""

from __future__ import annotations

import hashlib
import os
import random
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

import httpx

from ._errors import ApiError, ChecksumError, ConnectionError, TonwerkError
from ._model import Model, read_model
from ._session import LONGEST_PAUSE, LONGEST_RETRY_AFTER, Session, read_refusal
from ._steps import Close, Open, Read, Sleep, Steps, Stream, Tell, Work, perform

TRIES = 5
FORM_TRIES = 30
"""A form that is still being made is a 503 after 20 s."""

Format = Literal["flac", "wav", "mp3", "opus"]
Bits = Literal[16, 24]

Bytes = bytes
"""The type; outputs have a field of that name."""

DownloadProgress = Callable[[int, int], object]
"""Called with bytes so far and bytes in all."""


@dataclass(frozen=True)
class Place:
    """Where an output stands, or the archive of all of them, to sign its URL again."""

    session: Session
    action: str
    operation_id: str
    index: int | Literal["archive"]

    def sign(self) -> Steps[str]:
        answer = yield from self.session.json("GET", f"/v1/{self.action}?id={self.operation_id}")
        data = next(iter(answer.values()))
        signed = dict(enumerate(data.get("outputs") or [data.get("output")])) | {"archive": data.get("archive")}
        if signed.get(self.index) is None:
            raise TonwerkError(f"{self.operation_id} has no such output any more")
        return str(signed[self.index]["url"])


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
class Peaks(Model):
    """A waveform to be drawn: the smallest and largest sample of each bin, -1 to 1."""

    duration: float
    """Seconds."""
    bins: int
    min: tuple[float, ...]
    max: tuple[float, ...]


@dataclass(frozen=True)
class Target:
    """A file to download."""

    url: str
    place: Place
    bytes: int | None
    """None: as the answer says."""
    sha256: str | None
    asked: str = ""
    """What stands behind the signature."""

    @property
    def resumes(self) -> bool:
        return self.place.index != "archive"


def target_of(output: OutputFields, format: Format | None, bits: Bits | None, preview: bool) -> Target:
    """Of the file as it was made, length and checksum are known."""
    query: Mapping[str, object] = {"format": format, "bits": bits, "preview": "true" if preview else None}
    asked = "".join(f"&{name}={value}" for name, value in query.items() if value is not None)
    if asked == "":
        return Target(output.url, output._place, output.bytes, output.sha256)
    return Target(output.url, output._place, None, None, asked)


def read_peaks(output: OutputFields, bins: int) -> Steps[Peaks]:
    place = output._place
    asked = f"&peaks={bins}"
    try:
        answer = yield from place.session.json("GET", output.url + asked)
    except ApiError as error:
        if error.status != 403:
            raise
        answer = yield from place.session.json("GET", (yield from place.sign()) + asked)
    return read_model(Peaks, answer)


class Parts:
    """A download under way."""

    def __init__(self, target: Target, on_progress: DownloadProgress | None) -> None:
        self._target = target
        self._on_progress = on_progress
        self._url = target.url + target.asked
        self._total = target.bytes
        self._etag: str | None = None
        self._hash = hashlib.sha256()
        self._bytes = 0
        self._failed = 0
        self._stream: Stream | None = None

    def next(self) -> Steps[bytes]:
        """The next part; empty at the end, which is reached only by what has the right length and checksum."""
        while self._total is None or self._bytes < self._total:
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
                yield from perform(Tell(partial(_tell, self._on_progress), (self._bytes, self._total or 0)))
            return part
        if self._bytes != self._total or self._target.sha256 not in (None, self._hash.hexdigest()):
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
            if self._etag is not None:
                headers["if-range"] = self._etag
            timeout = self._target.place.session.timeout
            self._stream = yield from perform(Open(self._url, headers, timeout))
            response = self._stream.response
            if not response.is_success:
                raise (yield from read_refusal(self._stream))
            if self._bytes > 0 and response.status_code != 206:
                raise ConnectionError("The server does not continue downloads")
            if self._total is None:
                self._total = int(response.headers["content-length"])
                self._etag = response.headers.get("etag")
        part = yield from perform(Read(self._stream))
        if not part:
            raise ConnectionError("The download broke off")
        return part

    def _recover(self, error: Exception) -> Steps[None]:
        self._failed += 1
        status = error.status if isinstance(error, ApiError) else None
        is_final = status is not None and status < 500 and status not in (403, 429)
        is_lost = self._bytes > 0 and not self._target.resumes
        if is_final or is_lost or self._failed >= (FORM_TRIES if status == 503 and self._target.asked else TRIES):
            if isinstance(error, httpx.RequestError):
                raise ConnectionError(f"The download broke off: {error}") from error
            raise error
        if status == 403:
            self._url = (yield from self._target.place.sign()) + self._target.asked
        else:
            wait = error.retry_after if isinstance(error, ApiError) else None
            pause = min(0.25 * 2**self._failed, LONGEST_PAUSE) * random.uniform(0.5, 1)
            yield from perform(Sleep(max(pause, min(wait or 0.0, LONGEST_RETRY_AFTER))))


def save(target: Target, path: str | os.PathLike[str], on_progress: DownloadProgress | None) -> Steps[None]:
    """What cannot go on where it broke off begins anew."""
    for is_last in (*[False] * (TRIES - 1), True):
        try:
            return (yield from _save(Parts(target, on_progress), path))
        except ConnectionError:
            if target.resumes or is_last:
                raise


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
