"""Makes raw int16 files of rendered stems, which training reads at random places without decoding.

    python pack.py --out FOLDER NAME=FOLDER...

Each FOLDER of a renderer holds pieces, each a folder with vocals, drums, bass and other as FLAC; or WAV files, which are voices alone. Files that
are packed already are left alone, so that it may be run again while more is rendered (and while training runs, which looks for new ones).
"""

import argparse
from pathlib import Path

import numpy as np
import soundfile

SOURCES = ("vocals", "drums", "bass", "other")


def keep(source, target):
    if target.exists():
        return
    x, rate = soundfile.read(source, dtype="int16", always_2d=True)
    assert rate == 44_100
    if not np.any(np.abs(x) > 30):
        return
    part = target.with_suffix(".part")
    with part.open("wb") as file:
        np.save(file, x)
    part.rename(target)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--out", required=True)
    options.add_argument("folders", nargs="+")
    given = options.parse_args()
    for entry in given.folders:
        name, folder = entry.split("=")
        out = Path(given.out) / name
        out.mkdir(parents=True, exist_ok=True)
        for piece in sorted(Path(folder).iterdir()):
            try:
                if piece.is_dir():
                    if not all((piece / f"{source}.flac").exists() for source in SOURCES):
                        continue
                    for source in SOURCES:
                        keep(piece / f"{source}.flac", out / f"{piece.name}.{source}.npy")
                elif piece.suffix == ".wav":
                    keep(piece, out / f"{piece.stem}.vocals.npy")
            except soundfile.LibsndfileError as error:
                print(f"{piece}: {error}, left for the next time")


if __name__ == "__main__":
    main()
