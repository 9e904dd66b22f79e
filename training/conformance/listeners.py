"""Basic Pitch and Silero with the weights that their packages ship, against the packages' own code.

    python listeners.py [--full DIR]     # Silero's 2.3 MB only with --full
"""

import json
import shutil
from importlib.metadata import version
from pathlib import Path

import basic_pitch
import numpy as np
import onnxruntime
import silero_vad
import torch
from basic_pitch.note_creation import model_output_to_notes, output_to_notes_polyphonic
from silero_vad import load_silero_vad
from silero_vad.utils_vad import OnnxWrapper

from common import entry, folder_of, is_wanted, measure, options, plucks

def write(folder, original, family, model, given, **expected):
    manifest = {"id": folder.name, "licence": original, "threads": 1, "family": family, "files": {"model": entry(folder, model)}}
    (folder / "case.json").write_text(json.dumps({"original": original, "manifest": manifest, "plucks": given, **expected}) + "\n")


def notes(full):
    folder = folder_of("basic_pitch", full)
    model = Path(basic_pitch.__file__).parent / "saved_models" / "icassp_2022" / "nmp.onnx"
    shutil.copy(model, folder / "nmp.onnx")
    given = {"rate": 22_050, "seconds": 300 if full else 30, "seed": 23}
    audio = plucks(**given)
    overlap = 30 * 256
    # As the package opens it, but for its number of threads.
    choices = onnxruntime.SessionOptions()
    choices.intra_op_num_threads = options().threads
    session = onnxruntime.InferenceSession(model, choices)

    def run():
        # As basic_pitch.inference.run_inference does it with a file.
        hop = 43_844 - overlap
        padded = np.concatenate([np.zeros(overlap // 2, np.float32), audio])
        made = {"note": [], "onset": [], "contour": []}
        for at in range(0, len(padded), hop):
            window = np.pad(padded[at : at + 43_844], (0, max(0, at + 43_844 - len(padded))))
            names = ["StatefulPartitionedCall:1", "StatefulPartitionedCall:2", "StatefulPartitionedCall:0"]
            for key, value in zip(made, session.run(names, {"serving_default_input_2:0": window[None, :, None]})):
                made[key].append(value)
        # Version 0.4.0 counts the frames of a piece 0.7 % short; the package's repository has mended that since.
        frames = int(len(audio) / hop * 142)
        output = {key: np.concatenate(value)[:, 15:-15].reshape(-1, value[0].shape[-1])[:frames] for key, value in made.items()}
        return model_output_to_notes(output, 0.5, 0.3, min_note_len=11, include_pitch_bends=False)[1]

    if options().rounds:
        return measure(folder, f"basic-pitch {version('basic-pitch')}", run)
    found = sorted([round(float(value), 6) for value in event[:4]] for event in run())
    print(f"basic pitch: {len(found)} notes")
    write(folder, f"basic-pitch {version('basic-pitch')} (Apache-2.0)", "notes", "nmp.onnx", given, notes=found)


def events():
    """Note events of activations that fall silent for 8 to 13 frames: whether one goes on after 10 and not after 11 no real piece of some seconds shows."""
    frames, held, struck = 700, [], []
    for gap in range(8, 14):
        key, at = 20 + 7 * (gap - 8), 20 + 3 * gap
        # Begun by an onset, and by none: the latter are followed both ways from their loudest frame.
        held += [[key, at, at + 40, 0.8], [key, at + 40 + gap, at + 70 + gap, 0.6]]
        struck.append([key, at, at + 1, 0.9])
        later = at + 300
        held += [[key, later, later + 30, 0.5], [key, later + 30 + gap, later + 70 + gap, 0.7], [key, later + 70 + 2 * gap, later + 95 + 2 * gap, 0.4]]
    planes = np.zeros((2, frames, 88), np.float32)
    for plane, spans in zip(planes, (held, struck)):
        for key, begin, end, value in spans:
            plane[begin:end, key] = value
    found = output_to_notes_polyphonic(planes[0].copy(), planes[1].copy(), 0.5, 0.3, 11, True, None, None, True)
    spans = sorted([int(a), int(b), int(pitch), round(float(strength), 6)] for a, b, pitch, strength in found)
    given = {"original": f"basic-pitch {version('basic-pitch')} (Apache-2.0)", "frames": frames, "held": held, "struck": struck}
    (folder_of("basic_pitch", None) / "events.json").write_text(json.dumps({**given, "spans": spans}) + "\n")


def speech(full):
    folder = folder_of("silero", full)
    model = Path(silero_vad.__file__).parent / "data" / "silero_vad.onnx"
    shutil.copy(model, folder)
    given = {"rate": 16_000, "seconds": 30, "seed": 29}
    audio = torch.from_numpy(plucks(**given))
    windows = torch.nn.functional.pad(audio, (0, -len(audio) % 512)).reshape(-1, 512)
    # Its network in PyTorch is what it is measured against; both give the same.
    network = load_silero_vad() if options().rounds else OnnxWrapper(str(model), force_onnx_cpu=True)

    def run():
        network.reset_states()
        return [float(network(window, 16_000)) for window in windows]

    if options().rounds:
        return measure(folder, f"silero-vad {version('silero-vad')}", run)
    found = run()
    print(f"silero: {len(found)} windows, {min(found):.4f} to {max(found):.4f}")
    write(folder, f"silero-vad {version('silero-vad')} (MIT)", "vad", "silero_vad.onnx", given, speech=found)


if __name__ == "__main__":
    full = options().full
    if is_wanted("basic_pitch"):
        notes(full)
    if not options().rounds:
        events()
    if full is not None and is_wanted("silero"):
        speech(full)
