"""What the client does, step by step, without saying how.

All logic (retries, waiting, resuming) stands once, in generators that yield steps. `run` performs each at once,
`run_async` awaits it.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, cast

import httpx

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Step(Protocol[T_co]):
    """One thing to do, in both worlds."""

    def run(self, http: httpx.Client) -> T_co: ...
    async def run_async(self, http: httpx.AsyncClient) -> T_co: ...


Steps = Generator[Step[Any], Any, T]


def perform(step: Step[T]) -> Steps[T]:
    """The step's result: `answer = yield from perform(Send(…))`."""
    return cast(T, (yield step))


def run(steps: Steps[T], http: httpx.Client) -> T:
    act: Callable[[], Step[Any]] = partial(next, steps)
    while True:
        try:
            step = act()
        except StopIteration as end:
            return cast(T, end.value)
        try:
            act = partial(steps.send, step.run(http))
        except BaseException as error:
            act = partial(steps.throw, error)


async def run_async(steps: Steps[T], http: httpx.AsyncClient) -> T:
    act: Callable[[], Step[Any]] = partial(next, steps)
    while True:
        try:
            step = act()
        except StopIteration as end:
            return cast(T, end.value)
        try:
            act = partial(steps.send, await step.run_async(http))
        # The end of a task, too: a generator may have something to do about it.
        except BaseException as error:
            act = partial(steps.throw, error)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: httpx.Headers
    reason: str
    body: bytes

    @classmethod
    def of(cls, response: httpx.Response) -> Answer:
        return cls(response.status_code, response.headers, response.reason_phrase, response.content)


Content = bytes | Iterable[bytes] | AsyncIterable[bytes] | None


@dataclass(frozen=True)
class Send(Step[Answer]):
    """A request with its whole answer."""

    method: str
    url: str
    headers: Mapping[str, str]
    timeout: float
    content: Content = None

    def run(self, http: httpx.Client) -> Answer:
        if isinstance(self.content, AsyncIterable):
            raise TypeError("Asynchronous iterators are for AsyncTonwerk")
        request = http.build_request(
            self.method, self.url, headers=dict(self.headers), content=self.content, timeout=self.timeout
        )
        return Answer.of(http.send(request))

    async def run_async(self, http: httpx.AsyncClient) -> Answer:
        content = self.content
        if not isinstance(content, bytes | AsyncIterable | None):
            content = _in_thread(content)
        request = http.build_request(
            self.method, self.url, headers=dict(self.headers), content=content, timeout=self.timeout
        )
        return Answer.of(await http.send(request))


async def _in_thread(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    """What reads a disk does not hold up the event loop."""
    iterator = iter(parts)
    while (part := await asyncio.to_thread(next, iterator, None)) is not None:
        yield part


@dataclass(frozen=True)
class Sleep(Step[None]):
    seconds: float

    def run(self, http: httpx.Client) -> None:
        time.sleep(self.seconds)

    async def run_async(self, http: httpx.AsyncClient) -> None:
        await asyncio.sleep(self.seconds)


@dataclass(frozen=True)
class Work(Step[T]):
    """What a disk keeps waiting; in a thread where others wait for the loop."""

    act: Callable[[], T]

    def run(self, http: httpx.Client) -> T:
        return self.act()

    async def run_async(self, http: httpx.AsyncClient) -> T:
        return await asyncio.to_thread(self.act)


@dataclass(frozen=True)
class Tell(Step[None], Generic[T]):
    """Calls back; asynchronous clients await what the callback returns."""

    callback: Callable[[T], object]
    news: T

    def run(self, http: httpx.Client) -> None:
        self.callback(self.news)

    async def run_async(self, http: httpx.AsyncClient) -> None:
        result = self.callback(self.news)
        if inspect.isawaitable(result):
            await cast("Awaitable[object]", result)


@dataclass
class Stream:
    """An answer whose body is still to be read."""

    response: httpx.Response
    parts: Iterator[bytes] | None = field(default=None)
    async_parts: AsyncIterator[bytes] | None = field(default=None)


@dataclass(frozen=True)
class Open(Step[Stream]):
    url: str
    headers: Mapping[str, str]
    timeout: float

    def run(self, http: httpx.Client) -> Stream:
        request = http.build_request("GET", self.url, headers=dict(self.headers), timeout=self.timeout)
        return Stream(http.send(request, stream=True, follow_redirects=True))

    async def run_async(self, http: httpx.AsyncClient) -> Stream:
        request = http.build_request("GET", self.url, headers=dict(self.headers), timeout=self.timeout)
        return Stream(await http.send(request, stream=True, follow_redirects=True))


@dataclass(frozen=True)
class Read(Step[bytes]):
    """The next part; empty at the end."""

    stream: Stream

    def run(self, http: httpx.Client) -> bytes:
        self.stream.parts = self.stream.parts or self.stream.response.iter_raw()
        return next(self.stream.parts, b"")

    async def run_async(self, http: httpx.AsyncClient) -> bytes:
        self.stream.async_parts = self.stream.async_parts or self.stream.response.aiter_raw()
        return await anext(self.stream.async_parts, b"")


@dataclass(frozen=True)
class Close(Step[None]):
    stream: Stream

    def run(self, http: httpx.Client) -> None:
        self.stream.response.close()

    async def run_async(self, http: httpx.AsyncClient) -> None:
        await self.stream.response.aclose()
