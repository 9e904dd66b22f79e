#!/bin/sh
# Remakes runners/separate/weights.json: material, facts, both networks. Run from the root of the repository; WORK takes 10 GB.
#
#   WORK=/tmp/learn PYTHON=python bench/separate/learn.sh        (python needs numpy, soundfile, pyworld; the command espeak-ng)
#
# STUDIO=/tmp/songs takes songs of the studio that are there already, FIRST=weights.json a first network.
set -eu
WORK=${WORK:-/tmp/learn}
PYTHON=${PYTHON:-python}
STUDIO=${STUDIO:-$WORK/studio}
mkdir -p "$WORK"
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
[ -d "$WORK/material" ] || {
  bun bench/material/make.ts --out "$WORK/material" --seeds 1-3 --seconds 64
  "$PYTHON" bench/separate/sing.py "$WORK"/material/*
}
[ -d "$STUDIO" ] || bun bench/separate/studio.ts --out "$STUDIO" --held drop --seconds 22
if [ -z "${FIRST:-}" ]; then
  FIRST=$WORK/first.json
  bun bench/separate/facts.ts --out "$WORK/first.bin" --singers "$STUDIO" --seconds 22 --points 24000 "$WORK"/material/* "$STUDIO"/*
  "$PYTHON" bench/separate/train.py --out "$FIRST" --hidden 40,20 --epochs 12 "$WORK/first.bin"
fi
bun bench/separate/facts.ts --out "$WORK/a.bin" --first "$FIRST" --singers "$STUDIO" --seconds 22 --points 24000 --seed 3 "$WORK"/material/*
bun bench/separate/facts.ts --out "$WORK/b.bin" --first "$FIRST" --variants 3 --seconds 16 --points 24000 --seed 5 "$STUDIO"/*
"$PYTHON" bench/separate/train.py --out "$WORK/second.json" --hidden 32,16 --epochs 5 --rate 4e-3 --held 8 "$WORK/a.bin" "$WORK/b.bin"
"$PYTHON" - "$FIRST" "$WORK/second.json" <<'END'
import json, sys
first, second = (json.load(open(name)) for name in sys.argv[1:])
with open("runners/separate/weights.json", "w") as file:
    json.dump({"first": first, "second": second}, file, indent=2)
    file.write("\n")
END
