"""Open-Unmix against `openunmix`: the estimates as they are, ratio masks, rounds of the multichannel filter, a residual.

    python umx.py [--full DIR]
"""

from importlib.metadata import version

import openunmix.filtering
import torch
from openunmix.model import OpenUnmix, Separator

from common import export, folder_of, is_wanted, options, randomise, round_to_half, signal, write_case

# The package's own writes 1 into the mix wherever that is exactly 0, and so gives a residual something to hold in silence.
openunmix.filtering.atan2 = torch.atan2

STEMS = ["vocals", "drums", "bass", "other"]
#: Silence that Tonwerk reads before and after a piece.
LEAD = 2048
#: Of the models that are published: 16 kHz of 22.05.
BINS_READ = 1487


def make(full):
    frames = 256 if full else 64
    hidden = 512 if full else 4
    stems = STEMS if full else STEMS[:3]
    torch.manual_seed(1)
    models = {stem: OpenUnmix(nb_bins=2049, hidden_size=hidden, max_bin=BINS_READ) for stem in stems}
    for seed, model in enumerate(models.values()):
        randomise(model, seed)
        # As trained ones: estimates lie between nothing and the mix.
        with torch.no_grad():
            model.bn3.weight.mul_(0.2)
            model.output_mean.add_(0.4)
            model.output_scale.mul_(0.5)
        round_to_half(model)

    # One block, whose statistics are then the package's: it takes them over up to 300 frames, and its LSTM runs over the whole piece.
    length = 1024 * (frames - 1) - 2 * LEAD
    given = {"seconds": length / 44_100, "seed": 11}
    mix = torch.from_numpy(signal(length, given["seed"]))

    graphs = {}
    for name, more in [
        ("umx_1", {"wiener": 1}), ("umx_0", {"wiener": 0}), ("umx_softmask", {"wiener": 0, "softmask": True}),
        ("umx_residual", {"wiener": 2, "residual": True}),
        # So soft that the filter's little constants decide: there it shows what powers are the mean of.
        ("umx_soft", {"wiener": 1}),
    ]:
        if graphs and not is_wanted(name):
            continue
        folder = folder_of(name, full)
        if not graphs:
            for stem, model in models.items():
                export(model, torch.rand(1, 2, 2049, frames), folder / f"{stem}.onnx", input_names=["magnitude"], output_names=["estimate"],
                       dynamic_axes={"magnitude": {3: "frames"}, "estimate": {3: "frames"}})
            graphs = {stem: f"../{folder.name}/{stem}.onnx" for stem in stems}
        if not is_wanted(name):
            continue
        separator = Separator(models, niter=more["wiener"], softmask=more.get("softmask", False),
                              residual=more.get("residual", False), n_fft=4096, n_hop=1024).eval()
        # A power of two, so that both sides multiply alike.
        gain = 2.0 ** -13 if name == "umx_soft" else 1
        padded = torch.nn.functional.pad(gain * mix, (LEAD, LEAD))[None]

        def run():
            return separator(padded)[0][..., LEAD:-LEAD]

        manifest = {"family": "umx", "dim_t": frames, "overlap": 0, **more}
        write_case(folder, f"openunmix {version('openunmix')}", manifest, graphs, given if gain == 1 else {**given, "gain": gain}, run)


if __name__ == "__main__":
    make(options().full)
