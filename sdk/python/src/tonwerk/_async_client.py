# ruff: noqa: I001
"""The client for asyncio: a resource for every action. `scripts/sdk.ts` makes `_client.py` of it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._errors import ApiError, TonwerkError, refusal_of
from ._files import UPLOAD_TIMEOUT, AsyncUploadable, upload
from ._async_live import AsyncOperation, AsyncOperationEvent, AsyncRoutes, read_events
from ._generated import (
    ASYNC_OPERATIONS,
    SOURCES,
    AsyncFilesRoutes,
    AsyncOperationsRoutes,
    AsyncResources,
    DryRun,
    OperationFilters,
    UploadedFile,
)
from ._model import read_model
from ._operation import LONG_POLL, operation_of
from ._query import segment, with_key
from ._resource import ActionSteps, AsyncResource, Submission
from ._session import AsyncSession

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

IDS_AT_ONCE = 100


class AsyncAnyAction(AsyncResource[AsyncOperation]):
    """An action by name. What this version does not know of its operations stands in `raw`."""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Any,
    ) -> Submission[AsyncOperation]:
        """Submits. `test_outcome`: with a test key, `ready` or the failure's code."""
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Any) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncFiles(AsyncFilesRoutes):
    """Uploads."""

    async def upload(
        self,
        audio: AsyncUploadable,
        *,
        name: str | None = None,
        idempotency_key: str | None = None,
        timeout: float = UPLOAD_TIMEOUT,
    ) -> UploadedFile:
        """Uploads WAV, MP3 or FLAC. Raises ValidationError `audio_invalid`. `name` is what lists call it.

        The same bytes under the same key are one upload. What can be read once only (an iterator, a pipe) is not sent
        again where the connection breaks.
        """
        file = await self._session.run(upload(self._session, audio, name, idempotency_key, timeout))
        return read_model(UploadedFile, file)


class AsyncOperations(AsyncOperationsRoutes):
    """Operations of all actions."""

    async def list(self, **filters: Unpack[OperationFilters]) -> AsyncIterator[AsyncOperation]:
        """The account's operations that fit all filters, newest first, of all pages."""
        async for data in self._pages(dict, "/v1/operations", filters, "operations"):
            yield operation_in(self._session, data)

    async def get(self, id: str) -> AsyncOperation:
        """The operation as it is now, whatever its action. Raises NotFoundError."""
        path = f"/v1/operations/{segment(id)}"
        return operation_in(self._session, await self._ask(dict, "GET", path, unwrap="operation"))

    async def get_many(self, ids: Sequence[str], *, wait: bool = False) -> tuple[AsyncOperation | None, ...]:
        """These, in this order; None where there is no such operation.

        `wait`: when all of them have ended. Those that failed have an `error`; nothing is raised of it.
        """
        found: dict[str, AsyncOperation] = {}
        for start in range(0, len(ids), IDS_AT_ONCE):
            left = ids[start : start + IDS_AT_ONCE]
            while left:
                read = await self._read(left, wait)
                found |= read
                left = [id for id, one in read.items() if wait and one.status == "processing"]
        return tuple(found.get(id) for id in ids)

    async def cancel(self, id: str) -> AsyncOperation:
        """Cancels it; its credits come back where no work has begun. What has ended stays as it is."""
        return await (await self.get(id)).cancel()

    async def redeliver(self, id: str) -> None:
        """Sends the webhook of an operation that has ended again."""
        await self._ask(dict, "PUT", "/v1/operations.redeliver", body=with_key({"id": id}, None))

    def events(self, *, last_event_id: str | None = None) -> AsyncIterator[AsyncOperationEvent]:
        """What becomes of all operations of the account from now on, or since that event. It has no end.

        Ends are told at least once: after a broken connection those of the last seconds may come again.
        """
        return read_events(self._session, "/v1/events", last_event_id)

    async def _read(self, ids: Sequence[str], wait: bool) -> dict[str, AsyncOperation]:
        path = f"/v1/operations?ids={','.join(map(segment, dict.fromkeys(ids)))}{'&wait=true' if wait else ''}"
        timeout = self._session.timeout + LONG_POLL
        answer = await self._session.run(self._session.json("GET", path, timeout=timeout))
        return {data["id"]: operation_in(self._session, data) for data in answer["operations"]}


class AsyncBatches(AsyncRoutes):
    """Many submissions in one call."""

    async def create(
        self,
        submissions: Sequence[tuple[str, Mapping[str, Any]]],
    ) -> tuple[AsyncOperation | ApiError, ...]:
        """Up to 100 requests, each with the name of its action. Each is accepted, or refused with its error, by itself.

        Requests may have an `idempotency_key`; those without get one.
        """
        sent = []
        for name, body in submissions:
            request = action_of(self._session, name).request(body, None)
            sent.append({"action": name, "request": request})
        # Each has its key: sent again, all are what they were.
        steps = self._session.json("POST", "/v1/batches", json_body={"submissions": sent})
        answered = (await self._session.run(steps))["submissions"]
        return tuple(
            operation_of(kind_of(name), self._session, name, one["body"]) if one["status"] == 200 else refusal_of(one)
            for (name, _), one in zip(submissions, answered, strict=True)
        )


class AsyncTonwerk(AsyncResources):
    """A client of a Tonwerk server. `Tonwerk` may be shared by threads; `AsyncTonwerk` belongs to one event loop.

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
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        key = api_key or os.environ.get("TONWERK_KEY")
        if not key:
            raise TonwerkError("No API key: pass `api_key`, or set TONWERK_KEY")
        url = base_url or os.environ.get("TONWERK_URL") or "http://127.0.0.1:8787"
        self._owned = http_client is None
        http = http_client or httpx.AsyncClient()
        session = AsyncSession(base_url=url.rstrip("/"), api_key=key, retries=retries, timeout=timeout, http=http)
        super().__init__(session)
        self.files = AsyncFiles(session)
        self.operations = AsyncOperations(session)
        self.batches = AsyncBatches(session)

    def action(self, name: str) -> AsyncAnyAction:
        """Any action by name: one that a plugin of the server brings, too."""
        return AsyncAnyAction(self._session, action_of(self._session, name))

    async def close(self) -> None:
        if self._owned:
            await self._session.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def kind_of(action: str) -> type[AsyncOperation]:
    return ASYNC_OPERATIONS.get(action, AsyncOperation)


def operation_in(session: AsyncSession, data: Mapping[str, Any]) -> AsyncOperation:
    """As lists hold it."""
    return operation_of(kind_of(data["action"]), session, data["action"], {"": data})


def action_of(session: AsyncSession, name: str) -> ActionSteps[AsyncOperation]:
    return ActionSteps(session, name, SOURCES.get(name, ()), kind_of(name))
