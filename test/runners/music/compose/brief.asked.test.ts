/** What a prompt asks of length and company, and that the score has it. Prompts other than those the lexicon was written with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reportOf } from "../../../../runners/music/compose/brief/report.ts";
import { understand } from "../../../../runners/music/compose/brief/understand.ts";
import { clockOf } from "../../../../runners/music/compose/clock.ts";
import { compose } from "../../../../runners/music/compose/compose.ts";
import { keysOfPiece } from "../../../../runners/music/compose/drum_pieces.ts";
import type { Score } from "../../../../runners/music/compose/score.ts";

const written = (prompt: string, seed = 3): Score => {
  const brief = understand(prompt);
  return compose(brief, brief.seconds === undefined ? {} : { seconds: brief.seconds }, seed);
};
const players = ({ parts }: Score): string[] => [...new Set(parts.map(({ instrument }) => instrument))].sort();

test("understand() reads how long a piece is to be, and leaves places in it alone", () => {
  for (const [prompt, seconds] of [
    ["a 40 second jingle, upbeat", 40],
    ["two minutes of calm harp", 120],
    ["a three-and-a-bit minute song", undefined],
    ["90-second trailer", 90],
    ["one and a half minutes of funk", 90],
    ["1 minute 20 seconds, salsa", 80],
    ["2:15 long, surf rock", 135],
    ["calm piano, 1:30", 90],
    ["fifty seconds of ska", 50],
    ["techno, drop at 1:30", undefined],
    ["train leaves 1:30 tomorrow", undefined],
    ["eine Minute ruhige Musik", 60],
    ["piano, une minute et demie", 90],
    ["ピアノ、1分半", 90],
    ["45 Sekunden Walzer", 45],
    ["techno with a break at 50 seconds", undefined],
    ["drums enter after 10 seconds", undefined],
    ["ten second intro, then rock", undefined],
    ["house, 124 bpm", undefined],
  ] as const)
    assert.equal(understand(prompt).seconds, seconds, prompt);
  const score = written("40 seconds of bright bluegrass");
  assert.ok(Math.abs(clockOf(score).seconds(score.beats) - 40) < 3);
});

test("compose() seats only who was named where nothing else is wanted, and trios and duos are that many", () => {
  assert.deepEqual(players(written("just a marimba and a flute")), ["flute", "marimba"]);
  assert.deepEqual(
    players(written("piano trio, swinging jazz")).filter((name) => !/kit|bass/u.test(name)),
    ["piano"],
  );
  assert.deepEqual(players(written("nylon guitar duo")), ["nylon_guitar"]);
  assert.deepEqual(players(written("solemn a cappella anthem")), ["choir"]);
  assert.ok(players(written("rain outside, lonely solo piano")).includes("rain_texture"));
});

test("compose() leaves out single pieces of a kit, the tune, or what is nearly a piano", () => {
  const hatless = written("boom bap without hi-hats");
  const drums = hatless.parts.filter(({ role }) => role === "drums");
  assert.ok(drums.length > 0 && drums.every(({ notes }) => notes.length > 0));
  for (const { notes } of drums) assert.ok(notes.every(({ pitch }) => !keysOfPiece("hi-hats").includes(pitch)));
  assert.ok(written("bossa nova, no melody").parts.every(({ role }) => role !== "lead" && role !== "counter"));
  for (let seed = 0; seed < 6; seed++)
    assert.ok(players(written("soft rock ballad, no piano", seed)).every((name) => !/piano/u.test(name)));
});

const told = (prompt: string) => reportOf(understand(prompt));
/** Beats of a score's notes that a player has. */
const beatsOf = ({ parts }: Score, plays: (part: Score["parts"][number]) => boolean): number[] =>
  parts.filter(plays).flatMap(({ notes }) => notes.map(({ beat }) => beat));
const drummed = ({ role }: Score["parts"][number]): boolean => role === "drums" || role === "percussion";
const named =
  (instrument: RegExp) =>
  ({ instrument: one }: Score["parts"][number]): boolean =>
    instrument.test(one);
const sounding = ({ role }: Score["parts"][number]): boolean => role !== "texture" && role !== "transition";

test("understand() tells the course of a piece, its bars, levels, tempo and place", () => {
  for (const [prompt, field, texts] of [
    ["waltz opening with a solo flute", "form", ["starts with flute"]],
    ["folk, harp first, then the fiddle", "form", ["starts with harp"]],
    ["no drums until the third chorus, punk", "form", ["drums from the third chorus"]],
    ["the brass enters at bar 17; swing", "form", ["brass from bar 17"]],
    ["cellos join after 45 seconds, film score", "form", ["cellos from 45 seconds"]],
    ["a drop after the first chorus, edm", "form", ["drop after the first chorus"]],
    ["metal, ends abruptly", "form", ["ends: abrupt"]],
    ["ends on an F# minor chord, tango", "form", ["ends: F# minor chord"]],
    ["blues without an intro", "form", ["no intro"]],
    ["an intro of 16 bars, trance", "form", ["intro of 16 bars"]],
    ["a break in the middle, techno", "form", ["break in the middle"]],
    ["strings until the last chorus, soul", "form", ["strings until the last chorus"]],
    ["reggae with a trumpet solo", "form", ["trumpet solo"]],
    ["sax solo after the second chorus, soul", "form", ["sax solo after the second chorus"]],
    ["rock, no guitar solo", "form", ["no solo"]],
    ["a violin solo, baroque", "form", []],
    ["no bass in the verses, rock", "form", ["no bass in the verse"]],
    ["loud drums, ska", "dynamics", ["drums loud"]],
    ["the organ softer than the trumpet, soul", "dynamics", ["organ softer than trumpet"]],
    ["not too loud drums, jazz", "dynamics", ["drums soft"]],
    ["soft verses and a loud chorus, grunge", "dynamics", ["soft verse", "loud chorus"]],
    ["brass louder and louder, getting louder", "dynamics", ["crescendo"]],
    ["same tempo, more cello", "dynamics", ["cello louder"]],
  ] as const)
    assert.deepEqual(told(prompt)[field], texts, prompt);
  for (const [prompt, form] of [
    ["Indie-Rock, kein Schlagzeug bis zum zweiten Refrain", "drums from the second chorus"],
    ["chanson pop, commence par la harpe", "starts with harp"],
    ["las cuerdas entran en el compás 17, cine", "strings from bar 17"],
    ["canzone pop, finisce bruscamente", "ends: abrupt"],
    ["rock, perkusja wchodzi w drugiej zwrotce", "drums from the second verse"],
    ["диско, барабаны вступают во втором припеве", "drums from the second chorus"],
    ["最後のサビからドラムが入る", "drums from the last chorus"],
  ] as const)
    assert.deepEqual(told(prompt).form, [form], prompt);
  for (const [prompt, tempo, era] of [
    ["flamenco, cada vez más rápido", "getting faster", null],
    ["всё медленнее, романс", "getting slower", null],
    ["valse des années trente", null, "1930s"],
    ["80年代的迪斯科，越来越快", "getting faster", "1980s"],
    ["rock lat siedemdziesiątych", null, "1970s"],
    ["pop de los 90", null, "1990s"],
    ["диско в стиле 70-х", null, "1970s"],
  ] as const)
    assert.deepEqual([told(prompt).tempo, told(prompt).era], [tempo, era], prompt);
  for (const [prompt, bpm, metre] of [
    ["something like 84, soul", 84, "4/4"],
    ["reggae, koło 76 uderzeń", 76, "4/4"],
    ["BPMは118のハウス", 118, "4/4"],
    ["迪斯科，116拍", 116, "4/4"],
    ["house bei 124 mit Klavier", 124, "4/4"],
    ["ska intorno ai 150", 150, "4/4"],
    ["록, 템포 96", 96, "4/4"],
    ["balkan brass in 7/8 at 140 bpm", 140, "7/8"],
    ["tarantella in sei ottavi a 132 bpm", 132, "6/8"],
    ["вальс, размер три четверти, 90 bpm", 90, "3/4"],
  ] as const)
    assert.deepEqual([told(prompt).tempo_bpm, told(prompt).metre], [bpm, metre], prompt);
  assert.equal(told("polka that gets faster and faster").tempo, "getting faster");
  for (const prompt of [
    "tango, from slow to fast",
    "tango, von langsam zu schnell",
    "из медленного, танго, от медленного к быстрому",
  ])
    assert.match(told(prompt).tempo ?? "", /getting faster/u, prompt);
  for (const [prompt, form] of [
    ["エモいピアノ曲、stringsは後半から", ["strings from the second half"]],
    ["夏の終わりのピアノ曲", []],
    ["ピアノで終わるポップ", ["ends with ピアノ"]],
    ["acid, the filter opening up over 4 bars", []],
    ["house, the drums drop out in the bridge", ["no drums in the bridge"]],
    ["country, violin and banjo trade solos", []],
    ["gospel that modulates up for the last chorus", ["key change"]],
    ["bolero con un coro al final", ["ends with coro"]],
  ] as const)
    assert.deepEqual(
      told(prompt).form.map((one) => one.replace("piano", "ピアノ").replace("choir", "coro")),
      form,
      prompt,
    );
  assert.ok(!told("house, the drums drop out in the bridge").traits?.includes("drop"));
  assert.deepEqual(told("country, violin and banjo trade solos").without, []);
  for (const [prompt, mode] of [
    ["oud solo in hijaz", "phrygian"],
    ["sitar, raga yaman", "lydian"],
    ["सितार, राग भैरवी", "phrygian"],
    ["ney, makam nihavent", "minor"],
    ["عود، مقام حجاز", "phrygian"],
  ] as const)
    assert.equal(told(prompt).key?.split(" ")[1], mode, prompt);
  assert.deepEqual(told("solo jazz piano").instruments, ["piano"]);
  assert.deepEqual(players(written("solo jazz piano")), ["piano"]);
  assert.deepEqual([told("tarantella veloce").metre, told("tarantella veloce").genre], ["6/8", "folk"]);
  assert.equal(told("gospel recorded in a big cathedral").place, "cathedral");
  assert.equal(told("jazz trio, no reverb").place, "dry");
  const { bars, seconds } = told("24 bars of ska at 120 bpm");
  assert.deepEqual([bars, seconds], [24, 48]);
  assert.equal(written("24 bars of ska at 120 bpm").beats, 96);
  assert.deepEqual(told("calm piano and strings, hopeful").form, []);
});

test("compose() lets players begin, come in, rest and end where the prompt says", () => {
  for (let seed = 0; seed < 3; seed++) {
    const half = written("indie rock, no drums until the second half", seed);
    const drums = beatsOf(half, drummed);
    assert.ok(Math.min(...drums) > 0.35 * half.beats && Math.min(...drums) < 0.65 * half.beats);

    const late = written("cinematic piano, strings come in after 30 seconds", seed);
    const enter = clockOf(late).seconds(Math.min(...beatsOf(late, named(/strings/u))));
    assert.ok(enter > 27 && enter < 40, `${enter}`);

    const piano = written("pop song that starts with piano alone", seed);
    const others = Math.min(...beatsOf(piano, (part) => sounding(part) && !/piano/u.test(part.instrument)));
    assert.ok(others >= 8 && Math.min(...beatsOf(piano, named(/piano/u))) < 2);
    assert.ok(players(piano).length > 3, "the rest of the band comes in");

    const dropped = written("pop, drop after the second chorus", seed).sections.map(({ kind }) => kind);
    const second = dropped.indexOf("chorus", dropped.indexOf("chorus") + 1);
    assert.equal(dropped[second + 1], "drop");
    assert.equal(dropped.filter((kind) => kind === "drop").length, 1);

    const bare = written("rock, no drums in the verses", seed);
    const verses = bare.sections.filter(({ kind }) => kind === "verse");
    const strokes = beatsOf(bare, drummed);
    assert.ok(strokes.length > 0 && verses.length > 0);
    for (const { beat, beats } of verses)
      assert.ok(strokes.every((at) => at < beat - 0.01 || at >= beat + beats - 0.01));
  }
  assert.notEqual(written("pop, no intro").sections[0]!.kind, "intro");
  const [intro] = written("house with an intro of 8 bars").sections;
  assert.deepEqual([intro!.kind, intro!.beats], ["intro", 32]);
  const last = written("sad ballad in A minor, ends on a C major chord").chords.at(-1)!;
  assert.deepEqual([last.symbol, [...last.tones].sort()], ["C", [0, 4, 7]]);
  const cut = written("punk, ends abruptly");
  assert.ok(cut.parts.every(({ notes }) => notes.every(({ beat, beats }) => beat + beats <= cut.beats + 0.03)));
  assert.ok(cut.moves.some(({ kind, beat }) => kind === "mute" && beat === cut.beats));
});

test("compose() gives solos to who is to have one, and none where there is to be none", () => {
  const soloists = (prompt: string) => {
    const { sections, parts } = written(prompt);
    return sections
      .filter(({ kind }) => kind === "solo")
      .map(({ beat, beats }) =>
        parts
          .filter(({ role, notes }) => role === "lead" && notes.some((note) => within(note.beat, beat, beats)))
          .map(({ instrument }) => instrument),
      );
  };
  const within = (at: number, from: number, beats: number): boolean => at >= from + 1 && at < from + beats - 1;
  assert.deepEqual(soloists("reggae with a trumpet solo"), [["trumpet"]]);
  assert.deepEqual(soloists("pop with a violin solo and a flute solo"), [["violin"], ["flute"]]);
  assert.deepEqual([...new Set(soloists("bossa nova, flute solo in the middle").flat())], ["flute"]);
  assert.deepEqual(soloists("metal, no guitar solo"), []);
  assert.ok(soloists("metal with a guitar solo").length > 0);
});

test("compose() makes players and sections as loud as the prompt says, and the tempo change", () => {
  const level = (prompt: string, instrument: RegExp): number => written(prompt).parts.find(named(instrument))!.level_db;
  assert.ok(level("jazz, the piano softer than the drums", /piano/u) < level("jazz, piano and drums", /piano/u) - 3);
  const sections = written("rock: quiet verse, loud chorus").sections;
  const energies = (kind: string): number[] => sections.flatMap((one) => (one.kind === kind ? [one.energy] : []));
  assert.ok(Math.max(...energies("verse")) < 0.4 && Math.min(...energies("chorus")) > 0.9);
  const rushed = written("klezmer getting faster and faster");
  const { bpm } = clockOf(rushed);
  assert.ok(Math.abs(bpm(rushed.beats) / bpm(0) - 1.5) < 1e-6 && bpm(rushed.beats / 2) > 1.2 * bpm(0));
  const slowed = written("slow rock ballad, getting slower");
  assert.ok(clockOf(slowed).bpm(0.6 * slowed.beats) < 0.85 * clockOf(slowed).bpm(0));
});
