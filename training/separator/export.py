"""Writes a checkpoint's averaged weights, or the mean of several checkpoints' of one training, as an ONNX graph of half-precision weights, and the
manifest beside it.

    python export.py CHECKPOINT... --out FOLDER

The graph takes `spectrum` [1, FRAMES, 4, BINS] (left and right, real and imaginary) and gives `masks` [1, FRAMES, 6, BINS]: of vocals, drums and bass,
left and right. Features and softmax are inside. Weights are stored in half precision and widened when the graph is loaded; all sums are of single precision.
Needs torch, onnx, onnxscript; onnxruntime for the comparison at the end.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from model import BINS, SOURCES, Separator, features

FRAMES = 432
STEMS = SOURCES[:3]
ID = "tonwerk-separator-5"


class Exported(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, spectrum):
        told = features(*spectrum.unbind(2))
        frames = told.shape[1]
        logits = self.net(told).reshape(1, frames, len(SOURCES), 2 * BINS).unbind(2)
        # A softmax across the sources, said in what the runtime does fast.
        most = torch.maximum(torch.maximum(logits[0], logits[1]), torch.maximum(logits[2], logits[3]))
        shares = [torch.exp(x - most) for x in logits]
        scale = 1 / (shares[0] + shares[1] + shares[2] + shares[3])
        return torch.stack([share * scale for share in shares[: len(STEMS)]], 2).reshape(1, frames, 2 * len(STEMS), BINS)


def halved(model):
    """Large weights as float16, each through a Cast, which the runtime folds when it loads the graph."""
    kept, casts = [], []
    for tensor in model.graph.initializer:
        x = numpy_helper.to_array(tensor)
        if x.dtype != np.float32 or x.size < 256:
            kept.append(tensor)
            continue
        name = tensor.name
        kept.append(numpy_helper.from_array(x.astype(np.float16), f"{name}_half"))
        casts.append(onnx.helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT))
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(casts + nodes)
    return model


def main():
    options = argparse.ArgumentParser()
    options.add_argument("checkpoints", nargs="+")
    options.add_argument("--out", required=True)
    given = options.parse_args()
    torch.set_num_threads(1)
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    kept = [torch.load(checkpoint, weights_only=True) for checkpoint in given.checkpoints]
    net = Separator()
    net.load_state_dict({name: sum(one["averaged"][name] for one in kept) / len(kept) for name in kept[0]["averaged"]})
    whole = Exported(net.eval())
    # Loud and soft, so that the comparison below sees the logarithms at work.
    example = torch.randn(1, FRAMES, 4, BINS) * torch.exp(2 * torch.randn(1, 1, 1, BINS))
    path = out / f"{ID}.onnx"
    with torch.no_grad():
        torch.onnx.export(whole, (example,), str(path), input_names=["spectrum"], output_names=["masks"], opset_version=18, dynamo=False)
        wanted = whole(example).numpy()
    model = halved(onnx.load(str(path)))
    # Nothing of the machine that made it.
    model.producer_name, model.doc_string = "tonwerk", ""
    for node in model.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest = {
        "id": ID,
        "family": "bands",
        "licence": "MIT, as Tonwerk: trained by it, see MODEL_CARD.md",
        "files": {"model": {"path": path.name, "sha256": digest}},
        "stems": list(STEMS),
        "threads": 1,
        # Blocks without any overlap lose 0.10 to 0.19 dB against one long block.
        "overlap": 0.1,
        # Chosen on pieces that training never saw: see MODEL_CARD.md.
        "blend": {"vocals": 0.3, "drums": 0.15, "bass": 0.3},
    }
    (out / f"{ID}.json").write_text(json.dumps(manifest, indent=2) + "\n")

    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = session.run(None, {"spectrum": example.numpy()})[0]
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB, step {kept[-1]['step']}, masks differ by {np.abs(found - wanted).max():.4f} at most")


main()
