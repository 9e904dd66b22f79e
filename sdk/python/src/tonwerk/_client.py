"""The clients: one object a server and key, with a resource for every action."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import httpx

from ._errors import TonwerkError
from ._files import AsyncFiles, Files
from ._generated import ACTIONS, Account, AsyncResources, Capabilities, DryRun, Resources
from ._model import read_model
from ._operation import AsyncOperation, LiveOperation, Operation, OperationStatus, operation_of
from ._resource import ActionSteps, AsyncResource, Resource, Submission
from ._session import AsyncSession, Session, SyncSession
from ._steps import Steps

if TYPE_CHECKING:
    from typing_extensions import Self


class AnyAction(Resource[Operation]):
    """An action by name. What this version does not know of its operations stands in `raw`."""

    def create(self, *, idempotency_key: str | None = None, **body: Any) -> Operation:
        """Submits."""
        return self._create(body, idempotency_key)

    def dry_run(self, **body: Any) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class AsyncAnyAction(AsyncResource[AsyncOperation]):
    """An action by name. What this version does not know of its operations stands in `raw`."""

    def create(self, *, idempotency_key: str | None = None, **body: Any) -> Submission[AsyncOperation]:
        """Submits."""
        return self._create(body, idempotency_key)

    async def dry_run(self, **body: Any) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class Tonwerk(Resources):
    """A client of a Tonwerk server. It may be shared by threads.

    `base_url` is `TONWERK_URL` of the environment by default, else `http://127.0.0.1:8787`; `api_key` is `TONWERK_KEY`.
    `retries` counts tries after the first, of requests that may be sent again; `timeout` is how many seconds the server
    may be silent. `http_client` is for proxies, certificates and the like, and stays open.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        retries: int = 6,
        timeout: float = 60.0,
        http_client: httpx.Client | None = None,
    ) -> None:
        self._owned = http_client is None
        http = http_client or httpx.Client()
        self._session = SyncSession(**_options(base_url, api_key, retries, timeout), http=http)
        self.files = Files(self._session)

    def action(self, name: str) -> AnyAction:
        """Any action by name: one that a plugin of the server brings, too."""
        return AnyAction(self._session, _steps_of(self._session, name, Operation))

    def operations(
        self, *, action: str | None = None, status: OperationStatus | None = None, limit: int | None = None
    ) -> Iterator[Operation]:
        """The account's operations, newest first, of all pages. `limit`: operations a page, 1 to 100; 50."""
        page: Page | None = Page({"action": action, "status": status, "limit": limit})
        while page is not None:
            listed, page = self._session.run(page.read(self._session))
            for name, data in listed:
                yield operation_of(_kind_of(name, Operation), self._session, name, {"operation": data})

    def redeliver(self, id: str) -> None:
        """Sends the webhook of an operation that has ended again."""
        self._session.run(_redeliver(self._session, id))

    def account(self) -> Account:
        """Credits and limits."""
        return self._session.run(_account(self._session))

    def capabilities(self) -> Capabilities:
        """What the server can do: actions, engines, models."""
        return self._session.run(_capabilities(self._session))

    def close(self) -> None:
        if self._owned:
            self._session.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AsyncTonwerk(AsyncResources):
    """As Tonwerk, for asyncio. It belongs to one event loop."""

    def __init__(
        self,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        retries: int = 6,
        timeout: float = 60.0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        self._owned = http_client is None
        http = http_client or httpx.AsyncClient()
        self._session = AsyncSession(**_options(base_url, api_key, retries, timeout), http=http)
        self.files = AsyncFiles(self._session)

    def action(self, name: str) -> AsyncAnyAction:
        """Any action by name: one that a plugin of the server brings, too."""
        return AsyncAnyAction(self._session, _steps_of(self._session, name, AsyncOperation))

    async def operations(
        self, *, action: str | None = None, status: OperationStatus | None = None, limit: int | None = None
    ) -> AsyncIterator[AsyncOperation]:
        """The account's operations, newest first, of all pages. `limit`: operations a page, 1 to 100; 50."""
        page: Page | None = Page({"action": action, "status": status, "limit": limit})
        while page is not None:
            listed, page = await self._session.run(page.read(self._session))
            for name, data in listed:
                yield operation_of(_kind_of(name, AsyncOperation), self._session, name, {"operation": data})

    async def redeliver(self, id: str) -> None:
        """Sends the webhook of an operation that has ended again."""
        await self._session.run(_redeliver(self._session, id))

    async def account(self) -> Account:
        """Credits and limits."""
        return await self._session.run(_account(self._session))

    async def capabilities(self) -> Capabilities:
        """What the server can do: actions, engines, models."""
        return await self._session.run(_capabilities(self._session))

    async def close(self) -> None:
        if self._owned:
            await self._session.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _options(base_url: str | None, api_key: str | None, retries: int, timeout: float) -> dict[str, Any]:
    key = api_key or os.environ.get("TONWERK_KEY")
    if not key:
        raise TonwerkError("No API key: pass `api_key`, or set TONWERK_KEY")
    url = base_url or os.environ.get("TONWERK_URL") or "http://127.0.0.1:8787"
    return {"base_url": url.rstrip("/"), "api_key": key, "retries": retries, "timeout": timeout}


@dataclass(frozen=True)
class Page:
    """A page of the list of operations, before it is read."""

    query: Mapping[str, Any]

    def read(self, session: Session) -> Steps[tuple[list[tuple[str, Mapping[str, Any]]], Page | None]]:
        query = urlencode({name: value for name, value in self.query.items() if value is not None})
        answer = yield from session.json("GET", f"/v1/operations?{query}")
        listed = [(data["action"], data) for data in answer["operations"]]
        cursor = answer.get("next_cursor")
        return listed, None if cursor is None else Page({**self.query, "cursor": cursor})


def _kind_of(name: str, kind: type[Any]) -> type[Any]:
    known = ACTIONS.get(name)
    if known is None:
        return kind
    return known[0] if kind is Operation else known[1]


def _steps_of(session: Session, name: str, kind: type[Any]) -> ActionSteps[Any]:
    known = ACTIONS.get(name)
    return ActionSteps[LiveOperation](session, name, () if known is None else known[2], _kind_of(name, kind))


def _redeliver(session: Session, id: str) -> Steps[None]:
    key = str(uuid.uuid4())
    body = {"idempotency_key": key, "id": id}
    yield from session.json("PUT", "/v1/operations.redeliver", json_body=body, idempotency_key=key)


def _account(session: Session) -> Steps[Account]:
    answer = yield from session.json("GET", "/v1/account")
    return read_model(Account, answer["account"])


def _capabilities(session: Session) -> Steps[Capabilities]:
    return read_model(Capabilities, (yield from session.json("GET", "/v1/capabilities")))
