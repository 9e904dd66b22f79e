"""Bags of HTDemucs, weighted by source, against `demucs`' own BagOfModels; ours are ensembles. Small networks whatever the case: theirs is `htdemucs.py`.

    python bag.py [--full DIR]     # with --full four models, of which each gives one stem, as `htdemucs_ft`
"""

from importlib.metadata import version

import torch
from demucs.apply import BagOfModels

from common import entry, folder_of, options, signal, write_rows
from htdemucs import STEMS, build, export_core, frames_of, separate

#: What our contract takes of a bag; "other" is there what these leave of the mix.
TAKEN = ["vocals", "drums", "bass"]


def make(full):
    # By model, then by source: one alone, a mean by weight, and one that is not the first.
    weights = torch.eye(4).tolist() if full else [[1, 0.25, 1, 0], [0, 0.75, 1, 1]]
    folder = folder_of("htdemucs_bag", full)
    # The first is the case's of a single model.
    models = [build(None, seed) for seed in (2, 5, 8, 11)[: len(weights)]]
    manifests, members = [], []
    for index, (model, row) in enumerate(zip(models, weights)):
        name = "../htdemucs_core/model.onnx" if index == 0 and not full else f"model_{index}.onnx"
        if "/" not in name:
            export_core(model, folder / name)
        manifests.append({"id": f"bag-{index}", "licence": "random weights", "threads": 1, "family": "htdemucs-core", "stems": STEMS,
                          "segment": frames_of(model), "files": {"model": entry(folder, name)}})
        members.append({"id": f"bag-{index}", "stems": {stem: weight for stem, weight in zip(STEMS, row) if weight > 0}})
    manifests.append({"id": "bag", "family": "ensemble", "models": members})

    given = {"seconds": 2.3, "seed": 37}
    mix = torch.from_numpy(signal(round(44_100 * given["seconds"]), given["seed"]))
    with torch.no_grad():
        made = separate(BagOfModels(models, weights), mix)
    write_rows(folder, f"demucs {version('demucs')}", {"manifests": manifests, "stems": TAKEN}, given, made[[STEMS.index(stem) for stem in TAKEN]])


if __name__ == "__main__":
    make(options().full)
