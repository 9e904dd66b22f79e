# ruff: noqa: I001
"""Written by scripts/sdk.ts from the module for asyncio. Change that, not this."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import httpx

from ._errors import ApiError, TonwerkError, refusal_of
from ._files import UPLOAD_TIMEOUT, Uploadable, upload
from ._live import Operation, OperationEvent, Routes, read_events
from ._generated import (
    OPERATIONS,
    SOURCES,
    FilesRoutes,
    OperationsRoutes,
    Resources,
    DryRun,
    OperationFilters,
    UploadedFile,
)
from ._model import read_model
from ._operation import LONG_POLL, operation_of
from ._query import segment, with_key
from ._resource import ActionSteps, Resource
from ._session import SyncSession

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

IDS_AT_ONCE = 100


class AnyAction(Resource[Operation]):
    """An action by name. What this version does not know of its operations stands in `raw`."""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Any,
    ) -> Operation:
        """Submits. `test_outcome`: with a test key, `ready` or the failure's code."""
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Any) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Files(FilesRoutes):
    """Uploads."""

    def upload(
        self,
        audio: Uploadable,
        *,
        name: str | None = None,
        idempotency_key: str | None = None,
        timeout: float = UPLOAD_TIMEOUT,
    ) -> UploadedFile:
        """Uploads WAV, MP3 or FLAC. Raises ValidationError `audio_invalid`. `name` is what lists call it.

        The same bytes under the same key are one upload. What can be read once only (an iterator, a pipe) is not sent
        again where the connection breaks.
        """
        file = self._session.run(upload(self._session, audio, name, idempotency_key, timeout))
        return read_model(UploadedFile, file)


class Operations(OperationsRoutes):
    """Operations of all actions."""

    def list(self, **filters: Unpack[OperationFilters]) -> Iterator[Operation]:
        """The account's operations that fit all filters, newest first, of all pages."""
        for data in self._pages(dict, "/v1/operations", filters, "operations"):
            yield operation_in(self._session, data)

    def get(self, id: str) -> Operation:
        """The operation as it is now, whatever its action. Raises NotFoundError."""
        path = f"/v1/operations/{segment(id)}"
        return operation_in(self._session, self._ask(dict, "GET", path, unwrap="operation"))

    def get_many(self, ids: Sequence[str], *, wait: bool = False) -> tuple[Operation | None, ...]:
        """These, in this order; None where there is no such operation.

        `wait`: when all of them have ended. Those that failed have an `error`; nothing is raised of it.
        """
        found: dict[str, Operation] = {}
        for start in range(0, len(ids), IDS_AT_ONCE):
            left = ids[start : start + IDS_AT_ONCE]
            while left:
                read = self._read(left, wait)
                found |= read
                left = [id for id, one in read.items() if wait and one.status == "processing"]
        return tuple(found.get(id) for id in ids)

    def cancel(self, id: str) -> Operation:
        """Cancels it; its credits come back where no work has begun. What has ended stays as it is."""
        return (self.get(id)).cancel()

    def redeliver(self, id: str) -> None:
        """Sends the webhook of an operation that has ended again."""
        self._ask(dict, "PUT", "/v1/operations.redeliver", body=with_key({"id": id}, None))

    def events(self, *, last_event_id: str | None = None) -> Iterator[OperationEvent]:
        """What becomes of all operations of the account from now on, or since that event. It has no end.

        Ends are told at least once: after a broken connection those of the last seconds may come again.
        """
        return read_events(self._session, "/v1/events", last_event_id)

    def _read(self, ids: Sequence[str], wait: bool) -> dict[str, Operation]:
        path = f"/v1/operations?ids={','.join(map(segment, dict.fromkeys(ids)))}{'&wait=true' if wait else ''}"
        timeout = self._session.timeout + LONG_POLL
        answer = self._session.run(self._session.json("GET", path, timeout=timeout))
        return {data["id"]: operation_in(self._session, data) for data in answer["operations"]}


class Batches(Routes):
    """Many submissions in one call."""

    def create(
        self,
        submissions: Sequence[tuple[str, Mapping[str, Any]]],
    ) -> tuple[Operation | ApiError, ...]:
        """Up to 100 requests, each with the name of its action. Each is accepted, or refused with its error, by itself.

        Requests may have an `idempotency_key`; those without get one.
        """
        sent = []
        for name, body in submissions:
            request = action_of(self._session, name).request(body, None)
            sent.append({"action": name, "request": request})
        # Each has its key: sent again, all are what they were.
        steps = self._session.json("POST", "/v1/batches", json_body={"submissions": sent})
        answered = (self._session.run(steps))["submissions"]
        return tuple(
            operation_of(kind_of(name), self._session, name, one["body"]) if one["status"] == 200 else refusal_of(one)
            for (name, _), one in zip(submissions, answered, strict=True)
        )


class Tonwerk(Resources):
    """A client of a Tonwerk server. `Tonwerk` may be shared by threads; `Tonwerk` belongs to one event loop.

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
        key = api_key or os.environ.get("TONWERK_KEY")
        if not key:
            raise TonwerkError("No API key: pass `api_key`, or set TONWERK_KEY")
        url = base_url or os.environ.get("TONWERK_URL") or "http://127.0.0.1:8787"
        self._owned = http_client is None
        http = http_client or httpx.Client()
        session = SyncSession(base_url=url.rstrip("/"), api_key=key, retries=retries, timeout=timeout, http=http)
        super().__init__(session)
        self.files = Files(session)
        self.operations = Operations(session)
        self.batches = Batches(session)

    def action(self, name: str) -> AnyAction:
        """Any action by name: one that a plugin of the server brings, too."""
        return AnyAction(self._session, action_of(self._session, name))

    def close(self) -> None:
        if self._owned:
            self._session.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def kind_of(action: str) -> type[Operation]:
    return OPERATIONS.get(action, Operation)


def operation_in(session: SyncSession, data: Mapping[str, Any]) -> Operation:
    """As lists hold it."""
    return operation_of(kind_of(data["action"]), session, data["action"], {"": data})


def action_of(session: SyncSession, name: str) -> ActionSteps[Operation]:
    return ActionSteps(session, name, SOURCES.get(name, ()), kind_of(name))
