"""Another ear for `bun bench/create.ts render`: librosa, scipy, pyloudnorm and, where it is installed, essentia; nothing of ours.

  python bench/create/judge.py FOLDER [NN ...]     every NN.wav with its NN.json beside it, or those named

Key by Krumhansl and Kessler's profiles on chroma_cqt and chroma_stft, tempo by librosa's beat tracker, sections by novelty of
timbre, chroma and level over 8 s. What was asked counts; where nothing was, the score's own report.

librosa's chroma takes noise for twelve notes at once. Essentia's harmonic pitch class profile (E. Gomez 2006), which hears spectral
peaks from 40 to 5000 Hz, is the measure made for music with drums; its KeyExtractor is a third opinion on the key.
"""
import glob
import json
import os
import sys

import librosa
import numpy as np
import pyloudnorm
import scipy.signal as signal
import soundfile

try:
    import essentia
    import essentia.standard as es

    essentia.log.infoActive = essentia.log.warningActive = False
except ImportError:
    es = None

MAJOR = np.array([6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88])
MINOR = np.array([6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17])
NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
OTHERS = {"Db": 1, "D#": 3, "Gb": 6, "G#": 8, "A#": 10}
SCALES = {
    "major": [0, 2, 4, 5, 7, 9, 11],
    "minor": [0, 2, 3, 5, 7, 8, 10, 11],
    "dorian": [0, 2, 3, 5, 7, 9, 10],
    "phrygian": [0, 1, 3, 5, 7, 8, 10],
    "lydian": [0, 2, 4, 6, 7, 9, 11],
    "mixolydian": [0, 2, 4, 5, 7, 9, 10],
}
DARK = ("minor", "dorian", "phrygian")
RATE = 22050


def key_named(name):
    note, mode = name.split(" ")
    return (OTHERS[note] if note in OTHERS else NAMES.index(note)), mode


def key_of(chroma):
    fits = [
        (np.corrcoef(chroma, np.roll(profile, tonic))[0, 1], tonic, mode)
        for tonic in range(12)
        for mode, profile in (("major", MAJOR), ("minor", MINOR))
    ]
    return max(fits)[1:]


def mirex(heard, asked):
    up = (heard[0] - asked[0]) % 12
    dark = asked[1] in DARK
    if (heard[1] in DARK) == dark:
        return 1.0 if up == 0 else 0.5 if up in (5, 7) else 0.0
    return 0.3 if up == (3 if dark else 9) else 0.2 if up == 0 else 0.0


def peak_profile(mono, rate):
    """Mean harmonic pitch class profile from C on; every frame's highest is 1."""
    window = es.Windowing(type="blackmanharris62")
    spectrum = es.Spectrum()
    peaks = es.SpectralPeaks(
        orderBy="magnitude", magnitudeThreshold=1e-5, minFrequency=40, maxFrequency=5000, maxPeaks=100, sampleRate=rate
    )
    profile = es.HPCP(size=12, harmonics=8, minFrequency=40, maxFrequency=5000, sampleRate=rate)
    frames = es.FrameGenerator(mono, frameSize=8192, hopSize=4096)
    # From A on, as Essentia counts.
    return np.roll(np.mean([profile(*peaks(spectrum(window(frame)))) for frame in frames], axis=0), -3)


def true_peak(samples, rate):
    step = 10 * rate
    # Each piece with 512 frames of its neighbours, which are left out again: a cut rings.
    padded = np.pad(samples, 512)
    pieces = (padded[at : at + step + 1024] for at in range(0, len(samples), step))
    return max(np.abs(signal.resample_poly(piece, 4, 1)[2048:-2048]).max() for piece in pieces)


def hole(samples, rate):
    size = rate // 20
    count = len(samples) // size
    power = (samples[: count * size] ** 2).reshape(count, size, 2).mean((1, 2))
    quiet = power < 1e-6 * power.max()
    longest = run = 0
    for still in quiet[: np.nonzero(~quiet)[0].max()]:
        run = run + 1 if still else 0
        longest = max(longest, run)
    return longest / 20


def boundaries(mono):
    hop = 2048
    rows = [
        librosa.feature.mfcc(y=mono, sr=RATE, hop_length=hop, n_mfcc=13),
        librosa.feature.chroma_stft(y=mono, sr=RATE, hop_length=hop),
        librosa.power_to_db(librosa.feature.rms(y=mono, hop_length=hop) ** 2) / 20,
    ]
    length = min(row.shape[1] for row in rows)
    features = np.vstack([row[:, :length] for row in rows])
    features = (features - features.mean(1, keepdims=True)) / (features.std(1, keepdims=True) + 1e-9)
    width = int(8 * RATE / hop)
    novelty = np.zeros(length)
    for at in range(width // 2, length - width // 2):
        before, after = features[:, max(0, at - width) : at], features[:, at : at + width]
        novelty[at] = np.linalg.norm(before.mean(1) - after.mean(1))
    peaks, _ = signal.find_peaks(novelty, distance=int(4 * RATE / hop), prominence=0.35 * novelty.std())
    return peaks * hop / RATE


def judge(path):
    samples, rate = soundfile.read(path, always_2d=True)
    with open(path[:-4] + ".json") as file:
        said = json.load(file)
    composed = said["report"]["composed"]
    left, right = samples.T
    low = signal.butter(4, 120, fs=rate, output="sos")
    mono = librosa.resample(samples.mean(1), orig_sr=rate, target_sr=RATE)
    middle = mono[len(mono) // 8 :][: 48 * RATE]
    cqt = librosa.feature.chroma_cqt(y=middle, sr=RATE, hop_length=2048).mean(1)
    stft = librosa.feature.chroma_stft(y=middle, sr=RATE, n_fft=8192, hop_length=2048).mean(1)
    key = key_named(said.get("key") or composed["key"])
    scale = [(key[0] + degree) % 12 for degree in SCALES[key[1]]]
    tempo = float(np.atleast_1d(librosa.beat.beat_track(y=middle, sr=RATE, hop_length=256)[0])[0])
    asked = said.get("bpm") or composed["tempo_bpm"]
    row = {}
    if es is not None:
        full = samples.mean(1)
        full = full[len(full) // 8 :][: 48 * rate].astype(np.float32)
        profile = peak_profile(full, rate)
        tonic, mode, _ = es.KeyExtractor(profileType="bgate", sampleRate=rate)(full)
        row = {
            "in_scale_peaks": profile[scale].sum() / profile.sum(),
            "mirex_essentia": mirex(key_named(f"{tonic} {mode}"), key),
            "key_essentia": f"{tonic} {mode}",
        }
    starts = [section["start"] for section in composed["sections"][1:]]
    heard = boundaries(mono)
    return row | {
        "name": os.path.basename(path)[:-4],
        "prompt": said["prompt"],
        "seconds": len(left) / rate,
        "lufs": pyloudnorm.Meter(rate).integrated_loudness(samples),
        "dbtp": 20 * np.log10(max(true_peak(left, rate), true_peak(right, rate))),
        "correlation": np.corrcoef(left, right)[0, 1],
        "correlation_low": np.corrcoef(signal.sosfilt(low, left), signal.sosfilt(low, right))[0, 1],
        "hole": hole(samples, rate),
        "tempo": tempo,
        "tempo_fits": any(abs(tempo / (asked * factor) - 1) <= 0.04 for factor in (0.5, 1, 2)),
        "tempo_asked": "bpm" in said,
        "key": "{} {}".format(NAMES[key_of(cqt)[0]], key_of(cqt)[1]),
        "key_asked": "key" in said,
        "mirex": mirex(key_of(cqt), key),
        "mirex_stft": mirex(key_of(stft), key),
        "in_scale": cqt[scale].sum() / cqt.sum(),
        "in_scale_stft": stft[scale].sum() / stft.sum(),
        "boundaries": np.mean([np.any(np.abs(heard - start) <= 3) for start in starts]) if starts else np.nan,
    }


def main():
    rows = []
    named = [os.path.join(sys.argv[1], f"{name}.wav") for name in sys.argv[2:]]
    for path in named or sorted(glob.glob(os.path.join(sys.argv[1], "*.wav"))):
        row = judge(path)
        rows.append(row)
        print(
            "{name} {seconds:4.0f} s {lufs:6.2f} LUFS {dbtp:5.2f} dBTP, L/R {correlation:.2f} (low {correlation_low:.2f}), hole {hole:.2f} s, "
            "{tempo:5.1f} BPM {fits}, {key} MIREX {mirex:.1f}/{mirex_stft:.1f}, in scale {in_scale:.2f}/{in_scale_stft:.2f}, "
            "boundaries {boundaries:.2f} | {prompt}".format(fits="fits" if row["tempo_fits"] else "DIFFERS", **row),
            flush=True,
        )
        if es is not None:
            print("   Essentia: {key_essentia} MIREX {mirex_essentia:.1f}, in scale {in_scale_peaks:.2f}".format(**row), flush=True)
    keyed = [row for row in rows if row["key_asked"]]
    timed = [row for row in rows if row["tempo_asked"]]
    for name in ("mirex", "mirex_stft", "mirex_essentia", "in_scale", "in_scale_stft", "in_scale_peaks"):
        if keyed and name in keyed[0]:
            print(f"{name}: {np.mean([row[name] for row in keyed]):.3f} of {len(keyed)} with a key asked")
    print(f"tempo within 4 %: {sum(row['tempo_fits'] for row in timed)} of {len(timed)}")
    print(f"boundaries within 3 s: {np.nanmean([row['boundaries'] for row in rows]):.2f}")


main()
