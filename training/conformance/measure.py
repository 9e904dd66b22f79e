"""The originals in PyTorch and Tonwerk by turns, on the same input with the same threads: a table of processor time, memory and agreement.

    python measure.py --full DIR [--rounds 3] [--threads 1] [--layers 24] [--seconds 8] [--only umx_1]     # makes what is not in DIR yet; each case in processes of its own

Basic Pitch's original runs in onnxruntime too. HTDemucs of full width takes 5 s of one thread for a block of 7.8 s; all of it, an hour.
"""

import json
import subprocess
import sys
from pathlib import Path

from common import options

CASES = {
    "htdemucs_core": "htdemucs", "htdemucs_e2e": "htdemucs", "mdx": "mdx", "umx_1": "umx", "roformer_bands": "roformer", "roformer_mel": "roformer",
    "musicgen": "musicgen", "stable_audio": "stable_audio", "stable_audio_small": "stable_audio", "basic_pitch": "listeners", "silero": "listeners",
}
HERE = Path(__file__).parent


def call(script, *more):
    words = [sys.executable, f"{script}.py", "--full", options().full.resolve(), "--layers", options().layers, "--seconds", options().seconds, *more]
    return subprocess.run([str(word) for word in words], cwd=HERE, check=True, stdout=subprocess.PIPE, text=True).stdout


def row(case):
    if not (options().full / case / "case.json").exists():
        call(CASES[case], "--only", case)
    *_, last = call(CASES[case], "--only", case, "--rounds", options().rounds or 3, "--threads", options().threads).splitlines()
    found = json.loads(last)
    theirs, ours = found["theirs"], found["ours"]
    agreement = "" if found["agreement"] is None else f"{found['agreement']:.0f} dB"
    return f"| `{case}` | {found['original']} | {agreement} | {theirs['cpu']:.2f} s | {ours['cpu']:.2f} s | {found['ratios']['cpu']:.2f} | " \
           f"{theirs['peak_mb']:.0f} | {ours['peak_mb']:.0f} |"


if __name__ == "__main__":
    options().full.mkdir(parents=True, exist_ok=True)
    print("| case | original | agreement | its CPU | ours | ratio | its peak MB | ours |\n|---|---|---|---|---|---|---|---|")
    for case in CASES:
        if options().only in (None, case):
            if CASES[case] in ("musicgen", "stable_audio") and not (options().full / "tokenizer").exists():
                call("tokenizer")
            print(row(case), flush=True)
