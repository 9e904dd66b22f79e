# ruff: noqa: I001
"""Written by scripts/sdk.ts from the module for asyncio. Change that, not this."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast

from ._events import EventStream
from ._model import read_as
from ._operation import LiveOperation, OnProgress, Progress, operation_of, read_progress
from ._output import Bits, DownloadProgress, Format, OutputFields, Parts, Peaks, read_peaks, save, target_of
from ._session import SyncSession
from ._query import query_of, written

if TYPE_CHECKING:
    from typing_extensions import Self

Bytes = bytes
"""The type; outputs have a field of that name."""


@dataclass(frozen=True, kw_only=True)
class Output(OutputFields):
    """One piece of audio. `format`, `bits` and `preview` ask for another form, which may have to be made first."""

    _session: SyncSession = field(init=False, repr=False, compare=False)

    def stream(
        self,
        *,
        format: Format | None = None,
        bits: Bits | None = None,
        preview: bool = False,
        on_progress: DownloadProgress | None = None,
    ) -> Iterator[Bytes]:
        """The file's bytes as they come. What ends without an error is the file."""
        parts = Parts(target_of(self, format, bits, preview), on_progress)
        try:
            while part := self._session.run(parts.next()):
                yield part
        finally:
            self._session.run(parts.close())

    def read(
        self,
        *,
        format: Format | None = None,
        bits: Bits | None = None,
        preview: bool = False,
        on_progress: DownloadProgress | None = None,
    ) -> Bytes:
        """The whole file in memory."""
        whole = bytearray()
        for part in self.stream(format=format, bits=bits, preview=preview, on_progress=on_progress):
            whole += part
        return Bytes(whole)

    def download(
        self,
        path: str | os.PathLike[str],
        *,
        format: Format | None = None,
        bits: Bits | None = None,
        preview: bool = False,
        on_progress: DownloadProgress | None = None,
    ) -> None:
        """Saves the file; `path` appears when it is whole."""
        self._session.run(save(target_of(self, format, bits, preview), path, on_progress))

    def peaks(self, bins: int = 800) -> Peaks:
        """A waveform to be drawn, of 1 to 8,000 bins."""
        return self._session.run(read_peaks(self, bins))


@dataclass(frozen=True, kw_only=True)
class Operation(LiveOperation):
    """What the server says of an operation, and what can be done with it. It never changes: methods return new ones."""

    outputs: tuple[Output, ...]
    _session: SyncSession = field(init=False, repr=False, compare=False)

    def wait(
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
        return self._session.run(self._wait_steps(on_progress, keep, timeout))

    def refresh(self) -> Self:
        """As the server sees it now, with URLs that work."""
        return self._session.run(self._read_steps(wait=False))

    def cancel(self) -> Self:
        """Cancels it; its credits come back where no work has begun. What has ended stays as it is."""
        return self._session.run(self._cancel_steps())

    def events(self) -> Iterator[OperationEvent]:
        """What becomes of it, as the server tells it: progress, then its end."""
        return read_events(self._session, f"/v1/operations/{self.id}/events", None, ends=True)

    def _save_archive(self, path: str | os.PathLike[str], on_progress: DownloadProgress | None) -> None:
        self._session.run(save(self._archive(), path, on_progress))


@dataclass(frozen=True)
class OperationEvent:
    """Something that became of an operation."""

    type: Literal["progress", "ready", "failed"]
    id: str | None
    """Of ends: what `events(last_event_id=…)` goes on after."""
    action: str
    operation_id: str
    progress: Progress
    operation: Operation | None
    """At its end, without reports."""


def read_events(
    session: SyncSession, path: str, last_event_id: str | None, *, ends: bool = False
) -> Iterator[OperationEvent]:
    """`ends`: with the first operation that has."""
    events = EventStream(session, path, last_event_id, retries=session.retries)
    try:
        while event := session.run(events.next()):
            data, kind = event.data, cast("Literal['progress', 'ready', 'failed']", event.type)
            ended = None if kind == "progress" else operation_of(Operation, session, data["action"], {"": data})
            yield OperationEvent(kind, event.id, data["action"], data["id"], read_progress(data), ended)
            if ends and ended is not None:
                return
    finally:
        session.run(events.close())


class Routes:
    """Requests that are no actions."""

    def __init__(self, session: SyncSession) -> None:
        self._session = session

    def _ask(
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
        answer = self._session.run(steps)
        return read_as(kind, answer if unwrap is None else answer[unwrap])

    def _pages(self, kind: Any, path: str, filters: Mapping[str, Any], unwrap: str) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            query = query_of({**filters, "cursor": cursor})
            answer = self._session.run(self._session.json("GET", f"{path}?{query}"))
            for entry in answer[unwrap]:
                yield read_as(kind, entry)
            cursor = answer.get("next_cursor")
            if cursor is None:
                return
