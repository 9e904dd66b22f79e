"""Renders voices for training: words said by espeak-ng and Festival, sung or spoken, alone or doubled.

    python voices.py --out FOLDER --count 120 [--seconds 30] [--seed 1] [--held]

Each take says words at random, is taken apart by WORLD and put together again on a melody of its own, with another throat (formants shifted),
steady sounds drawn out, vibrato, scoops and a room. `--held` renders speakers that training never hears. Writes FOLDER/NNN.wav, 44.1 kHz stereo.
Needs numpy, soundfile, pyworld and the commands espeak-ng and text2wave (Festival); neither is needed at run time.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pyworld
import soundfile

RATE = 44_100
FRAME_MS = 5.0

ESPEAK = [f"{language}+{variant}" for language in ("en-us", "en-gb", "de", "it", "fr", "es", "nl", "ro", "tr") for variant in
          ("m1", "m2", "m3", "m4", "m7", "f1", "f2", "f3", "f4", "croak", "Annie", "Andy", "Michael", "Storm")]
FESTIVAL = ["ked_diphone", "czech_dita", "czech_machac", "czech_krb", "lp_diphone", "pc_diphone", "hy_fi_mv_diphone", "suo_fi_lj_diphone"]
# Other speakers, and languages that no take of training has.
HELD_ESPEAK = [f"{language}+{variant}" for language in ("pt", "pl", "sv") for variant in ("m5", "f5", "m6", "Alicia", "Mario")]
HELD_FESTIVAL = ["cmu_us_slt_arctic_hts", "kal_diphone"]

WORDS = (
    "love night river golden shadow never alone fire morning falling away tomorrow silver heart dancing stranger summer window calling over again"
    " under moonlight breathing slowly paper highway sister feeling diamond ocean winter hold me tonight running home believe the sky is open carry"
    " all our broken stories amore mio sole luna vita canta con me sempre mare notte nel cuore rosa blau himmel wunder leben warum immer stille"
    " corazon amigo fuego tierra camino la vida nada mas sueno libre toi mon coeur jamais soleil encore demain la la la na na oh yeah baby come on"
    " hey now we go sisi kaki melody station random seven satellite crazy people shining electric"
).split()


def espeak(voice, text, rng):
    raw = subprocess.run(["espeak-ng", "-v", voice, "-s", str(rng.integers(120, 190)), "-p", str(rng.integers(20, 80)), "--stdout", text],
                         capture_output=True, check=True).stdout
    return np.frombuffer(raw[44:], dtype=np.int16) / 32768.0, 22_050


def festival(voice, text):
    with tempfile.TemporaryDirectory() as folder:
        words, wave = Path(folder) / "a.txt", Path(folder) / "a.wav"
        words.write_text(text)
        subprocess.run(["text2wave", "-eval", f"(voice_{voice})", str(words), "-o", str(wave)], capture_output=True, check=True, timeout=60)
        return soundfile.read(wave)


def resampled(x, rate):
    """To RATE, by the spectrum."""
    n = len(x)
    m = int(n * RATE / rate)
    spectrum = np.fft.rfft(x)
    wide = np.zeros(m // 2 + 1, complex)
    wide[: min(len(spectrum), len(wide))] = spectrum[: len(wide)]
    return np.ascontiguousarray(np.fft.irfft(wide, m) * (m / n))


def said(speaker, rng):
    """A few words, with what lies above the tool's own rate filled by breath, and the rate's top in Hz."""
    text = " ".join(rng.choice(WORDS, rng.integers(9, 16)))
    x, rate = festival(speaker, text) if "+" not in speaker else espeak(speaker, text, rng)
    return resampled(x / (np.max(np.abs(x)) + 1e-9), rate), 0.46 * rate


def melody(frames, rng, low):
    """MIDI keys frame by frame in a scale drawn at random, and where notes begin."""
    scale = np.array([[0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10], [0, 2, 4, 7, 9, 12, 14], [0, 3, 5, 7, 10, 12, 15]][rng.integers(4)]) + low
    scale = np.concatenate([scale, scale[:4] + 12])
    beat = rng.uniform(0.22, 0.5)
    keys = np.zeros(frames)
    since = np.zeros(frames)
    at, place = 0, int(rng.integers(2, 7))
    while at < frames:
        length = int(beat * rng.choice([1, 1, 1, 2, 2, 3, 4]) * 1000 / FRAME_MS)
        place = int(np.clip(place + rng.choice([-3, -2, -1, -1, 0, 1, 1, 2, 3]), 0, len(scale) - 1))
        keys[at : at + length] = scale[place]
        since[at : at + length] = np.arange(len(keys[at : at + length])) * FRAME_MS / 1000
        at += length
    return keys, since


def take(speaker, seconds, rng, spoken):
    out = np.zeros(int(seconds * RATE))
    at = int(rng.uniform(0, 1.0) * RATE)
    throat = rng.uniform(0.86, 1.16)
    female = any(mark in speaker for mark in ("+f", "Annie", "Alicia", "dita", "slt", "lp_", "lj_"))
    low = int(rng.integers(52, 60) if female else rng.integers(42, 51))
    depth, speed, breath = rng.uniform(0, 0.7), rng.uniform(4.5, 6.3), rng.uniform(0, 0.3)
    draw = rng.uniform(1.0, 3.5)
    air = rng.uniform(-18, -4)
    while at < len(out) - RATE:
        x, top = said(speaker, rng)
        f0, t = pyworld.dio(x, RATE, frame_period=FRAME_MS)
        f0 = pyworld.stonemask(x, f0, t, RATE)
        envelope = pyworld.cheaptrick(x, f0, t, RATE)
        aperiodicity = pyworld.d4c(x, f0, t, RATE)
        bins = envelope.shape[1]
        hertz = np.arange(bins) * RATE / 2 / (bins - 1)
        # Air above what the tool gives.
        edge = int(top / (RATE / 2) * (bins - 1))
        near = envelope[:, edge - 24 : edge].mean(axis=1, keepdims=True)
        envelope[:, edge:] = near * 10 ** (air / 10 * np.log2(hertz[edge:] / hertz[edge]))
        aperiodicity[:, edge:] = 0.999
        # Another throat.
        source = np.clip(np.arange(bins) / throat, 0, bins - 1)
        left = np.floor(source).astype(int)
        right = np.minimum(left + 1, bins - 1)
        envelope = envelope[:, left] * (right > left) * (1 - (source - left)) + envelope[:, right] * (source - left) + 1e-12
        if not spoken:
            # Steady voiced frames are drawn out.
            level = np.log(envelope[:, ::16] + 1e-9)
            change = np.concatenate([[0], np.abs(np.diff(level, axis=0)).mean(axis=1)])
            change = np.convolve(change, np.ones(9) / 9, "same")
            steady = (f0 > 0) & (change < np.median(change[f0 > 0]) if np.any(f0 > 0) else False)
            pace = np.where(steady, draw * rng.uniform(0.8, 1.3), 1.0)
            index = np.searchsorted(np.cumsum(pace), np.arange(int(pace.sum()))).clip(0, len(f0) - 1)
            voiced = f0[index] > 0
            keys, since = melody(len(index), rng, low)
            smooth = np.convolve(np.pad(keys, 6, "edge"), np.ones(13) / 13, "valid")
            time = np.arange(len(index)) * FRAME_MS / 1000
            bend = depth * np.clip((since - 0.15) * 3, 0, 1) * np.sin(2 * np.pi * speed * time) + np.convolve(rng.normal(0, 0.5, len(index)), np.ones(20) / 20, "same")
            pitch = np.where(voiced, 440 * 2 ** ((smooth + bend - 69) / 12), 0.0)
            envelope, aperiodicity = envelope[index], aperiodicity[index]
        else:
            pitch = f0 * rng.uniform(0.8, 1.3)
        aperiodicity = np.clip(aperiodicity + breath * (hertz / 22050) ** 0.5, 0, 1)
        voice = pyworld.synthesize(np.ascontiguousarray(pitch), np.ascontiguousarray(envelope), np.ascontiguousarray(aperiodicity), RATE, FRAME_MS)
        voice = voice[: len(out) - at]
        out[at : at + len(voice)] += voice
        at += len(voice) + int(rng.uniform(0.1, 1.5) * RATE)
    return out


def pressed(x, rng):
    """A compressor: the level's slow part raised to a power."""
    power = np.convolve(x * x, np.ones(2205) / 2205, "same")
    power = np.maximum(power, 1e-6)
    return x * power ** -rng.uniform(0, 0.3)


def in_room(x, rng):
    """Mono to stereo: a place, early sound, a tail, sometimes an echo."""
    n = int(rng.uniform(0.15, 2.2) * RATE)
    wet, pan = rng.uniform(0.0, 0.35), rng.choice([0, 0, 0, rng.uniform(-0.5, 0.5)])
    size = 1 << int(np.ceil(np.log2(len(x) + n)))
    hertz = np.fft.rfftfreq(size, 1 / RATE)
    dry = np.fft.rfft(x, size)
    out = []
    for side in (-1, 1):
        tail = rng.normal(0, 1, n) * np.exp(-6.9 * np.arange(n) / n)
        tail[: int(rng.uniform(0.005, 0.04) * RATE)] = 0
        reverb = np.fft.irfft(dry * np.fft.rfft(tail, size) / (1 + (hertz / rng.uniform(2500, 9000)) ** 2) * (hertz > 150), size)[: len(x)]
        reverb *= np.sqrt(np.mean(x**2) / (np.mean(reverb**2) + 1e-12))
        out.append(x * np.sqrt(1 + side * pan) + wet * reverb)
    if rng.random() < 0.2:
        late = int(rng.uniform(0.18, 0.5) * RATE)
        for side in out:
            side[late:] += 0.3 * side[:-late].copy()
    return np.stack(out, axis=1)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--out", required=True)
    options.add_argument("--count", type=int, default=120)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--held", action="store_true")
    given = options.parse_args()
    Path(given.out).mkdir(parents=True, exist_ok=True)
    for number in range(given.count):
        path = Path(given.out) / f"{given.seed:02d}{number:03d}.wav"
        if path.exists():
            continue
        rng = np.random.default_rng([given.seed, number, given.held])
        both = (HELD_ESPEAK, HELD_FESTIVAL) if given.held else (ESPEAK, FESTIVAL)
        pool = both[1] if rng.random() < 0.45 else both[0]
        speaker = str(rng.choice(pool))
        spoken = rng.random() < 0.2
        try:
            x = pressed(take(speaker, given.seconds, rng, spoken), rng)
            wide = in_room(x, rng)
            if rng.random() < 0.15:
                wide = wide + 0.7 * np.roll(in_room(take(speaker, given.seconds, rng, spoken), rng), int(0.02 * RATE), axis=0)[:, ::-1]
        except (subprocess.SubprocessError, ValueError) as error:
            print(path.name, speaker, "failed:", error, flush=True)
            continue
        wide *= 0.7 / (np.max(np.abs(wide)) + 1e-9)
        soundfile.write(path, wide, RATE, subtype="PCM_16")
        print(path.name, speaker, "spoken" if spoken else "sung", flush=True)


main()
