"""A client as openapi-python-client makes it."""

import os
from uuid import uuid4

from tonwerk import AuthenticatedClient
from tonwerk.api.effects import effects_create, effects_read
from tonwerk.api.files import files_upload
from tonwerk.api.songs import songs_create
from tonwerk.api.operations import operations_list
from tonwerk.models import (
    EffectAnswer,
    EffectRequest,
    EffectSubmission,
    FileAnswer,
    GeneratedOutput,
    ListedEffect,
    OperationPage,
    SongRequest,
    SongSubmission,
)
from tonwerk.types import UNSET, File

client = AuthenticatedClient(base_url=os.environ["TONWERK_URL"], token=os.environ["TONWERK_KEY"], timeout=None)
with client as client:
    with open(os.environ["TONWERK_SONG"], "rb") as song:
        uploaded = files_upload.sync(client=client, body=File(payload=song))
    assert isinstance(uploaded, FileAnswer), uploaded

    body = SongRequest(idempotency_key=uuid4(), lyrics="[Verse]\nMorning on the river", prompt="indie folk")
    price = songs_create.sync(client=client, body=body, dry_run=True)
    assert isinstance(price, SongSubmission) and price.cost == 3, price

    effect = EffectRequest(idempotency_key=uuid4(), prompt="door knock", duration=0.5)
    made = effects_create.sync(client=client, body=effect)
    assert isinstance(made, EffectSubmission) and made.fx, made
    ready = effects_read.sync(client=client, id=made.fx.id, wait=True)
    assert isinstance(ready, EffectAnswer), ready
    output = ready.fx.output
    assert ready.fx.status == "ready" and isinstance(output, GeneratedOutput), ready

    page = operations_list.sync(client=client)
    assert isinstance(page, OperationPage), page
    newest = page.operations[0]
    assert isinstance(newest, ListedEffect) and newest.id == made.fx.id, newest
    print(f"{output.duration} s at {output.loudness.lufs} LUFS: {output.url}")
