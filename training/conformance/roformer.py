"""Band-Split and Mel-Band RoFormer against `audio_separator`'s, which community checkpoints are of: the network between its transforms.

    python roformer.py [--full DIR]
"""

import copy
from importlib.metadata import version

import torch
from audio_separator.separator.uvr_lib_v5.roformer.bs_roformer import BSRoformer
from audio_separator.separator.uvr_lib_v5.roformer.mel_band_roformer import MelBandRoformer
from einops import rearrange
from torch import nn

from common import export, folder_of, is_wanted, options, randomise, signal, write_case

HOP, LEAD = 441, 1024


class Core(nn.Module):
    """From `stft_repr`, [1, 2050, frames, 2] with left and right by turns, to complex masks."""

    def __init__(self, model, squeeze):
        super().__init__()
        self.model, self.squeeze = model, squeeze

    def forward(self, stft_repr):
        model = self.model
        indices = getattr(model, "freq_indices", None)
        x = stft_repr if indices is None else stft_repr[:, indices]
        x = model.band_split(rearrange(x, "b f t c -> b t (f c)"))
        for time, frequency in model.layers:
            b, t, f, d = x.shape
            x = time(x.permute(0, 2, 1, 3).reshape(b * f, t, d)).reshape(b, f, t, d).permute(0, 2, 1, 3)
            x = frequency(x.reshape(b * t, f, d)).reshape(b, t, f, d)
        if hasattr(model, "final_norm"):
            x = model.final_norm(x)
        masks = torch.stack([estimate(x) for estimate in model.mask_estimators], dim=1)
        masks = rearrange(masks, "b n t (f c) -> b n f t c", c=2)
        if indices is not None:
            # A bin of several bands gets their mean.
            empty = (0 * stft_repr)[:, None].repeat(1, masks.shape[1], 1, 1, 1)
            where = indices[None, None, :, None, None].expand_as(masks)
            masks = empty.scatter_add(2, where, masks) / model.num_bands_per_freq.repeat_interleave(2)[:, None, None]
        return masks[:, 0] if self.squeeze else masks


def make(name, build, stems, frames, full, **more):
    if not is_wanted(name):
        return
    torch.manual_seed(1)
    model = randomise(build(), 31)
    block = HOP * (frames - 1)
    given = {"seconds": (0.9 if full else 1.8) * block / 44_100, "seed": 17}
    mix = torch.from_numpy(signal(round(44_100 * given["seconds"]), given["seed"]))
    # The model itself, transforms and all, on the blocks that Tonwerk cuts.
    length = mix.shape[-1]
    padded = torch.nn.functional.pad(mix, (LEAD, 2 * block))

    def run():
        made = []
        for at in range(0, length + 2 * LEAD, block):
            part = model(padded[None, :, at : at + block])[0]
            made.append(part if part.dim() == 3 else part[None])
        return torch.cat(made, -1)[..., LEAD : LEAD + length]

    folder = folder_of(name, full)
    # Of a copy: rotary positions that were kept while a graph was traced are no positions afterwards.
    export(Core(copy.deepcopy(model), len(stems) == 1), torch.rand(1, 2050, frames, 2), folder / "model.onnx", input_names=["stft_repr"], output_names=["masks"])
    manifest = {"family": "roformer", "stems": stems, "dim_t": frames, "overlap": 0, **more}
    write_case(folder, f"audio-separator {version('audio-separator')}", manifest, {"model": "model.onnx"}, given, run)


if __name__ == "__main__":
    full = options().full
    frames = min(801, int(100 * options().seconds) + 1) if full else 41
    width = dict(dim=384, depth=min(6, options().layers), heads=8, dim_head=64) if full else dict(dim=4, depth=1, heads=2, dim_head=4, mlp_expansion_factor=1)
    shared = dict(stereo=True, stft_hop_length=HOP, time_transformer_depth=1, freq_transformer_depth=1, flash_attn=False, **width)
    make("roformer_bands", lambda: BSRoformer(num_stems=2, mask_estimator_depth=2, **shared), ["vocals", "drums"], frames, full)
    # This package keeps `zero_dc` and does nothing with it; in others it empties the first bin.
    inverse = torch.istft
    torch.istft = lambda spectrum, *rest, **more: inverse(spectrum.index_fill(1, torch.tensor(0), 0), *rest, **more)
    make("roformer_mel", lambda: MelBandRoformer(num_stems=1, mask_estimator_depth=2 if full else 1, **shared), ["vocals"], frames, full, zero_dc=True)
