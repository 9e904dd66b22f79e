/** An instrument is one file: it is named, cast, written for, played and mixed without a line of code. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { compose, factsOf, rangeFor, understand } from "../../../runners/music/compose/composer.ts";
import { calledOn, instruments } from "../../../runners/music/compose/instruments.ts";
import { perform } from "../../../runners/music/play/orchestra.ts";
import { checkPacks } from "../../../runners/packs/check.ts";
import { packs, usePacks } from "../../../runners/packs/mod.ts";

const CUMBUS = {
  names: { en: ["cumbus", "gorgel tanbur"] },
  family: "plucked",
  roles: ["lead", "arpeggio", "chords"],
  range: ["A2", "E5"],
  tone: "short",
  groups: ["guitars"],
  jobs: { keep_time: 9 },
  sampled: { layers: [{ program: 105 }], reach: ["E2", "A5"], action: "plucked" },
};
const ORGANELLE = {
  names: { en: ["organelle"] },
  family: "lead_synth",
  roles: ["lead"],
  range: ["C3", "C6"],
  notes_at_once: "one_or_many",
  tone: "held",
  electric: true,
  sequenced: true,
  synthesiser: { ...packs("instruments").get("soft_lead")!.synthesiser, one_voice: true },
};

let base: string;

before(async () => {
  base = await mkdtemp(join(tmpdir(), "instruments-"));
});

after(async () => {
  usePacks([]);
  await rm(base, { recursive: true, force: true });
});

async function own(folder: string, files: Readonly<Record<string, unknown>>): Promise<string[]> {
  for (const [file, pack] of Object.entries(files)) {
    await mkdir(join(base, folder, file, ".."), { recursive: true });
    await writeFile(join(base, folder, file), JSON.stringify(pack));
  }
  return checkPacks([join(base, folder)], base);
}

test("an instrument of one's own is named, cast in its range, and heard", async () => {
  const before_it = [...instruments()];
  usePacks(await own("two", { "instruments/cumbus.json": CUMBUS, "instruments/organelle.json": ORGANELLE }));
  assert.deepEqual([...instruments()], [...before_it, "cumbus", "organelle"]);
  assert.equal(calledOn("keep_time").at(-1), "cumbus");
  assert.deepEqual([factsOf("cumbus").low, factsOf("cumbus").high], [45, 76]);
  for (const [id, prompt] of [
    ["cumbus", "folk with gorgel tanbur"],
    ["organelle", "house with an organelle"],
  ] as const) {
    const brief = understand(prompt);
    assert.deepEqual(brief.wanted, [id]);
    const score = compose(brief, { seconds: 12 }, 3);
    const part = score.parts.find(({ instrument }) => instrument === id)!;
    const [low, high] = rangeFor(id, part.role);
    for (const { pitch } of part.notes) assert.ok(pitch >= low - 5 && pitch <= high + 5, `${id}: ${pitch}`);
    const { signal } = new AbortController();
    const [left] = await perform(part, score, { frames: 12 * 44_100, ring: 0, seed: 3, signal });
    const peak = left.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.03 && peak < 2, `${id}: ${peak}`);
  }
  // It stands behind those of its group, and goes with them.
  assert.deepEqual(understand("folk with a guitar").wanted, ["steel_guitar"]);
  assert.ok(understand("folk without guitars").unwanted.instruments.includes("cumbus"));
  usePacks([]);
  assert.deepEqual([...instruments()], before_it);
  assert.deepEqual(understand("folk with gorgel tanbur").wanted, []);
});

test("what the bank has is played by itself, and heard in tune", async () => {
  for (const [id, prompt, note] of [
    ["pedal_steel", "country with pedal steel", 64],
    ["pedal_steel", "hawaiian music with a lap steel guitar", 64],
    ["twelve_string_guitar", "folk, 12-string guitar", 52],
    ["shamisen", "三味線、速い", 60],
    ["shakuhachi", "静かな尺八", 69],
    ["shehnai", "zurna and darbuka", 67],
    ["bandoneon", "tango con bandoneón", 60],
    ["bandoneon", "バンドネオンのタンゴ", 60],
    ["ocarina", "fantasy with an ocarina", 74],
    ["english_horn", "cor anglais solo, cinematic", 60],
    ["baritone_sax", "funk with a bari sax", 50],
  ] as const) {
    assert.ok(understand(prompt).wanted.includes(id), `${prompt}: ${understand(prompt).wanted}`);
    const { signal } = new AbortController();
    const notes = [{ beat: 0, beats: 2, pitch: note, velocity: 0.8, shift: 0 }];
    const part = { name: "lead", role: "lead", instrument: id, notes, pan: 0, level_db: 0 } as const;
    const score = compose(understand("pop, 60 bpm"), { seconds: 12 }, 1);
    const [left] = await perform(part, { ...score, bpm: 60, tempo: [] }, { frames: 88_200, ring: 0, seed: 3, signal });
    const peak = left.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.05 && peak < 1, `${id}: ${peak}`);
    const hertz = 440 * 2 ** ((note - 69) / 12);
    const [own, beside] = [
      strengthAt(left, hertz),
      Math.max(...[-1, 1].map((by) => strengthAt(left, hertz * 2 ** (by / 12)))),
    ];
    assert.ok(own > 3 * beside, `${id} is not at ${hertz.toFixed(1)} Hz: ${own} beside ${beside}`);
  }
});

/** Of a frequency and its octave between 0.3 and 1.3 s, by Goertzel's sums. */
function strengthAt(samples: Float32Array, hertz: number): number {
  return [1, 2].reduce((sum, partial) => {
    let [re, im] = [0, 0];
    for (let n = 13_230; n < 57_330; n++) {
      const turn = (2 * Math.PI * partial * hertz * n) / 44_100;
      re += samples[n]! * Math.cos(turn);
      im += samples[n]! * Math.sin(turn);
    }
    return sum + Math.hypot(re, im);
  }, 0);
}

const REFUSED: readonly (readonly [file: string, pack: unknown, message: string])[] = [
  [
    "instruments/odd.json",
    { ...CUMBUS, range: ["A2", "H5"] },
    "instruments/odd.json /range/1: expected a note such as C4",
  ],
  ["instruments/odd.json", { ...CUMBUS, range: ["E5", "A2"] }, "/range: expected the lowest note, then the highest"],
  ["instruments/odd.json", { ...CUMBUS, groups: ["lutes"] }, '/groups: there is no group of instruments "lutes"'],
  ["instruments/odd.json", { ...CUMBUS, replaced_by: ["oud"] }, '/replaced_by: there is no instrument "oud"'],
  [
    "instruments/odd.json",
    { ...CUMBUS, model: "acid" },
    "expected one of sampled, synthesiser, drum_machine, model, texture, gesture, found sampled and model",
  ],
  ["instruments/odd.json", { ...CUMBUS, sampled: undefined }, "texture, gesture, found none"],
  ["instruments/choir.json", { ...CUMBUS }, 'instruments: nobody has the job "sing"'],
  ["drums/bucket.json", { key: "C5", part: "kick", skin: { hertz: 90, t60: 1, slap: 1 } }, "found part and skin"],
  [
    "instrument_groups/lutes.json",
    { names: { en: ["lutes"] }, members: ["oud"] },
    'instrument_groups/lutes.json /members/0: there is no instrument "oud"',
  ],
];

for (const [n, [file, pack, message]] of REFUSED.entries())
  test(`refused: ${message}`, async () => {
    await assert.rejects(own(`refused-${n}`, { [file]: pack }), (error: Error) => error.message.includes(message));
  });
