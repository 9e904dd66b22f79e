"""What a model does. Nothing here knows HTTP."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

#: Channels by frames, single precision, about -1 to 1.
Array = npt.NDArray[np.float32]


class Cancelled(Exception):
    """Nobody wants the job any more. `Job.check` and `Job.progress` raise it; let it pass."""


class OutOfMemory(Exception):
    """Raise it from whatever your framework raises (`torch.cuda.OutOfMemoryError`); `MemoryError` counts as well."""


@dataclass(frozen=True)
class GenerateTask:
    sample_rate: int
    seconds_max: float


@dataclass(frozen=True)
class SeparateTask:
    sample_rate: int
    seconds_max: float
    stems: Sequence[str]


@dataclass(frozen=True)
class GenerateRequest:
    prompt: str
    #: Empty: nobody sings.
    lyrics: str
    seconds: float
    seed: int
    #: What is made anew, where it is asked for that (`Model.remixes`): one or two channels at the task's rate.
    reference: Array | None = None


class Job:
    """One piece of work, as the model sees it. Call `check` or `progress` often: that is where a cancelled job ends."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell
        self._cancelled = threading.Event()
        self._fraction = 0.0

    def cancel(self) -> None:
        self._cancelled.set()

    def check(self) -> None:
        if self._cancelled.is_set():
            raise Cancelled

    def progress(self, fraction: float, stage: str) -> None:
        """`fraction` of the work, 0 to 1, is done; `stage` says in a word or two what comes now."""
        self.check()
        self._fraction = min(1.0, max(self._fraction, fraction))
        self._tell(self._fraction, stage)


class Model:
    """Derive from it. Every method runs in a thread of its own, one at a time, unless `concurrency` says more."""

    name = "model"
    version: str | None = None
    #: As its publisher states it.
    licence: str | None = None
    device: str | None = None
    #: Jobs at once: as many threads then call `generate` and `separate`; `load` and `unload` never run beside them.
    concurrency = 1
    generates: GenerateTask | None = None
    #: Songs: `GenerateRequest.lyrics` is then what is to be sung, with its markers ("[Chorus]").
    sings: GenerateTask | None = None
    #: Another piece made anew: `GenerateRequest.reference`; `prompt` may then be empty.
    remixes: GenerateTask | None = None
    #: The same with new lyrics.
    remixes_songs: GenerateTask | None = None
    separates: SeparateTask | None = None

    def load(self) -> None:
        """Reads the weights. Called at the start, and after `unload`."""

    def unload(self) -> None:
        """Gives weights and memory back."""

    def memory_bytes(self) -> int:
        """What it holds: of this process, unless you know better (`torch.cuda.memory_reserved()`)."""
        return _resident_bytes()

    def generate(self, request: GenerateRequest, job: Job) -> Array:
        """One or two channels of `round(seconds * sample_rate)` frames. Equal requests should give equal samples."""
        raise NotImplementedError

    def separate(self, audio: Array, stems: Sequence[str], job: Job) -> Mapping[str, Array]:
        """Each of `stems` with the shape of `audio`."""
        raise NotImplementedError


def _resident_bytes() -> int:
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmRSS:"):
                    return 1024 * int(line.split()[1])
    except OSError:
        pass
    import resource

    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
