import type { Shelf } from "../../../packs/mod.ts";

const shelf = (verse: string[], chorus: string[], bridge: string[]): Shelf => ({ verse, chorus, bridge });

/** Vamps that show the colour of a mode; used beside or instead of the genre's where a key is dorian, phrygian, lydian or mixolydian. */
export const MODAL: Readonly<Record<"dorian" | "phrygian" | "lydian" | "mixolydian", Shelf>> = {
  dorian: shelf(
    ["i|IV|i|IV", "i|ii|i|IV", "i|bVII|IV|i", "i|i|IV|IV", "i|v|IV|i"],
    ["i|bIII|IV|i", "bVII|IV|i|i", "i|bIII|bVII|IV", "ii|IV|i|i"],
    ["bVII|bVII|IV|i", "ii|bIII|IV|v", "v|IV|i|i"],
  ),
  phrygian: shelf(
    ["i|bII|i|bII", "i|bII|bIII|bII", "i|i|bII|i", "i|bvii|bII|i"],
    ["bII|bIII|bII|i", "i|bVI|bII|i", "iv|bIII|bII|i"],
    ["bVI|bVI|bII|i", "iv|bII|i|i", "bvii|bVI|bII|i"],
  ),
  lydian: shelf(
    ["I|II|I|II", "I|II@1|I|I", "I|iii|II|I", "I|V|II|I"],
    ["I|II|vii|I", "II|I|iii|I", "vi|II|I|I"],
    ["vi|vii|I|II", "iii|II|I|I", "V|II|I|I"],
  ),
  mixolydian: shelf(
    ["I|bVII|I|bVII", "I|bVII|IV|I", "I|v|IV|I", "I|I|bVII|IV"],
    ["IV|bVII|I|I", "I|IV|bVII|I", "bVII|IV|I|I", "I|v|bVII|IV"],
    ["v|IV|I|I", "ii|IV|bVII|I", "bVII|bVII|IV|v"],
  ),
};
