"""Replaces the vocals of rendered pieces by a sung voice: espeak-ng says words, WORLD sings them on the piece's chords.

    python bench/separate/sing.py FOLDER...        (needs numpy, soundfile, pyworld and the command espeak-ng)

Each folder holds `truth.json` and `vocals.flac` as training/material/make.ts writes them; pieces without a singer are left alone.
The melody, the words, the voice and the room come from the piece's genre and seed, so that a second run gives the same.
"""

import json
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pyworld
import soundfile

RATE = 44_100
FRAME_MS = 5.0
VOICES = ["en-us+m1", "en+m3", "en-us+m7", "en+f2", "en-us+f3", "en+f4", "en-gb+m2", "de+f1", "it+m4", "fr+f3", "es+m1"]
WORDS = (
    "love night river golden shadow never alone fire morning falling away tomorrow silver heart dancing stranger summer"
    " window calling over again under moonlight breathing slowly paper highway sister feeling diamond ocean winter hold"
    " me tonight running home believe the sky is open carry all our broken stories"
).split()
PITCHES = {name: n for n, name in enumerate(["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"])}
PITCHES |= {"Db": 1, "Eb": 3, "Gb": 6, "Ab": 8, "Bb": 10}


def spoken(word, voice):
    """Mono samples of a word at RATE, from espeak-ng."""
    raw = subprocess.run(["espeak-ng", "-v", voice, "-s", "150", "--stdout", word], capture_output=True, check=True).stdout
    data = np.frombuffer(raw[44:], dtype=np.int16) / 32768.0
    at = np.arange(int(len(data) * RATE / 22_050)) * (22_050 / RATE)
    return np.ascontiguousarray(np.interp(at, np.arange(len(data)), data))


def analysed(word, voice, cache):
    if (word, voice) not in cache:
        x = spoken(word, voice)
        f0, t = pyworld.harvest(x, RATE, frame_period=FRAME_MS)
        cache[word, voice] = (f0, pyworld.cheaptrick(x, f0, t, RATE), pyworld.d4c(x, f0, t, RATE))
    return cache[word, voice]


def sung(word, voice, hertz, seconds, rng, cache):
    """The word on one pitch: its steadiest voiced stretch is drawn out, the rest keeps its pace."""
    f0, envelope, aperiodicity = analysed(word, voice, cache)
    voiced = np.flatnonzero(f0 > 0)
    if len(voiced) < 4:
        return np.zeros(0)
    first, last = max(0, voiced[0] - 20), min(len(f0), voiced[-1] + 12)
    frames = max(8, int(seconds * 1000 / FRAME_MS))
    natural = last - first
    power = np.log(envelope[first:last].sum(axis=1) + 1e-12)
    centre = int(np.argmax(power))
    if frames > natural:
        at = np.concatenate([np.arange(centre), np.full(frames - natural, centre), np.arange(centre, natural)])
        drift = np.clip(np.cumsum(rng.normal(0, 0.3, frames)), -3, 3)
        held = slice(centre, centre + frames - natural)
        at = at.astype(float)
        at[held] += drift[held]
    else:
        at = np.linspace(0, natural - 1, frames)
    at = np.clip(at.round().astype(int), 0, natural - 1) + first
    time = np.arange(frames) * FRAME_MS / 1000
    vibrato = rng.uniform(0.1, 0.6) * np.clip((time - 0.2) * 3, 0, 1) * np.sin(2 * np.pi * rng.uniform(4.6, 6.2) * time)
    scoop = -rng.uniform(0, 1.5) * np.exp(-time * 18)
    line = hertz * 2 ** ((vibrato + scoop + rng.normal(0, 0.08)) / 12)
    pitch = np.where(f0[at] > 0, line, 0.0)
    return pyworld.synthesize(pitch, np.ascontiguousarray(envelope[at]), np.ascontiguousarray(aperiodicity[at]), RATE, FRAME_MS)


def melody(truth, rng, low, high):
    """(seconds, seconds, MIDI key) within the sung intervals, on the beats and between them, chord tones and neighbours."""
    beats = np.array(truth["beats"])
    chords = truth["chords"]
    key = None
    for begin, end in truth["vocal_intervals"]:
        at = begin
        while at < end - 0.2:
            beat = np.median(np.diff(beats)) if len(beats) > 1 else 0.5
            length = beat * rng.choice([0.5, 0.5, 1, 1, 1, 2, 3]) * rng.uniform(0.97, 1.03)
            length = min(max(length, 0.22), end - at)
            chord = [c for c in chords if c["start"] <= at + 0.05][-1:] or chords[:1]
            root = PITCHES[chord[0]["root"]] if chord else 0
            third = 3 if chord and chord[0]["quality"].startswith(("min", "m", "dim")) and not chord[0]["quality"].startswith("maj") else 4
            tones = [k for k in range(low, high + 1) if (k - root) % 12 in (0, third, 7, 2)]
            weights = np.array([np.exp(-abs(k - (key if key is not None else (low + high) / 2)) / 3) for k in tones])
            key = int(rng.choice(tones, p=weights / weights.sum()))
            yield at, at + length * rng.uniform(0.85, 1.0), key
            at += length
            if rng.random() < 0.12:
                at += beat


def room(voice, rng):
    """Dry in the middle or a little aside, with a stereo tail."""
    seconds = rng.uniform(0.3, 1.6)
    n = int(seconds * RATE)
    pan = rng.choice([0, 0, 0, rng.uniform(-0.35, 0.35)])
    wet = rng.uniform(0.01, 0.06)
    out = []
    for side in (-1, 1):
        tail = rng.normal(0, 1, n) * np.exp(-6.9 * np.arange(n) / n)
        tail[: int(0.012 * RATE)] = 0
        size = 1 << int(np.ceil(np.log2(len(voice) + n)))
        lowered = np.fft.rfft(tail, size)
        hertz = np.fft.rfftfreq(size, 1 / RATE)
        lowered *= 1 / (1 + (hertz / 4500) ** 2) * (hertz > 150)
        reverb = np.fft.irfft(np.fft.rfft(voice, size) * lowered, size)[: len(voice)]
        reverb *= np.sqrt(np.mean(voice**2) + 1e-12) / np.sqrt(np.mean(reverb**2) + 1e-12)
        out.append(voice * np.sqrt(1 + side * pan) + wet * 8 * reverb * 0.6)
    return np.stack(out, axis=1)


def main(folders):
    cache = {}
    for folder in map(Path, folders):
        truth = json.loads((folder / "truth.json").read_text())
        old, _ = soundfile.read(folder / "vocals.flac", always_2d=True)
        if not truth["vocal_intervals"] or not np.any(old):
            continue
        rng = np.random.default_rng(zlib.crc32(f"{truth['genre']}-{truth['seed']}".encode()))
        voice = VOICES[rng.integers(len(VOICES))]
        low = int(rng.integers(43, 52)) if "+m" in voice else int(rng.integers(53, 61))
        out = np.zeros(len(old))
        for begin, end, key in melody(truth, rng, low, low + 14):
            word = WORDS[rng.integers(len(WORDS))]
            note = sung(word, voice, 440 * 2 ** ((key - 69) / 12), end - begin, rng, cache)
            at = int(begin * RATE)
            note = note[: max(0, len(out) - at)]
            out[at : at + len(note)] += note
        wide = room(out, rng)
        wide *= 0.9 * np.sqrt(np.mean(old**2)) / (np.sqrt(np.mean(wide**2)) + 1e-12)
        soundfile.write(folder / "vocals.flac", np.clip(wide, -1, 1), RATE, subtype="PCM_16")
        print(folder.name, voice, low)


main(sys.argv[1:])
