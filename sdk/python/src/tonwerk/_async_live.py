# ruff: noqa: I001
"""Outputs, operations and what lists them, for asyncio. `scripts/sdk.ts` makes `_live.py` of it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from ._events import EventStream
from ._model import read_as
from ._operation import LiveOperation, OnProgress, Progress, operation_of, read_progress
from ._output import Bits, DownloadProgress, Format, OutputFields, Parts, Peaks, read_peaks, save, target_of
from ._session import AsyncSession
from ._query import query_of, written

if TYPE_CHECKING:
    from typing_extensions import Self

Bytes = bytes
"""The type; outputs have a field of that name."""


@dataclass(frozen=True, kw_only=True)
class AsyncOutput(OutputFields):
    """One piece of audio. `format`, `bits` and `preview` ask for another form, which may have to be made first."""

    _session: AsyncSession = field(init=False, repr=False, compare=False)

    async def stream(
        self,
        *,
        format: Format | None = None,
        bits: Bits | None = None,
        preview: bool = False,
        on_progress: DownloadProgress | None = None,
    ) -> AsyncIterator[Bytes]:
        """The file's bytes as they come. What ends without an error is the file."""
        parts = Parts(target_of(self, format, bits, preview), on_progress)
        try:
            while part := await self._session.run(parts.next()):
                yield part
        finally:
            await self._session.run(parts.close())

    async def read(
        self,
        *,
        format: Format | None = None,
        bits: Bits | None = None,
        preview: bool = False,
        on_progress: DownloadProgress | None = None,
    ) -> Bytes:
        """The whole file in memory."""
        whole = bytearray()
        async for part in self.stream(format=format, bits=bits, preview=preview, on_progress=on_progress):
            whole += part
        return Bytes(whole)

    async def download(
        self,
        path: str | os.PathLike[str],
        *,
        format: Format | None = None,
        bits: Bits | None = None,
        preview: bool = False,
        on_progress: DownloadProgress | None = None,
    ) -> None:
        """Saves the file; `path` appears when it is whole."""
        await self._session.run(save(target_of(self, format, bits, preview), path, on_progress))

    async def peaks(self, bins: int = 800) -> Peaks:
        """A waveform to be drawn, of 1 to 8,000 bins."""
        return await self._session.run(read_peaks(self, bins))


@dataclass(frozen=True, kw_only=True)
class AsyncOperation(LiveOperation):
    """What the server says of an operation, and what can be done with it. It never changes: methods return new ones."""

    outputs: tuple[AsyncOutput, ...]
    _session: AsyncSession = field(init=False, repr=False, compare=False)

    async def wait(
        self,
        *,
        on_progress: OnProgress | None = None,
        keep: bool = False,
        timeout: float | None = None,
    ) -> Self:
        """Waits for the end. Raises OperationFailedError where it ends as `failed`.

        `on_progress` is called with each change, as the server tells it; what it returns is awaited where it can be.
        Cancelling the task that waits, or Ctrl-C, cancels the operation unless `keep`. After `timeout` seconds waiting
        ends with a TonwerkError while the work goes on.
        """
        return await self._session.run(self._wait_steps(on_progress, keep, timeout))

    async def refresh(self) -> Self:
        """As the server sees it now, with URLs that work."""
        return await self._session.run(self._read_steps(wait=False))

    async def cancel(self) -> Self:
        """Cancels it; its credits come back where no work has begun. What has ended stays as it is."""
        return await self._session.run(self._cancel_steps())

    def events(self) -> AsyncIterator[AsyncOperationEvent]:
        """What becomes of it, as the server tells it: progress, then its end."""
        return read_events(self._session, f"/v1/operations/{self.id}/events", None, ends=True)

    async def _save_archive(self, path: str | os.PathLike[str], on_progress: DownloadProgress | None) -> None:
        await self._session.run(save(self._archive(), path, on_progress))


@dataclass(frozen=True)
class AsyncOperationEvent:
    """Something that became of an operation."""

    type: Literal["progress", "ready", "failed"]
    id: str | None
    """Of ends: what `events(last_event_id=…)` goes on after."""
    action: str
    operation_id: str
    progress: Progress
    operation: AsyncOperation | None
    """At its end, without reports."""


async def read_events(
    session: AsyncSession, path: str, last_event_id: str | None, *, ends: bool = False
) -> AsyncIterator[AsyncOperationEvent]:
    """`ends`: with the first operation that has."""
    events = EventStream(session, path, last_event_id, retries=session.retries)
    try:
        while event := await session.run(events.next()):
            data, kind = event.data, cast("Literal['progress', 'ready', 'failed']", event.type)
            ended = None if kind == "progress" else operation_of(AsyncOperation, session, data["action"], {"": data})
            yield AsyncOperationEvent(kind, event.id, data["action"], data["id"], read_progress(data), ended)
            if ends and ended is not None:
                return
    finally:
        await session.run(events.close())


class AsyncRoutes:
    """Requests that are no actions."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def _ask(
        self,
        kind: Any,
        method: str,
        path: str,
        *,
        filters: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        unwrap: str | None = None,
    ) -> Any:
        sent = None if body is None else written(body)
        query = "" if filters is None else f"?{query_of(filters)}"
        steps = self._session.json(method, path + query, json_body=sent, is_repeatable=method != "POST")
        answer = await self._session.run(steps)
        return read_as(kind, answer if unwrap is None else answer[unwrap])

    async def _pages(self, kind: Any, path: str, filters: Mapping[str, Any], unwrap: str) -> AsyncIterator[Any]:
        cursor: str | None = None
        while True:
            query = query_of({**filters, "cursor": cursor})
            answer = await self._session.run(self._session.json("GET", f"{path}?{query}"))
            for entry in answer[unwrap]:
                yield read_as(kind, entry)
            cursor = answer.get("next_cursor")
            if cursor is None:
                return
