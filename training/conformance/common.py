"""What every case of conformance needs: a signal that both sides make alike, weights that hide nothing, and files that the test reads.

A case is a folder with the graphs, `case.json` (manifest, input, what is expected) and `expected.f32`, which holds every STRIDE-th value of what the
original gives. Positions lie all over the piece, so that a shifted frame, a swapped channel or a wrong window shows in any of them.

With `--rounds` nothing is written: the original and Tonwerk run a case of `--full` by turns, and what both took is printed (`measure.py`).
"""

import argparse
import copy
import functools
import hashlib
import json
import statistics
import subprocess
import time
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch

warnings.filterwarnings("ignore")

ROOT = Path(__file__).resolve().parents[2]
SMALL = ROOT / "test" / "runners" / "models" / "conformance"
STRIDE = 61
PITCHES = [60, 67, 48, 76, 55, 64, 72, 43]


@functools.cache
def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", type=Path, help="folder for cases of full width, instead of the small ones that are committed")
    parser.add_argument("--repo", type=Path, help="checkout of the original, where no package has it")
    parser.add_argument("--only", help="one case")
    parser.add_argument("--checkpoint", help="folder or name of published weights that are exported to --full, and nothing else is made")
    parser.add_argument("--half", choices=["float16", "bfloat16"], help="weights, inputs and outputs of graphs in this type; the original has the same weights in single precision")
    parser.add_argument("--rounds", type=int, default=0, help="runs both sides that often, and once before")
    parser.add_argument("--threads", type=int, default=1, help="of each side, with --rounds")
    parser.add_argument("--seconds", type=float, default=8, help="of a block of full width at most, likewise")
    parser.add_argument("--layers", type=int, default=1000, help="at most so many of a transformer of full width, where time or memory is short")
    return parser.parse_args()


def is_wanted(name):
    return options().only in (None, name)


def half():
    """Of graphs; None: they are of single precision."""
    return options().half and getattr(torch, options().half)


def folder_of(name, full):
    # The tokenizer has no precision.
    folder = (full or SMALL) / (f"{name}_{options().half}" if options().half and name != "tokenizer" else name)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def signal(frames, seed, channels=2):
    """Noise of two colours under a saw-toothed envelope: only additions and multiplications of doubles, so that TypeScript makes the same."""
    x, low, high = seed, [0.0] * channels, [0.0] * channels
    out = np.zeros((channels, frames), np.float32)
    for n in range(frames):
        level = 0.1 + 0.5 * ((n % 30011) / 30011)
        for c in range(channels):
            x = (1664525 * x + 1013904223) % 4294967296
            noise = x / 2147483648 - 1
            low[c] = low[c] + 0.02 * (noise - low[c])
            high[c] = high[c] + 0.6 * (noise - high[c])
            # Both channels share the deep part, as a mix does.
            out[c, n] = level * (2 * low[0] + low[c] + 0.3 * high[c])
    return out


def plucks(rate, seconds, seed):
    """Strings of noise that is averaged as it goes round (Karplus, Strong, 1983), two a second: additions and halves, so that TypeScript makes the same."""
    x, out = seed, np.zeros(round(rate * seconds), np.float32)
    for number in range(int(2 * seconds) - 1):
        at, size = round(number * rate / 2), round(rate / (440 * 2 ** ((PITCHES[number % 8] - 69) / 12)))
        line = []
        for _ in range(size):
            x = (1664525 * x + 1013904223) % 4294967296
            line.append(0.4 * (x / 2147483648 - 1))
        for n in range(round(0.4 * rate)):
            k = n % size
            out[at + n] = line[k]
            line[k] = 0.5 * (line[k] + line[(k + 1) % size])
    return out


def randomise(model, seed):
    """Random weights of which none may be left out unseen: biases, scales of norms and of layers, running means."""
    generator = torch.Generator().manual_seed(seed)

    def uniform(tensor, low, high):
        tensor.copy_(torch.rand(tensor.shape, generator=generator) * (high - low) + low)

    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if not parameter.is_floating_point() or parameter.numel() == 0:
                continue
            leaf = name.split(".")[-1]
            if parameter.dim() > 1 and leaf not in ("scale", "gamma"):
                fan = parameter[0].numel()
                uniform(parameter, -1.7 / fan**0.5, 1.7 / fan**0.5)
            elif "bias" in leaf or "mean" in leaf:
                uniform(parameter, -0.2, 0.2)
            else:
                uniform(parameter, 0.5, 1.5)
        for name, buffer in model.named_buffers():
            if name.endswith("running_mean"):
                uniform(buffer, -0.2, 0.2)
            elif name.endswith("codebook.embed"):
                uniform(buffer, -1.7, 1.7)
            elif name.endswith("running_var"):
                uniform(buffer, 0.5, 1.5)
    round_to_half(model)
    return model.eval()


def round_to_half(model):
    """Weights as the exported graph has them, if that is of half precision."""
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()] if half() else []:
            if tensor.is_floating_point():
                tensor.copy_(tensor.to(half()))


def sha256(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def entry(folder, name):
    path = (folder / name).resolve()
    return {"path": str(path.relative_to(folder.parent.resolve())), "sha256": sha256(path)}


def beside(folder, name):
    """Files of weights that a graph loads by itself: the exporter writes them where a graph with them is more than the 2 GB that protobuf takes."""
    # Constants of nodes among them.
    tensors = onnx.external_data_helper._get_all_tensors(onnx.load(folder / name, load_external_data=False)) if name.endswith(".onnx") else ()
    return [entry.value for tensor in tensors for entry in tensor.external_data if entry.key == "location"]


def export(model, inputs, path, **more):
    """As public exporters do it; measuring takes what is there."""
    if half():
        model, inputs = copy.deepcopy(model).to(half()), inputs.to(half())
    if not options().rounds:
        # What gradients would need is kept otherwise: 15 GB for 6 s of Stable Audio's decoder. A text: for a `Path` no files are written beside the graph.
        with torch.no_grad():
            torch.onnx.export(model, inputs, str(path), **{"opset_version": 17, "do_constant_folding": True, "dynamo": False, **more})


def write_case(folder, original, manifest, files, given, run, stride=STRIDE, inside=None, keeps_inside=False):
    """`run`: the original's own way from its input to rows of samples. `files`: paths beside or in `folder` by role. `original`: package and version.
    `inside`: of full width, or always, what a part of the original gives in each step is kept as well: its module, the family's word, what is taken of it."""
    if options().rounds:
        return measure(folder, original, run)
    kept = []
    if inside is not None and (options().full or keeps_inside):
        module, word, take = inside
        module.register_forward_hook(lambda module, args, made: kept.append(take(made).detach().numpy().ravel()))
        given = {**given, "inside": word}
    with torch.no_grad():
        expected = run()
    if kept:
        np.stack(kept).astype("<f4").tofile(folder / "inside.f32")
    data = [entry(folder, one) for name in files.values() for one in beside(folder, name)]
    manifest = {
        "id": folder.name, "licence": "random weights", "threads": 1, **manifest,
        "files": {role: entry(folder, name) for role, name in files.items()}, **({"data": data} if data else {}),
    }
    write_rows(folder, original, {"manifest": manifest}, given, expected, stride)


def write_rows(folder, original, about, given, expected, stride=STRIDE):
    rows = np.asarray(expected, np.float32).reshape(-1, np.asarray(expected).shape[-1])
    rows[:, ::stride].astype("<f4").tofile(folder / "expected.f32")
    level = np.sqrt((rows.astype(np.float64) ** 2).mean(axis=1))
    print(f"{folder.name}: {rows.shape[0]} rows of {rows.shape[1]}, levels {np.round(level, 4).tolist()}")
    case = {"original": original, **about, "input": given, "rows": rows.shape[0], "length": rows.shape[1], "stride": stride}
    (folder / "case.json").write_text(json.dumps(case, indent=2) + "\n")


def measure(folder, original, run):
    """Both sides by turns, so that what else the machine does meets both; the medians. Tonwerk's threads give way to others, so on a busy machine only
    processor time compares."""
    threads = options().threads
    torch.set_num_threads(threads)
    ours = subprocess.Popen([ROOT / "node_modules" / ".bin" / "bun", ROOT / "bench" / "originals.ts", folder.parent, folder.name, str(threads)],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    rounds = []
    for _ in range(options().rounds + 1):
        cpu, wall = time.process_time(), time.perf_counter()
        with torch.no_grad():
            run()
        theirs = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall, "peak_mb": peak_mb()}
        print("run", file=ours.stdin, flush=True)
        rounds.append((theirs, json.loads(ours.stdout.readline())))
    ours.stdin.close()
    ours.wait()
    # The first round loads and compiles.
    medians = [{key: statistics.median(pair[side][key] for pair in rounds[1:]) for key in ("cpu", "wall", "peak_mb")} for side in (0, 1)]
    ratios = {key: statistics.median(theirs[key] / our[key] for theirs, our in rounds[1:]) for key in ("cpu", "wall")}
    print(json.dumps({"case": folder.name, "original": original, "threads": threads, "theirs": medians[0], "ours": medians[1], "ratios": ratios,
                      "agreement": rounds[0][1]["agreement"], "inside": rounds[0][1]["inside"]}))


def peak_mb():
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6
