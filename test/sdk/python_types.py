"""What mypy says of code that uses sdk/python: an `ignore` without an error is an error, too."""

from __future__ import annotations

from typing_extensions import assert_type

from tonwerk import AsyncTonwerk, Tonwerk, types


def sync(client: Tonwerk, request: types.SongRequest) -> None:
    song = client.songs.create(lyrics="la", prompt="folk", loudness={"preset": "podcast"}).wait()
    assert_type(song, types.SongOperation)
    assert_type(song.outputs[0].loudness.lufs, float | None)
    assert_type(client.effects.create(prompt="knock").output, types.GeneratedOutput)
    assert_type(client.stems.create(source=song.outputs[0]).outputs[0].kind, types.StemKind)
    client.songs.create(**request)
    client.songs.create(lyric="la")  # type: ignore[call-arg]
    client.songs.create(lyrics=1)  # type: ignore[arg-type]
    client.stems.create(source="https://example.com/a.wav", stems=["vocals"])
    client.stems.create(source=song)  # type: ignore[arg-type]
    client.samples.create(prompt="kick")  # type: ignore[call-arg]
    song.cost = 0  # type: ignore[misc]
    _ = song.outputs[0].lufs  # type: ignore[attr-defined]


async def asynchronous(client: AsyncTonwerk) -> None:
    accepted = await client.songs.create(lyrics="la", prompt="folk")
    assert_type(accepted, types.AsyncSongOperation)
    assert_type(await client.songs.create(lyrics="la", prompt="folk").wait(), types.AsyncSongOperation)
    assert_type(await accepted.outputs[0].read(), bytes)
    _ = client.songs.create(lyrics="la").cost  # type: ignore[attr-defined]
