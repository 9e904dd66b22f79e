/** What kind of clip a prompt asks for, and that the clip is that. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Audio } from "../../../../contract/mod.ts";
import { readPitches } from "../../../../runners/language/mod.ts";
import { compose, factsOf, rangeFor, readPrompt, understand } from "../../../../runners/music/compose/composer.ts";
import { voiced } from "../../../../runners/music/studio/clip/chord.ts";
import type { Clip } from "../../../../runners/music/studio/clip/clip.ts";
import { grooved, piecesOf } from "../../../../runners/music/studio/clip/drum_pattern.ts";
import { piecesIn } from "../../../../runners/music/studio/clip/drum_words.ts";
import { readClip } from "../../../../runners/music/studio/clip/read.ts";
import { ringOf } from "../../../../runners/music/studio/clip/tuned.ts";
import { written } from "../../../../runners/music/studio/clip/write.ts";
import { makeSample } from "../../../../runners/music/studio/sample.ts";
import { usePacks } from "../../../../runners/packs/mod.ts";

const RATE = 44_100;
const job = { signal: new AbortController().signal, progress: () => undefined };

/** "stroke acoustic_kit 36", "note violin 69", "chord steel_guitar 4 m short", "drums 36 38", "phrase". */
function told(clip: Clip | undefined): string {
  if (clip === undefined) return "phrase";
  switch (clip.kind) {
    case "stroke":
    case "roll":
      return `${clip.kind} ${clip.kit} ${clip.key}`;
    case "fill":
      return `fill ${clip.kit}${clip.toms ? " toms" : ""}${clip.rising ? " rising" : ""}`;
    case "note":
      return ["note", clip.instrument, clip.pitch, clip.repeated, clip.reversed ? "reversed" : undefined]
        .filter((part) => part !== undefined)
        .join(" ");
    case "chord":
      return `chord ${clip.instrument} ${clip.root} ${clip.said.suffix || "major"} ${clip.hold}`;
    case "tutti":
      return `tutti ${clip.root} ${clip.said.suffix || "major"}`;
    case "gesture":
      return `gesture ${clip.instrument}`;
    case "drums":
      return `drums ${clip.pieces.map(({ key }) => key).join(" ")}${clip.every === undefined ? "" : `, ${clip.every} a beat`}`;
  }
}

const READ: readonly (readonly [prompt: string, seconds: number, clip: string])[] = [
  ["drum fill: snare roll into toms, then crash, 140 bpm", 3.4, "fill acoustic_kit toms"],
  ["tom fill, 140 bpm", 3.4, "fill acoustic_kit toms"],
  ["snare roll, 140 bpm", 3.4, "roll acoustic_kit 38"],
  ["cinematic boom", 3, "gesture impact"],
  ["single kick drum", 1, "stroke acoustic_kit 36"],
  ["Kick", 1, "stroke acoustic_kit 36"],
  ["808 kick one-shot", 1.5, "stroke trap_kit 36"],
  ["punchy techno kick", 0.7, "stroke house_kit 36"],
  ["one snare hit", 1, "stroke acoustic_kit 38"],
  ["brushed snare hit", 1, "stroke brush_kit 38"],
  ["lo-fi snare", 0.5, "stroke lofi_kit 38"],
  ["909 clap", 0.5, "stroke house_kit 39"],
  ["closed hi-hat", 0.5, "stroke acoustic_kit 42"],
  ["open hat", 1, "stroke acoustic_kit 46"],
  ["crash cymbal", 3, "stroke acoustic_kit 49"],
  ["tambourine hit", 1, "stroke acoustic_kit 54"],
  ["taiko hit", 2, "stroke taiko 36"],
  ["trap hi-hat roll 140 bpm", 3.4, "roll trap_kit 42"],
  ["snare roll", 3, "roll acoustic_kit 38"],
  ["drum fill, 120 bpm", 2, "fill acoustic_kit"],
  ["tom fill", 2, "fill acoustic_kit toms"],
  ["violin playing a long A4 note", 3, "note violin 69"],
  ["low cello note, C2", 4, "note cello 36"],
  ["808 bass one-shot in F", 2, "note sub_bass"],
  ["distorted 808 in F#", 2, "note sub_bass"],
  ["music box note", 2, "note music_box"],
  ["C major piano chord", 3, "chord piano 0 major long"],
  ["Em7 rhodes chord", 3, "chord electric_piano 4 m7 long"],
  ["Bbmaj9 synth pad chord", 4, "chord warm_pad 10 maj9 long"],
  ["guitar chord G", 2, "chord steel_guitar 7 major long"],
  ["guitar strum in E minor", 2, "chord steel_guitar 4 m long"],
  ["power chord in E, distorted guitar", 3, "chord distorted_guitar 4 5 long"],
  ["choir chord in E flat minor", 4, "chord choir 3 m long"],
  ["synth stab in F minor", 1, "chord saw_lead 5 m short"],
  ["vocal chop in D minor", 1, "chord choir 2 m short"],
  ["orchestral hit in D minor", 2, "tutti 2 m"],
  ["riser, 4 bars", 8, "gesture riser"],
  ["reverse cymbal", 2, "gesture reverse_cymbal"],
  ["bass drop", 3, "gesture sub_drop"],
  ["kick and snare only, 95 bpm", 5, "drums 36 38"],
  ["hardstyle kick, 150 bpm, long tail", 0.9, "stroke house_kit 36"],
  ["hardstyle kick, 150 bpm", 4, "drums 36"],
  ["metallic perc one-shot", 0.4, "stroke acoustic_kit 56"],
  ["big floor tom hit with mallets", 3, "stroke acoustic_kit 41"],
  ["snare roll, 4 beats", 2, "roll acoustic_kit 38"],
  ["solo cello, sustained C3", 5, "note cello 48"],
  ["hi-hats, 16ths, 140 bpm", 6.86, "drums 42, 4 a beat"],
  ["kick drum, four on the floor", 8, "drums 36, 1 a beat"],
  ["shaker loop", 4, "drums 69"],
  ["no drums just a single piano chord", 3, "chord piano 8 m long"],
  ["snare one-shot, no crash, no tail", 1, "stroke acoustic_kit 38"],
  ["tom fill without snare or crash", 2, "fill acoustic_kit toms"],
  ["a low D on cello", 4, "note cello"],
  ["a minor chord held for four seconds, organ", 4, "chord organ 2 m long"],
  ["one hit on a garden gong", 4, "stroke orchestral_percussion 52"],
  ["a vibraslap, just once", 8, "stroke acoustic_kit 58"],
  ["not a loop!! one clap. dry", 8, "stroke acoustic_kit 39"],
  ["omnichord, G7, swept across", 4, "chord dulcimer 7 7 long"],
  ["marimba tremolo on F4", 4, "note marimba 65 tremolo"],
  ["flute trill rather than a melody, high", 2, "note flute trill"],
  ["reversed piano note", 3, "note piano reversed"],
  ["vocal chop, female, C4", 2, "note choir 60"],
  ["o-daiko roll", 4, "roll taiko 36"],
  ["Tom fill, toms going up", 4, "fill acoustic_kit toms rising"],
  ["ein einzelner Gongschlag, lang ausklingend", 6, "stroke orchestral_percussion 52"],
  ["h-Moll-Akkord auf der Orgel", 4, "chord organ 11 m long"],
  ["ein Becken, kurz abgedämpft", 8, "stroke acoustic_kit 49"],
  ["un accord de sol majeur à la guitare", 4, "chord steel_guitar 7 major long"],
  ["una sola nota di contrabbasso, mi grave, corta", 2, "note upright_bass"],
  ["bucle de congas 110 bpm", 8, "drums 63"],
  ["één klap op een houtblok", 8, "stroke acoustic_kit 76"],
  ["аккорд ре минор на фортепиано", 4, "chord piano 2 m long"],
  ["スネア一発", 8, "stroke acoustic_kit 38"],
  ["钢琴和弦 Am7", 4, "chord piano 9 m7 long"],
  ["피아노 코드 Dm7", 4, "chord piano 2 m7 long"],
  ["hi hat, closed not open", 8, "stroke acoustic_kit 42"],
  ["operatic ah, single, soprano, b flat", 3, "note choir"],
  ["five cowbell hits", 4, "stroke acoustic_kit 56"],
  ["a trumpet glissando down, one octave", 3, "note trumpet glissando down"],
  ["single palm muted power chord, e5", 2, "chord muted_guitar 4 5 short"],
  ["a cymbal sweep downwards", 4, "gesture downlifter"],
  ["kalimba plink, single c", 2, "note kalimba"],
  ["flexatone boing, one", 8, "stroke orchestral_percussion 63"],
  ["one kick, no click, loads of sub", 8, "stroke acoustic_kit 36"],
  ["clarinet squawk, 1 sec", 1, "note clarinet"],
  ["strings swelling from nothing", 5, "note strings"],
  ["strum an acoustic once, E major, upstroke", 3, "chord steel_guitar 4 major long"],
  ["faller over 4 beats", 4, "gesture downlifter"],
  ["i play my own hats, so a loop of the snare, no hihats", 4, "drums 38"],
  ["perc on a trash can lid, 1 bar 128", 2, "phrase"],
  ["tambourine shake, one bar 120", 2, "drums 54"],
  // Music, or what only looks like a drum, a note or a stroke.
  ["kick drum and bass line", 4, "phrase"],
  ["funky drum break, 104 bpm", 2.3, "phrase"],
  ["rock drums with hi-hat rolls", 4, "phrase"],
  ["drums, no hi-hats, 100 bpm", 4.8, "phrase"],
  ["soft piano chords, dreamy", 6, "phrase"],
  ["jazz piano phrase", 3, "phrase"],
  ["walking bass in Bb, 140 bpm", 6.9, "phrase"],
  ["cinematic riser with strings", 8, "phrase"],
  ["summer hit, pop", 8, "phrase"],
  ["hammond b3 groove", 8, "phrase"],
  ["car crash", 3, "phrase"],
  ["car crash, metal and glass", 4, "phrase"],
  ["tight metal kick", 0.5, "stroke rock_kit 36"],
  ["thunder clap", 3, "phrase"],
  ["bike ride", 3, "phrase"],
  ["door slam", 2, "phrase"],
  ["knife stab", 1, "phrase"],
];

for (const [prompt, seconds, wanted] of READ) {
  test(`"${prompt}" of ${seconds} s is: ${wanted}`, () => {
    assert.equal(told(readClip(readPrompt(prompt), understand(prompt), seconds, false)), wanted);
  });
}

test("kinds of clips have the names that word packs give them", () => {
  const folder = mkdtempSync(join(tmpdir(), "packs-"));
  try {
    mkdirSync(join(folder, "words"));
    const words = { "clip:chord": ["klavierakkord*"], "clip:roll": ["trommelwirbel"] };
    writeFileSync(join(folder, "words/de.json"), JSON.stringify({ language: "de", words }));
    usePacks([folder]);
    const clip = (prompt: string): string => {
      const ask = readPrompt(prompt);
      return told(readClip(ask, understand(ask), 2, false));
    };
    assert.equal(clip("ein einzelner Klavierakkord in C-Dur"), "chord piano 0 major long");
    assert.equal(clip("ein Trommelwirbel"), "roll acoustic_kit 38");
  } finally {
    usePacks([]);
    rmSync(folder, { recursive: true });
  }
});

test("a kick that is to loop, or to last, is a rhythm", () => {
  const brief = understand("kick");
  assert.equal(told(readClip(readPrompt("kick"), brief, 2, true)), "drums 36");
  assert.equal(told(readClip(readPrompt("kick"), brief, 8, false)), "drums 36");
  assert.equal(
    told(readClip(readPrompt("kick one-shot"), understand("kick one-shot"), 2, true)),
    "stroke acoustic_kit 36",
  );
});

test("note names count from C4 = 60, by letters and not by classes", () => {
  const NOTES: readonly (readonly [string, number | undefined])[] = [
    ["A4", 69],
    ["violin, C4", 60],
    ["F#2", 42],
    ["Bb1 bass", 34],
    ["Cb4", 59],
    ["B#3", 60],
    ["a4 paper", undefined],
    ["a 4 bar loop", undefined],
    ["DX7", undefined],
    ["C64 lead", undefined],
    ["Hammond B3", undefined],
    ["G9", undefined],
  ];
  for (const [prompt, pitch] of NOTES) assert.equal(readPitches(prompt).note?.pitch ?? undefined, pitch, prompt);
});

test("chords by symbol and by words", () => {
  const CHORDS: readonly (readonly [string, number | undefined, readonly number[]])[] = [
    ["Em7", 4, [0, 3, 7, 10]],
    ["G7 chord", 7, [0, 4, 7, 10]],
    ["Cmaj7", 0, [0, 4, 7, 11]],
    ["F#m", 6, [0, 3, 7]],
    ["Dsus4", 2, [0, 5, 7]],
    ["Bdim7", 11, [0, 3, 6, 9]],
    ["Abadd9", 8, [0, 4, 7, 14]],
    ["A chord", 9, [0, 4, 7]],
    ["chord of E", 4, [0, 4, 7]],
    ["E power chord", 4, [0, 7]],
    ["minor seventh chord", undefined, [0, 3, 7, 10]],
    ["augmented chord", undefined, [0, 4, 8]],
  ];
  for (const [prompt, root, intervals] of CHORDS) {
    const said = readPitches(prompt).chord;
    assert.deepEqual([said?.root, said?.intervals], [root, intervals], prompt);
  }
  for (const prompt of ["a chord in E minor", "A soft pad", "E minor", "in C"])
    assert.equal(readPitches(prompt).chord, null, prompt);
});

test("a chord in any hand, of any root, has its tones, its root lowest, within the range", () => {
  for (const hand of ["guitar", "keys", "section", "close"] as const)
    for (const intervals of [
      [0, 4, 7],
      [0, 3, 7, 10],
      [0, 4, 7, 11, 14],
      [0, 5, 7],
      [0, 7],
    ])
      for (let root = 0; root < 12; root++) {
        const pitches = voiced(root, intervals, hand, [40, 88]);
        const name = `${hand} ${intervals} on ${root}: ${pitches}`;
        assert.ok(
          pitches.every((pitch) => pitch >= 40 && pitch <= 88),
          name,
        );
        assert.equal(pitches[0]! % 12, root, name);
        const classes = new Set(pitches.map((pitch) => (pitch - root + 120) % 12));
        // A guitar's six strings leave room for the seventh and the ninth, all others leave nothing out.
        for (const up of intervals) assert.ok(classes.has(up % 12), name);
        for (const up of classes)
          assert.ok(
            intervals.some((one) => one % 12 === up),
            name,
          );
        assert.deepEqual(
          [...pitches].sort((a, b) => a - b),
          pitches,
          name,
        );
      }
});

test("of several names for one piece the narrowest counts", () => {
  assert.deepEqual(
    piecesIn(readPrompt("open hi hat and closed hats, ride cymbal and a floor tom").mentions).map(({ key }) => key),
    [46, 42, 51, 41],
  );
});

test("a single note that names no octave lies in its instrument's range", () => {
  for (const prompt of [
    "low tuba note",
    "high flute note",
    "piccolo note",
    "sub bass one-shot",
    "high violin note, C#",
  ]) {
    const brief = understand(prompt);
    const clip = readClip(readPrompt(prompt), brief, 2, false);
    assert.ok(clip?.kind === "note", prompt);
    const [part] = written(clip, brief, { seconds: 2, ring: false, seed: 1 }, { rangeFor, factsOf }).parts;
    const [low, high] = rangeFor(part!.instrument, part!.role);
    const { pitch } = part!.notes[0]!;
    assert.ok(pitch >= low && pitch <= high, `${prompt}: ${pitch} of ${low} to ${high}`);
    assert.equal((pitch - brief.key.tonic) % 12, 0, prompt);
  }
});

const sum = ({ channels: [left, right] }: Audio): Float32Array => left!.map((value, n) => value + right![n]!);

/** Decibels of `hertz` in `samples` from `from` seconds on, over a fifth of a second under Hann's window. */
function level(samples: Float32Array, hertz: number, from: number): number {
  const count = Math.round(0.2 * RATE);
  let [re, im] = [0, 0];
  for (let n = 0; n < count; n++) {
    const value = (samples[Math.round(from * RATE) + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / count));
    re += value * Math.cos((2 * Math.PI * hertz * n) / RATE);
    im += value * Math.sin((2 * Math.PI * hertz * n) / RATE);
  }
  return 10 * Math.log10(re * re + im * im + 1e-12);
}

/** Moments at which 5 ms are 8 dB louder than what came in the 60 ms before them, seconds. */
function attacks(samples: Float32Array): number[] {
  const step = Math.round(0.005 * RATE);
  const powers = Array.from({ length: Math.floor(samples.length / step) }, (_, k) => {
    let power = 0;
    for (let n = k * step; n < (k + 1) * step; n++) power += samples[n]! * samples[n]!;
    return power;
  });
  const floor = 1e-3 * Math.max(...powers);
  const found: number[] = [];
  for (let k = 0; k < powers.length; k++) {
    const before = Math.max(floor, ...powers.slice(Math.max(0, k - 12), k));
    const at = (k * step) / RATE;
    if (powers[k]! > 6.3 * before && at - (found.at(-1) ?? -1) > 0.05) found.push(at);
  }
  return found;
}

for (const [prompt, hertz] of [
  ["violin, a long A4 note", 440],
  ["flute G5", 783.99],
  ["F1 sub bass", 43.65],
  ["piano note, C4", 261.63],
] as const) {
  test(`"${prompt}" sounds at ${hertz} Hz and begins at once`, async () => {
    const { audio, report } = await makeSample({ prompt, seconds: 2, loop: false, seed: 5 }, job);
    assert.equal(report?.clip, "note");
    const samples = sum(audio);
    const own = level(samples, hertz, 0.4);
    // A semitone to either side is below it, and nothing an octave lower.
    for (const other of [hertz * 2 ** (1 / 12), hertz / 2 ** (1 / 12), hertz / 2])
      if (other > 30 && hertz > 100) assert.ok(level(samples, other, 0.4) < own - 10, `${other} Hz`);
    const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(samples.findIndex((value) => Math.abs(value) > 0.02 * peak) < 0.02 * RATE);
    assert.ok(Math.abs(samples.at(-1)!) < 1e-3 * peak, "it ends in silence");
  });
}

test("a stroke is struck once, a four on the floor on every beat, semiquavers four times a beat", async () => {
  const make = async (prompt: string, seconds: number): Promise<number[]> =>
    attacks(sum((await makeSample({ prompt, seconds, loop: false, seed: 5 }, job)).audio));
  for (const prompt of ["909 kick one-shot", "closed hi-hat", "rimshot", "cowbell hit"])
    assert.equal((await make(prompt, 1.5)).length, 1, prompt);
  assert.equal((await make("three cowbell hits", 2)).length, 3);
  const kicks = await make("909 kick, four on the floor, 120 bpm", 4);
  assert.equal(kicks.length, 8);
  for (const [n, at] of kicks.entries()) assert.ok(Math.abs(at - n / 2) < 0.03, `${at}`);
  assert.equal((await make("909 hi-hats, 16ths, 100 bpm", 2.4)).length, 16);
});

test("strings that swell grow from nothing, and a glissando arrives an octave away", async () => {
  const make = async (prompt: string): Promise<Float32Array> =>
    sum((await makeSample({ prompt, seconds: 3, loop: false, seed: 5 }, job)).audio);
  const swell = await make("strings swelling from nothing, C4");
  const power = (from: number): number =>
    swell.slice(from * RATE, (from + 0.3) * RATE).reduce((all, value) => all + value * value, 0);
  assert.ok(power(0) < 0.1 * power(1) && power(1) < power(1.9), `${power(0)} ${power(1)} ${power(1.9)}`);
  const slide = await make("flute glissando down, C5");
  const late = slide.slice(1.2 * RATE, 2 * RATE);
  assert.ok(level(late, 523.25, 0.1) > level(late, 1046.5, 0.1) && level(late, 523.25, 0.1) > level(late, 587.33, 0.1));
});

test("a pattern of named drums has no others, and fills the clip", async () => {
  const { audio, report } = await makeSample(
    { prompt: "kick and snare only, 95 bpm", seconds: 5.05, loop: false, seed: 5 },
    job,
  );
  assert.equal(report?.clip, "drums");
  const composed = report?.composed as { tempo_bpm: number; parts: { role: string }[] };
  assert.equal(composed.tempo_bpm, 95);
  assert.deepEqual(
    composed.parts.map(({ role }) => role),
    ["drums"],
  );
  const found = attacks(sum(audio));
  assert.ok(found.length >= 4 && found.at(-1)! > 4, `${found}`);
});

test("a loop of one beat is not silent, whatever its drum", async () => {
  for (const prompt of ["snare", "909 clap", "rimshot", "crash cymbal", "conga", "shaker"]) {
    const { audio } = await makeSample({ prompt, seconds: 0.5, loop: true, seed: 5 }, job);
    assert.ok(attacks(sum(audio)).length >= 1, prompt);
  }
});

test("a slam of a door stays a sound, and words of clips are no unknown words", async () => {
  const slam = await makeSample({ prompt: "door slam", seconds: 1, loop: false, seed: 5 }, job);
  assert.ok(Array.isArray(slam.report?.sequence));
  const { report } = await makeSample({ prompt: "guitar strum in E minor", seconds: 1, loop: false, seed: 5 }, job);
  assert.deepEqual((report as { understood: { unknown_words: string[] } }).understood.unknown_words, []);
});

test("a note that its instrument has not is played in the nearest octave that it has, and none breaks the player", async () => {
  for (const [prompt, hertz] of [
    ["C0 sub bass", 32.7],
    ["E0 sub bass", 20.6],
    ["church organ note C8", 1046.5],
    ["C7 tuba note", 261.63],
  ] as const) {
    const { audio, report } = await makeSample({ prompt, seconds: 1, loop: false, seed: 5 }, job);
    assert.equal(report?.clip, "note", prompt);
    const peak = audio.channels[0]!.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    assert.ok(peak > 0.01, `${prompt}: ${peak}`);
    if (hertz > 200)
      assert.ok(level(sum(audio), hertz, 0.3) > level(sum(audio), hertz * 2 ** (1 / 12), 0.3) + 10, prompt);
  }
});

test("drums are tuned to what is asked of them, in what language and unit it may be", async () => {
  for (const [prompt, tonic, hertz] of [
    ["kick tuned to F", 5, null],
    ["kick in F#", 6, null],
    ["bombo afinado en sol", 7, null],
    ["Bassdrum gestimmt auf Fis", 6, null],
    ["snare pitched at 200 Hz", null, 200],
    ["cowbell, one hit at 1.2 kHz", null, 1200],
    ["kick, filter cutoff at 200 Hz", null, null],
    ["hi-hat tuned to F", null, null],
  ] as const) {
    const said = readPrompt(prompt);
    const clip = readClip(said, understand(said), 1, false);
    assert.equal(clip?.kind, "stroke", prompt);
    const tuned = clip?.kind === "stroke" ? clip.tuned : undefined;
    assert.deepEqual([tuned?.tonic ?? null, tuned?.hertz ?? null], [tonic, hertz], prompt);
  }
  const { audio } = await makeSample({ prompt: "tom tuned to D", seconds: 1, loop: false, seed: 1 }, job);
  // D2.
  assert.ok(Math.abs(1200 * Math.log2(ringOf(audio, [50, 350])! / 73.416)) < 10);
});

test("a drum that is heard to have no pitch is told as not tuned", async () => {
  const { report } = await makeSample({ prompt: "acoustic kick tuned to F", seconds: 1, loop: false, seed: 1 }, job);
  const told = report as {
    tuned_by_cents: number | null;
    understood: { articulation: string[]; not_understood: string[] };
  };
  assert.equal(told.understood.not_understood.includes("tuned"), told.tuned_by_cents === null);
  assert.equal(told.understood.articulation.includes("tuned to F"), told.tuned_by_cents !== null);
});

test("fingers snap, beside whatever kit, where the backbeat is", () => {
  for (const [prompt, kits] of [
    ["finger snaps on 2 and 4, 100 bpm", ["finger_snaps"]],
    ["fingerschnippen, 100 bpm", ["finger_snaps"]],
    ["house kick and finger snaps, 100 bpm", ["house_kit", "finger_snaps"]],
  ] as const) {
    const said = readPrompt(prompt);
    const brief = understand(said);
    const clip = readClip(said, brief, 4.8, false)!;
    assert.ok(clip.kind === "drums", prompt);
    const score = piecesOf(
      clip,
      { seconds: 4.8, ring: false, seed: 1 },
      compose(grooved(brief, clip), { seconds: 14, clip: true }, 1),
    );
    assert.deepEqual(
      score.parts.map(({ instrument }) => instrument),
      kits,
      prompt,
    );
    const snaps = score.parts.at(-1)!.notes.map(({ beat }) => beat % 4);
    assert.deepEqual([...new Set(snaps)], [1, 3], prompt);
  }
});

test("a fill of named drums begins and ends on them", () => {
  const keysOf = (prompt: string): readonly number[] => {
    const said = readPrompt(prompt);
    const brief = understand(said);
    const clip = readClip(said, brief, 3.43, false);
    assert.ok(clip?.kind === "fill", prompt);
    return written(clip, brief, { seconds: 3.43, ring: false, seed: 1 }, { rangeFor, factsOf }).parts[0]!.notes.map(
      ({ pitch }) => pitch,
    );
  };
  const keys = keysOf("drum fill: snare roll into toms high to low then crash, 140 bpm");
  assert.equal(keys[0], 38);
  const toms = keys.filter((key) => key !== 38 && key !== 49 && key !== 36);
  assert.deepEqual(
    toms,
    toms.toSorted((one, other) => other - one),
    "from high to low",
  );
  assert.ok(toms.length > 4 && keys.at(-1) === 49);
  const plain = keysOf("tom fill, 140 bpm");
  assert.ok(!plain.includes(38) && !plain.includes(49));
});

test("drums are struck on the beats that are said, and on no others", () => {
  for (const [prompt, wanted] of [
    ["boom bap loop 90 bpm, kick on 1 and the and of 3, snare on 2 and 4", { 36: [0, 2.5], 38: [1, 3] }],
    ["kick auf 1 und 3, snare auf 2 und 4, 90 bpm", { 36: [0, 2], 38: [1, 3] }],
    ["house kick on every beat, claps on the backbeat, 90 bpm", { 36: [0, 1, 2, 3], 39: [1, 3] }],
    ["caisse claire sur les temps 2 et 4, 90 bpm", { 38: [1, 3] }],
    ["bombo en el 1 y el 3, caja en el 2 y el 4, 90 bpm", { 36: [0, 2], 38: [1, 3] }],
    ["caixa nos tempos dois e quatro, 90 bpm", { 38: [1, 3] }],
    ["рабочий барабан на 2 и 4, 90 bpm", { 38: [1, 3] }],
    ["キックは1拍目と3拍目、スネアは2拍目と4拍目、90 bpm", { 36: [0, 2], 38: [1, 3] }],
    ["snare 2 and 4, 90 bpm", { 38: [1, 3] }],
    ["boom on the one, clap on two and four, nothing else, 90 bpm", { 36: [0], 39: [1, 3] }],
    ["boots and cats, 90 bpm", { 36: [0, 2], 38: [1, 3], 42: [0.5, 1.5, 2.5, 3.5] }],
    ["boom tss boom tss, 90 bpm", { 36: [0, 2], 42: [1, 3] }],
    ["closed hats on eighths, open hat on the and of 4, 90 bpm", { 42: [0, 0.5, 1, 1.5, 2, 2.5, 3], 46: [3.5] }],
  ] as const) {
    const said = readPrompt(prompt);
    const brief = understand(said);
    const clip = readClip(said, brief, 16 / 3, false)!;
    assert.ok(clip.kind === "drums", prompt);
    const room = { seconds: 16 / 3, ring: false, seed: 1 };
    const { parts } = piecesOf(clip, room, compose(grooved(brief, clip), { seconds: 15, clip: true }, 1));
    for (const [key, beats] of Object.entries(wanted)) {
      const struck = parts.flatMap(({ notes }) => notes.filter(({ pitch }) => pitch === Number(key)));
      assert.deepEqual([...new Set(struck.map(({ beat }) => beat % 4))].sort(), beats, prompt);
      assert.equal(struck.length, 2 * beats.length, prompt);
    }
  }
  for (const prompt of ["kick on 4 bars, 120 bpm", "kick and snare, 2 bars, 90 bpm"]) {
    const said = readPrompt(prompt);
    const clip = readClip(said, understand(said), 8, false);
    assert.deepEqual(clip?.kind === "drums" && clip.places, {}, prompt);
  }
});
