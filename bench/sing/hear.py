"""What an off-the-shelf recogniser and pitch trackers hear in renders of bench/sing.ts.

Reads a JSON list of {"file", "kind", "line", "candidates", "notes"} from the path given, prints one JSON object a line.
diction: pocketsphinx (its own en-us model) with one joint grammar of 12 candidate lines; the right one's index is told only to the score. Lines are also
decoded freely (`words.py`). mixed: the same of lines within a song.
pitch: pyworld harvest; median in cents over the core of each note, and where voice begins against the beat.
"""
import json, sys
import numpy as np, soundfile as sf
from scipy.signal import resample_poly

from words import Words

def vocabulary():
    import os, pocketsphinx
    path = os.path.join(pocketsphinx.get_model_path(), "en-us", "cmudict-en-us.dict")
    return {line.split(" ", 1)[0] for line in open(path)}


def decoder(lines):
    import os
    import pocketsphinx
    from pocketsphinx import Config, Decoder
    model = pocketsphinx.get_model_path()
    config = Config(hmm=os.path.join(model, "en-us", "en-us"), dict=os.path.join(model, "en-us", "cmudict-en-us.dict"),
                    samprate=16000, beam=1e-120, wbeam=1e-100, pbeam=1e-120, maxhmmpf=-1, loglevel="FATAL", lm=None)
    made = Decoder(config)
    made.add_jsgf_string("lines", "#JSGF V1.0;\ngrammar lines;\npublic <line> = " + " | ".join(lines) + " ;")
    made.activate_search("lines")
    return made


def hear(made, x, rate):
    y = resample_poly(x, 160, 441) if rate == 44100 else x
    y = y / max(1e-9, np.max(np.abs(y))) * 0.6
    y = np.concatenate([np.zeros(4800), y, np.zeros(4800)]) + 1e-4 * np.random.RandomState(1).randn(len(y) + 9600)
    made.start_utt()
    made.process_raw((y * 32767).astype(np.int16).tobytes(), no_search=False, full_utt=True)
    made.end_utt()
    hyp = made.hyp()
    return hyp.hypstr if hyp else ""


def main():
    jobs = json.load(open(sys.argv[1]))
    decoders = {}
    known = vocabulary()
    words = Words(sorted({job["line"] for job in jobs if job["kind"] != "pitch" and not job["render"].startswith("rhyme")}))
    for job in jobs:
        told = {"voice": job["voice"], "source": job["source"], "render": job["render"], "line": job["line"]}
        if job["kind"] == "mixed":
            begin, frames = job["span"]
            x, rate = sf.read(job["file"], start=begin, frames=frames)
            print(json.dumps({**told, **words.hear(job["line"], x.mean(axis=1), rate)}), flush=True)
            continue
        x, rate = sf.read(job["file"])
        if job["kind"] == "diction" and job["render"].startswith(("diction", "sung")):
            print(json.dumps({**told, **words.hear(job["line"], x, rate)}), flush=True)
        if job["kind"] == "diction" and job["choice"]:
            some = [line for line in job["candidates"] if all(word in known for word in line.split())]
            if job["line"] not in some:
                continue
            key = tuple(some)
            if key not in decoders:
                decoders[key] = decoder(some)
            text = hear(decoders[key], x, rate)
            said = text.split()
            # A hypothesis that stops early counts where only the right line begins so.
            starts = [line for line in some if text and line.startswith(text)]
            right = starts == [job["line"]] or text == job["line"]
            print(json.dumps({**told, "heard": text, "right": right, "words": len(said) / len(job["line"].split()) if right else 0}), flush=True)
        elif job["kind"] == "pitch":
            import pyworld
            from scipy.signal import butter, sosfilt
            low = sosfilt(butter(4, 1200, output="sos", fs=rate), x)
            f0, t = pyworld.harvest(x.astype(np.float64), rate, f0_floor=70, f0_ceil=1000, frame_period=5)
            for start, end, midi, voiceless, _ in job["notes"]:
                core = (t > start + 0.3 * (end - start)) & (t < end - 0.25 * (end - start)) & (f0 > 0)
                cents = 1200 * np.log2(f0[core] / (440 * 2 ** ((midi - 69) / 12))) if core.any() else np.array([np.nan])
                # After a voiceless consonant: the first frame of voice that has a quarter of the note's strength.
                level = np.array([np.sqrt(np.mean(low[max(0, int((s - 0.01) * rate)):int((s + 0.01) * rate) + 1] ** 2)) for s in t[(t > start - 0.1) & (t < end)]])
                near = t[(t > start - 0.1) & (t < end)]
                on = near[level > 0.35 * np.max(level)] if voiceless and len(level) else []
                print(json.dumps({"voice": job["voice"], "source": job["source"], "cents": float(np.median(cents)),
                                  "within": float(np.mean(np.abs(cents) < 50)), "onset": float(on[0] - start) if len(on) else None}), flush=True)


if __name__ == "__main__":
    main()
