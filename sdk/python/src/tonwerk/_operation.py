"""Operations as objects: the fields as the server sends them, and what one does with them."""

from __future__ import annotations

import asyncio
import math
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args, get_type_hints

from ._codes import FailureCode
from ._errors import OperationFailedError, TonwerkError
from ._model import Model, read_model
from ._output import AsyncOutput, Output, OutputFields, Place
from ._session import AsyncSession, Session, SyncSession
from ._steps import Sleep, Steps, Tell, perform

if TYPE_CHECKING:
    from typing_extensions import Self

PROGRESS_EVERY = 1.0
LONG_POLL = 20.0
"""A long-poll is answered after so many seconds at the latest."""
CANCEL_RETRIES = 1
"""Who is about to end has no time for more."""

OperationStatus = Literal["processing", "ready", "failed"]
O = TypeVar("O", bound="OperationFields")  # noqa: E741


@dataclass(frozen=True, kw_only=True)
class OperationError(Model):
    code: FailureCode | str
    """Stable, machine-readable."""
    message: str
    """For people."""
    source: str | None
    """The input that the failure concerns, where there are several."""


@dataclass(frozen=True)
class Progress:
    progress: float
    """0 to 1."""
    stage: str | None
    queue_position: int | None
    """Jobs before this one; None once work has begun."""


OnProgress = Callable[[Progress], object]


@dataclass(frozen=True, kw_only=True)
class OperationFields(Model):
    """What the operations of all actions share."""

    id: str
    status: OperationStatus
    """`ready` and `failed` stay."""
    created_at: datetime
    idempotency_key: str
    outputs: tuple[OutputFields, ...]
    """Empty until it is ready."""
    error: OperationError | None
    """None unless it failed."""
    progress: float
    """0 to 1."""
    stage: str | None
    """What is being done, in words; None once it has ended."""
    queue_position: int | None
    """Jobs before this one, counted to 10,000; None once work has begun."""
    started_at: datetime | None
    completed_at: datetime | None
    cost: int
    """Credits charged."""
    refunded: int
    """Credits that came back: all where it failed, none where it was cancelled after work had begun."""


@dataclass(frozen=True, kw_only=True)
class LiveOperation(OperationFields):
    """The steps behind the methods of both kinds of operation."""

    action: str
    """`create.new_song` and the like."""
    _session: Session = field(init=False, repr=False, compare=False)

    def _read_steps(self, wait: bool) -> Steps[Self]:
        answer = yield from self._session.json(
            "GET",
            f"/v1/{self.action}?id={self.id}{'&wait=true' if wait else ''}",
            timeout=LONG_POLL + self._session.timeout if wait else None,
        )
        return self._next(answer)

    def _cancel_steps(self, retries: int | None = None) -> Steps[Self]:
        key = str(uuid.uuid4())
        body = {"idempotency_key": key, "id": self.id}
        answer = yield from self._session.json(
            "PUT", "/v1/operations.cancel", json_body=body, idempotency_key=key, retries=retries
        )
        return self._next(answer)

    def _wait_steps(self, on_progress: OnProgress | None, keep: bool, timeout: float | None) -> Steps[Self]:
        deadline = math.inf if timeout is None else time.monotonic() + timeout
        seen: Progress | None = None
        now = self
        try:
            while now.status == "processing":
                if time.monotonic() > deadline:
                    raise TonwerkError(f"{self.id} is still in work after {timeout} s")
                if on_progress is not None:
                    news = Progress(now.progress, now.stage, now.queue_position)
                    if news != seen:
                        yield from perform(Tell(on_progress, news))
                    seen = news
                    yield from perform(Sleep(PROGRESS_EVERY))
                now = yield from now._read_steps(wait=on_progress is None)
        except (asyncio.CancelledError, KeyboardInterrupt):
            if not keep:
                with suppress(TonwerkError):
                    yield from now._cancel_steps(CANCEL_RETRIES)
            raise
        if now.error is not None:
            raise OperationFailedError(now.id, now.error.code, now.error.message, now.error.source)
        return now

    def _next(self, answer: Mapping[str, Any]) -> Self:
        return operation_of(type(self), self._session, self.action, answer)


@dataclass(frozen=True, kw_only=True)
class Operation(LiveOperation):
    """What the server says of an operation, and what can be done with it. It never changes: methods return new ones."""

    outputs: tuple[Output, ...]

    def wait(self, *, on_progress: OnProgress | None = None, keep: bool = False, timeout: float | None = None) -> Self:
        """Waits for the end. Raises OperationFailedError where it ends as `failed`.

        `on_progress` is called with each change that is seen, about once a second. Ctrl-C cancels the operation unless
        `keep`. After `timeout` seconds waiting ends with a TonwerkError while the work goes on.
        """
        return _sync(self).run(self._wait_steps(on_progress, keep, timeout))

    def refresh(self) -> Self:
        """As the server sees it now, with URLs that work."""
        return _sync(self).run(self._read_steps(wait=False))

    def cancel(self) -> Self:
        """Cancels it; its credits come back where no work has begun. What has ended stays as it is."""
        return _sync(self).run(self._cancel_steps())


@dataclass(frozen=True, kw_only=True)
class AsyncOperation(LiveOperation):
    """What the server says of an operation, and what can be done with it. It never changes: methods return new ones."""

    outputs: tuple[AsyncOutput, ...]

    async def wait(
        self, *, on_progress: OnProgress | None = None, keep: bool = False, timeout: float | None = None
    ) -> Self:
        """Waits for the end. Raises OperationFailedError where it ends as `failed`.

        `on_progress` is called with each change that is seen, about once a second; what it returns is awaited where it
        can be. Cancelling the task that waits cancels the operation unless `keep`. After `timeout` seconds waiting ends
        with a TonwerkError while the work goes on.
        """
        return await _async(self).run(self._wait_steps(on_progress, keep, timeout))

    async def refresh(self) -> Self:
        """As the server sees it now, with URLs that work."""
        return await _async(self).run(self._read_steps(wait=False))

    async def cancel(self) -> Self:
        """Cancels it; its credits come back where no work has begun. What has ended stays as it is."""
        return await _async(self).run(self._cancel_steps())


L = TypeVar("L", bound=LiveOperation)


def operation_of(kind: type[L], session: Session, action: str, answer: Mapping[str, Any]) -> L:
    """The operation in an answer, which holds it under one key."""
    operation = fields_of(kind, next(iter(answer.values())), action=action)
    object.__setattr__(operation, "_session", session)
    for index, output in enumerate(operation.outputs):
        object.__setattr__(output, "_place", Place(session, action, operation.id, index))
    return operation


def fields_of(kind: type[O], data: Mapping[str, Any], **given: Any) -> O:
    """Actions with one output send `output`, others `outputs`, both null until the operation is ready."""
    output_kind = get_args(get_type_hints(kind)["outputs"])[0]
    sent = data.get("outputs") or [one for one in [data.get("output")] if one is not None]
    return read_model(kind, data, outputs=tuple(read_model(output_kind, one) for one in sent), **given)


def first_output(operation: OperationFields) -> Any:
    """What the property `output` of actions with one output returns."""
    if not operation.outputs:
        raise TonwerkError(f"{operation.id} has no output: it is {operation.status}")
    return operation.outputs[0]


def _sync(operation: LiveOperation) -> SyncSession:
    session = operation._session
    assert isinstance(session, SyncSession)
    return session


def _async(operation: LiveOperation) -> AsyncSession:
    session = operation._session
    assert isinstance(session, AsyncSession)
    return session
