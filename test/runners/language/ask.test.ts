/** How what a prompt mentions is meant: denied, softened, counted, in order. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, type Concept, lexiconOf, readAsk } from "../../../runners/language/mod.ts";
import { DENIALS } from "./negations.ts";

const words = (kind: string, list: string): [Concept, string[]][] =>
  list.split(", ").map((word) => [`${kind}:${word.replaceAll(" ", "_")}` as Concept, [word]]);

const LEXICON = lexiconOf([
  ...words(
    "instrument",
    "drum, piano, cello, violin, bass, guitar, flute, harp, trumpet, synth, timpani, choir, organ, strings",
  ),
  ...words("drum", "cymbal, kick, snare"),
  ...words("genre", "jazz, rock, ambient, house, folk, funk, techno, swing, blues, waltz, lullaby"),
  ...words("mood", "calm, dark, happy, sad, dreamy, loud, soft, heavy, aggressive, cheerful, epic, gentle"),
  ...words("place", "church, hall"),
  ...words("tempo", "slow, fast"),
  ...words(
    "sound",
    "thunder, lightning, rain, wind, footsteps, bird, knock, door, dog, crowd, applause, echo, reverb, vocals",
  ),
  ...words("trait", "solo, distortion"),
]);

const read = (prompt: string): Ask => readAsk(prompt, LEXICON);
const said = ({ mentions, text }: Ask, polarity: string): string =>
  mentions
    .filter((one) => one.polarity === polarity)
    .map(({ from, to }) => text.slice(from, to).toLowerCase())
    .join(" ");

test("counts, order, what is alone and what is behind belong to what they are said of", () => {
  const told = (prompt: string): string =>
    read(prompt)
      .mentions.map(
        ({ phrase, count, part, alone, behind, degree }) =>
          `${phrase}${count === null ? "" : ` ×${count}`}${part === 0 ? "" : ` at ${part}`}${alone ? " alone" : ""}${behind ? " behind" : ""}${degree === 1 ? "" : ` by ${degree}`}`,
      )
      .join(", ");
  assert.equal(told("two knocks, then a dog"), "knock ×2, dog at 1");
  assert.equal(told("a knock three times followed by rain"), "knock ×3, rain at 1");
  assert.equal(told("two knocks, then a dog, three times"), "knock ×2, dog ×3 at 1");
  assert.equal(told("a knock, once, never twice, then thunder"), "knock ×1, thunder at 1");
  assert.equal(told("footsteps with rain in the background"), "footsteps, rain behind");
  assert.equal(told("only a cello"), "cello alone");
  assert.equal(told("very slow, slightly dark guitar alone"), "slow by 1.4, dark by 0.5, guitar alone");
});

test("letters of a language that nobody taught the reader name nothing, and end", () => {
  const ask = read("calm 悲しい piano, 不要 Γαλήνη ピアノ");
  assert.equal(said(ask, "wanted"), "calm piano");
  assert.deepEqual(
    ask.unknown.map(({ word }) => word),
    ["悲しい", "γαληνη", "ピアノ"],
  );
});

test("tempo is the number, or beyond it", () => {
  const told = (prompt: string): string => {
    const { tempo } = read(prompt);
    return tempo === null ? "" : `${tempo.compared} ${tempo.bpm}`;
  };
  for (const [prompt, tempo] of [
    ["folk, 92 bpm", "at 92"],
    ["a bit faster than 90", "faster 90"],
    ["no faster than 85, folk", "slower 85"],
    ["techno, at least 130 bpm", "faster 130"],
    ["under 70 bpm", "slower 70"],
    ["house, nothing above 100", "slower 100"],
    ["drum and bass, 165 tops", "slower 165"],
    ["techno, 125 bpm max", "slower 125"],
    ["pop, 120 or less", "slower 120"],
    ["soul, 80 or so", "at 80"],
    ["pop, half of 160", "at 80"],
    ["louder than 90 dogs", ""],
    ["ballad over 100 violins", ""],
  ] as const)
    assert.equal(told(prompt), tempo, prompt);
});

test("figures that are denied are not asked for", () => {
  const told = (prompt: string): unknown => {
    const { key, metre, tempo } = read(prompt);
    return [key?.tonic ?? null, metre?.beats_per_bar ?? null, tempo?.bpm ?? null];
  };
  assert.deepEqual(told("not in A minor but in D major, folk"), [2, null, null]);
  assert.deepEqual(told("jazz, not 4/4, 5/4"), [null, 5, null]);
  assert.deepEqual(told("rock, don't make it 120 bpm"), [null, null, null]);
  assert.deepEqual(told("without drums in A minor, 3/4, 90 bpm"), [9, 3, 90]);
});

test("places are places in the text that was read", () => {
  const { text, mentions } = read("No Drüms! A très calm Píano…");
  assert.deepEqual(
    mentions.map(({ from, to }) => text.slice(from, to)),
    ["Drums", "calm", "Piano"],
  );
});

for (const { prompt, denied, wanted, softened = "" } of DENIALS) {
  test(`"${prompt}" denies "${denied}"`, () => {
    const ask = read(prompt);
    const has = (polarity: string): string[] => said(ask, polarity).split(" ");
    for (const word of wanted.split(" ")) if (word !== "") assert.ok(has("wanted").includes(word), `wants ${word}`);
    for (const word of denied.split(" ")) if (word !== "") assert.ok(has("unwanted").includes(word), `denies ${word}`);
    for (const word of softened.split(" "))
      if (word !== "") assert.ok(has("softened").includes(word), `softens ${word}`);
    for (const word of has("unwanted"))
      if (wanted !== "") assert.ok(!wanted.split(" ").includes(word), `denies ${word}`);
  });
}

test("chords in a row are a progression, bar by bar; letters that are none are not", () => {
  const chords = (prompt: string): string =>
    (read(prompt).progression?.bars ?? [])
      .map((bar) =>
        bar
          .map((one) =>
            "degree" in one ? one.degree : `${one.root}${one.suffix}${one.bass === one.root ? "" : `/${one.bass}`}`,
          )
          .join(" "),
      )
      .join(", ");
  assert.equal(chords("sad piano, Am F C G, slow"), "9m, 5, 0, 7");
  assert.equal(chords("Am-F-C-G"), "9m, 5, 0, 7");
  assert.equal(chords("calm – F♯m → D → A → E"), "6m, 2, 9, 4");
  assert.equal(chords("jazz piano, Dm7 G7(b9) | CΔ7 | A7alt"), "2m7 77b9, 0maj7, 97alt");
  assert.equal(chords("| C G/B | Am7 | Fadd9 | Gsus4 |"), "0 7/11, 9m7, 5add9, 7sus4");
  assert.equal(chords("a vamp of Dm7 to G7"), "2m7, 77");
  assert.equal(chords("just two chords, Am and F"), "9m, 5");
  assert.equal(chords("G, then D, then Em"), "7, 2, 4m");
  assert.equal(chords("ii-V-I in Bb"), "ii, V, I");
  assert.equal(chords("rock, i bVI bIII bVII"), "i, bVI, bIII, bVII");
  assert.equal(chords("a 1-5-6-4 progression"), "1, 5, 6, 4");
  assert.equal(chords("flamenco, Andalusian cadence"), "i, bVII, bVI, V");
  for (const prompt of [
    "AABA form, A B A",
    "notes C D E on a flute",
    "guitar tuned D A D G A D",
    "parts I, II and III",
    "in A, B or C",
    "jazz in A minor, 1-2-3 go",
    "Em7 guitar",
    "track 1-5-6-4",
    "a key change from C to D",
    "key changes from C to D to E",
  ])
    assert.equal(chords(prompt), "", prompt);
  const { key, unknown, chords: many, chord } = read("piano chord progression Dm7 G7 Cmaj7, vamp");
  assert.deepEqual([key, unknown.map(({ word }) => word), many, chord], [null, ["vamp"], 3, null]);
});
