"""Bodies that carry audio: lines of JSON; behind a line that has `bytes` come exactly so many."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np

from .model import Array

TYPE = "application/vnd.tonwerk.frames"


class Malformed(Exception):
    """A body that is none, said in words for whoever sent it."""


def line(**fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def audio(samples: Array, sample_rate: int, **fields: object) -> tuple[bytes, bytes]:
    """The line that announces the samples, and their bytes: channel after channel, single precision, little-endian."""
    channels, frames = samples.shape
    head = line(
        type="audio", **fields, sample_rate=sample_rate, channels=channels, frames=frames, bytes=4 * channels * frames
    )
    return head, np.ascontiguousarray(samples, dtype="<f4").tobytes()


def read_line(body: bytes, at: int) -> tuple[Mapping[str, object], int]:
    """The object of the line that begins at `at`, and where the next one does."""
    end = body.find(b"\n", at)
    if end < 0:
        raise Malformed("a line of the body has no end")
    try:
        value = json.loads(body[at:end])
    except ValueError:
        raise Malformed("a line of the body is not JSON") from None
    if not isinstance(value, dict):
        raise Malformed("a line of the body is no object")
    return value, end + 1


def read_audio(body: bytes, at: int, sample_rate: int, seconds_max: float) -> Array:
    """The audio that the line at `at` announces, which must be all that follows."""
    head, start = read_line(body, at)
    if head.get("type") != "audio" or head.get("sample_rate") != sample_rate:
        raise Malformed(f"audio of {sample_rate} Hz is expected")
    channels, frames = head.get("channels"), head.get("frames")
    if channels not in (1, 2) or not isinstance(frames, int) or not 0 < frames <= seconds_max * sample_rate:
        raise Malformed(f"one or two channels of at most {seconds_max} s are expected")
    if head.get("bytes") != 4 * channels * frames or len(body) - start != 4 * channels * frames:
        raise Malformed("the audio has not as many bytes as its frames")
    samples = np.frombuffer(body, dtype="<f4", offset=start).reshape(channels, frames).astype(np.float32)
    if not np.isfinite(samples).all():
        raise Malformed("the audio has samples that are not finite")
    return samples
