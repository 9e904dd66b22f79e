"""What sdk/python has to hold: `python python_client.py <test>`, with a server and control port in its environment."""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import os
import sys
import tempfile
import time
import uuid
import zipfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar

import httpx

import tonwerk
from tonwerk import AsyncTonwerk, Tonwerk, types, webhooks

SONG = Path(os.environ["SONG"])
SECRET = os.environ["SECRET"]
REQUESTS: dict[str, dict[str, Any]] = json.loads(os.environ["REQUESTS"])
CONTROL = os.environ["CONTROL"]
LONG = os.environ["LONG"].split(",")
"""Actions that take seconds, which are tried with a test key: all is as ever, but nothing is made, nor charged."""

client = Tonwerk()
trial = Tonwerk(api_key=os.environ["TEST_KEY"])


def control(verb: str, **body: Any) -> dict[str, Any]:
    return dict(httpx.post(f"{CONTROL}/{verb}", json=body, timeout=120).json())


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


E = TypeVar("E", bound=BaseException)


def refused(kind: type[E], act: Callable[..., object], *args: Any, **named: Any) -> E:
    try:
        act(*args, **named)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


async def refused_async(kind: type[E], act: Awaitable[object]) -> E:
    try:
        await act
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}")


def actions() -> None:
    """All ten, in threads that share the client; the server dies with their submissions. Nothing is charged twice."""
    prices = {name: client.action(name).dry_run(**body) for name, body in REQUESTS.items()}
    assert all(price.sufficient and price.cost >= 1 for price in prices.values())
    told = client.effects.dry_run(prompt="two knocks on wood, no rain").understood
    while told is None:  # A busy machine took more than five seconds to load what reads words.
        told = client.effects.dry_run(prompt="two knocks on wood, no rain").understood
    assert (told.sounds[0].material, told.sounds[0].count) == ("wood", 2), told
    jazz = client.instrumentals.dry_run(prompt="jazz").understood
    while jazz is None:
        jazz = client.instrumentals.dry_run(prompt="jazz").understood
    assert jazz.genre == "jazz"
    assert "genre" in [one.from_ for one in jazz.guessed if one.field == "metre"]
    assert client.stems.dry_run(source=REQUESTS["adapt.separate_stems"]["source"]).understood is None
    credits = client.account().credits
    told_of: set[str] = set()

    def one(name: str, body: dict[str, Any]) -> int:
        key = str(uuid.uuid4())
        its, cost = (trial, 0) if name in LONG else (client, prices[name].cost)
        action = its.action(name)
        seen: list[tonwerk.Progress] = []
        ended = action.create(idempotency_key=key, **body).wait(on_progress=seen.append)
        assert (ended.status, ended.cost, ended.idempotency_key) == ("ready", cost, key), name
        assert all(0 <= one.progress <= 1 for one in seen), name
        if seen:  # What ends before anybody looks has none.
            told_of.add(name)
        data = ended.outputs[0].read()
        assert sha256(data) == ended.outputs[0].sha256 and data[:4] == b"fLaC", name
        assert [one.id for one in its.operations.list(action=name) if one.idempotency_key == key] == [ended.id], name
        assert action.get(ended.id).status == "ready", name
        return ended.cost

    control("disturb", how="kill", times=len(REQUESTS), only="PUT")
    with ThreadPoolExecutor(len(REQUESTS)) as pool:
        spent = sum(pool.map(one, REQUESTS.keys(), REQUESTS.values()))
    control("calm")
    assert told_of, "no action told its progress"
    assert client.account().credits == credits - spent


def actions_async() -> None:
    """Side by side on one event loop; the server dies with their submissions."""
    some = {name: body for name, body in REQUESTS.items() if name not in LONG}

    async def main() -> None:
        async with AsyncTonwerk() as client:
            credits = (await client.account()).credits

            async def one(name: str, body: dict[str, Any]) -> int:
                action = client.action(name)
                price = await action.dry_run(**body)
                seen: list[tonwerk.Progress] = []

                async def note(progress: tonwerk.Progress) -> None:
                    seen.append(progress)

                ended = await action.create(**body).wait(on_progress=note)
                assert (ended.status, ended.cost) == ("ready", price.cost) and seen, name
                assert sha256(await ended.outputs[0].read()) == ended.outputs[0].sha256, name
                assert (await action.get(ended.id)).id == ended.id
                return ended.cost

            control("disturb", how="kill", times=2 * len(some), only="PUT")
            spent = sum(await asyncio.gather(*(one(name, body) for name, body in some.items())))
            control("calm")
            assert (await client.account()).credits == credits - spent
            sample = await client.samples.create(prompt="kick drum", duration=0.5)
            stems = await client.stems.create(source=(await sample.wait()).output).wait()
            assert {stem.kind for stem in stems.outputs} >= {"vocals", "drums"}

    asyncio.run(main())


def no_answer() -> None:
    """ConnectionError has the key, and the same key later gets the one operation."""
    hasty = Tonwerk(retries=1)
    key = str(uuid.uuid4())
    control("disturb", how="lose", times=99)
    create = hasty.samples.create
    error = refused(tonwerk.ConnectionError, create, prompt="snare", duration=0.5, idempotency_key=key)
    assert error.idempotency_key == key
    control("calm")
    credits = client.account().credits
    assert client.samples.create(prompt="snare", duration=0.5, idempotency_key=key).idempotency_key == key
    assert client.account().credits == credits, "it was charged when it was first sent"
    error = refused(tonwerk.ConnectionError, Tonwerk(base_url="http://127.0.0.1:9", retries=0).account)
    assert "127.0.0.1:9" in str(error)


def retries() -> None:
    """429 and 503 are tried again, not sooner than Retry-After says; other refusals are not."""
    control("disturb", how="answer", times=2, status=429, headers={"retry-after": "1"}, body='{"detail":"Slow"}')
    client.account()
    at = [one["ms"] for one in control("calm")["seen"]]
    assert len(at) == 3 and at[1] - at[0] >= 990 and at[2] - at[1] >= 990, at
    control("disturb", how="answer", times=1, status=429, headers={"retry-after": "3600"})
    slow = refused(tonwerk.RateLimitError, client.account)
    assert slow.retry_after == 3600 and slow.code == "http_429"
    control("disturb", how="answer", times=0)
    wrong = refused(tonwerk.ValidationError, client.cuts.create, source="https://example.com/a.wav", target_duration=4)
    assert wrong.issues[0].loc == ("body", "target_duration") and wrong.code == "invalid_request"
    assert wrong.doc_url and wrong.request_id
    assert len(control("calm")["seen"]) == 1
    assert refused(tonwerk.NotFoundError, client.action("create.nothing").create).status == 404
    control("disturb", how="answer", times=1, status=402, body='{"detail":"Poor","required":3,"available":1}')
    poor = refused(tonwerk.InsufficientCreditsError, client.samples.create, prompt="kick", duration=1)
    assert (poor.required, poor.available) == (3, 1)
    control("calm")
    failed = refused(tonwerk.OperationFailedError, client.cuts.create(source=_voice(), target_duration=300).wait)
    assert failed.code in ("source_too_short", "target_duration_too_long"), failed


def _voice() -> str:
    return str(REQUESTS["adapt.auto_duck"]["voice"]["url"])


def downloads() -> None:
    """What breaks off goes on with the rest; what was changed is refused; an expired URL is signed again."""
    output = client.normalisations.create(source=_voice()).wait().output
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        control("disturb", how="cut", times=2, only="signed")
        at: list[int] = []
        output.download(folder / "whole.flac", on_progress=lambda so_far, _: at.append(so_far))
        ranges = [one["range"] for one in control("calm")["seen"]]
        assert len(ranges) == 3 and ranges[0] is None and ranges[1] != ranges[2], ranges
        assert sha256((folder / "whole.flac").read_bytes()) == output.sha256 and at[-1] == output.bytes

        control("disturb", how="answer", times=9, only="signed", status=200, body="x" * output.bytes)
        refused(tonwerk.ChecksumError, output.download, folder / "false.flac")
        assert [one.name for one in folder.iterdir()] == ["whole.flac"]

        control("disturb", how="answer", times=1, only="signed", status=403)
        assert b"".join(output.stream())[:4] == b"fLaC"

        async def main() -> None:
            async with AsyncTonwerk() as client:
                ended = await client.normalisations.create(source=_voice()).wait()
                control("disturb", how="cut", times=2, only="signed")
                await ended.output.download(folder / "async.flac")
                assert sha256((folder / "async.flac").read_bytes()) == ended.output.sha256
                control("disturb", how="answer", times=1, only="signed", status=403)
                assert len([part async for part in ended.output.stream()]) > 0

        asyncio.run(main())
        control("calm")


def uploads() -> None:
    data = SONG.read_bytes()

    def parts() -> Iterator[bytes]:
        for start in range(0, len(data), 100_000):
            yield data[start : start + 100_000]

    async def async_parts() -> AsyncIterator[bytes]:
        for part in parts():
            yield part

    with SONG.open("rb") as file:
        # A broken connection: what can be read again is sent again.
        control("disturb", how="lose", times=1, only="PUT")
        for audio in (SONG, str(SONG), data, file, io.BytesIO(data), parts(), list(parts())):
            uploaded = client.files.upload(audio)
            assert round(uploaded.duration) == 12 and client.files.get(uploaded.id).id == uploaded.id
    # What got no answer was there already: sent again under the same key, it is the same upload.
    assert len(list(client.files.list(limit=5))) == 7 + 2
    key = str(uuid.uuid4())
    named = [client.files.upload(SONG, name="Morning", idempotency_key=key) for _ in range(2)]
    assert named[0].id == named[1].id and named[0].name == "Morning"
    assert next(client.files.list()).id == named[0].id and client.files.delete(named[0].id).deleted
    assert refused(tonwerk.NotFoundError, client.files.get, named[0].id).code == "file_not_found"
    control("disturb", how="lose", times=1, only="PUT")
    refused(tonwerk.ConnectionError, client.files.upload, parts())
    control("calm")

    async def main() -> None:
        async with AsyncTonwerk() as client:
            for audio in (SONG, io.BytesIO(data), parts(), async_parts()):
                uploaded = await client.files.upload(audio)
                assert round(uploaded.duration) == 12 and (await client.files.get(uploaded.id)).id == uploaded.id

            listed = {file.id async for file in client.files.list()}
            assert (await client.files.delete(uploaded.id)).id in listed

    asyncio.run(main())
    token = client.upload_tokens.create(uploads=1, seconds=60)
    with Tonwerk(api_key=token.token) as page:
        assert page.files.upload(SONG).id
        assert refused(tonwerk.ApiError, page.account).code == "upload_token_forbidden"
    error = refused(tonwerk.ValidationError, client.files.upload, b"no audio")
    assert error.issues[0].type == "audio_invalid"


def cancelling() -> None:
    """Cancelling the task that waits cancels the operation, and `keep` lets it go on; so does Ctrl-C."""
    source = REQUESTS["adapt.separate_stems"]["source"]

    async def main() -> None:
        async with AsyncTonwerk() as client:
            for keep in (False, True):
                operation = await client.stems.create(source=source)
                waiting = asyncio.create_task(operation.wait(keep=keep))
                await asyncio.sleep(0.05)
                waiting.cancel()
                await refused_async(asyncio.CancelledError, waiting)
                await _ended(operation, keep)
            operation = await client.stems.create(source=source)
            await refused_async(asyncio.TimeoutError, asyncio.wait_for(operation.wait(), 0.05))
            await _ended(operation, False)

    asyncio.run(main())

    def interrupt(_: tonwerk.Progress) -> None:
        raise KeyboardInterrupt

    stems = client.stems.create(source=source)
    refused(KeyboardInterrupt, stems.wait, on_progress=interrupt)
    ended = stems.refresh()
    assert ended.error is not None and ended.error.code == "canceled"
    stems = client.stems.create(source=source)
    late = refused(tonwerk.TonwerkError, stems.wait, timeout=0, on_progress=lambda _: None)
    assert "still in work" in str(late)
    assert stems.cancel().status == "failed"


async def _ended(operation: tonwerk.AsyncOperation, keep: bool) -> None:
    try:
        assert (await operation.wait()).status == "ready" and keep
    except tonwerk.OperationFailedError as error:
        assert error.code == "canceled" and not keep


def deliveries() -> None:
    """A delivery verifies; a changed, old or foreign one does not."""
    sample = client.samples.create(prompt="kick", duration=0.5, callback_url=f"{CONTROL}/hook")
    arrived = control("delivery")
    body, headers = arrived["body"], arrived["headers"]
    event = webhooks.verify(body, headers, secret=["whsec_AAAA", SECRET])
    assert (event.type, event.action) == ("create.new_sample.ready", "create.new_sample")
    assert event.operation and event.operation.id == sample.id and event.operation.outputs[0].bytes > 0
    assert webhooks.verify(body.encode(), httpx.Headers(headers), secret=SECRET).id == event.id
    foreign = "whsec_" + "CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg="
    others: list[tuple[str, dict[str, str], str, float]] = [
        (body + " ", headers, SECRET, time.time()),
        (body, headers, foreign, time.time()),
        (body, headers, SECRET, time.time() + 301),
        (body, {**headers, "webhook-timestamp": "nan"}, SECRET, time.time()),
        (body, {}, SECRET, time.time()),
    ]
    for text, given, secret, now in others:
        refused(tonwerk.WebhookVerificationError, webhooks.verify, text, given, secret=secret, now=now)
    client.operations.redeliver(sample.id)
    again = control("delivery")
    told = webhooks.verify(again["body"], again["headers"], secret=SECRET).operation
    assert told and told.id == sample.id


def forms() -> None:
    """Other forms of an output, its waveform, and stems as one archive."""
    output = client.normalisations.create(source=_voice()).wait().output
    wav = output.read(format="wav", bits=16)
    assert wav[:4] == b"RIFF" and len(wav) > 44 + 4 * 44_000 * output.duration
    peaks = output.peaks(64)
    assert peaks.bins == len(peaks.min) == len(peaks.max) == 64 and min(peaks.min) < 0 < max(peaks.max)
    error = refused(tonwerk.ValidationError, output.read, format="flac", bits=12)
    assert error.issues[0].loc[-1] == "bits"
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "form.wav")
        # A form has no checksum that is known before, but a length, and goes on where it broke off.
        control("disturb", how="cut", times=1, only="signed")
        output.download(path, format="wav", bits=16)
        assert len(control("calm")["seen"]) == 2 and path.read_bytes() == wav
        control("disturb", how="answer", times=1, only="signed", status=403)
        assert output.read(format="wav", bits=16, preview=True) == wav, "it is shorter than a preview"
        control("disturb", how="answer", times=1, only="signed", status=403)
        assert output.peaks(64) == peaks

        async def main() -> None:
            async with AsyncTonwerk() as client:
                stems = await client.stems.create(source=output)
                await refused_async(tonwerk.TonwerkError, stems.download_archive(path))
                stems = await stems.wait()
                control("disturb", how="cut", times=1, only="signed")
                await stems.download_archive(path)
                assert len(control("calm")["seen"]) == 2
                names = zipfile.ZipFile(path).namelist()
                assert zipfile.ZipFile(path).testzip() is None
                assert names == [f"{stem.kind}.flac" for stem in stems.outputs]
                assert (await stems.outputs[0].peaks(8)).bins == 8
                assert (await stems.outputs[0].read(format="wav"))[:4] == b"RIFF"

        asyncio.run(main())


def events() -> None:
    """Progress comes as events, and by asking where there are none."""
    control("disturb", how="answer", times=0)
    seen: list[tonwerk.Progress] = []
    piece = client.instrumentals.create(prompt="jazz", duration=90)  # Seconds of work: progress is told twice in one.
    assert piece.wait(on_progress=seen.append).status == "ready"
    assert [one["path"].split("?")[0].split("/")[2] for one in control("calm")["seen"]] == [
        "create.new_instrumental",
        "operations",
        "create.new_instrumental",
    ], "it asked though it was told"
    assert len({one.progress for one in seen}) > 1 and len(seen) == len(dict.fromkeys(seen))
    for how in ("answer", "cut"):
        control("disturb", how=how, times=1, only="events", status=429)
        seen.clear()
        assert client.samples.create(prompt="kick", duration=0.5).wait(on_progress=seen.append).status == "ready"
        assert seen and len(control("calm")["seen"]) == 1, "no event was asked for"
    told = list(piece.events())
    assert [one.type for one in told] == ["ready"] and told[0].operation_id == piece.id
    assert told[0].operation and len(told[0].operation.outputs) == 1 and told[0].operation.outputs[0].peaks(4)

    async def main() -> None:
        async with AsyncTonwerk() as client:
            ends = client.operations.events(last_event_id=told[0].id)
            # A connection that breaks goes on after the last end that was read.
            control("disturb", how="cut", times=1, only="events")
            sample = await client.samples.create(prompt="kick", duration=0.5)
            async for event in ends:
                if event.operation is not None and event.operation_id == sample.id:
                    assert (event.type, event.action) == ("ready", "create.new_sample") and event.operation.cost
                    break
            control("calm")
            assert [one.type async for one in sample.events()][-1] == "ready"

    asyncio.run(main())


def lists() -> None:
    """Operations by filters and ids, batches, account, and what else is there to be read."""
    mark = {"job": str(uuid.uuid4())}
    before = datetime.now(timezone.utc)
    sample: dict[str, Any] = {"prompt": "kick", "duration": 0.5, "metadata": mark}
    key = str(uuid.uuid4())
    made = client.batches.create(
        [
            ("create.new_sample", {**sample, "idempotency_key": key}),
            ("create.new_sample", {"prompt": "kick", "duration": -1}),
            ("adapt.normalise_loudness", {"source": _voice(), "metadata": mark}),
        ]
    )
    first, wrong, louder = made
    assert isinstance(wrong, tonwerk.ValidationError) and wrong.issues[0].loc == ("body", "duration")
    assert isinstance(first, types.SampleOperation) and first.idempotency_key == key and first.metadata == mark
    assert isinstance(louder, types.NormalisationOperation)
    some = [louder.id, client.samples.create(**sample).id, first.id]
    ended = client.operations.get_many([*some, "op_00000000000000000000000000", some[0]], wait=True)
    assert [one and one.status for one in ended] == ["ready", "ready", "ready", None, "ready"]
    assert ended[0] and ended[0].outputs[0].read()[:4] == b"fLaC"
    listed = [one.id for one in client.operations.list(metadata=mark, limit=1)]
    assert sorted(listed) == sorted(some)
    actions = ("create.new_sample", "create.new_fx")
    listed = [one.id for one in client.operations.list(action=actions, created_after=before, status="ready", limit=1)]
    assert listed == [some[1], some[2]], listed
    assert next(client.operations.list(created_before=before, status=["ready", "failed"])).id not in some
    assert isinstance(client.operations.get(some[1]), types.SampleOperation)
    assert client.operations.cancel(some[1]).status == "ready", "it had ended"
    live = refused(tonwerk.ValidationError, client.samples.create, prompt="kick", duration=1, test_outcome="ready")
    assert "test keys" in str(live)

    async def main() -> None:
        async with AsyncTonwerk() as client:
            found = client.operations.list(action="create.new_sample", metadata=mark, limit=1)
            assert [one.id async for one in found] == listed
            assert [one and one.id for one in await client.operations.get_many(some)] == some
            again = await client.batches.create([("create.new_sample", {**sample, "idempotency_key": key})])
            assert isinstance(again[0], types.AsyncSampleOperation) and again[0].id == some[2]
            assert (await client.operations.get(some[1])).action == "create.new_sample"
            assert (await client.capabilities()).actions[0].name == "adapt.auto_cut_down"
            assert (await client.account()).limits.put_per_minute > 0

    asyncio.run(main())
    assert client.changelog() and client.health() == "ok"


def endpoints() -> None:
    """Webhook endpoints: made, changed, tried, their secrets replaced, deleted."""
    url = f"{CONTROL}/hook"
    made = client.webhook_endpoints.create(url=url, events=["create.new_sample.*"])
    endpoint = made.webhook_endpoint
    assert made.secret.startswith("whsec_") and endpoint.enabled
    ping = client.webhook_endpoints.ping(endpoint.id)
    arrived = control("delivery")
    assert arrived["headers"]["webhook-id"] == ping
    tried = webhooks.verify(arrived["body"], arrived["headers"], secret=made.secret)
    assert (tried.type, tried.action, tried.operation, tried.endpoint_id) == ("ping", "", None, endpoint.id)
    secret = client.webhook_endpoints.rotate_secret(endpoint.id, overlap_seconds=0).secret
    sample = client.samples.create(prompt="kick", duration=0.5)
    arrived = control("delivery")
    event = webhooks.verify(arrived["body"], arrived["headers"], secret=secret)
    assert secret != made.secret and event.operation and event.operation.id == sample.id

    async def main() -> None:
        async with AsyncTonwerk() as client:
            changed = await client.webhook_endpoints.update(endpoint.id, enabled=False)
            assert not changed.enabled and changed.disabled and changed.disabled.reason == "request"
            assert [one.id for one in await client.webhook_endpoints.list()] == [endpoint.id]
            assert (await client.webhook_endpoints.get(endpoint.id)).events == ("create.new_sample.*",)
            assert (await client.webhook_endpoints.delete(endpoint.id)).deleted

    asyncio.run(main())
    assert client.webhook_endpoints.list() == ()
    none = client.operations.redeliver_failed(until=datetime.now(timezone.utc), action="create.new_sample")
    assert (none.redelivered, none.next_cursor) == (0, None)


if __name__ == "__main__":
    with client:
        for name in sys.argv[1:]:
            globals()[name]()
