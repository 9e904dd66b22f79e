"""MDX-Net's ConvTDFNet and its transforms, as `audio_separator` has them from Ultimate Vocal Remover.

    python mdx.py [--full DIR]
"""

import logging
import sys
from importlib.metadata import version
from types import SimpleNamespace

import torch

# The network's base class is all that is needed of this package.
sys.modules["pytorch_lightning"] = SimpleNamespace(LightningModule=torch.nn.Module)
from audio_separator.separator.uvr_lib_v5.mdxnet import ConvTDFNet  # noqa: E402
from audio_separator.separator.uvr_lib_v5.stft import STFT  # noqa: E402

from common import export, folder_of, options, randomise, signal, write_case  # noqa: E402

HOP = 1024
COMPENSATE = 1.035


def make(full):
    n_fft, dim_f, dim_t = (6144, 2048, 256) if full else (3072, 512, 32)
    torch.manual_seed(1)
    model = ConvTDFNet("vocals", 0, "rmsprop", 4, dim_f, dim_t, n_fft, HOP, num_blocks=11 if full else 3, l=3 if full else 1,
                       g=32 if full else 4, k=3, bn=8 if full else 16, bias=False, overlap=n_fft // 2)
    randomise(model, 3)
    given = {"seconds": 5.5 if full else 2.1, "seed": 13}
    mix = torch.from_numpy(signal(round(44_100 * given["seconds"]), given["seed"]))

    # Blocks without overlap, of which half a transform is dropped on either side, as in the inference of the network's authors.
    trim, block = n_fft // 2, HOP * (dim_t - 1)
    kept = block - 2 * trim
    transform = STFT(logging.getLogger(), n_fft, HOP, dim_f, torch.device("cpu"))
    padded = torch.nn.functional.pad(mix, (trim, trim + kept))

    def run():
        made = []
        for at in range(0, mix.shape[-1], kept):
            part = padded[None, :, at : at + block]
            spectrum = transform(torch.nn.functional.pad(part, (0, block - part.shape[-1])))
            spectrum[:, :, :3, :] *= 0
            made.append(transform.inverse(model(spectrum))[0, :, trim:-trim])
        stem = COMPENSATE * torch.cat(made, -1)[:, : mix.shape[-1]]
        return torch.cat([stem, mix - stem])

    folder = folder_of("mdx", full)
    export(model, torch.rand(1, 4, dim_f, dim_t), folder / "model.onnx", input_names=["input"], output_names=["output"],
           dynamic_axes={"input": {0: "batch"}, "output": {0: "batch"}})
    manifest = {"family": "mdx", "stem": "vocals", "stft": {"n_fft": n_fft, "hop": HOP, "dim_f": dim_f, "dim_t": dim_t},
                "compensate": COMPENSATE, "overlap": 0, "batch": 2}
    write_case(folder, f"audio-separator {version('audio-separator')}", manifest, {"model": "model.onnx"}, given, run)


if __name__ == "__main__":
    make(options().full)
