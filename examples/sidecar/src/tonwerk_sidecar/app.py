"""The protocol, version 1, as an ASGI application: uvicorn and others serve it. It knows no model."""

from __future__ import annotations

import asyncio
import hmac
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import numpy as np

from . import frames
from .model import Array, Cancelled, GenerateRequest, GenerateTask, Job, Model, OutOfMemory

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

PROTOCOL = 1
#: Something is said at least this often while a model works.
ALIVE_SECONDS = 5.0
WORDS_BYTES_MAX = 1_000_000
JOB = re.compile(r"[A-Za-z0-9._-]{1,100}\Z")


class _Refused(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def create_app(model: Model, token: str | None = None) -> App:
    """Serves `model`; with a `token`, to those alone who have it."""
    return _Server(model, token)


class _Server:
    def __init__(self, model: Model, token: str | None) -> None:
        self._model = model
        self._token = token
        self._status = "unloaded"
        self._reason: str | None = None
        self._jobs: dict[str, Job] = {}
        # As many threads as jobs that the model takes at once; it is never loaded while it works.
        self._threads = ThreadPoolExecutor(max_workers=model.concurrency, thread_name_prefix="model")
        self._loading: asyncio.Future[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            return
        try:
            self._authorise(scope)
            await self._route(scope, receive, send)
        except _Refused as refused:
            extra = [(b"retry-after", b"1")] if refused.status == 503 else []
            await _answer(send, refused.status, {"error": {"code": refused.code, "message": str(refused)}}, extra)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                self._begin(self._model.load, "loading", "ready")
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                for job in self._jobs.values():
                    job.cancel()
                self._threads.shutdown(wait=True, cancel_futures=True)
                await send({"type": "lifespan.shutdown.complete"})
                return

    def _authorise(self, scope: Scope) -> None:
        if self._token is None:
            return
        given = dict(scope["headers"]).get(b"authorization", b"")
        if not hmac.compare_digest(given, f"Bearer {self._token}".encode()):
            raise _Refused(401, "unauthorized", "The token is missing or wrong")

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        method, path = scope["method"], scope["path"]
        if (method, path) == ("GET", "/v1/health"):
            await _answer(send, 200, self._health())
        elif (method, path) == ("POST", "/v1/load"):
            if self._status in ("unloaded", "failed"):
                self._begin(self._model.load, "loading", "ready")
            await _answer(send, 202)
        elif (method, path) == ("POST", "/v1/unload"):
            if self._status == "ready" and not self._jobs:
                self._begin(self._model.unload, "unloaded", "unloaded")
            await _answer(send, 202)
        elif (method, path) == ("POST", "/v1/generate") and self._making():
            kind = dict(scope["headers"]).get(b"content-type", b"")
            await self._generate(kind == frames.TYPE.encode(), receive, send)
        elif (method, path) == ("POST", "/v1/separate") and self._model.separates is not None:
            await self._separate(receive, send)
        elif method == "DELETE" and path.startswith("/v1/jobs/"):
            job = self._jobs.get(path.removeprefix("/v1/jobs/"))
            if job is None:
                raise _Refused(404, "not_found", "There is no such job")
            job.cancel()
            await _answer(send, 204)
        else:
            raise _Refused(404, "not_found", "There is no such path")

    def _health(self) -> dict[str, object]:
        model = self._model
        tasks: dict[str, object] = {
            name: {"sample_rate": task.sample_rate, "seconds_max": task.seconds_max}
            for name, task in self._making().items()
        }
        if (separates := model.separates) is not None:
            tasks["separate"] = {
                "sample_rate": separates.sample_rate,
                "seconds_max": separates.seconds_max,
                "stems": list(separates.stems),
            }
        return {
            "protocol": PROTOCOL,
            "status": "busy" if self._is_full() and self._status == "ready" else self._status,
            "reason": self._reason,
            "model": {"name": model.name, "version": model.version, "licence": model.licence},
            "tasks": tasks,
            "device": model.device,
            "memory": {"used_bytes": model.memory_bytes()},
            "concurrency": model.concurrency,
        }

    def _making(self) -> dict[str, GenerateTask]:
        model = self._model
        tasks = {
            "generate": model.generates,
            "song": model.sings,
            "remix": model.remixes,
            "remix_song": model.remixes_songs,
        }
        return {name: task for name, task in tasks.items() if task is not None}

    def _is_full(self) -> bool:
        return len(self._jobs) >= self._model.concurrency

    def _begin(self, work: Callable[[], None], during: str, after: str) -> None:
        self._status, self._reason = during, None

        async def run() -> None:
            try:
                await asyncio.get_running_loop().run_in_executor(self._threads, work)
                self._status = after
            except Exception as error:
                self._status, self._reason = "failed", f"{type(error).__name__}: {error}"

        self._loading = asyncio.ensure_future(run())

    async def _generate(self, anew: bool, receive: Receive, send: Send) -> None:
        """`anew`: behind the words comes what is made anew."""
        making = self._making()
        longest = max(int(8 * task.sample_rate * task.seconds_max) for task in making.values()) if anew else 0
        body = await _body(receive, WORDS_BYTES_MAX + longest)
        try:
            given, at = frames.read_line(body, 0) if anew else (json.loads(body), 0)
        except (ValueError, frames.Malformed):
            raise _Refused(400, "invalid", "The body is not JSON") from None
        if not isinstance(given, Mapping):
            raise _Refused(400, "invalid", "The body is no object")
        prompt, lyrics = given.get("prompt"), given.get("lyrics", "")
        seconds, seed = given.get("seconds"), given.get("seed")
        if not isinstance(prompt, str) or not isinstance(lyrics, str):
            raise _Refused(400, "invalid", '"prompt" and "lyrics" are texts')
        asked = ("generate" if lyrics == "" else "song") if not anew else ("remix" if lyrics == "" else "remix_song")
        task = making.get(asked)
        if task is None:
            raise _Refused(400, "invalid", f"It does not serve {asked}, but {', '.join(making)}")
        if not isinstance(seconds, int | float) or not 0 < seconds <= task.seconds_max:
            raise _Refused(400, "invalid", f'"seconds" is above 0 and at most {task.seconds_max}')
        if not isinstance(seed, int) or not 0 <= seed < 2**32:
            raise _Refused(400, "invalid", '"seed" is a whole number from 0 to 4294967295')
        try:
            reference = frames.read_audio(body, at, task.sample_rate, task.seconds_max) if anew else None
        except frames.Malformed as error:
            raise _Refused(400, "invalid", str(error)) from None
        request = GenerateRequest(prompt, lyrics, float(seconds), seed, reference)

        def work(job: Job) -> list[tuple[str | None, Array]]:
            return [(None, self._model.generate(request, job))]

        await self._work(given.get("job"), work, task.sample_rate, receive, send)

    async def _separate(self, receive: Receive, send: Send) -> None:
        task = self._model.separates
        assert task is not None
        body = await _body(receive, WORDS_BYTES_MAX + int(8 * task.sample_rate * task.seconds_max))
        try:
            head, at = frames.read_line(body, 0)
            samples = frames.read_audio(body, at, task.sample_rate, task.seconds_max)
        except frames.Malformed as error:
            raise _Refused(400, "invalid", str(error)) from None
        stems = head.get("stems")
        if not isinstance(stems, list) or not stems or any(stem not in task.stems for stem in stems):
            raise _Refused(400, "invalid", f'"stems" is a list of {", ".join(task.stems)}')

        def work(job: Job) -> list[tuple[str | None, Array]]:
            made = self._model.separate(samples, stems, job)
            return [(stem, made[stem]) for stem in stems]

        await self._work(head.get("job"), work, task.sample_rate, receive, send)

    async def _work(
        self,
        name: object,
        work: Callable[[Job], list[tuple[str | None, Array]]],
        sample_rate: int,
        receive: Receive,
        send: Send,
    ) -> None:
        if not isinstance(name, str) or JOB.match(name) is None:
            raise _Refused(400, "invalid", '"job" is a name of letters, digits, ".", "_" and "-"')
        if name in self._jobs:
            raise _Refused(400, "invalid", "There is a job of that name")
        if self._status != "ready" or self._is_full():
            raise _Refused(503, "busy", "It works for others" if self._is_full() else f"It is {self._status}")
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[bytes] = asyncio.Queue()

        def tell(fraction: float, stage: str) -> None:
            text = frames.line(type="progress", fraction=round(fraction, 4), stage=stage)
            loop.call_soon_threadsafe(told.put_nowait, text)

        job = Job(tell)
        self._jobs[name] = job
        watching = asyncio.ensure_future(_watch(receive, job))
        running = loop.run_in_executor(self._threads, work, job)
        try:
            head = [(b"content-type", frames.TYPE.encode())]
            await send({"type": "http.response.start", "status": 200, "headers": head})
            async for text in _until(running, told):
                await send({"type": "http.response.body", "body": text, "more_body": True})
            await self._finish(running, sample_rate, send)
        finally:
            # Also where sending failed: the client has gone.
            job.cancel()
            watching.cancel()
            with suppress(Exception):
                await running
            del self._jobs[name]

    async def _finish(
        self, running: asyncio.Future[list[tuple[str | None, Array]]], sample_rate: int, send: Send
    ) -> None:
        try:
            made = await running
            parts: list[bytes] = []
            for stem, samples in made:
                if not np.isfinite(samples).all():
                    raise ValueError("the model gave samples that are not finite")
                parts += frames.audio(samples, sample_rate, **({} if stem is None else {"stem": stem}))
            parts.append(frames.line(type="done"))
        except Cancelled:
            parts = [frames.line(type="error", code="cancelled", message="The job was cancelled")]
        except (MemoryError, OutOfMemory) as error:
            parts = [frames.line(type="error", code="out_of_memory", message=str(error) or "Memory ran out")]
        except Exception as error:
            parts = [frames.line(type="error", code="failed", message=f"{type(error).__name__}: {error}")]
        for part in parts:
            for at in range(0, len(part), 1 << 20):
                await send({"type": "http.response.body", "body": part[at : at + (1 << 20)], "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _watch(receive: Receive, job: Job) -> None:
    """Cancels the job when its connection closes."""
    while (await receive())["type"] != "http.disconnect":
        pass
    job.cancel()


async def _until(running: asyncio.Future[Any], told: asyncio.Queue[bytes]) -> AsyncIterator[bytes]:
    """What is told until the work is done; an empty line where that is nothing for long."""
    while not running.done():
        getting = asyncio.ensure_future(told.get())
        await asyncio.wait((running, getting), timeout=ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if getting.done():
            yield getting.result()
        else:
            getting.cancel()
            if not running.done():
                yield b"\n"
    while not told.empty():
        yield told.get_nowait()


async def _body(receive: Receive, bytes_max: int) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Refused(400, "invalid", "The body broke off")
        body += message.get("body", b"")
        if len(body) > bytes_max:
            raise _Refused(413, "too_large", f"The body has more than {bytes_max} bytes")
        if not message.get("more_body", False):
            return bytes(body)


async def _answer(send: Send, status: int, body: object = None, extra: list[tuple[bytes, bytes]] | None = None) -> None:
    data = b"" if body is None else json.dumps(body).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode()), *(extra or [])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data, "more_body": False})
