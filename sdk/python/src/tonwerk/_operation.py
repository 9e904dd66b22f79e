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
from ._errors import ApiError, ConnectionError, OperationFailedError, TonwerkError
from ._events import EventStream
from ._model import Model, read_model
from ._output import OutputFields, Place, Target
from ._session import Session
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


class Told:
    """Calls back with what is new."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._last: Progress | None = None

    def tell(self, news: Progress) -> Steps[None]:
        if news != self._last:
            yield from perform(Tell(self._on_progress, news))
        self._last = news


def read_progress(data: Mapping[str, Any]) -> Progress:
    """Of an event or an operation as they are sent."""
    return Progress(data["progress"], data["stage"], data["queue_position"])


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
    cost_max: int | None
    """Credits debited at first, where the price goes by sources that were still to be measured; else None."""
    rebated: int | None
    """Of these, what the measured sources cost less; None where that is."""
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
        told = None if on_progress is None else Told(on_progress)
        now = self
        try:
            if told is not None and now.status == "processing":
                yield from now._follow(told, deadline)
                now = yield from now._read_steps(wait=False)
            while now.status == "processing":
                if time.monotonic() > deadline:
                    raise TonwerkError(f"{self.id} is still in work after {timeout} s")
                if told is not None:
                    yield from told.tell(read_progress(now.raw))
                    yield from perform(Sleep(PROGRESS_EVERY))
                now = yield from now._read_steps(wait=told is None)
        except (asyncio.CancelledError, KeyboardInterrupt):
            if not keep:
                with suppress(TonwerkError):
                    yield from now._cancel_steps(CANCEL_RETRIES)
            raise
        if now.error is not None:
            raise OperationFailedError(now.id, now.error.code, now.error.message, now.error.source)
        return now

    def _follow(self, told: Told, deadline: float) -> Steps[None]:
        """Tells progress until the end. Where events are refused or break off, whoever waits asks instead."""
        events = EventStream(self._session, f"/v1/operations/{self.id}/events", retries=0)
        try:
            while (left := deadline - time.monotonic()) > 0:
                event = yield from events.next(left)
                if event is None or event.type != "progress":
                    return
                yield from told.tell(read_progress(event.data))
        except (ApiError, ConnectionError):
            return
        finally:
            yield from events.close()

    def _archive(self) -> Target:
        archive = self.raw.get("archive")
        if archive is None:
            raise TonwerkError(f"{self.id} has no archive: it is {self.status}")
        return Target(archive["url"], Place(self._session, self.action, self.id, "archive"), None, None)

    def _next(self, answer: Mapping[str, Any]) -> Self:
        return operation_of(type(self), self._session, self.action, answer)


L = TypeVar("L", bound=LiveOperation)


def operation_of(kind: type[L], session: Session, action: str, answer: Mapping[str, Any]) -> L:
    """The operation in an answer, which holds it under one key."""
    operation = fields_of(kind, next(iter(answer.values())), action=action)
    object.__setattr__(operation, "_session", session)
    for index, output in enumerate(operation.outputs):
        object.__setattr__(output, "_session", session)
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
