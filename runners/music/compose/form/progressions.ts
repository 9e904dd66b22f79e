import type { Dress } from "./numerals.ts";

/** Progressions as numerals (see `chordOf`), bars parted by "|", chords of a bar by blanks. `a` for verses and first themes, `c` for choruses, drops and second themes, `b` for bridges and breaks. */
export interface Shelf {
  readonly a: readonly string[];
  readonly c: readonly string[];
  readonly b: readonly string[];
}

export interface Bank {
  readonly dress: readonly Dress[];
  /** A loop stays as it is; cadences are written into functional harmony, and modal harmony closes by bVII. */
  readonly cadence: "functional" | "modal" | "loop";
  readonly bright: Shelf;
  readonly dark: Shelf;
}

const shelf = (a: readonly string[], c: readonly string[], b: readonly string[]): Shelf => ({ a, c, b });

const POP: Bank = {
  dress: ["add", "add", "triad"],
  cadence: "functional",
  bright: shelf(
    [
      "I|V|vi|IV",
      "I|vi|IV|V",
      "I|iii|IV|V",
      "I|IV|vi|V",
      "I|V/3|vi|IV",
      "I|ii|IV|V",
      "I|I/3|IV|IV",
      "I|V/3|vi|V|IV|I/3|ii|Vsus4 V",
    ],
    [
      "I|V|vi|IV",
      "IV|V|I|vi",
      "I|IV|vi|V",
      "I|V|ii|IV",
      "I|iii|vi|IV",
      "IV|I|V|vi",
      "I|V>vi|vi|IV",
      "I|IV|I/3|V",
      "I|V/3|vi|IV|I/3|IV|Vsus4|V",
    ],
    ["vi|IV|I|V", "ii|iii|IV|V", "IV|iv|I|V", "vi|V|IV|V", "IV|V|iii|vi|ii|IV|Vsus4|V", "bVII|IV|I|V"],
  ),
  dark: shelf(
    ["i|bVI|bVII|i", "i|iv|bVII|i", "i|bVII|bVI|bVII", "i|v|bVI|bVII", "i|iv|i|V", "i|bIII|bVII|iv", "i|i/3|iv|V"],
    ["i|bVI|bIII|bVII", "i|bVII|bVI|V", "i|bVI|iv|V", "bVI|bVII|i|i", "i|bIII|bVI|V", "i|bVII/3|bIII|bVI|iv|i|V|V"],
    ["bVI|bIII|bVII|i", "iv|bVI|i|V", "bVI|bVII|bIII|V>iv|iv|iv|V|V", "iv|V|i|bVI"],
  ),
};

const BALLAD: Bank = {
  dress: ["add", "triad", "seventh"],
  cadence: "functional",
  bright: shelf(
    ["I|V/3|vi|I/5|IV|I/3|ii|V", "I|iii|IV|V", "I|I/3|IV|V", "I|vi|ii|V", "I|IV@1|V@1|I", "I|V>vi|vi|IV"],
    ["IV|V|iii|vi|ii|V|I|I", "I|V/3|vi|IV", "I|iii|IV|iv", "IV|I/3|ii|V", "I|V>vi|vi|V>ii|ii|V|I|V"],
    ["vi|iii|IV|I|ii|V>V|Vsus4|V", "bVI|bVII|I|I", "vi|V/3|I|IV"],
  ),
  dark: shelf(
    ["i|v/3|bVI|i/5|iv|i/3|iiø7|V", "i|bVI|iv|V", "i|i/3|iv|V", "i|bVII|bVI|V"],
    ["bVI|bVII|i|i", "i|bVI|bIII|V", "iv|bVII|bIII|bVI|iiø7|V|i|i", "i|iv|bVII|i"],
    ["bVI|bIII|iv|V", "iv|i|V>V|V", "bII|bII|V|V"],
  ),
};

const ROCK: Bank = {
  dress: ["triad", "add"],
  cadence: "functional",
  bright: shelf(
    ["I|IV|I|V", "I|bVII|IV|I", "I|I|IV|IV", "I|V|IV|IV", "I|bVII|IV|IV", "I|IV|V|IV", "I|vi|IV|V"],
    ["I|V|vi|IV", "IV|I|V|V", "I|bIII|IV|I", "I|V|IV|V", "bVII|IV|I|I", "vi|IV|I|V"],
    ["vi|V|IV|V", "bVI|bVII|I|I", "ii|IV|V|V", "bVII|bVII|IV|V"],
  ),
  dark: shelf(
    ["i|bVII|bVI|bVII", "i|i|bVI|bVII", "i|iv|i|v", "i|bIII|bVII|i", "i|bVII|iv|i"],
    ["i|bVI|bIII|bVII", "i|bVI|bVII|i", "bVI|bVII|i|i", "i|bVII|IV|i", "i|bVII|bVI|V"],
    ["bVI|bVI|bVII|bVII", "iv|bVI|bVII|V", "bIII|bVII|iv|V"],
  ),
};

/** Guitars play power chords whatever is written; the thirds are for those who sing and play over them. */
const METAL: Bank = {
  dress: ["triad"],
  cadence: "modal",
  bright: shelf(
    ["I|bVII|IV|I", "I|I|bVI|bVII", "I|IV|V|IV"],
    ["I|V|vi|IV", "IV|V|I|I", "I|bVI|bVII|I"],
    ["vi|IV|V|V", "bVI|bVII|I|I"],
  ),
  dark: shelf(
    ["i|i|bVI|bVII", "i|i|bII|i", "i|bVII|bVI|bVII", "i|i|bIII|bII", "i|bVI|i|bVII", "i i|bII i|i i|bIII bII"],
    ["i|bVI|bIII|bVII", "bVI|bVII|i|i", "i|bVI|bVII|i", "i|iv|bVI|V", "i|bIII|bVII|bVI"],
    ["iv|i|bVI|V", "i|bV|i|bII", "bVI|bVI|bVII|bVII"],
  ),
};

const BLUES: Bank = {
  dress: ["seventh", "ninth"],
  cadence: "loop",
  bright: shelf(
    [
      "I7|I7|I7|I7|IV7|IV7|I7|I7|V7|IV7|I7|V7",
      "I7|IV7|I7|I7|IV7|IV7|I7|I7|V7|IV7|I7 IV7|I7 V7",
      "I7|IV7|I7|I7|IV9|#iv°7|I7/5|VI7|ii7|V7|I7 VI7|ii7 V7",
      "I7|IV7|I7|V7",
      "I7|I7|IV7|I7|V7|IV7|I7|V7",
    ],
    ["I7|IV7|I7|I7|IV7|#iv°7|I7|VI7|V7|IV7|I7 IV7|I7 V7", "IV7|IV7|I7|I7|V7|IV7|I7|V7", "I7|IV7|I7|V7"],
    ["IV7|IV7|I7|I7|IV7|IV7|V7|V7", "IV7|#iv°7|I7/5|VI7|ii7|V7|I7|V7", "IV7|I7|V7|V7"],
  ),
  dark: shelf(
    ["i7|i7|i7|i7|iv7|iv7|i7|i7|bVI7|V7|i7|V7", "i7|iv7|i7|V7", "i7|iv7|i7|i7|iv7|iv7|i7|i7|bVImaj7|V7#9|i7|V7#9"],
    ["i7|iv7|i7|i7|iv7|iv7|i7|i7|iiø7|V7|i7 iv7|i7 V7", "iv7|iv7|i7|i7|bVI7|V7|i7|V7", "i7|iv7|bVI7|V7"],
    ["iv7|i7|iiø7|V7", "iv7|iv7|i7|i7|bVI7|bVI7|V7|V7"],
  ),
};

const JAZZ: Bank = {
  dress: ["seventh", "ninth"],
  cadence: "functional",
  bright: shelf(
    [
      "Imaj7 vi7|ii7 V7|iii7 VI7b9|ii7 V7|I7/3 IV6|#iv°7 I/5|ii7 V7|I6 V7",
      "Imaj7|ii7 V7|iii7 VI7|ii7 V7",
      "Imaj7|VI7|ii7|V7",
      "Imaj7|Imaj7|ii7|V7|iii7|VI7b9|ii7|V7",
      "I6|I6 #i°7|ii7|V7|iii7 biii°7|ii7 V7|Imaj7|ii7 V7",
      "Imaj7|iv7 bVII7|Imaj7|Imaj7|ii7|V7|Imaj7|ii7 V7",
    ],
    [
      "Imaj7|IV7|iii7|VI7|ii7|V7|Imaj7|V7",
      "ii7|V7|Imaj7|VI7b9",
      "Imaj7|I7|IVmaj7|iv6|iii7|VI7|ii7 V7|Imaj7",
      "Imaj7|biii°7|ii7|V7",
    ],
    [
      "III7|III7|VI7|VI7|II7|II7|V7|V7",
      "v7|I7|IVmaj7|IV6|vi7|II7|ii7|V7",
      "IVmaj7|iv7 bVII7|Imaj7|VI7|ii7>ii|V7>ii|ii7|V7",
    ],
  ),
  dark: shelf(
    [
      "i7|i7|iiø7|V7alt",
      "i6|V7b9|i6|V7b9|iv7|i6|iiø7 V7|i6",
      "iv7|bVII7|bIIImaj7|bVImaj7|iiø7|V7b9|i6|i6",
      "i7 i/7|bVImaj7 V7|i7|iiø7 V7b9",
      "imaj7|i7|iv7|iv7|iiø7|V7b9|i6|iiø7 V7",
    ],
    ["i7|iv7|iiø7|V7b9", "iiø7|V7b9|i7|i7|iv7|bVII7|bIIImaj7|V7alt", "i7|bVI7|iiø7|V7"],
    ["iv7|bVII7|bIIImaj7|bVImaj7|iiø7|V7b9|i6|V7", "bIIImaj7|bVI7|iiø7|V7b9", "v7|V7>iv|iv7|iv7|bVI7|bVI7|V7|V7"],
  ),
};

const SMOOTH: Bank = {
  dress: ["ninth"],
  cadence: "loop",
  bright: shelf(
    ["Imaj9|vi9|ii9|V9sus4", "Imaj9|IVmaj9|iii7|vi9", "IVmaj9|iii7|ii9|Imaj9", "Imaj7|iii7|IVmaj9|V13"],
    ["IVmaj9|V13|iii7|vi9|ii9|V9sus4|Imaj9|Imaj9", "IVmaj9|III7alt|vi9|v7 I7", "Imaj9|I9|IVmaj9|iv9"],
    ["ii9|V13|Imaj9|VI7alt", "bVImaj9|bVII9|Imaj9|Imaj9", "IVmaj9|iv9 bVII13|iii7|VI7alt"],
  ),
  dark: shelf(
    ["i9|iv9|i9|v7", "i9|bVImaj9|iv9|V7alt", "i9|bVIImaj9|bVImaj9|V7#9", "i9|i9|iv9|bVII13"],
    ["bVImaj9|V7#9|i9|i9", "iv9|bVII13|i9|i9", "i9|bIIImaj9|bVImaj9|V7alt"],
    ["iv9|v7|i9|i9", "iiø7|V7alt|i9|i9", "bVImaj9|bVI6|V7sus4|V7alt"],
  ),
};

const SOUL: Bank = {
  dress: ["seventh", "triad", "ninth"],
  cadence: "functional",
  bright: shelf(
    ["I|IV|I|IV", "I|vi|ii|V", "I|iii|IV|V", "Imaj7|Imaj7|IVmaj7|IVmaj7", "I|I/3|IV|V9sus4", "I|bVII|IV|I"],
    ["I|iii7|ii7|V7", "IV|I/3|ii7|V9sus4", "I|V>vi|vi|IV", "I|ii7|iii7|IVmaj7", "vi|ii|V|I"],
    ["ii7|iii7|IVmaj7|V9sus4", "IV|iv6|I|VI7|II7|II7|V9sus4|V7", "vi|V|IV|V"],
  ),
  dark: shelf(
    ["i7|iv7|i7|iv7", "i7|bVII|bVImaj7|V7", "i7|i7|iv7|V7#9", "i7|IV9|i7|IV9"],
    ["i7|bIII|bVII|IV", "bVImaj7|V7|i7|i7", "i7|iv7|bVII|bIII|bVImaj7|iiø7|V7|V7"],
    ["iv7|i7|iv7|V7#9", "bVImaj7|bVII|i7|i7"],
  ),
};

const GOSPEL: Bank = {
  dress: ["seventh", "triad"],
  cadence: "functional",
  bright: shelf(
    [
      "I|I7/3|IV|#iv°7|I/5|VI7|ii7|V9sus4",
      "I|I/3|IV|iv6|I/5|V|I IV@1|I",
      "I V7>vi|vi|IV|V9sus4",
      "I|III7|vi|II7|ii7|V9sus4|I IV|I",
    ],
    ["IV #iv°7|I/5 VI7|ii7 V9sus4|I I7/3", "I|V7>IV|IV|#iv°7|I/5|V9sus4|I|IV@1 I", "IV V|iii7 VI7|ii7 V7|I I7"],
    ["vi|III7|vi7|II7|IV|#iv°7|I/5|V9sus4", "IV|I/3|ii7|V9sus4", "bVI|bVII|I|I"],
  ),
  dark: shelf(
    ["i7|iv7|i7|V7", "i|i/7|bVI|V7", "i7|V7>iv|iv7|iiø7 V7"],
    ["iv7|bVII7|bIIImaj7|bVImaj7|iiø7|V7|i7|i7", "i|bVII|bVI|V7"],
    ["bVImaj7|V7#9|i7|V7>iv|iv7|#iv°7|i/5|V7"],
  ),
};

const FUNK: Bank = {
  dress: ["ninth", "seventh"],
  cadence: "loop",
  bright: shelf(
    ["I69|I9|I69|I9", "I69|IV9|I69|V9sus4", "I69|I69|ii7|V13", "I69|vi7|ii7|V9sus4"],
    ["IV9|V9sus4|I69|I69", "I69|bIII9|IV9|V13", "IV9|I69|V7#9|I69", "ii7 V13|I69|ii7 V13|I69"],
    ["IV9|IV9|bVII9|V7#9", "bVI9|bVI9|V7#9|V7#9", "vi7|II9|ii7|V7#9"],
  ),
  dark: shelf(
    ["i7|IV9|i7|IV9", "i9|i9|i9|i9", "i7|i7|bIII bVII|i7", "i7|bVII|i7|IV9"],
    ["iv7|bVII9|i7|i7", "bVImaj7|bVII|i7|i7", "i7|iv7|v7|i7", "i9|bIIImaj7|iv7|V7#9"],
    ["iv7|iv7|V7#9|V7#9", "bVI9|bVI9|V7#9|V7#9", "iv9|bVII13|bIIImaj7|V7#9"],
  ),
};

const LOFI: Bank = {
  dress: ["ninth", "seventh"],
  cadence: "loop",
  bright: shelf(
    ["Imaj9|vi9|ii9|V13", "IVmaj7|iii7|ii7|Imaj7", "Imaj7|iii7 biii°7|ii9|V9sus4", "ii9|V13|Imaj9|Imaj9"],
    ["ii9|V13|Imaj9|VI7b9", "IVmaj9|iv9|iii7|VI7b9|ii9|V13|Imaj9|Imaj9", "Imaj9|III7|vi9|IVmaj9"],
    ["IVmaj9|III7alt|vi9|II9", "vi9|ii9|V9sus4|Imaj9"],
  ),
  dark: shelf(
    ["i9|iv9|bVImaj7|V7#9", "i9|bVImaj7|iv9|v7", "iiø7|V7b9|i9|i9", "i7|bVII|bVImaj7|V7b9"],
    ["iv9|bVII13|i9|bVImaj7", "i9|v7|bVImaj9|V7#9", "bVImaj9|v7|iv9|i9"],
    ["iv9|v7|i9|i9", "bVImaj9|V7#9|i9|v7", "bIImaj7|bIImaj7|i9|i9"],
  ),
};

const HIP_HOP: Bank = {
  dress: ["triad", "seventh", "add"],
  cadence: "loop",
  bright: shelf(
    ["I|vi|IV|V", "I|I|IV|IV", "Imaj7|ii7|iii7|ii7", "I|iii|vi|IV"],
    ["IV|V|I|I", "I|V|vi|IV", "Imaj7|IVmaj7|ii7|V7"],
    ["vi|IV|V|I", "ii7|iii7|IVmaj7|V7"],
  ),
  dark: shelf(
    ["i|i|bVI|V", "i|bVI|i|V", "i|i|iv|i", "i|bVI|iv|V", "i|bII|i|V", "i|iv|bVI|V", "i|i|i|bVII"],
    ["i|bVI|iv|i", "i|bVII|bVI|V", "i|bVI|bVII|i", "i|v|bVI|iv", "i|iv|V|i"],
    ["bVI|bVI|V|V", "iv|iv|i|i", "bVI|bVII|i|i"],
  ),
};

const TRAP: Bank = {
  dress: ["triad", "add"],
  cadence: "loop",
  bright: HIP_HOP.bright,
  dark: shelf(
    ["i|i|bVI|bVI", "i|i|i|bII", "i|bVI|i|V", "i|bII|i|bII", "i|i|iv|V", "i|bVI|v|i"],
    ["i|bVI|iv|V", "i|bVI|bII|V", "bVI|V|i|i", "i|iv|bII|i", "i|bVII|bVI|V"],
    ["bVI|bVI|V|V", "iv|iv|bII|V", "bVI|bII|i|i"],
  ),
};

const HOUSE: Bank = {
  dress: ["seventh", "ninth", "triad"],
  cadence: "loop",
  bright: shelf(
    ["Imaj7|IVmaj7|Imaj7|IVmaj7", "I|V|vi|IV", "Imaj7|ii7|Imaj7|ii7", "I|IV|ii|V"],
    ["I|V|vi|IV", "IV|V|I|vi", "Imaj7|iii7|IVmaj7|V", "vi|IV|I|V"],
    ["IVmaj7|V|vi7|V", "ii7|iii7|IVmaj7|IVmaj7", "IV|iv|I|I"],
  ),
  dark: shelf(
    ["i7|iv7|i7|iv7", "i7|i7|bVImaj7|v7", "i9|bVII|i9|bVII", "i7|bVII|iv7|v7", "i9|iv9|i9|v7"],
    ["i7|bVImaj7|iv7|V7", "i|bVII|bVI|V", "i7|bVII|bVImaj7|iv7", "i|bVI|iv|v", "i9|bIIImaj7|iv9|v7"],
    ["bVImaj7|bVII|i7|i7", "iv7|v7|i7|i7", "bVImaj7|v7|iv7|V7sus4"],
  ),
};

const TECHNO: Bank = {
  dress: ["triad", "open"],
  cadence: "loop",
  bright: shelf(["I|I|I|I", "I|I|bVII|I"], ["I|I|IV|I", "I|bVII|IV|I"], ["IV|IV|I|I", "bVII|IV|I|I"]),
  dark: shelf(
    ["i|i|i|i", "i|i|i|bVII", "i|i|bII|i", "i|i|iv|i"],
    ["i|i|bVI|i", "i|bVII|i|v", "i|i|bIII|bII", "i|iv|i|v"],
    ["bVI|bVI|i|i", "iv|iv|i|i", "bVI|bVII|i|i"],
  ),
};

const TRANCE: Bank = {
  dress: ["triad", "add"],
  cadence: "loop",
  bright: shelf(
    ["I|V|vi|IV", "I|I|IV|V", "I|vi|IV|V"],
    ["IV|V|vi|I/3|IV|V|I|I", "I|V/3|vi|IV", "vi|IV|I|V", "I|IV|vi|V"],
    ["vi|V|IV|V", "ii|vi|IV|V", "IV|IV|V|V"],
  ),
  dark: shelf(
    ["i|bVI|bVII|i", "i|i|bVI|bVII", "i|v|bVI|bVII", "i|iv|bVI|V"],
    [
      "i|bVI|bIII|bVII|i|bVI|iv|V",
      "bVI|bVII|i|i|bVI|bVII|i|V",
      "i|bVII|bVI|V",
      "i|bVI|iv|V",
      "i|v|bVI|bIII|iv|i|bVI|V",
    ],
    ["bVI|bVI|bVII|bVII", "iv|bVI|i|V", "bVI|bIII|bVII|i", "bVI|bVII|v|i|bVI|bVII|Vsus4|V"],
  ),
};

const SYNTHWAVE: Bank = {
  dress: ["triad", "add", "seventh"],
  cadence: "loop",
  bright: shelf(
    ["I|V|vi|IV", "I|iii|IV|iv", "I|IV|I|V", "I|bVII|IV|I"],
    ["IV|V|iii|vi|IV|V|I|I", "I|V/3|bVII|IV", "Imaj7|vi7|IVmaj7|V"],
    ["vi|iii|IV|V", "bVI|bVII|I|I", "ii|IV|I|V"],
  ),
  dark: shelf(
    ["i|bVI|bVII|i", "i|bVII|bVI|bVII", "i|i|bVI|bVII", "i|bIII|bVII|i", "i|v|bVI|bVII"],
    ["bVI|bVII|i|bIII|bVI|bVII|i|i", "i|bVI|bIII|V", "i|bVII|bVI|V", "iv|bVI|bVII|i"],
    ["bVI|bVI|bVII|bVII", "iv|v|bVI|V", "bIII|bVII|iv|V"],
  ),
};

const AMBIENT: Bank = {
  dress: ["open"],
  cadence: "loop",
  bright: shelf(
    ["Iadd9|IV@1", "Imaj7|Imaj7|IVmaj7|IVmaj7", "I|iii|IVmaj7|I", "Isus2|Isus2|vi|IV", "Imaj9|V@1"],
    ["IVmaj7|I/3|ii|I", "I|vi|IV|I", "Imaj7#11|II@1|Imaj7|Imaj7", "IVmaj9|Imaj9"],
    ["vi|IV|I|Vsus4", "bVImaj7|IVmaj7|I|I", "iii|IVmaj7|vi|IVmaj7"],
  ),
  dark: shelf(
    ["iadd9|bVI@1", "i|i|iv@1|i", "i|bVII@1|bVI@1|i", "i9|i9|bVImaj7|bVImaj7", "i|v|bVImaj7|i"],
    ["bVImaj7|i/5|iv9|i", "i|bIIImaj7|iv9|i", "iv9|i9", "i|bVII|iv|i"],
    ["bVImaj7|bVII|i|i", "iv9|bVImaj7|i|i", "bIImaj7|i"],
  ),
};

const DARK_AMBIENT: Bank = {
  dress: ["open", "triad"],
  cadence: "loop",
  bright: AMBIENT.bright,
  dark: shelf(
    ["i|i|bII@1|i", "i|i|i|iv@1", "i|bVI@1", "i5|i5|imaj7|i5"],
    ["i|#iv°7@1|i|bII@1", "i|bvi|i|iv", "i|bII|i|V"],
    ["bVI|bii|i|i", "iv|#iv°7|i|i", "bII@1|i"],
  ),
};

const CHIP: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(
    ["I|V|vi|IV", "I|IV|V|I", "I|bVII|IV|V", "I|ii|V|I", "I|V>vi|vi|IV|I/3|ii|V|V"],
    ["IV|V|iii|vi|IV|V|I|I", "bVI|bVII|I|I", "I|V|IV|V", "I|III|IV|iv"],
    ["vi|iii|IV|V", "iv|bVII|bIII|V", "ii|V|I|vi|ii|V>V|V|V"],
  ),
  dark: shelf(
    ["i|bVII|bVI|V", "i|bVI|bVII|i", "i|iv|V|i", "i|i|bVI|V"],
    ["bVI|bVII|i|i", "i|bIII|iv|V", "i|bVII|bIII|bVI|iv|V|i|V"],
    ["iv|bVII|bIII|bVI|iiø7|V|i|V", "bVI|bIII|iv|V"],
  ),
};

const COUNTRY: Bank = {
  dress: ["triad", "triad", "add"],
  cadence: "functional",
  bright: shelf(
    ["I|IV|I|V", "I|I|IV|I|I|I|V|V", "I|V|IV|I", "I|IV|V|I", "I|I/3|IV|V", "I|vi|IV|V"],
    ["IV|I|V|I", "I|IV|I|V|I|IV|V|I", "IV|V|I|vi|IV|V|I|I", "I|V|vi|IV"],
    ["vi|IV|I|V", "IV|IV|I|I|II7|II7|V|V", "IV|I|ii|V"],
  ),
  dark: shelf(
    ["i|bVII|i|bVII", "i|iv|i|V", "i|bIII|bVII|i"],
    ["bVI|bVII|i|i", "i|bVII|bVI|V", "iv|i|V|i"],
    ["bVI|bIII|bVII|i", "iv|i|bVI|V"],
  ),
};

const TRAD: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(
    ["I|IV|I|V|I|IV|V|I", "I|I|IV|V|I|I|IV V|I", "I|V|I|IV|I|V|IV V|I", "I|I|V|V|I|IV|V|I"],
    ["vi|IV|I|V|vi|IV|V|I", "IV|I|V|I|IV|I|V|I", "I|IV|ii|V|I|IV|V|I", "I|bVII|I|V|I|IV|V|I"],
    ["vi|V|IV|I|ii|IV|V|V", "IV|I|IV|V|IV|I|V|I"],
  ),
  dark: shelf(
    ["i|bVII|i|v|i|bVII|v|i", "i|i|bVII|bVII|i|i|v|i", "i|bVII|bVI|bVII|i|bVII|v|i", "i|iv|bVII|i|i|iv|v|i"],
    ["bIII|bVII|i|v|bIII|bVII|v|i", "i|IV|bVII|i|i|IV|bVII|i", "bVI|bVII|i|i|iv|v|i|i"],
    ["iv|i|bVII|i|iv|i|v|v", "bIII|bVII|iv|i|bIII|bVII|v|v"],
  ),
};

const FOLK: Bank = {
  dress: ["triad", "add"],
  cadence: "functional",
  bright: shelf(
    ["I|V/3|vi|IV", "I|IV|I|V", "I|iii|IV|I", "I|ii|IV|I", "I|vi|IV|V", "I|Isus4|I|V"],
    ["IV|I|V|vi|IV|I|V|I", "vi|IV|I|V", "IV|V|I|I/3|IV|V|I|I", "I|V|IV|I"],
    ["vi|iii|IV|V", "ii|IV|I|V", "IV|iv|I|V"],
  ),
  dark: shelf(
    ["i|bVII|bVI|bVII", "i|bVII|i|v", "i|iv|bVII|i", "i|bIII|bVII|iv"],
    ["bVI|bVII|i|i", "bIII|bVII|iv|i", "i|bVI|bIII|bVII|i|bVI|V|i"],
    ["iv|bVI|i|V", "bVI|bIII|bVII|i"],
  ),
};

const REGGAE: Bank = {
  dress: ["triad", "seventh"],
  cadence: "loop",
  bright: shelf(
    ["I|IV|I|IV", "I|ii|I|ii", "I|V|vi|IV", "I|vi|ii|V", "I|I|IV|V"],
    ["I|V|IV|V", "IV|I|V|I", "I|V|ii|IV", "I|iii|ii|V"],
    ["vi|ii|vi|V", "IV|V|IV|V", "ii|iii|IV|V"],
  ),
  dark: shelf(
    ["i|bVII|i|bVII", "i|iv|i|iv", "i|i|iv|v", "i|bVI|bVII|i"],
    ["i|bVII|bVI|V", "iv|i|v|i", "i|v|iv|v", "bVI|bVII|i|i"],
    ["iv|iv|v|v", "bVI|v|iv|V"],
  ),
};

const LATIN: Bank = {
  dress: ["triad", "seventh"],
  cadence: "functional",
  bright: shelf(
    ["I|IV|V|IV", "I|vi|ii|V", "I IV|V IV|I IV|V IV", "I|V|V|I"],
    ["I|IV|V|V", "ii|V|I|VI7", "I|V|vi|IV", "IV|V|iii|vi|ii|V|I|I"],
    ["IV|V|I|V>vi|vi|II7|ii|V", "vi|III7|vi|V", "ii|V|I|I"],
  ),
  dark: shelf(
    ["i|V|V|i", "i|iv|V|V", "i|bVII|bVI|V", "i iv|V|i iv|V", "i|bVI|bIII|bVII"],
    ["i|iv|bVII|bIII|bVI|iiø7|V|i", "i|bVI|bVII|V", "iv|i|V|i", "i|bVI|iv|V"],
    ["iv|bVII|bIII|V", "bVI|bVI|V|V", "iv|i|bVI|V"],
  ),
};

const BOSSA: Bank = {
  dress: ["ninth", "seventh"],
  cadence: "functional",
  bright: shelf(
    [
      "Imaj9|Imaj9|II13|II13|ii9|V13|Imaj9|V7b9",
      "Imaj7|vi7|ii9|V13",
      "Imaj9|#i°7|ii9|V7b9|iii7|biii°7|ii9|V13",
      "Imaj7|iv6|Imaj7|VI7b9",
    ],
    ["ii9|V13|iii7|VI7b9|ii9|V13|Imaj9|VI7b9", "IVmaj7|iv6|iii7|VI7b9", "ii9|bII7|Imaj9|Imaj9"],
    ["IVmaj9|IVmaj9|iv9|bVII13|iii7|VI7b9|ii9|V13", "bIIImaj7|bVI7|ii7|V7b9"],
  ),
  dark: shelf(
    ["i9|i9|iv9|V7b9", "i6|V7b9|i7|V7b9>iv|iv9|iiø7|V7b9|i6", "i9|bVII13|bVImaj7|V7b9"],
    ["iv9|bVII13|bIIImaj9|bVImaj7|iiø7|V7b9|i6|i6", "i9|bVI7|iiø7|V7b9"],
    ["bIIImaj9|bVImaj7|iiø7|V7b9", "iv9|i9|II7|V7b9"],
  ),
};

const TANGO: Bank = {
  dress: ["triad", "seventh"],
  cadence: "functional",
  bright: shelf(
    ["I|V7|V7|I|I|VI7|ii V7|I", "I|I|V7|V7|V7|V7|I|I"],
    ["IV|iv|I|VI7|ii|V7|I|I", "I|III7|vi|II7|ii|V7|I|I"],
    ["vi|III7|vi|VI7|ii|I/5|V7|I"],
  ),
  dark: shelf(
    ["i|i|V7|V7|V7|V7|i|i", "i|V7>iv|iv|iv|i/5|V7|i|V7", "i|i/7|bVI|V7|iv|i/5|V7|i"],
    ["iv|i|V7|i|iv|i|V7|i", "bIII|bVII|bIII|V7|iv|i|V7|i", "i|bVII|bVI|V7"],
    ["bVI|iv|i|V7>iv|iv|i/5|V7|i", "bII/3|V7|i|V7"],
  ),
};

/** Tonic chord major over a phrygian scale, or the descent to the dominant. */
const FLAMENCO: Bank = {
  dress: ["triad"],
  cadence: "modal",
  bright: shelf(["I|bII|bIII|bII", "I|IV|V|I", "I|bII|I|bII"], ["iv|bIII|bII|I", "I|V|IV|I"], ["bVII|bIII|bII|I"]),
  dark: shelf(
    ["i|bVII|bVI|V", "i|iv|V|V", "i|i|bVI|V", "i bVII|bVI V|i bVII|bVI V"],
    ["iv|bIII|bII|i", "iv|V|i|i", "bVI|V|i|i", "i|bVII|bVI|V"],
    ["bIII|bVII|bIII|bVII|bVI|bVI|V|V", "iv|i|bII|V"],
  ),
};

const ARABIC: Bank = {
  dress: ["triad", "open"],
  cadence: "modal",
  bright: shelf(["I|bII|I|bvii", "I|I|bII|I"], ["I|iv|bII|I", "iv|bII|I|I"], ["iv|iv|bII|I", "bvii|bII|I|I"]),
  dark: shelf(
    ["i|i|iv|i", "i|bII|i|i", "i|V|i|V", "i|iv|V|i"],
    ["iv|i|V|i", "i|bVI|V|i", "i|bVII|bVI|V"],
    ["iv|iv|V|V", "bVI|bVI|V|V", "bII|bII|i|i"],
  ),
};

const ASIAN: Bank = {
  dress: ["open", "triad", "add"],
  cadence: "modal",
  bright: shelf(
    ["I|vi|I|V", "I|IV|I|vi", "I|I|ii|I", "I|V|vi|iii"],
    ["IV|I|ii|vi|IV|V|I|I", "vi|IV|V|I", "I|vi|IV|I"],
    ["vi|iii|IV|I", "ii|vi|IV|V"],
  ),
  dark: shelf(
    ["i|bVII|i|bVII", "i|iv|bVII|i", "i|v|iv|i", "i|bVI|bVII|i"],
    ["bVI|bVII|i|i", "i|bIII|bVII|i", "iv|v|i|i"],
    ["bIII|bVII|iv|i", "bVI|v|iv|i"],
  ),
};

const AFRO: Bank = {
  dress: ["seventh", "ninth", "triad"],
  cadence: "loop",
  bright: shelf(
    ["I|IV|I|V", "Imaj7|ii7|iii7|ii7", "I|IV|V|IV", "IVmaj7|V|I|I"],
    ["I|V|vi|IV", "IVmaj7|iii7|ii7|Imaj7", "I|iii|IV|V"],
    ["vi|V|IV|V", "ii7|V|I|vi7"],
  ),
  dark: shelf(
    ["i7|iv7|i7|v7", "i7|bVImaj7|iv7|v7", "i9|i9|iv9|iv9", "i7|bVII|bVImaj7|v7"],
    ["i7|bVII|iv7|i7", "bVImaj7|bVII|i7|i7", "i9|v7|bVImaj7|bVII"],
    ["iv9|v7|i9|i9", "bVImaj7|v7|iv7|V7"],
  ),
};

const KLEZMER: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(["I|I|iv|I|I|bvii|bvii|I", "I|V|V|I|I|V|V|I"], ["iv|I|bvii|I", "IV|I|V|I"], ["iv|iv|I|I"]),
  dark: shelf(
    ["i|i|V|V|V|V|i|i", "i|iv|i|V|i|iv|V|i", "i|i|iv|i|i|V|V|i"],
    ["iv|i|V|i", "bIII|bIII|V|i", "iv|bVII|bIII|bIII|iv|i|V|i"],
    ["bVI|bIII|iv|V", "iv|i|V|V"],
  ),
};

const POLKA: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(
    ["I|I|I|V7|V7|V7|V7|I", "I|I|V7|V7|V7|V7|I|I", "I|IV|V7|I|I|IV|V7|I"],
    ["IV|I|V7|I|IV|I|V7|I", "I|I7|IV|IV|ii|V7|I|I"],
    ["IV|IV|I|I|V7>V|V7>V|V7|V7", "vi|iii|IV|I|ii|V7|I|I"],
  ),
  dark: KLEZMER.dark,
};

const RAGTIME: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(
    [
      "I|VI7|II7|V7|I|VI7|II7 V7|I",
      "I #i°7|V7/5 V7|I|I|II7|II7|V7|V7|I #i°7|V7/5 V7|I|I7/3|IV #iv°7|I/5 VI7|II7 V7|I",
      "I|I7/3|IV|iv6|I/5 VI7|II7|V7|I",
    ],
    ["IV|#iv°7|I/5|VI7|II7|V7|I|I", "V7|I|V7|I|III7|vi|II7|V7"],
    ["IV|IV|V7>IV|IV|II7|II7|V7|V7", "vi|III7|vi|II7|I/5|V7|I|I"],
  ),
  dark: TANGO.dark,
};

const CLASSICAL: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(
    [
      "I|V7/5|I/3|IV|ii/3|I/5|V7|I",
      "I|vi|ii/3|V|I|IV|I/5 V7|I",
      "I|I|V7|V7|V7|V7|I|I",
      "I|IV|V7/3|I|vi|ii/3|I/5 V7|I",
      "I V/3|vi iii/3|IV I/3|ii/3 V|I V/3|vi IV|I/5 V7|I",
    ],
    [
      "V|V7>V|V|V|V7|I|V7>V|V",
      "I|V7>IV|IV|ii/3|V7|vi|ii/3 V7|I",
      "IV|I/3|ii|vi|ii/3|I/5|V7|I",
      "I|V/3|vi|V7>V|V|IV/3|V7/3|I",
    ],
    ["vi|V7>vi|vi|ii|V7>V|V7>V|V|V7", "i|iv|V7|i|bVI|bII/3|V|V7", "ii|V7>ii|ii|V7>iii|iii|IV|ii/3|V"],
  ),
  dark: shelf(
    [
      "i|V7/5|i/3|iv|iiø7/3|i/5|V7|i",
      "i|i|V7|V7|V7|V7|i|i",
      "i|V/3|bVI|iv|iiø7|V|i|V",
      "i|iv|bVII|bIII|bVI|iiø7|V7|i",
      "i|bVI|iv|V",
    ],
    ["bIII|V7>bIII|bIII|bVI|iv|iiø7/3|V7|i", "i|V7>iv|iv|bII/3|V7|bVI|iiø7/3 V7|i", "iv|i/5|V7|i|bVI|iv|V7|i"],
    ["bVI|bIII|iv|i/3|bII/3|V7>V|V|V7", "I|IV|V7|I|ii|V7|I|V7>iv"],
  ),
};

const BAROQUE: Bank = {
  dress: ["triad"],
  cadence: "functional",
  bright: shelf(
    [
      "I|V|vi|iii|IV|I|IV|V",
      "I|ii7@1|V7/3|I|vi/3|II7@1|V/3|Imaj7/7",
      "I|V/3|vi|V|IV|I/3|ii/3 V7|I",
      "I|IV|vii°|iii|vi|ii|V7|I",
    ],
    [
      "V|I/3|V7>V|V|V7|I|ii/3 V|I",
      "vi|ii|V|I|IV|vii°|V7>vi|vi",
      "I V7/3|I V7>V/3|V V7>vi/3|vi I/3|IV ii|V I/3|ii/3 V|I",
    ],
    ["vi|III7/3|vi|ii/3|V7>ii|ii|V7|V", "ii|V7>ii|ii|vi|V7>V|V|IV|V"],
  ),
  dark: shelf(
    ["i|V/3|v/3|IV/3|iv/3|i/5|iiø7|V", "i|iv|bVII|bIII|bVI|ii°|V7|i", "i|iv@1|V7@1|i", "i|V|i/3|iv|bVII|bIII|ii° V|i"],
    [
      "bIII|bVII|i|v|bVI|bIII|iv|V",
      "iv|bVII|bIII|bVI|ii°|V7|i|i",
      "i V/3|i V7>iv/3|iv V7>V/3|V i/3|iv ii°|V i/3|iv V|i",
    ],
    ["iv|V7>iv|iv|bVI|bII/3|V7>V|V|V", "bVI|bIII/3|iv|i/3|ii°|V|i|V"],
  ),
};

const ROMANTIC: Bank = {
  dress: ["triad", "seventh"],
  cadence: "functional",
  bright: shelf(
    [
      "I|V/3|vi|I/5|IV|#iv°7|I/5 V7|I",
      "I|V7>vi|vi|V7>IV|IV|iv6|I/5 V7|I",
      "I|#i°7|ii|V7/5|I/3|V7>IV/3|ii/3 V7|I",
      "I|iii|vi|IV|ii|V7>V|V7sus4|V7",
    ],
    ["bVI|bVI|I/5|VI7|ii|V7|I|I", "IV|iv|I/3|V7>ii|ii|bII/3|V7|I", "vi|V7>vi|vi|II7|ii|V7|I|I"],
    ["i|bVI|iv|V7", "bIII|bVI|bII/3|V7", "vi|iii|IV|I|ii/3|V7>V|V|V7"],
  ),
  dark: shelf(
    [
      "i|i/7|bVI|#iv°7|i/5|V7|i|V",
      "i|V7/3|v/3|V7>iv/3|iv|#iv°7|i/5 V7|i",
      "i|bVI|iiø7|V7|i|bIII|iv V7|i",
      "i|iv|bII/3|V7",
    ],
    ["bVI|bIII|iv|i|iiø7|V7>V|V7|i", "bIII|V7>bIII|bIII|V7>iv|iv|bII/3|V7|i"],
    ["I|iii|IV|iv|I/5|V7|i|V7", "bVI|V7>bVI|bVI|bII|iiø7|i/5|V7|V7"],
  ),
};

const MINIMAL: Bank = {
  dress: ["triad", "add"],
  cadence: "loop",
  bright: shelf(
    ["I|I|vi|vi|IV|IV|I|I", "I|iii|vi|IV", "I|V/3|IV|I", "I|I|V/3|V/3"],
    ["vi|IV|I|V/3", "IV|I/3|ii|vi|IV|I/3|V|I", "I|bVI|I|bVI"],
    ["bVI|I/3|iv|I", "vi|iii|IV|I"],
  ),
  dark: shelf(
    ["i|i|bVI|bVI|iv|iv|i|i", "i|bVI|i/5|V", "i|v/3|bVI|iv", "i|bVI|bIII|bVII"],
    ["bVI|i/5|iv|V", "i|bIII|bVII|iv|i|bIII|V|i", "iv|i/3|bVI|V"],
    ["bVI|bIII|iv|i", "iv|bVII|bIII|i"],
  ),
};

const CINEMATIC: Bank = {
  dress: ["triad", "add", "open"],
  cadence: "functional",
  bright: shelf(
    ["I|V/3|vi|IV", "I|iii|IV|I", "I|I/3|IV|V", "Iadd9|vi|IVadd9|I", "I|IV@1|V@1|I", "I|v|IV|I"],
    ["I|V|bVII|IV", "IV|V|vi|I/3|IV|V|I|I", "I|iii|bVII|IV", "I|bIII|IV|I", "vi|IV|I|V"],
    ["vi|iii|bVI|bVII", "bVI|bIII|iv|V", "IV|iv|I|I"],
  ),
  dark: shelf(
    ["i|bVI|iv|V", "i|v|bVI|iv", "i|i|bVI|bVI", "i|bVI|i|bII", "i|bIII|v|iv", "i|bVII|bVI|bVII"],
    ["i|bVI|bIII|V", "i|bVI|bVII|i", "bVI|bVII|i|i", "i|bVII|bVI|V", "i|bIII|bVII|IV", "iv|bVI|i|V"],
    ["bVI|bII|i|V", "iv|i/3|bVI|V", "bVI|bvi|i|i", "bIII|bvi|i|V"],
  ),
};

const EPIC: Bank = {
  dress: ["triad", "triad", "add"],
  cadence: "functional",
  bright: shelf(
    ["I|V|vi|IV", "I|IV|I|V", "I|bVII|IV|I", "I|bVI|bVII|I"],
    ["I|V|bVI|bVII", "IV|V|vi|IV|I/5|V|I|I", "I|bIII|bVII|IV", "bVI|bVII|I|I"],
    ["vi|IV|bVI|bVII", "iv|bVI|I|V"],
  ),
  dark: shelf(
    ["i|i|bVI|bVII", "i|bVI|i|V", "i|bVII|bVI|bVII", "i|iv|bVI|V", "i|i|i|bVI"],
    [
      "i|bVI|bIII|bVII|i|bVI|iv|V",
      "i|bVI|bVII|i",
      "bVI|bVII|i|i",
      "i|bIII|bVI|V",
      "i|bVII|bVI|V",
      "i|v|bVI|iv|i|V|i|V",
    ],
    ["iv|bVI|i|V", "bVI|bVI|bVII|V", "bII|bVI|i|V"],
  ),
};

const HORROR: Bank = {
  dress: ["triad", "open"],
  cadence: "modal",
  bright: shelf(
    ["I|I|bII@1|I", "I|iv|I|I", "I|bVI|I|I"],
    ["I|bVI|iv|I", "I|IV|iv|I", "I|vi|iv|I"],
    ["bVI|iv|I|I", "vi|iv|I|I"],
  ),
  dark: shelf(
    ["i|i|bII|i", "i|bVI|i|ii°", "i|ii°7|i|V", "i|bII@1|i|iv", "i|i|bvi|i"],
    ["i|bvi|i|V", "i|iv|#iv°7|V", "i|V+|bVI|V", "bVI|iv|bII|i"],
    ["bVI|bII|i|V", "iv|#iv°7|V|V", "bVI|ii°|i|V"],
  ),
};

const FANTASY: Bank = {
  dress: ["triad", "add", "open"],
  cadence: "functional",
  bright: shelf(
    ["I|II@1|IV@1|I", "I|iii|IV|V", "I|bVII|IV|I", "I|V/3|IV|I"],
    ["I|iii|IV|iv", "I|bIII|bVII|I", "IV|V|iii|vi|ii|V|I|I", "I|bVI|bVII|I"],
    ["bVI|bIII|iv|V", "vi|iii|IV|V"],
  ),
  dark: shelf(
    ["i|bVII|i|IV", "i|bIII|iv|V", "i|bVI|bVII|i", "i|IV|i|bVII"],
    ["bVI|bVII|i|i", "i|bIII|bVII|IV", "iv|bVII|bIII|bVI|iv|V|i|i"],
    ["bVI|bIII|iv|V", "bIII|bVII|bVI|V"],
  ),
};

const WESTERN: Bank = {
  dress: ["triad"],
  cadence: "modal",
  bright: COUNTRY.bright,
  dark: shelf(
    ["i|bVII|i|bVII", "i|i|bVII|i", "i|bIII|bVII|i", "i|bVI|bVII|i"],
    ["bIII|bVII|i|i|bVI|bVII|i|i", "i|bVI|bIII|bVII", "iv|i|V|i"],
    ["bVI|bVI|bVII|V", "iv|bVII|bIII|V"],
  ),
};

const CORPORATE: Bank = {
  dress: ["add", "triad", "open"],
  cadence: "loop",
  bright: shelf(
    ["I|V|vi|IV", "I|IV|vi|V", "I|iii|vi|IV", "I|V/3|IV|I"],
    ["IV|I|V|vi|IV|I|V|I", "I|V|IV|IV", "I|V|vi|IV", "IV|V|I|I/3"],
    ["vi|IV|I|V", "ii|IV|I|V"],
  ),
  dark: POP.dark,
};

const FESTIVE: Bank = {
  dress: ["triad", "seventh"],
  cadence: "functional",
  bright: shelf(
    ["I|vi|ii|V", "I|IV|V|I", "I|V|vi|iii|IV|I|ii V|I", "I|I/3|IV|V", "I|V>vi|vi|IV|I/5|V>V|V|V"],
    ["IV|iv|I|VI7|II7|II7|V|V", "I|iii|IV|V", "IV|V|I|vi|ii|V|I|I"],
    ["vi|iii|IV|I|II7|II7|V|V7", "IV|V|iii|vi|ii|V>V|V|V7"],
  ),
  dark: FANTASY.dark,
};

export const BANKS = {
  pop: POP,
  ballad: BALLAD,
  rock: ROCK,
  metal: METAL,
  blues: BLUES,
  jazz: JAZZ,
  smooth: SMOOTH,
  soul: SOUL,
  gospel: GOSPEL,
  funk: FUNK,
  lofi: LOFI,
  hip_hop: HIP_HOP,
  trap: TRAP,
  house: HOUSE,
  techno: TECHNO,
  trance: TRANCE,
  synthwave: SYNTHWAVE,
  ambient: AMBIENT,
  dark_ambient: DARK_AMBIENT,
  chip: CHIP,
  country: COUNTRY,
  trad: TRAD,
  folk: FOLK,
  reggae: REGGAE,
  latin: LATIN,
  bossa: BOSSA,
  tango: TANGO,
  flamenco: FLAMENCO,
  arabic: ARABIC,
  asian: ASIAN,
  afro: AFRO,
  klezmer: KLEZMER,
  polka: POLKA,
  ragtime: RAGTIME,
  classical: CLASSICAL,
  baroque: BAROQUE,
  romantic: ROMANTIC,
  minimal: MINIMAL,
  cinematic: CINEMATIC,
  epic: EPIC,
  horror: HORROR,
  fantasy: FANTASY,
  western: WESTERN,
  corporate: CORPORATE,
  festive: FESTIVE,
} as const satisfies Record<string, Bank>;

export type BankName = keyof typeof BANKS;

/** Vamps that show the colour of a mode; used beside or instead of the bank's where a key is dorian, phrygian, lydian or mixolydian. */
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
