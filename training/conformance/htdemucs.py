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

from common import export, folder_of, is_wanted, options, randomise, signal, write_case

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


def build(full, seed):
    width = {} if full else {"channels": 4, "t_layers": 1, "t_heads": 2, "t_hidden_scale": 2.0, "dconv_depth": 1, "dconv_comp": 2}
    torch.manual_seed(1)
    return randomise(HTDemucs(STEMS, bottom_channels=512 if full else 0, segment=min(7.8, options().seconds) if full else 1, **width), seed)


def frames_of(model):
    return int(44_100 * model.segment)


def separate(model, mix):
    """As demucs/separate.py does it, but for the silence, which moves where blocks begin."""
    middle = mix.mean(0)
    mean, deviation = middle.mean(), middle.std() + 1e-8
    padded = torch.nn.functional.pad((mix - mean) / deviation, (LEAD, LEAD))
    made = apply_model(model, padded[None], shifts=0, split=True, overlap=0.25)[0][..., LEAD:-LEAD]
    # The package adds the whole mean to each stem; Tonwerk a share, so that stems that sum to the model's input sum to the mix.
    return made * deviation + mean / len(STEMS)


def export_core(model, path):
    frames = frames_of(model)
    export(Core(patch_htdemucs_for_onnx(copy.deepcopy(model))).eval(), (torch.randn(1, 2, frames), torch.randn(1, 4, 2048, -(-frames // 1024))),
           path, input_names=["input", "x"], output_names=["output", "time"])


def make(full):
    model = build(full, 2)
    frames = frames_of(model)
    # Of full width one block: more of them take as long each.
    given = {"seconds": (0.7 if full else 2.3) * float(model.segment), "seed": 7}
    mix = torch.from_numpy(signal(round(44_100 * given["seconds"]), given["seed"]))

    def run():
        return separate(model, mix)

    original = f"demucs {version('demucs')}"
    manifest = {"family": "htdemucs-core", "stems": STEMS, "segment": frames}
    if is_wanted("htdemucs_core"):
        folder = folder_of("htdemucs_core", full)
        export_core(model, folder / "model.onnx")
        write_case(folder, original, manifest, {"model": "model.onnx"}, given, run)

    # The transforms alone are 134 MB of constants, whatever the width.
    if full is not None and is_wanted("htdemucs_e2e"):
        folder = folder_of("htdemucs_e2e", full)
        export(patch_htdemucs_for_onnx(copy.deepcopy(model)), torch.randn(1, 2, frames), folder / "model.onnx", input_names=["mix"], output_names=["stems"])
        manifest["family"] = "htdemucs-e2e"
        write_case(folder, f"{original}, demucs-onnx {version('demucs-onnx')}", manifest, {"model": "model.onnx"}, given, run)


if __name__ == "__main__":
    make(options().full)
