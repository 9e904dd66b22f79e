"""Models that go wrong, behind the reference server."""

from __future__ import annotations

import resource
import time

import numpy as np

from tonwerk_sidecar import Array, GenerateRequest, GenerateTask, Job, Model


class Plain(Model):
    generates = GenerateTask(sample_rate=44_100, seconds_max=30)


class Singer(Model):
    """Songs and nothing else: a hum for each line that is not a marker."""

    sings = GenerateTask(sample_rate=32_000, seconds_max=120)
    concurrency = 2

    def generate(self, request: GenerateRequest, job: Job) -> Array:
        lines = [line for line in request.lyrics.splitlines() if line and not line.startswith("[")]
        stretches = np.array_split(np.arange(round(32_000 * request.seconds)), len(lines))
        hums = []
        for index, stretch in enumerate(stretches):
            job.progress(index / len(lines), "humming")
            time.sleep(request.seconds / 100)
            hums.append(0.3 * np.sin(2 * np.pi * (220 + 20 * len(lines[index])) / 32_000 * stretch))
        return np.concatenate(hums).astype(np.float32)[np.newaxis]


class Greedy(Plain):
    """Takes memory until the system gives no more: the limit is the kernel's."""

    def load(self) -> None:
        with open("/proc/self/statm", encoding="ascii") as sizes:
            now = resource.getpagesize() * int(sizes.read().split()[0])
        limit = now + 200_000_000
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    def generate(self, request: GenerateRequest, job: Job) -> Array:
        held = []
        while True:
            held.append(np.ones(10_000_000, dtype=np.float32))


class Hung(Plain):
    """Never looks whether anybody still wants its work."""

    def generate(self, request: GenerateRequest, job: Job) -> Array:
        while True:
            time.sleep(0.1)


class Wild(Plain):
    def generate(self, request: GenerateRequest, job: Job) -> Array:
        return np.full((2, round(44_100 * request.seconds)), np.nan, dtype=np.float32)


class Absent(Plain):
    def load(self) -> None:
        raise FileNotFoundError("weights.safetensors")
