"""Models that go wrong, behind the reference server."""

from __future__ import annotations

import resource
import time

import numpy as np

from tonwerk_sidecar import Array, GenerateRequest, GenerateTask, Job, Model


class Plain(Model):
    generates = GenerateTask(sample_rate=44_100, seconds_max=30)


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
