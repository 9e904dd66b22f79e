#!/usr/bin/env python3
"""The dashboard's font: Inter as its package brings it, in the pieces that pages load.

  npm pack @fontsource/inter@5.3.0 && tar xzf fontsource-inter-5.3.0.tgz
  pip install fonttools==4.68.0 brotli
  python3 scripts/font.py package

Pages are in English: what that needs is a piece of its own, which comes with every page. Other Latin letters come where a page has one.
Without hints and without features that no page asks for: kerning, tabular digits and composed letters stay.
"""
import os
import shutil
import sys

from fontTools.subset import Options, Subsetter, load_font, save_font

package = sys.argv[1]
target = os.path.join(os.path.dirname(__file__), "../plugins/dashboard/static")
# Letters, digits and what our own texts are set with: dashes, quotes, dots, times, minus.
ENGLISH = [*range(0x20, 0x7F), 0xA0, 0xB7, 0xD7, *range(0x2013, 0x2015), 0x2018, 0x2019, 0x201C, 0x201D, 0x2026, 0x2212]

for weight in (400, 600):
    for name, source in (("english", "latin"), ("western", "latin"), ("extended", "latin-ext")):
        path = f"{package}/files/inter-{source}-{weight}-normal.woff2"
        options = Options(layout_features=["kern", "tnum", "ccmp", "locl", "mark"], flavor="woff2", hinting=False)
        options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
        font = load_font(path, options)
        there = set(font.getBestCmap())
        wanted = there & set(ENGLISH) if name == "english" else there - set(ENGLISH)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes=sorted(wanted))
        subsetter.subset(font)
        font["head"].modified = font["head"].created
        save_font(font, f"{target}/inter-{name}-{weight}.woff2", options)
shutil.copy(f"{package}/LICENSE", f"{target}/inter-OFL.txt")
