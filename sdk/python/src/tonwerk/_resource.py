"""Actions: what a client submits to."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from ._async_live import AsyncOperation
from ._errors import TonwerkError
from ._live import Operation
from ._model import Model, read_model
from ._operation import LiveOperation, OnProgress, OperationFields, operation_of
from ._query import segment, with_key, written
from ._session import AsyncSession, Session, SyncSession
from ._steps import Steps

L = TypeVar("L", bound=LiveOperation)
S = TypeVar("S", bound=Operation)
A = TypeVar("A", bound=AsyncOperation)
M = TypeVar("M", bound=Model)


@runtime_checkable
class HasUrl(Protocol):
    """An upload or an output."""

    @property
    def url(self) -> str: ...


Source = str | HasUrl | Mapping[str, str]
"""Audio that a request takes: a URL, or anything that has one, such as an upload or an output."""


class ActionSteps(Generic[L]):
    """The steps behind an action's methods."""

    def __init__(self, session: Session, name: str, sources: tuple[str, ...], kind: type[L]) -> None:
        self._session = session
        self.name = name
        self._sources = sources
        self._kind = kind

    def create(self, body: Mapping[str, Any], key: str | None, outcome: str | None) -> Steps[L]:
        headers = None if outcome is None else {"test-outcome": outcome}
        return operation_of(self._kind, self._session, self.name, (yield from self._put("", body, key, headers)))

    def dry_run(self, body: Mapping[str, Any], kind: type[M]) -> Steps[M]:
        return read_model(kind, (yield from self._put("?dry_run=true", body, None, None)))

    def get(self, id: str) -> Steps[L]:
        answer = yield from self._session.json("GET", f"/v1/{self.name}?id={segment(id)}")
        return operation_of(self._kind, self._session, self.name, answer)

    def request(self, body: Mapping[str, Any], key: str | None) -> dict[str, Any]:
        """As it is sent."""
        return with_key({name: self._wire(name, value) for name, value in written(body).items()}, key)

    def _put(
        self, query: str, body: Mapping[str, Any], key: str | None, headers: Mapping[str, str] | None
    ) -> Steps[Mapping[str, Any]]:
        sent = self.request(body, key)
        path = f"/v1/{self.name}{query}"
        return self._session.json("PUT", path, json_body=sent, headers=headers, idempotency_key=sent["idempotency_key"])

    def _wire(self, name: str, value: Any) -> Any:
        if isinstance(value, OperationFields):
            raise TonwerkError(f"{name}: pass one of the operation's outputs")
        if isinstance(value, list | tuple) and name in self._sources:
            return [self._wire(name, one) for one in value]
        if isinstance(value, str):
            return {"url": value} if name in self._sources else value
        return {"url": value.url} if isinstance(value, HasUrl) else value


class Submission(Generic[A]):
    """A request that is sent when it is awaited: itself for the accepted operation, its `wait()` for the end."""

    def __init__(self, send: Callable[[], Coroutine[Any, Any, A]]) -> None:
        self._send = send

    def __await__(self) -> Generator[Any, Any, A]:
        return self._send().__await__()

    async def wait(
        self, *, on_progress: OnProgress | None = None, keep: bool = False, timeout: float | None = None
    ) -> A:
        """As the operation's `wait`."""
        return await (await self).wait(on_progress=on_progress, keep=keep, timeout=timeout)


class Resource(Generic[S]):
    """One action."""

    def __init__(self, session: SyncSession, steps: ActionSteps[S]) -> None:
        self._session = session
        self._steps = steps

    def _create(self, body: Mapping[str, Any], key: str | None, outcome: str | None) -> S:
        return self._session.run(self._steps.create(body, key, outcome))

    def _dry_run(self, body: Mapping[str, Any], kind: type[M]) -> M:
        return self._session.run(self._steps.dry_run(body, kind))

    def get(self, id: str) -> S:
        """The operation as it is now. Raises NotFoundError."""
        return self._session.run(self._steps.get(id))


class AsyncResource(Generic[A]):
    """One action."""

    def __init__(self, session: AsyncSession, steps: ActionSteps[A]) -> None:
        self._session = session
        self._steps = steps

    def _create(self, body: Mapping[str, Any], key: str | None, outcome: str | None) -> Submission[A]:
        # A second `await` sends the same request under the same key.
        chosen = key or str(uuid.uuid4())
        return Submission(lambda: self._session.run(self._steps.create(body, chosen, outcome)))

    def _dry_run(self, body: Mapping[str, Any], kind: type[M]) -> Awaitable[M]:
        return self._session.run(self._steps.dry_run(body, kind))

    async def get(self, id: str) -> A:
        """The operation as it is now. Raises NotFoundError."""
        return await self._session.run(self._steps.get(id))
