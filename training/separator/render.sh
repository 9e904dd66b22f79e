#!/bin/sh
# Renders what the separator is trained on, and what it is measured on. Run from the root of the repository; about an hour on two cores, 3 GB, and 6 GB packed.
# What is there already is rendered again by the first four commands; `voices.py` and `pack.py` go on where they stopped.
#
#   WORK=/tmp/separator PYTHON=python training/separator/render.sh
#
# Needs the packages of requirements.txt and of Debian: espeak-ng, festival with the voices that voices.py names, csound-soundfont, freepats with timidity, and
# avldrums.lv2-soundfont (training), opl3-soundfont and timgm6mb-soundfont (measuring only).
set -eu
WORK=${WORK:-/tmp/separator}
PYTHON=${PYTHON:-python}
BANKS=${BANKS:-/usr/share/sounds/sf2}
HERE=training/separator
OPL=$PWD/node_modules/libadlmidi-js/dist/fm_banks/wopl
HELD=rock,ballad,techno,jazz,disco,folk,reggae,hiphop,waltz,metal
mkdir -p "$WORK"
bun training/material/make.ts --out "$WORK/gm" --seeds 1-2 --seconds 40
bun training/material/make.ts --out "$WORK/csound" --seeds 33 --seconds 36 --banks "$BANKS/sf_GMbank.sf2"
bun training/material/make.ts --out "$WORK/patches" --seeds 11-13 --seconds 40 --banks patches
bun training/material/make.ts --out "$WORK/chips" --seeds 60-61 --seconds 30 --banks chips
bun training/material/make.ts --out "$WORK/opl" --seeds 80-83 --seconds 36 --banks "$OPL/DMXOPL3-by-sneakernets-GS.wopl,$OPL/GM-By-J.A.Nguyen-and-Wohlstand.wopl,$OPL/Wohlstand's-modded-FatMan.wopl,$OPL/fatman-2op.wopl"
bun training/material/make.ts --out "$WORK/freepats" --seeds 90-92 --seconds 36 --banks /etc/timidity/freepats.cfg
bun training/material/make.ts --out "$WORK/kits" --seeds 94-96 --seconds 36 --banks "$BANKS/sf_GMbank.sf2,musescore,fluid" --drums "$BANKS/Black_Pearl_4_LV2.sf2,$BANKS/Red_Zeppelin_4_LV2.sf2"
bun training/classical_separator/studio.ts --out "$WORK/studio" --held drop --seconds 24
"$PYTHON" $HERE/voices.py --out "$WORK/voices" --count 110
"$PYTHON" $HERE/pack.py --out "$WORK/pack" gm="$WORK/gm" csound="$WORK/csound" patches="$WORK/patches" chips="$WORK/chips" opl="$WORK/opl" freepats="$WORK/freepats" kits="$WORK/kits" studio="$WORK/studio" voices="$WORK/voices"
# To measure on: another bank, FM, patches of an OPL that training has not, loud masters of the former, genres of the studio's that training has not, with voices that it has not.
bun training/material/make.ts --out "$WORK/test_bank" --seeds 32 --seconds 24 --genres $HELD --banks "$BANKS/TimGM6mb.sf2"
bun training/material/make.ts --out "$WORK/test_fm" --seeds 31 --seconds 24 --genres $HELD --banks "$BANKS/OPL-3_FM_128M.sf2"
bun training/material/make.ts --out "$WORK/test_opl" --seeds 30 --seconds 24 --genres $HELD --banks "$OPL/Apogee-IMF-90.wopl"
"$PYTHON" $HERE/voices.py --out "$WORK/voices_held" --count 8 --seed 7 --held
"$PYTHON" $HERE/evaluate.py --give-voices "$WORK/voices_held" "$WORK/test_bank" "$WORK/test_fm" "$WORK/test_opl"
"$PYTHON" $HERE/evaluate.py --make-loud "$WORK/test_loud" "$WORK/test_bank"
bun training/classical_separator/studio.ts --out "$WORK/test_studio" --held keep --seconds 24
