"""Writes a checkpoint's averaged weights, or the mean of several checkpoints' of one training, as the ONNX graph of graph.py, and the manifest
beside it.

    python export.py CHECKPOINT... --hear FOLDER... --out FOLDER

A checkpoint is one of train.py or begin.py. The graph takes `features` [1, FRAMES, 4, BINS] in bytes (graph.py: told) and gives `masks`
[1, FRAMES, 6, BINS]: of vocals, drums and bass, left and right, 255 for all of a bin. Softmax is inside.
How far what is rounded reaches is found on excerpts of the pieces in `--hear`: vocals, drums, bass and other as FLAC, of many kinds. Prints
how far the masks of those are from those of single precision. Needs torch, onnx, onnxruntime, soundfile.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch

from evaluate import pieces, read
from graph import build, ranges_of, told
from model import BINS, HOP, RATE, SOURCES, Separator, features, stft

FRAMES = 432
STEMS = SOURCES[:3]
ID = "tonwerk-separator-5"
# Of a piece, from where on it is heard.
BEGIN = 3 * RATE


def spectrum_of(piece):
    """[1, FRAMES, 4, BINS] of the mix, silence behind its end."""
    mix = read(piece).sum(0)[:, BEGIN : BEGIN + (FRAMES - 1) * HOP]
    mix = torch.nn.functional.pad(mix, (0, (FRAMES - 1) * HOP - mix.shape[1]))
    left, right = stft(mix)[..., :BINS]
    return torch.stack([left.real, left.imag, right.real, right.imag], 1)[None]


def masks_of(net, spectrum):
    logits = net(features(*spectrum.unbind(2)))
    masks = logits.reshape(1, FRAMES, len(SOURCES), 2, BINS).softmax(2)[:, :, : len(STEMS)]
    return masks.reshape(1, FRAMES, 2 * len(STEMS), BINS).numpy()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("checkpoints", nargs="+")
    options.add_argument("--hear", nargs="+", required=True)
    options.add_argument("--out", required=True)
    given = options.parse_args()
    torch.set_num_threads(1)
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    kept = [torch.load(checkpoint, weights_only=True) for checkpoint in given.checkpoints]
    net = Separator().eval()
    net.load_state_dict({name: sum(one["averaged"][name] for one in kept) / len(kept) for name in kept[0]["averaged"]})
    weights = {name: x.numpy() for name, x in net.state_dict().items()}
    heard = [spectrum_of(piece) for piece in pieces(given.hear)]
    model, _ = build(weights, FRAMES, ranges_of(weights, FRAMES, [spectrum.numpy() for spectrum in heard]))
    onnx.checker.check_model(model)
    path = out / f"{ID}.onnx"
    onnx.save(model, str(path))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = {
        "id": ID,
        "family": "bands",
        "licence": "MIT, as Tonwerk: trained by it, see MODEL_CARD.md",
        "files": {"model": {"path": path.name, "sha256": digest}},
        "stems": list(STEMS),
        "threads": 1,
        # Its products of 8 bits are the CPU's; a GPU would hand each of them back.
        "providers": ["cpu"],
        "takes": "features",
        # Blocks without any overlap lose 0.10 to 0.19 dB against one long block.
        "overlap": 0.1,
        # Chosen on pieces that training never saw: see MODEL_CARD.md.
        "blend": {"vocals": 0.3, "drums": 0.15, "bass": 0.3},
    }
    (out / f"{ID}.json").write_text(json.dumps(manifest, indent=2) + "\n")

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    with torch.no_grad():
        apart = [session.run(None, {"features": told(one.numpy())})[0] / 255 - masks_of(net, one) for one in heard]
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, masks differ by {np.sqrt(np.mean(np.square(apart))):.4f} in the mean")


main()
