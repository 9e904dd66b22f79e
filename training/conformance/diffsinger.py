"""DiffSinger's acoustic model with all its variances, and NSF-HiFiGAN: openvpi's own code with random weights, exported by its own exporters.

    python diffsinger.py --repo DIR     # a checkout of https://github.com/openvpi/DiffSinger, 753b7cc (Apache-2.0); needs onnxsim, and to import: lightning

Both graphs draw noise. It is silence here on both sides, in PyTorch and in what was exported, so that there is something to compare.
"""

import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import onnx
import torch
import yaml

from common import folder_of, options, randomise, write_case

HOP, RATE, REST, EDGE = 512, 44_100, 0.12, 0.008
STEPS, BINS = 4, 20
#: As a singer of ours is asked.
PASSAGE = {"start": 0.3, "hertz": 233, "sounds": [["S", 0.11], ["AA", 0.42], ["M", 0.09], ["T", 0.06], ["AA", 0.5], ["N", 0.13]]}
SECONDS = 1.9
PHONEMES = ["<PAD>", "AP", "SP", "s", "aa", "m", "t", "n"]
#: What runners/models/variances.json says, by the kinds of these sounds.
VARIANCES = {
    "energy": {"SP": -90, "S": -38, "AA": -24, "M": -30, "T": -48, "N": -30},
    "breathiness": {"SP": -90, "S": -40, "AA": -56, "M": -52, "T": -50, "N": -52},
    "voicing": {"SP": -90, "S": -80, "AA": -24, "M": -30, "T": -80, "N": -30},
    "tension": {"SP": 0, "S": 0, "AA": 0, "M": 0, "T": 0, "N": 0},
}
VOCODER = {"num_mels": BINS, "upsample_rates": [8, 8, 4, 2], "upsample_kernel_sizes": [16, 16, 8, 4], "upsample_initial_channel": 32, "resblock": "1",
           "resblock_kernel_sizes": [3, 5], "resblock_dilation_sizes": [[1, 3, 5], [1, 3, 5]], "sampling_rate": RATE, "mini_nsf": False, "noise_sigma": None}


@contextmanager
def silence():
    """Nothing is drawn at random."""
    def zeros(*shape, **more):
        more.pop("generator", None)
        return torch.zeros(*shape, **more)

    with mock.patch.multiple(torch, rand=zeros, randn=zeros, rand_like=torch.zeros_like, randn_like=torch.zeros_like):
        yield


def silenced(graph):
    """The same of a graph: what is drawn like a tensor is that tensor less itself; what has a shape of its own, zeros of it."""
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                silenced(attribute.g)
        if node.op_type in ("RandomNormalLike", "RandomUniformLike"):
            node.op_type = "Sub"
            node.input.append(node.input[0])
            del node.attribute[:]
        elif node.op_type in ("RandomNormal", "RandomUniform"):
            shape = next(list(one.ints) for one in node.attribute if one.name == "shape")
            node.op_type = "Constant"
            del node.attribute[:]
            value = onnx.helper.make_tensor("zeros", onnx.TensorProto.FLOAT, shape, [0.0] * int(torch.tensor(shape).prod()))
            node.attribute.append(onnx.helper.make_attribute("value", value))


def configure(repo):
    """Its own defaults, at small widths, with everything that a voice may be told."""
    from utils.hparams import hparams

    for name in ("base", "acoustic"):
        hparams.update(yaml.safe_load((repo / "configs" / f"{name}.yaml").read_text()))
    hparams.update(hidden_size=16, enc_layers=1, num_heads=2, audio_num_mel_bins=BINS, use_key_shift_embed=True, use_speed_embed=True,
                   **{f"use_{name}_embed": True for name in VARIANCES}, exp_name="voice", work_dir="", timesteps=1000)
    hparams["backbone_args"].update(num_channels=16, num_layers=2, kernel_size=7)
    hparams["shallow_diffusion_args"]["aux_decoder_args"].update(num_channels=16, num_layers=1)
    return hparams


def counted():
    """Tokens, frames of each and names: sums of seconds, rounded, as ours are."""
    second, done, all_of_it = 0, 0, []
    for name, seconds in [["SP", REST], *PASSAGE["sounds"], ["SP", REST]]:
        second += seconds
        frames = max(1, int(second * RATE / HOP + 0.5) - done)
        done += frames
        all_of_it.append((name, PHONEMES.index(name if name == "SP" else name.lower()), frames))
    return all_of_it


def curve(values, sounds):
    """Steps by sound, smoothed over nine frames."""
    steps = torch.tensor([float(values[name]) for name, _, frames in sounds for _ in range(frames)])
    padded = torch.nn.functional.pad(steps[None], (4, 4), mode="replicate")[0]
    return padded.unfold(0, 9, 1).mean(-1)[None]


def make(repo):
    sys.path.insert(0, str(repo))
    hparams = configure(repo)
    from deployment.exporters import acoustic_exporter, nsf_hifigan_exporter
    from deployment.modules.nsf_hifigan import NSFHiFiGANONNX
    from deployment.modules.toplevel import DiffSingerAcousticONNX

    torch.manual_seed(1)
    acoustic = randomise(DiffSingerAcousticONNX(vocab_size=len(PHONEMES), out_dims=BINS, cross_lingual_token_idx=[]), 51)
    vocoder = randomise(NSFHiFiGANONNX(VOCODER), 52)
    vocoder.generator.remove_weight_norm()

    sounds = counted()
    tokens = torch.tensor([[number for _, number, _ in sounds]])
    durations = torch.tensor([[frames for _, _, frames in sounds]])
    frames = int(durations.sum())
    f0 = torch.full((1, frames), float(PASSAGE["hertz"]))
    variances = {name: curve(values, sounds) for name, values in VARIANCES.items()}

    def run():
        with silence():
            condition, aux = acoustic.forward_fs2_aux(tokens, durations, f0, variances, gender=torch.zeros(1, frames), velocity=torch.ones(1, frames))
            mel = acoustic.forward_shallow_reflow(condition, aux, torch.tensor(1.0), STEPS)
            made = vocoder(mel, f0)[0]
        out = torch.zeros(round(SECONDS * RATE))
        at, edge = round((PASSAGE["start"] - REST) * RATE), round(EDGE * RATE)
        n = torch.arange(len(made))
        gain = torch.minimum(torch.minimum((n + 0.5) / edge, (len(made) - n - 0.5) / edge), torch.tensor(1.0))
        out[at : at + len(made)] = gain * made
        return out[None]

    folder = folder_of("diffsinger", None)
    (folder / "phonemes.txt").write_text("\n".join(PHONEMES) + "\n")
    with tempfile.TemporaryDirectory() as scratch:
        # Their exporters read checkpoints and dictionaries; all after that is theirs.
        voice = acoustic_exporter.DiffSingerAcousticExporter.__new__(acoustic_exporter.DiffSingerAcousticExporter)
        names = {"fs2": acoustic.fs2, "aux_decoder": acoustic.aux_decoder.decoder, "backbone": acoustic.diffusion.backbone, "diffusion": acoustic.diffusion}
        vars(voice).update(device="cpu", model=acoustic, model_name="voice", model_class_name="DiffSingerAcoustic", use_lang_id=False, freeze_spk=None,
                           expose_gender=True, expose_velocity=True, fs2_aux_cache_path=Path(scratch) / "fs2_aux.onnx",
                           diffusion_cache_path=Path(scratch) / "diffusion.onnx", fs2_aux_class_name="FastSpeech2Acoustic",
                           **{f"{name}_class_name": type(part).__name__ for name, part in names.items()})
        voice.export_model(folder / "acoustic.onnx")
        sound = nsf_hifigan_exporter.NSFHiFiGANExporter.__new__(nsf_hifigan_exporter.NSFHiFiGANExporter)
        vars(sound).update(device="cpu", model=vocoder, model_class_name="NSFHiFiGAN", model_cache_path=Path(scratch) / "vocoder.onnx")
        sound.export_model(folder / "vocoder.onnx")
    for name in ("acoustic", "vocoder"):
        model = onnx.load(folder / f"{name}.onnx")
        silenced(model.graph)
        onnx.save(model, folder / f"{name}.onnx")
    manifest = {"family": "diffsinger", "mel_bins": BINS, "steps": STEPS}
    files = {"acoustic": "acoustic.onnx", "vocoder": "vocoder.onnx", "phonemes": "phonemes.txt"}
    write_case(folder, "openvpi/DiffSinger 753b7cc", manifest, files, {"seconds": SECONDS, "passage": PASSAGE}, run)
    print({key: hparams[key] for key in ("diffusion_type", "backbone_type")})


if __name__ == "__main__":
    make(options().repo)
