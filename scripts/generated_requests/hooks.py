"""Loaded by Schemathesis: bodies of `PUT /v1/files` that are audio, so that uploads are answered with files, and their URLs are sources."""

import io
import math
import struct
import wave

import schemathesis
from hypothesis import strategies


def sine(hertz: int) -> bytes:
    """A second of WAV, loud enough to be taken."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(16_000)
        samples = (round(12_000 * math.sin(2 * math.pi * hertz * n / 16_000)) for n in range(16_000))
        writer.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return file.getvalue()


AUDIO = [sine(hertz) for hertz in (110, 220, 440)]
schemathesis.openapi.media_type("audio/wav", strategies.sampled_from([*AUDIO, AUDIO[0][:1_000]]))
