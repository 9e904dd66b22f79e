"""Where an off-the-shelf aligner hears each vowel begin, against the plan: pocketsphinx is told the words and finds their sounds.

  python bench/sing/align.py JOBS.json [RENDER]      JOBS.json of `bench/sing.ts --python PYTHON --renders sung`; RENDER: sung unless said

The aligner's frames are 25.6 ms long, 10 ms apart, and are told by their middle. Lines in which its dictionary has another number of vowels than
we sing are left out. Needs numpy, scipy, soundfile and pocketsphinx.
"""
import collections, json, os, sys
import numpy as np, soundfile as sf, pocketsphinx
from scipy.signal import resample_poly
from pocketsphinx import Config, Decoder

from kinds import KINDS

VOWELS = set("AA AE AH AO AW AY EH ER EY IH IY OW OY UH UW".split())
LEAD, HOP, MIDDLE = 0.3, 0.01, 0.0128


def main():
    model = pocketsphinx.get_model_path()
    decoder = Decoder(Config(hmm=os.path.join(model, "en-us", "en-us"), dict=os.path.join(model, "en-us", "cmudict-en-us.dict"),
                             samprate=16000, beam=1e-120, wbeam=1e-100, pbeam=1e-120, loglevel="FATAL", lm=None))
    want = sys.argv[2] if len(sys.argv) > 2 else "sung"
    late = collections.defaultdict(lambda: collections.defaultdict(list))
    left = collections.Counter()
    for job in json.load(open(sys.argv[1])):
        if job["render"] != want:
            continue
        x, rate = sf.read(job["file"])
        y = resample_poly(x, 160, 441)
        y = y / max(1e-9, np.max(np.abs(y))) * 0.6
        pad = np.zeros(int(LEAD * 16000))
        y = np.concatenate([pad, y, pad])
        y = ((y + 1e-4 * np.random.RandomState(1).randn(len(y))) * 32767).astype(np.int16).tobytes()
        try:
            # Words first, then sounds within them.
            for again in (False, True):
                decoder.set_alignment() if again else decoder.set_align_text(job["line"])
                decoder.start_utt(); decoder.process_raw(y, no_search=False, full_utt=True); decoder.end_utt()
            found = [phone.start * HOP + MIDDLE - LEAD for word in decoder.get_alignment() for phone in word if phone.name in VOWELS]
        except RuntimeError:
            found = []
        if len(found) != len(job["notes"]):
            left[job["voice"]] += 1
            continue
        for at, (start, _, _, voiceless, before) in zip(found, job["notes"]):
            kind = "none" if before == "" else KINDS.get(before, "voiceless" if voiceless else "other")
            late[job["voice"]][kind].append(1000 * (at - start))
    for voice, kinds in late.items():
        every = [ms for kind, some in kinds.items() if kind != "none" for ms in some]
        print(f"{voice}: {len(every)} vowels after consonants, {left[voice]} lines left out; median {np.median(every):+.0f} ms, within 30 ms {np.mean(np.abs(every) <= 30):.2f}")
        for kind, some in sorted(kinds.items()):
            print(f"  {kind:18s} {len(some):3d}  median {np.median(some):+4.0f} ms  within 30 ms {np.mean(np.abs(some) <= 30):.2f}  90 % {np.quantile(some, 0.05):+.0f} to {np.quantile(some, 0.95):+.0f}")


main()
