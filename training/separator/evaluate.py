"""Measures a checkpoint, or an exported graph, on pieces of truth that training never saw.

    python evaluate.py MODEL FOLDER... [--seconds 24]          MODEL: last.pt or an .onnx file
    python evaluate.py --give-voices VOICES FOLDER...            puts held voices into pieces (once, in place)
    python evaluate.py --make-loud OUT FOLDER...                 writes loud masters of pieces

FOLDERs hold pieces as training/material/make.ts writes them. SI-SDR in dB (Le Roux et al. 2019) over both channels, on signals, of vocals, drums, bass, other;
a stem that is silent in a piece does not count. The oracle is the Wiener mask of each bin, from the truth. bench/separate.ts measures the built-in engine
on the same folders.
"""

import argparse
import zlib
from pathlib import Path

import numpy as np
import soundfile
import torch

from model import BINS, PAIR, RATE, SOURCES, Separator, features, istft, stft


def pieces(folders):
    for folder in map(Path, folders):
        for piece in sorted(folder.iterdir()):
            if all((piece / f"{source}.flac").exists() for source in SOURCES):
                yield piece


def read(piece, seconds=None):
    """[4, 2, samples] float32."""
    stop = None if seconds is None else int(seconds * RATE)
    return torch.from_numpy(np.stack([soundfile.read(piece / f"{source}.flac", dtype="float32", always_2d=True, stop=stop)[0].T for source in SOURCES]))


def write(piece, stems):
    piece.mkdir(parents=True, exist_ok=True)
    for source, stem in zip(SOURCES, stems):
        soundfile.write(piece / f"{source}.flac", np.asarray(stem).T, RATE, subtype="PCM_16")


def si_sdr(truth, estimate):
    t, e = truth.reshape(-1).double(), estimate.reshape(-1).double()
    if t.square().mean() < 1e-8:
        return np.nan
    t = t * (t @ e) / (t @ t)
    return float(10 * torch.log10(t.square().sum() / ((e - t).square().sum() + 1e-12)))


def masks_of(model):
    """A function from the spectrum [2, frames, BINS] to masks [4, 2, frames, BINS]."""
    if model.endswith(".onnx"):
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        size = session.get_inputs()[0].shape[1]

        def run(spectrum):
            planes = torch.stack([spectrum[0].real, spectrum[0].imag, spectrum[1].real, spectrum[1].imag], 1)
            out = []
            for at in range(0, len(planes), size):
                part = torch.zeros(size, 4, BINS)
                part[: len(planes[at : at + size])] = planes[at : at + size]
                out.append(torch.from_numpy(session.run(None, {"spectrum": part[None].numpy()})[0][0]))
            masks = torch.cat(out)[: len(planes)].float() / (255 if session.get_outputs()[0].type == "tensor(uint8)" else 1)
            masks = masks.reshape(-1, 3, 2, BINS).permute(1, 2, 0, 3)
            return torch.cat([masks, 1 - masks.sum(0, keepdim=True)])

        return run
    net = Separator()
    net.load_state_dict(torch.load(model, weights_only=True)["averaged"])
    net.eval()

    def run(spectrum):
        frames = spectrum.shape[1]
        l, r = torch.nn.functional.pad(spectrum, (0, 0, 0, -frames % PAIR))
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            logits = net(features(l.real[None], l.imag[None], r.real[None], r.imag[None]).bfloat16())
        return logits[0, :frames].float().reshape(-1, 4, 2, BINS).softmax(1).permute(1, 2, 0, 3)

    return run


def judged(masks, spectrum, truth):
    made = istft(torch.nn.functional.pad(spectrum[None] * masks, (0, 1)), truth.shape[-1])
    return [si_sdr(t, e) for t, e in zip(truth, made)]


def row(name, values):
    with np.errstate(all="ignore"):
        means = np.nanmean(np.array(values, float).reshape(-1, 4), axis=0)
    print(f"{name:28s}" + "".join(f"{v:8.2f}" for v in [*means, np.nanmean(means)]), flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("what", nargs="+")
    options.add_argument("--seconds", type=float)
    options.add_argument("--give-voices")
    options.add_argument("--make-loud")
    options.add_argument("--no-oracle", action="store_true")
    given = options.parse_args()
    torch.set_num_threads(1)
    if given.give_voices:
        voices = sorted(Path(given.give_voices).glob("*.wav"))
        for number, piece in enumerate(pieces(given.what)):
            stems = read(piece)
            x = soundfile.read(voices[number % len(voices)], dtype="float32", always_2d=True)[0].T
            x = torch.from_numpy(np.ascontiguousarray(x[:, : stems.shape[-1]]))
            stems[0] = 0
            level = stems[1:].sum(0).square().mean().sqrt() / (x.square().mean().sqrt() + 1e-6)
            stems[0, :, : x.shape[1]] = x * level * 10 ** (-3 / 20)
            write(piece, stems * (0.8 / stems.sum(0).abs().max()))
        return
    if given.make_loud:
        from data import mastered

        for piece in pieces(given.what):
            rng = np.random.default_rng(zlib.crc32(str(piece.name).encode()))
            write(Path(given.make_loud) / piece.name, mastered(read(piece), rng) * 0.9)
        return
    run = masks_of(given.what[0])
    print(f"{'':28s}" + "".join(f"{source:>8s}" for source in [*SOURCES, "mean"]))
    for folder in given.what[1:]:
        found, best = [], []
        for piece in pieces([folder]):
            truth = read(piece, given.seconds)
            spectra = stft(truth)[..., :BINS]
            spectrum = spectra.sum(0)
            found.append(judged(run(spectrum), spectrum, truth))
            if not given.no_oracle:
                power = spectra.abs().square()
                best.append(judged(power / (power.sum(0) + 1e-12), spectrum, truth))
        row(Path(folder).name, found)
        if best:
            row("  oracle", best)


if __name__ == "__main__":
    main()
