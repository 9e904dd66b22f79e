"""Makes a recorded voice (runners/music/sing/voice/recorded/NAME.voice, read by recorded.ts) of a speaker that a Debian package ships.

  python make.py NAME FILE [FOLDER]

NAME: rms, awb (package flite), slt (festvox-us-slt-hts), kal (festvox-kallpc16k). In FOLDER the speech is kept, and taken from where it is there.

Analysis is WORLD's (M. Morise et al., IEICE E99-D (2016)): spectral envelope and aperiodicity every 5 ms. Envelopes are kept as cosine
transforms of their dB at points evenly spaced in mel, bytes are differences in time, all deflated.
"""
import json, os, struct, sys, tempfile, zlib
from multiprocessing import Pool
import numpy as np, pyworld, soundfile as sf
from scipy.fft import dct

from speakers import SPEAKERS
from words import GLIDES, HISSED, STOPS, VOICELESS, words

FRAME_MS = 5
# dB below the loudest frames that still count.
DEPTH = 80
# Of a coefficient, dB: finer steps are not heard.
STEP = 2


def shape(rate):
    top = rate // 2
    points = 64 if top <= 8000 else round(1 + 63 * np.log(1 + top / 700) / np.log(1 + 8000 / 700))
    return top, points, 34 if top <= 8000 else 42, [1000, 2500, 4000, 6000] + ([11000] if top > 8000 else [])


def analyse(job):
    path, sounds, floor, ceiling = job
    x, rate = sf.read(path)
    top, points, coefficients, ap_hz = shape(rate)
    x = x + 1e-5 * np.random.RandomState(1).randn(len(x))
    f0, t = pyworld.dio(x, rate, f0_floor=floor, f0_ceil=ceiling, frame_period=FRAME_MS)
    f0 = voicing(pyworld.stonemask(x, f0, t, rate), sounds)
    power = pyworld.cheaptrick(x, f0, t, rate, f0_floor=floor)
    air = pyworld.d4c(x, f0, t, rate, fft_size=(power.shape[1] - 1) * 2)
    hertz = np.arange(power.shape[1]) * rate / (2 * (power.shape[1] - 1))
    at = 700 * (np.exp(np.arange(points) / (points - 1) * np.log(1 + top / 700)) - 1)
    db = np.array([np.interp(at, hertz, 10 * np.log10(row + 1e-14)) for row in power])
    aperiodic = np.array([np.interp(ap_hz, hertz, 20 * np.log10(row + 1e-6)) for row in air])
    return db, aperiodic, f0


def voicing(f0, sounds):
    """Trackers run on into what is voiceless, and lose creaky vowels: what is voiced is known."""
    known = np.where(f0 > 0)[0]
    even = np.interp(np.arange(len(f0)), known, f0[known]) if len(known) else np.full(len(f0), 120.0)
    begin = 0
    for sound, end in sounds:
        first, last = round(1000 * begin / FRAME_MS), min(len(f0), round(1000 * end / FRAME_MS))
        if sound == "pau" or sound in VOICELESS:
            f0[first:last] = 0
        elif sound not in STOPS and sound not in HISSED:
            f0[first:last] = even[first:last]
        begin = end
    return f0


def release_of(db, first, last, points):
    """The frame in which a stop opens: where it grows most, above 1.5 kHz. The closure is at least two frames."""
    high = db[first:last, int(0.5 * points):].mean(axis=1)
    if len(high) < 4:
        return first + max(1, len(high) // 2)
    rise = high[2:] - high[:-2]
    return first + 1 + int(np.argmax(rise[: max(1, len(rise) - 1)]))


def main():
    name, out, *kept = sys.argv[1:]
    speaker = SPEAKERS[name]
    said = words()
    with tempfile.TemporaryDirectory() as folder:
        if kept:
            folder = kept[0]
            os.makedirs(folder, exist_ok=True)
        list_ = os.path.join(folder, "spoken.json")
        if not os.path.exists(list_):
            with open(list_, "w") as file:
                json.dump(speaker["speak"](said, folder), file)
        with open(list_) as file:
            spoken = json.load(file)
        rate = sf.info(spoken[0][0]).samplerate
        with Pool(2) as pool:
            analysed = pool.map(analyse, [(path, sounds, speaker["floor"], speaker["ceiling"]) for path, sounds in spoken], 16)
    top, points, coefficients, ap_hz = shape(rate)
    loudest = np.percentile(np.concatenate([db.max(axis=1) for db, _, _ in analysed]), 95)

    rows, airs, voices, pairs, tokens, count = [], [], [], {}, {}, 0
    for (_, keep), (_, sounds), (db, air, f0) in zip(said, spoken, analysed):
        db = np.maximum(db, loudest - DEPTH)
        edges = [0] + [min(len(db) - 1, round(1000 * end / FRAME_MS)) for _, end in sounds]
        names = [sound for sound, _ in sounds]

        def middle(k):
            first, last = edges[k], edges[k + 1]
            if names[k] in STOPS:
                opens = release_of(db, first, last, points)
                return first + max(1, (opens - first) // 2), opens
            share = 0.36 if names[k] in GLIDES and names[k] not in ("ey", "ow") else 0.42 if names[k] in GLIDES else 0.5
            return round(first + share * (last - first)), -1

        for index in keep:
            # The first sound of the word follows a pause.
            k = index + 1
            left, right = names[k], names[k + 1]
            from_, opens = middle(k)
            to, _ = middle(k + 1)
            edge = edges[k + 1]
            if left == "pau":
                from_ = max(0, edge - 4)
            if right == "pau":
                to = min(len(db) - 1, edge + 4)
            if to - from_ < 2:
                continue
            key = "-".join("SIL" if sound == "pau" else sound.upper() for sound in (left, right))
            if key in pairs:
                continue
            pairs[key] = (count, to - from_ + 1, edge - from_, opens - from_ if opens >= 0 else -1)
            rows.append(db[from_:to + 1]), airs.append(air[from_:to + 1]), voices.append(f0[from_:to + 1])
            count += to - from_ + 1
        for k, sound in enumerate(names):
            if sound == "pau" or sound in STOPS:
                continue
            first, last = edges[k], edges[k + 1]
            a, b = (0.22, 0.45) if sound in GLIDES else (0.35, 0.65)
            part = slice(round(first + a * (last - first)), max(round(first + b * (last - first)), round(first + a * (last - first)) + 3))
            if part.stop < len(db):
                tokens.setdefault(sound, []).append((k, db[part], air[part], f0[part], last - first))

    steady = {}
    for sound, some in tokens.items():
        # The most typical of the long ones in stressed syllables; those of fricatives in any.
        longest = sorted(some, key=lambda one: -one[4])[: max(8, len(some) // 3)]
        means = np.array([one[1].mean(axis=0) for one in longest])
        typical = np.median(means, axis=0)
        best = sorted(range(len(longest)), key=lambda n: np.abs(means[n] - typical).mean() + longest[n][1].std(axis=0).mean())[:4]
        steady[sound.upper()] = []
        for n in best:
            _, db, air, f0, _ = longest[n]
            rows.append(db), airs.append(air), voices.append(f0)
            steady[sound.upper()].append((count, len(db)))
            count += len(db)

    db, air, f0 = np.concatenate(rows), np.concatenate(airs), np.concatenate(voices)
    values = dct(db, type=2, norm="ortho", axis=1)[:, :coefficients]
    offset = values.min(axis=0)
    scale = np.maximum(STEP, (values.max(axis=0) - offset) / 255)
    coded = np.clip(np.round((values - offset) / scale), 0, 255)
    # Bytes of a quarter of a dB: 0 where there is no noise, 255 is 63 dB less.
    quiet = np.clip(np.round(np.maximum(-4 * air, 0) / 6) * 6, 0, 252)
    voiced = np.where(f0 > 0, np.clip(np.round(f0 / 2), 1, 255), 0)[:, None]
    table = np.concatenate([coded, quiet, voiced > 0], axis=1).astype(np.uint8)
    header = {
        "format": 2, "name": name, "sex": speaker["sex"], "frame_ms": FRAME_MS, "points": points, "top_hz": top, "coefficients": coefficients,
        "offset": [round(float(v), 3) for v in offset], "scale": [round(float(v), 4) for v in scale], "ap_hz": ap_hz,
        "f0": round(float(np.median(f0[f0 > 0])), 1), "frames": len(table), "diphones": pairs, "steady": steady,
    }
    planes = np.diff(table.astype(np.int16), axis=0, prepend=0).astype(np.uint8).T.tobytes()
    text = json.dumps(header, separators=(",", ":"), default=int).encode()
    body = zlib.compress(struct.pack("<I", len(text)) + text + planes, 9)
    with open(out, "wb") as file:
        file.write(b"VOX2" + body)
    print(name, len(pairs), "pairs", len(table), "frames", len(body), "bytes; f0", header["f0"])


if __name__ == "__main__":
    main()
