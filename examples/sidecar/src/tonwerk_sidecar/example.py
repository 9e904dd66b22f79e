"""A small model without weights: plucked strings from words, alone or to another piece's beat; a mix taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .model import Array, GenerateRequest, GenerateTask, Job, Model, SeparateTask

RATE = 44_100
SIZE = 4096
HOP = 1024
#: Frames, and bins, that a median looks at (Fitzgerald, "Harmonic/percussive separation using median filtering", 2010).
LENGTH = 17
#: Frames that are separated at a time, beside the neighbours that a median needs.
STRETCH = 256


class Example(Model):
    name = "example"
    version = "1.0"
    licence = "MIT"
    device = "cpu"
    generates = GenerateTask(sample_rate=RATE, seconds_max=240)
    remixes = GenerateTask(sample_rate=RATE, seconds_max=240)
    separates = SeparateTask(sample_rate=RATE, seconds_max=600, stems=("drums", "other"))

    def generate(self, request: GenerateRequest, job: Job) -> Array:
        draw = np.random.Generator(np.random.PCG64(request.seed))
        words = request.prompt.lower()
        steps = (0, 3, 7, 10, 12) if any(word in words for word in ("sad", "minor", "dark")) else (0, 4, 7, 11, 12)
        beat = 0.5 if "slow" in words or "calm" in words else 0.25
        frames = round(request.seconds * RATE)
        out = np.zeros((2, frames + 4 * RATE), dtype=np.float32)
        root = 45 + int(draw.integers(12))
        starts = np.arange(0.0, request.seconds, beat)
        for index, start in enumerate(starts):
            job.progress(0.95 * index / len(starts), "plucking")
            pitch = root + int(draw.choice(steps)) + 12 * int(draw.integers(3))
            tone = _pluck(440.0 * 2 ** ((pitch - 69) / 12), 2.0, draw)
            at, pan = round(start * RATE), float(draw.uniform(0.2, 0.8))
            out[0, at : at + tone.size] += np.float32(1 - pan) * tone
            out[1, at : at + tone.size] += np.float32(pan) * tone
        job.progress(0.95, "finishing")
        made = out[:, :frames]
        if request.reference is not None:
            made = made / max(1e-9, float(np.abs(made).max())) + _beat(request.reference, frames, job)
        made[:, -RATE // 100 :] *= np.linspace(1, 0, made[:, -RATE // 100 :].shape[1], dtype=np.float32)
        return np.asarray(0.8 * made / max(1e-9, float(np.abs(made).max())), dtype=np.float32)

    def separate(self, audio: Array, stems: Sequence[str], job: Job) -> Mapping[str, Array]:
        drums = np.empty_like(audio)
        for index, channel in enumerate(audio):
            drums[index] = _strikes(channel, job, index / len(audio), 1 / len(audio))
        made = {"drums": drums, "other": audio - drums}
        return {stem: made[stem] for stem in stems}


def _beat(reference: Array, frames: int, job: Job) -> Array:
    """What strikes in the reference, from its begin on, again and again, as loud as the plucks."""
    beat = np.stack([_strikes(channel, job, 0.95, 0) for channel in reference])
    beat = np.tile(beat, -(-frames // beat.shape[1]))[:, :frames]
    return np.asarray(beat / max(1e-9, float(np.abs(beat).max())), dtype=np.float32)


def _pluck(hertz: float, seconds: float, draw: np.random.Generator) -> Array:
    """A string (Karplus and Strong, 1983): noise that a loop of one period averages, period by period."""
    period = max(2, round(RATE / hertz))
    wave = draw.uniform(-1, 1, period)
    out = np.empty((round(seconds * RATE) // period + 1, period))
    for row in out:
        row[:] = wave
        wave = 0.498 * (wave + np.roll(wave, 1))
    return out.ravel().astype(np.float32)


def _strikes(channel: Array, job: Job, begin: float, share: float) -> Array:
    """By soft masks of two medians of the spectrum: along time for what sounds on, along bins for what strikes."""
    window = np.hanning(SIZE + 1)[:-1]
    frames = -(-channel.size // HOP) + SIZE // HOP
    padded = np.zeros(frames * HOP + SIZE)
    padded[SIZE : SIZE + channel.size] = channel
    out = np.zeros_like(padded)
    reach = LENGTH // 2
    for first in range(0, frames, STRETCH):
        job.progress(begin + share * first / frames, "separating")
        inside = np.arange(first - reach, min(first + STRETCH, frames) + reach).clip(0, frames)
        spectra = np.fft.rfft(window * np.stack([padded[n * HOP : n * HOP + SIZE] for n in inside]))
        power = np.abs(spectra).astype(np.float32)
        sounding = np.median(np.lib.stride_tricks.sliding_window_view(power, LENGTH, axis=0), axis=-1)
        middle = power[reach : power.shape[0] - reach]
        bins = np.pad(middle, ((0, 0), (reach, reach)), mode="reflect")
        striking = np.median(np.lib.stride_tricks.sliding_window_view(bins, LENGTH, axis=1), axis=-1)
        mask = striking**2 / (striking**2 + sounding**2 + 1e-12)
        parts = window * np.fft.irfft(mask * spectra[reach : spectra.shape[0] - reach])
        for index, part in enumerate(parts):
            at = (first + index) * HOP
            out[at : at + SIZE] += part
    # Squared windows of four steps add up to 1.5.
    return (out[SIZE : SIZE + channel.size] / 1.5).astype(np.float32)
