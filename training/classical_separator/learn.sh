#!/bin/sh
# Remakes runners/signal/separate/weights.json: facts, both networks. Run from the root of the repository, after training/separator/render.sh has
# rendered what the classical engine and the shipped model both learn from; takes 6 GB more and three quarters of an hour on two cores.
#
#   WORK=/tmp/separator PYTHON=python training/classical_separator/learn.sh        (python needs numpy)
#
# The first network learns from a third of the pieces, and little: opinions on pieces that it knows by heart would look better to the second than any it
# will hear.
set -eu
WORK=${WORK:-/tmp/separator}
PYTHON=${PYTHON:-python}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
ALL=$(ls -d "$WORK"/gm/* "$WORK"/csound/* "$WORK"/freepats/* "$WORK"/kits/* "$WORK"/patches/* "$WORK"/chips/* "$WORK"/opl/*)
THIRD=$(echo "$ALL" | awk 'NR % 3 == 0')
facts() {
  bun training/classical_separator/facts.ts --singers "$WORK/studio" --voices "$WORK/voices" --seconds 14 --points 14000 "$@"
}
facts --out "$WORK/first.bin" --variants 1 --anew --seed 11 $THIRD "$WORK"/studio/*
"$PYTHON" training/classical_separator/train.py --out "$WORK/first.json" --hidden 40,20 --epochs 12 "$WORK/first.bin"
facts --out "$WORK/b.bin" --first "$WORK/first.json" --variants 1 --anew --seed 23 $ALL "$WORK"/studio/*
facts --out "$WORK/c.bin" --first "$WORK/first.json" --variants 1 --anew --seed 50 $ALL
facts --out "$WORK/d.bin" --first "$WORK/first.json" --variants 2 --seed 60 "$WORK"/studio/*
"$PYTHON" training/classical_separator/train.py --out "$WORK/second.json" --hidden 96,32 --epochs 5 --rate 4e-3 --jitter 0.2 --held 20 "$WORK/b.bin" "$WORK/c.bin" "$WORK/d.bin"
"$PYTHON" - "$WORK/first.json" "$WORK/second.json" <<'END'
import json, sys
first, second = (json.load(open(name)) for name in sys.argv[1:])
with open("runners/signal/separate/weights.json", "w") as file:
    json.dump({"first": first, "second": second}, file, indent=2)
    file.write("\n")
END
