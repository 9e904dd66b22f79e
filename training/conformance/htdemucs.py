"""HTDemucs against `demucs`: exported with its transforms by `demucs_onnx`, and without them as the spectral core.

    python htdemucs.py [--full DIR]
"""

import copy
from importlib.metadata import version

import torch
from demucs.apply import apply_model
from demucs.htdemucs import HTDemucs
from demucs_onnx.export import patch_htdemucs_for_onnx
from torch import nn

from common import folder_of, options, randomise, signal, write_case

STEMS = ["drums", "bass", "other", "vocals"]
#: Silence that Tonwerk reads before and after a piece.
LEAD = 2048


class Core(nn.Module):
    """The network between the transforms, as ONNX exports without them cut it."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, mix, x):
        kept = []
        self.model._spec = lambda given: given
        self.model._magnitude = lambda z: x
        self.model._mask = lambda z, m: kept.append(m) or m
        self.model._ispec = lambda z, length: 0 * mix[:, None]
        time = self.model(mix)
        return kept[0], time


def make(full):
    width = {} if full else {"channels": 4, "t_layers": 1, "t_heads": 2, "t_hidden_scale": 2.0, "dconv_depth": 1, "dconv_comp": 2}
    segment = 7.8 if full else 1
    torch.manual_seed(1)
    model = HTDemucs(STEMS, bottom_channels=512 if full else 0, segment=segment, **width)
    randomise(model, 2)
    frames = int(44_100 * segment)
    given = {"seconds": 2.3 * segment, "seed": 7}
    mix = torch.from_numpy(signal(round(44_100 * given["seconds"]), given["seed"]))

    # As demucs/separate.py does it, but for the silence, which moves where blocks begin.
    middle = mix.mean(0)
    mean, deviation = middle.mean(), middle.std() + 1e-8
    padded = torch.nn.functional.pad((mix - mean) / deviation, (LEAD, LEAD))
    with torch.no_grad():
        made = apply_model(model, padded[None], shifts=0, split=True, overlap=0.25)[0][..., LEAD:-LEAD]
    # The package adds the whole mean to each stem; Tonwerk a share, so that stems that sum to the model's input sum to the mix.
    expected = made * deviation + mean / len(STEMS)

    export = {"opset_version": 17, "do_constant_folding": True, "dynamo": False}
    original = f"demucs {version('demucs')}"
    manifest = {"family": "htdemucs-core", "stems": STEMS, "segment": frames}
    folder = folder_of("htdemucs_core", full)
    patched = patch_htdemucs_for_onnx(copy.deepcopy(model))
    columns = -(-frames // 1024)
    torch.onnx.export(Core(patched).eval(), (torch.randn(1, 2, frames), torch.randn(1, 4, 2048, columns)),
                      folder / "model.onnx", input_names=["input", "x"], output_names=["output", "time"], **export)
    write_case(folder, original, manifest, {"model": "model.onnx"}, given, expected)

    # The transforms alone are 134 MB of constants, whatever the width.
    if full is None:
        return
    folder = folder_of("htdemucs_e2e", full)
    patched = patch_htdemucs_for_onnx(copy.deepcopy(model))
    torch.onnx.export(patched, torch.randn(1, 2, frames), folder / "model.onnx", input_names=["mix"],
                      output_names=["stems"], **export)
    manifest["family"] = "htdemucs-e2e"
    original = f"{original}, demucs-onnx {version('demucs-onnx')}"
    write_case(folder, original, manifest, {"model": "model.onnx"}, given, expected)


if __name__ == "__main__":
    make(options().full)
