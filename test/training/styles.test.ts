/** Styles of the music that training learns from; importing them checks their schema. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { STYLES } from "../../training/material/styles.ts";

test("every pattern of a style fills whole bars", () => {
  for (const [name, { beats_per_bar, steps, drums, bass, comps }] of Object.entries(STYLES)) {
    const struck = drums.flatMap((kit) => Object.values(kit));
    // A pad is held, however long its bar.
    const played = comps.flatMap(({ manner, patterns }) => (manner === "pad" ? [] : patterns));
    for (const pattern of [...struck, ...bass, ...played]) {
      const bars = pattern.replaceAll(" ", "").length / (beats_per_bar * steps);
      assert.ok(Number.isInteger(bars) && bars >= 1 && bars <= 4, `${name}: "${pattern}" has ${bars} bars`);
    }
  }
});
