"""Takes the weights out of a graph of half precision, as export.py wrote them until it rounded to 8 bits, when no checkpoint is left.

    python begin.py MODEL.onnx --out begin.pt         then: python train.py --begin begin.pt --peak 0.5 ..., or python export.py begin.pt ...

That of the shipped weights is `tonwerk-separator-5.onnx` of SHA-256 11968af6… in this repository's history, up to commit d3a00780. Half of
each weight's bits are rounded off there; training does not notice. Compares the masks of both before it writes.
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from onnx import numpy_helper

from model import BINS, DILATIONS, GROUPS, Separator, features


def names():
    """Of what the exporter renames, in the order in which the graph uses it, and whether it is stored transposed."""
    for k in range(len(GROUPS)):
        yield f"split.weights.{k}", False
        yield f"split.biases.{k}", False
    yield "place", False
    for k in range(len(DILATIONS)):
        yield f"blocks.{k}.out.weight", True
        yield f"blocks.{k}.up", False
        yield f"blocks.{k}.shift", False
        yield f"blocks.{k}.down", False
        yield f"blocks.{k}.blend.weight", True
    for k in range(len(GROUPS)):
        yield f"join.weights.{k}", False
        yield f"join.biases.{k}", False


def weights_of(path):
    tensors = [(t.name.removesuffix("_half"), numpy_helper.to_array(t)) for t in onnx.load(path).graph.initializer]
    found = {name.removeprefix("net."): x.astype(np.float32) for name, x in tensors if name.startswith("net.")}
    renamed = [x.astype(np.float32) for name, x in tensors if name.startswith("onnx::") and x.dtype.kind == "f"]
    expected = list(names())
    assert len(renamed) == len(expected), f"{len(renamed)} tensors instead of {len(expected)}: another exporter's graph?"
    for (name, turned), x in zip(expected, renamed):
        found[name] = x.T if turned else x
    return {name: torch.from_numpy(np.ascontiguousarray(x)) for name, x in found.items()}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("model")
    options.add_argument("--out", required=True)
    given = options.parse_args()
    net = Separator().eval()
    net.load_state_dict(weights_of(given.model))
    session = onnxruntime.InferenceSession(given.model, providers=["CPUExecutionProvider"])
    spectrum = torch.randn(1, session.get_inputs()[0].shape[1], 4, BINS)
    wanted = session.run(None, {"spectrum": spectrum.numpy()})[0]
    with torch.no_grad():
        logits = net(features(*spectrum.unbind(2)))
    masks = logits.reshape(1, spectrum.shape[1], 4, 2, BINS).softmax(2)[:, :, :3].reshape(wanted.shape)
    most = np.abs(masks.numpy() - wanted).max()
    assert most < 0.01, f"masks differ by {most}"
    torch.save({"averaged": net.state_dict()}, Path(given.out))
    print(f"masks differ by {most:.5f} at most")


main()
