"""When the sound has become the vowel, against the plan: where the spectrum has come half of its way from the consonant to the vowel.

  python bench/sing/onsets.py JOBS.json [--render sung] [--shift 0]      JOBS.json of `bench/sing.ts --python PYTHON --renders sung`

40 mel bands in dB (20 ms, each 2.5 ms; 40 dB below the loudest of the file is the floor). The vowel is their mean over a window after the plan; its onset
the last moment before that, back to 120 ms ahead of the plan, at which they are half as far from it as they ever were in that time. A vowel whose
surroundings never were 60 dB (of all bands together) away from it has no onset to be heard and is counted apart: glides into their own vowel, nearly.
Told for two windows: the early one would miss a vowel that is more than 60 ms late, the later one takes the second half of a diphthong for the vowel.
--shift moves the plan by so many seconds, to see that the measure would notice.
Needs numpy, scipy and soundfile.
"""
import argparse, collections, json
import numpy as np, soundfile as sf

from kinds import KINDS

RATE, SIZE, HOP, BANDS = 44100, 882, 110, 40
# Seconds after the plan.
WINDOWS = (0.035, 0.07), (0.06, 0.11)


def mels(x, rate):
    frames = np.lib.stride_tricks.sliding_window_view(np.pad(x, SIZE // 2), SIZE)[::HOP] * np.hanning(SIZE)
    power = np.abs(np.fft.rfft(frames, 2048)) ** 2
    edges = 700 * (10 ** (np.linspace(0, 2595 * np.log10(1 + 8000 / 700), BANDS + 2) / 2595) - 1)
    hertz = np.fft.rfftfreq(2048, 1 / rate)
    weights = np.maximum(0, np.minimum((hertz - edges[:-2, None]) / np.diff(edges)[:-1, None], (edges[2:, None] - hertz) / np.diff(edges)[1:, None]))
    bands = power @ weights.T
    return 10 * np.log10(np.maximum(bands, bands.max() * 1e-4))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("jobs")
    options.add_argument("--render", default="sung")
    options.add_argument("--shift", type=float, default=0)
    given = options.parse_args()
    jobs = [job for job in json.load(open(given.jobs)) if job["render"] == given.render]
    seen = {job["file"]: mels(*sf.read(job["file"])) for job in jobs}
    for window in WINDOWS:
        print(f"the vowel from {1000 * window[0]:.0f} to {1000 * window[1]:.0f} ms")
        tell(jobs, seen, window, given.shift)


def tell(jobs, seen, window, shift):
    late = collections.defaultdict(lambda: collections.defaultdict(list))
    unheard = collections.Counter()
    for job in jobs:
        bands, per_second = seen[job["file"]], RATE / HOP
        at = lambda seconds: int(np.clip(round(seconds * per_second), 0, len(bands) - 1))
        for start, _, _, voiceless, before in job["notes"]:
            if before == "":
                continue
            start += shift
            first, last = at(start - 0.12), at(start + window[1])
            away = np.linalg.norm(bands[first : last + 1] - bands[at(start + window[0]) : last + 1].mean(0), axis=1)
            if away.max() < 60:
                unheard[job["voice"]] += 1
                continue
            k = np.flatnonzero(away > away.max() / 2)[-1]
            kind = KINDS.get(before, "voiceless" if voiceless else "other")
            late[job["voice"]][kind].append(1000 * ((first + k + 0.5) / per_second - start))
    for voice, kinds in late.items():
        every = [ms for some in kinds.values() for ms in some]
        print(f"{voice}: {len(every)} vowels after consonants, {unheard[voice]} without a change; median {np.median(every):+.0f} ms, within 30 ms {np.mean(np.abs(every) <= 30):.3f}")
        for kind, some in sorted(kinds.items()):
            print(f"  {kind:18s} {len(some):3d}  median {np.median(some):+4.0f} ms  within 30 ms {np.mean(np.abs(some) <= 30):.2f}  90 % {np.quantile(some, 0.05):+.0f} to {np.quantile(some, 0.95):+.0f}")


main()
