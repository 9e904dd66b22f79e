"""What librosa hears in remixes: tempo (of beats, octaves folded) and key (Krumhansl and Kessler's profiles on chroma_cqt), beside their source.

  python bench/remix/hear.py WAVES SOURCES      WAVES as bench/remix.ts --wav writes them, SOURCES with PIECE/mix.flac and PIECE/truth.json
"""
import glob, json, os, re, sys
import librosa, numpy as np

SECONDS = 40
NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
MAJOR = np.array([6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88])
MINOR = np.array([6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17])
FLATS = {"Db": "C#", "Eb": "D#", "Gb": "F#", "Ab": "G#", "Bb": "A#"}


def key(y, sr):
    chroma = librosa.feature.chroma_cqt(y=librosa.effects.harmonic(y), sr=sr).mean(axis=1)
    score, best = max((np.corrcoef(np.roll(profile, tonic), chroma)[0, 1], (tonic, mode))
                      for tonic in range(12) for profile, mode in ((MAJOR, "major"), (MINOR, "minor")))
    return best


def mirex(said, true):
    (a, m), (b, n) = said, true
    if said == true: return 1.0
    if m == n and (a - b) % 12 in (5, 7): return 0.5
    if m != n and ((m == "minor" and (b - a) % 12 == 3) or (m == "major" and (a - b) % 12 == 3)): return 0.3
    if m != n and a == b: return 0.2
    return 0.0


def main():
    waves, sources = sys.argv[1:3]
    tempi, keys = [], []
    for path in sorted(glob.glob(os.path.join(waves, "*.wav"))):
        piece = re.sub(r"(-song)?-\d+\.wav$", "", os.path.basename(path))
        truth = json.load(open(os.path.join(sources, piece, "truth.json")))
        y, sr = librosa.load(path, sr=22050, mono=True, duration=SECONDS)
        bpm, beats = librosa.beat.beat_track(y=y, sr=sr, start_bpm=float(truth["tempo"]), tightness=100)
        gaps = np.diff(librosa.frames_to_time(beats, sr=sr))
        heard = 60 / np.median(gaps) if len(gaps) else 0
        ratio = min((heard * f / truth["tempo"] for f in (1 / 3, 0.5, 2 / 3, 1, 1.5, 2, 3)), key=lambda r: abs(r - 1))
        tonal, scale = truth["key"].split(" ")
        true = (NAMES.index(FLATS.get(tonal, tonal)), scale)
        said = key(y, sr)
        tempi.append(abs(ratio - 1)); keys.append(mirex(said, true))
        print(f"{os.path.basename(path):32s} tempo {heard:6.1f} of {truth['tempo']:6.1f} ({100 * (ratio - 1):+.1f} %)  key {NAMES[said[0]]} {said[1]} of {truth['key']} ({keys[-1]})")
    print(f"tempo within 2 %, octaves and thirds apart: {np.mean(np.array(tempi) <= 0.02):.2f}; key, MIREX weight: {np.mean(keys):.2f} of {len(keys)}")


main()
