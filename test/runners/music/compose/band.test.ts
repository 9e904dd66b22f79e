/** The band: who plays, when, and what. Over all genres, several seeds and metres that no pattern was written for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { accompany, cast, character, moves } from "../../../../runners/music/compose/band/band.ts";
import { holesOf } from "../../../../runners/music/compose/band/holes.ts";
import { factsOf, rangeFor } from "../../../../runners/music/compose/band/instrument_facts.ts";
import { settingOf } from "../../../../runners/music/compose/band/player.ts";
import { turnsAt } from "../../../../runners/music/compose/band/turns.ts";
import type { Brief } from "../../../../runners/music/compose/brief.ts";
import { compose, readPrompt, understand } from "../../../../runners/music/compose/composer.ts";
import { plan as planned } from "../../../../runners/music/compose/form/plan.ts";
import { type Genre, genres } from "../../../../runners/music/compose/genres.ts";
import { type Instrument, instruments } from "../../../../runners/music/compose/instruments.ts";
import type { Cast, Outline, Plan } from "../../../../runners/music/compose/plan.ts";
import type { Part, Role } from "../../../../runners/music/compose/score.ts";
import { DRUM_KEYS, musicOf } from "../../../../runners/packs/mod.ts";

const BRIEF: Brief = {
  genre: "pop",
  second_genre: null,
  moods: [],
  bpm: 112,
  key: { tonic: 2, mode: "major" },
  metre: { beats_per_bar: 4, division: 2 },
  swing: 0.5,
  energy: 0.6,
  valence: 0.6,
  brightness: 0.5,
  density: 0.6,
  space: 0.4,
  drive: 0.2,
  age: 0.1,
  wanted: [],
  unwanted: { instruments: [], roles: [] },
  era: null,
  scene: [],
  traits: [],
  explicit: [],
  unknown: [],
  colour: 77,
};

/** Tempi far enough from the usual that rates of patterns are tried too. */
const TEMPI: Partial<Record<Genre, number>> = {
  salsa: 184,
  drum_and_bass: 174,
  trap: 71,
  punk: 190,
  ambient: 60,
  bebop: 220,
  lofi: 78,
};

interface Played {
  readonly plan: Plan;
  readonly cast: Cast;
  readonly parts: readonly Part[];
}

function played(brief: Partial<Brief>, seed: number, outline: Outline = { seconds: 45 }): Played {
  const genre = brief.genre ?? "pop";
  const plan = planned({ ...BRIEF, bpm: TEMPI[genre] ?? 112, ...brief }, outline, seed);
  const seats = cast(plan);
  return { plan, cast: seats, parts: accompany(plan, seats) };
}

function assertSound({ plan, cast: { seats }, parts }: Played, name: string): void {
  const names = new Set(seats.map((seat) => seat.name));
  assert.equal(names.size, seats.length, `${name}: names`);
  for (const seat of seats) {
    assert.ok(seat.sections.length > 0, `${name}: ${seat.name} plays somewhere`);
    assert.deepEqual(
      [...seat.sections].sort((a, b) => a - b),
      seat.sections,
      `${name}: ${seat.name} ascending`,
    );
    assert.ok(seat.range[0] + 11 <= seat.range[1], `${name}: ${seat.name} has room`);
    assert.ok(Math.abs(seat.pan) <= 0.8);
    if (seat.role === "bass" || seat.role === "drums") assert.equal(seat.pan, 0);
  }
  for (const part of parts) {
    assert.ok(names.has(part.name));
    const { low, high, family } = factsOf(part.instrument);
    let before = 0;
    for (const note of part.notes) {
      const where = `${name}: ${part.name} (${part.instrument}) at ${note.beat}`;
      assert.ok(note.beat >= before - 1e-9 && note.beat < plan.beats, `${where}: in order and within`);
      before = note.beat;
      assert.ok(note.beats > 0 && note.beats <= plan.beats, `${where}: ${note.beats} long`);
      if (!plan.ring) assert.ok(note.beat + note.beats <= plan.beats + 1e-6, `${where}: ends within`);
      assert.ok(note.velocity > 0 && note.velocity <= 1, `${where}: velocity ${note.velocity}`);
      assert.ok(Math.abs(note.shift) < 0.08, `${where}: shift ${note.shift}`);
      assert.ok(
        Number.isInteger(note.pitch) && note.pitch >= low && note.pitch <= high,
        `${where}: ${family} plays ${note.pitch}`,
      );
    }
    if (part.role === "bass")
      part.notes.forEach((note, n) => {
        const next = part.notes[n + 1];
        assert.ok(
          !next || note.beat + note.beats <= next.beat + 1e-6,
          `${name}: one bass note at a time at ${note.beat}`,
        );
        assert.ok(note.pitch >= 28 && note.pitch <= 60, `${name}: bass ${note.pitch}`);
      });
  }
  assert.deepEqual(holesOf(plan, parts, 1), [], `${name}: nobody plays`);
}

test("every genre, on several seeds: in range, in order, within the piece, and never silent for a second", () => {
  for (const genre of genres()) for (const seed of [1, 2]) assertSound(played({ genre }, seed), `${genre} ${seed}`);
});

test("metres that no pattern was written for", () => {
  const metres = [
    [3, 2],
    [5, 2],
    [7, 2],
    [2, 3],
    [4, 3],
    [3, 3],
    [2, 2],
    [6, 2],
  ] as const;
  const genres: readonly Genre[] = [
    "rock",
    "jazz",
    "techno",
    "salsa",
    "cinematic",
    "trap",
    "waltz",
    "folk",
    "reggae",
    "funk",
  ];
  for (const [beats_per_bar, division] of metres)
    for (const genre of genres) {
      const result = played({ genre, metre: { beats_per_bar, division } }, 5, { seconds: 40 });
      assertSound(result, `${genre} in ${beats_per_bar}/${division}`);
      const drums = result.parts.find(({ role }) => role === "drums");
      if (!drums || division === 2) continue;
      const places = new Set(drums.notes.map(({ beat }) => Math.round((beat % 1) * 12) % 12));
      const thirds = [...places].filter((place) => place % 4 === 0 || place % 2 === 0).length;
      assert.ok(thirds / places.size > 0.6, `${genre} in ${beats_per_bar}/${division} keeps to thirds: ${[...places]}`);
    }
});

test("rings: loops of any length are filled to their end", () => {
  for (const genre of genres().filter((_, n) => n % 6 === 0))
    for (const seconds of [5, 10, 23]) {
      const result = played({ genre }, 3, { seconds, ring: true });
      assert.equal(result.plan.ring, true);
      assertSound(result, `${genre} loop of ${seconds} s`);
    }
});

test("clips of one idea", () => {
  for (const genre of ["house", "lofi", "piano_solo", "epic"] as const)
    assertSound(played({ genre }, 4, { seconds: 8, clip: true }), `${genre} clip`);
});

test("who is asked for is heard, in a role that suits", () => {
  const asked: readonly (readonly Instrument[])[] = [
    ["sitar"],
    ["accordion", "cello"],
    ["taiko"],
    ["marimba", "harp", "flute"],
    ["acid_bass"],
    ["trap_kit"],
    ["rain_texture"],
    ["church_organ", "distorted_guitar"],
    ["slow_strings", "pluck", "music_box"],
    ["banjo"],
    ["timpani"],
  ];
  for (const wanted of asked)
    for (const genre of ["pop", "techno", "jazz", "classical", "trap", "ambient"] as const)
      for (const seed of [1, 2]) {
        const {
          plan,
          cast: { seats },
          parts,
        } = played({ genre, wanted }, seed);
        for (const instrument of wanted) {
          const seat = seats.find((candidate) => candidate.instrument === instrument);
          assert.ok(seat, `${instrument} in ${genre} ${seed}`);
          assert.ok(factsOf(instrument).roles.includes(seat.role), `${instrument} as ${seat.role}`);
          const share = seat.sections.reduce((sum, index) => sum + plan.sections[index]!.beats, 0) / plan.beats;
          assert.ok(share >= 0.25, `${instrument} in ${genre} ${seed} plays ${share}`);
          if (seat.role === "lead" || seat.role === "counter") continue;
          const part = parts.find(({ name }) => name === seat.name);
          assert.ok(part, `${instrument} in ${genre} ${seed} has notes`);
          assert.ok(
            sounding(part) / plan.beats >= 0.05,
            `${instrument} in ${genre} ${seed} sounds ${sounding(part) / plan.beats}`,
          );
        }
      }
});

/** Beats in which a part sounds, overlaps counted once; a stroke counts a quarter. */
function sounding({ notes }: Part): number {
  let total = 0;
  let reach = 0;
  for (const { beat, beats } of notes) {
    const end = beat + Math.max(0.25, beats);
    total += Math.max(0, end - Math.max(beat, reach));
    reach = Math.max(reach, end);
  }
  return total;
}

test("who is not wanted stays away", () => {
  const bans: readonly { instruments: readonly Instrument[]; roles: readonly Role[] }[] = [
    { instruments: ["piano", "bright_piano", "upright_piano"], roles: [] },
    { instruments: instruments().filter((instrument) => factsOf(instrument).family === "guitar"), roles: [] },
    { instruments: [], roles: ["drums", "percussion"] },
    { instruments: [], roles: ["bass"] },
    { instruments: ["riser", "impact"], roles: ["pad"] },
    { instruments: [], roles: ["lead", "counter", "texture", "transition"] },
    { instruments: instruments().filter((instrument) => factsOf(instrument).family === "keys"), roles: ["chords"] },
  ];
  for (const [at, genre] of genres().entries())
    for (const [n, unwanted] of bans.entries()) {
      if ((at + n) % 3 !== 0) continue;
      const result = played({ genre, unwanted }, n, { seconds: 30 });
      for (const { instrument, role } of result.cast.seats) {
        assert.ok(!unwanted.instruments.includes(instrument), `${genre}: no ${instrument}`);
        assert.ok(!unwanted.roles.includes(role), `${genre}: no ${role}`);
      }
      assertSound(result, `${genre} without ${unwanted.instruments.slice(0, 3)} ${unwanted.roles}`);
    }
});

test("choruses of a song gain the percussion of their genre, and no hand drums where nobody would book them", () => {
  const sung = (kind: "verse" | "chorus", label: string) => ({ kind, label, lines: 4 });
  const sections = [sung("verse", "A"), sung("chorus", "B"), sung("verse", "C"), sung("chorus", "B")];
  const shaken = new Set([DRUM_KEYS.tambourine, DRUM_KEYS.cabasa, DRUM_KEYS.maracas]);
  for (const seed of [1, 2, 3]) {
    const joins = (genre: Genre): readonly Part[] =>
      played({ genre }, seed, { sections }).parts.filter(({ role }) => role === "percussion");
    assert.deepEqual(joins("metal"), [], "nobody joins metal");
    for (const genre of ["rock", "boom_bap", "indie_rock"] as const) {
      const heard = new Set(joins(genre).flatMap(({ notes }) => notes.map(({ pitch }) => pitch)));
      assert.ok(heard.size > 0, `${genre}: somebody joins`);
      for (const pitch of heard) assert.ok(shaken.has(pitch), `${genre}: key ${pitch}`);
    }
  }
});

test("more energy, more sound: sections stand in the order of their energy", () => {
  let pairs = 0;
  let right = 0;
  for (const genre of genres()) {
    const { plan, parts } = played({ genre }, 6, { seconds: 100 });
    const loudness = plan.sections.map(({ beat, beats }) => {
      let sum = 0;
      for (const part of parts)
        for (const note of part.notes)
          if (note.beat >= beat - 1e-6 && note.beat < beat + beats - 1e-6)
            sum += note.velocity * (part.role === "pad" ? 1 + note.beats / 2 : 1);
      return sum / beats;
    });
    for (let a = 0; a < loudness.length; a++)
      for (let b = 0; b < a; b++) {
        const apart = plan.sections[a]!.energy - plan.sections[b]!.energy;
        if (Math.abs(apart) < 0.2 || plan.sections[a]!.kind === "build" || plan.sections[b]!.kind === "build") continue;
        pairs++;
        if (loudness[a]! - loudness[b]! > 0 === apart > 0) right++;
      }
  }
  assert.ok(pairs > 500, `${pairs} pairs`);
  assert.ok(right / pairs > 0.9, `${right} of ${pairs} in order`);
});

test("the same plan gives the same band; other seeds give other line-ups and grooves", () => {
  for (const genre of genres().filter((_, n) => n % 4 === 1)) {
    const once = played({ genre }, 9);
    const again = played({ genre }, 9);
    assert.deepEqual(again.parts, once.parts);
    assert.deepEqual(again.cast, once.cast);
    assert.deepEqual(moves(again.plan, again.cast), moves(once.plan, once.cast));
  }
  let others = 0;
  for (const genre of genres()) {
    const lists = new Set<string>();
    for (const seed of [1, 2, 3, 4])
      lists.add(
        played({ genre }, seed, { seconds: 20 })
          .cast.seats.map(({ name, instrument }) => `${name} ${instrument}`)
          .join(),
      );
    if (lists.size >= 2) others++;
  }
  assert.ok(others > genres().length * 0.9, `${others} of ${genres().length} genres change with the seed`);
});

test("a solo is one instrument", () => {
  for (const wanted of [
    "piano",
    "nylon_guitar",
    "cello",
    "harp",
    "flute",
    "church_organ",
    "rock_kit",
    "taiko",
    "sub_bass",
    "warm_pad",
  ] as const) {
    const result = played({ genre: "classical", wanted: [wanted], traits: ["solo"] }, 1);
    assert.deepEqual([...new Set(result.cast.seats.map(({ instrument }) => instrument))], [wanted]);
    assertSound(result, `solo ${wanted}`);
  }
  const piano = played({ genre: "piano_solo", traits: ["solo"] }, 1);
  assert.deepEqual([...new Set(piano.cast.seats.map(({ instrument }) => instrument))], ["piano"]);
});

test("acoustic players need no mains, and orchestras no synthesisers", () => {
  for (const genre of ["pop", "house", "trap", "rock", "ambient"] as const)
    for (const seed of [1, 2, 3]) {
      const seats = played({ genre, traits: ["acoustic"] }, seed).cast.seats;
      for (const { instrument, role } of seats)
        if (role !== "transition") assert.ok(factsOf(instrument).acoustic, `acoustic ${genre}: ${instrument}`);
      const orchestra = played({ genre, traits: ["orchestral"] }, seed).cast.seats;
      assert.ok(orchestra.some(({ instrument }) => instrument === "strings" || instrument === "slow_strings"));
      for (const { instrument } of orchestra)
        assert.ok(
          !["lead_synth", "pad_synth", "pluck_synth"].includes(factsOf(instrument).family),
          `orchestral ${genre}: ${instrument}`,
        );
    }
});

test("scenes are painted", () => {
  const {
    cast: { seats },
    parts,
  } = played({ genre: "jazz", scene: ["rain", "vinyl"] }, 1);
  for (const texture of ["rain_texture", "vinyl_noise"] as const) {
    const seat = seats.find(({ instrument }) => instrument === texture);
    assert.ok(seat);
    const part = parts.find(({ name }) => name === seat.name)!;
    assert.ok(part.notes.length >= 1);
  }
});

test("a section holds fewer players at the beginning than in a chorus, and never a bass in a build", () => {
  for (const genre of ["pop", "rock", "disco", "soul", "synthwave"] as const) {
    const {
      plan,
      cast: { seats },
    } = played({ genre }, 2, { seconds: 120 });
    const count = (index: number): number => seats.filter(({ sections }) => sections.includes(index)).length;
    const chorus = plan.sections.findIndex(({ kind }) => kind === "chorus");
    if (plan.sections[0]!.kind === "intro" && chorus > 0) assert.ok(count(0) < count(chorus), genre);
  }
  for (const seed of [1, 2, 3]) {
    const { plan, parts } = played({ genre: "edm" }, seed, { seconds: 120 });
    const bass = parts.find(({ role }) => role === "bass")!;
    for (const section of plan.sections.filter(({ kind }) => kind === "build"))
      assert.ok(!bass.notes.some(({ beat }) => beat >= section.beat && beat < section.beat + section.beats));
  }
});

test("the harmony is played: basses stand on the chord's bass, hands on its tones", () => {
  for (const genre of genres()) {
    const { plan, parts } = played({ genre }, 8);
    for (const part of parts) {
      if (part.role !== "chords" && part.role !== "pad" && part.role !== "bass") continue;
      let heard = 0;
      let inside = 0;
      for (const { beat, beats, pitch, articulation } of part.notes) {
        if (articulation === "mute" || beats < 0.2) continue;
        const chord = plan.chords.findLast((candidate) => candidate.beat <= beat + 1e-6)!;
        // A chord may be taken before its time, as Latin basses do.
        const coming = plan.chords.find((candidate) => candidate.beat > beat && candidate.beat - beat <= 2);
        heard++;
        if (
          chord.tones.includes(pitch % 12) ||
          chord.bass === pitch % 12 ||
          coming?.bass === pitch % 12 ||
          (chord.root + 7) % 12 === pitch % 12
        )
          inside++;
      }
      const least = part.role === "bass" ? 0.7 : 0.93;
      assert.ok(heard === 0 || inside / heard >= least, `${genre} ${part.name}: ${inside} of ${heard}`);
    }
  }
});

test("phrases are pushed together where the genre does it: bass, chords and kick strike a quaver before the bar", () => {
  let pushes = 0;
  for (let seed = 0; seed < 6; seed++) {
    const plan = planned({ ...BRIEF, genre: "rock", energy: 0.9 }, {}, seed);
    const parts = accompany(plan, cast(plan));
    const early = (role: Role): Set<number> =>
      new Set(
        parts
          .filter((part) => part.role === role)
          .flatMap(({ notes }) =>
            notes.filter(({ articulation, beat }) => articulation === "accent" && beat % 4 === 3.5),
          )
          .map(({ beat }) => beat + 0.5),
      );
    const bass = parts.find(({ role }) => role === "bass")!;
    for (const beat of early("bass")) {
      if (!early("drums").has(beat)) continue;
      pushes++;
      const section = plan.sections.findLast((one) => one.beat <= beat)!;
      assert.equal((beat - section.beat) % (section.phrase_bars * 4), 0, `${seed}: ${beat}`);
      assert.ok(!bass.notes.some((note) => Math.abs(note.beat - beat) < 0.05), `${seed}: struck again at ${beat}`);
    }
  }
  assert.ok(pushes > 3, `${pushes}`);
  const house = planned({ ...BRIEF, genre: "house" }, {}, 1);
  const notes = accompany(house, cast(house)).find(({ role }) => role === "bass")!.notes;
  assert.ok(notes.every(({ articulation, beat }) => articulation !== "accent" || beat % 4 !== 3.5));
});

test("the band turns together: where the bass has a figure at the end of a phrase, the drums have a fill", () => {
  let [turns, fills, figures] = [0, 0, 0];
  for (const genre of ["rock", "funk", "soul", "disco"] as const) {
    for (let seed = 0; seed < 3; seed++) {
      const { plan, cast: seats, parts } = played({ genre }, seed, {});
      const setting = settingOf(plan, seats);
      const [bass, drums] = (["bass", "drums"] as const).map((role) => parts.find((part) => part.role === role)!);
      const end = ({ notes }: Part, { beat, beats }: { readonly beat: number; readonly beats: number }): string =>
        notes
          .filter((note) => note.beat >= beat + beats - 1 - 1e-6 && note.beat < beat + beats - 1e-6)
          .map((note) => `${Math.round(12 * (note.beat - beat))} ${note.pitch}`)
          .join();
      for (const bar of setting.bars) {
        const here = seats.seats.filter(({ role }) => role === "bass" || role === "drums");
        if (!turnsAt(setting, bar) || !here.every(({ sections }) => sections.includes(bar.section_index))) continue;
        if (bar.section.kind === "build" || bar.section.bars < 4) continue;
        turns++;
        // Two bars before, the same patterns were played through.
        const before = { ...bar, beat: bar.beat - 2 * bar.beats };
        if (end(drums!, bar) !== end(drums!, before)) fills++;
        if (end(bass!, bar) !== end(bass!, before)) figures++;
      }
    }
  }
  assert.ok(turns > 40 && fills / turns > 0.95 && figures / turns > 0.75, `${fills} and ${figures} of ${turns}`);
});

test("a verse that comes again has more from the drums, and a chorus another keeper and more players", () => {
  for (const [genre, seed] of [
    ["rock", 1],
    ["rock", 3],
    ["country", 2],
  ] as const) {
    const { plan, cast: seats, parts } = played({ genre }, seed, { seconds: 150 });
    const { notes } = parts.find(({ role }) => role === "drums")!;
    const strokes = (at: number): string[] => {
      const { beat, beats } = plan.sections[at]!;
      return notes
        .filter((note) => note.beat >= beat && note.beat < beat + beats)
        .map((note) => `${note.beat - beat} ${note.pitch}`);
    };
    const of = (kind: string): number[] => plan.sections.flatMap((one, at) => (one.kind === kind ? [at] : []));
    const [[first, again], [chorus]] = [of("verse"), of("chorus")];
    if (first === undefined || again === undefined || chorus === undefined) continue;
    assert.ok(strokes(again).length > strokes(first).length, `${genre} ${seed}`);
    const hats = (at: number): number => strokes(at).filter((one) => one.endsWith(` ${DRUM_KEYS.closed_hat}`)).length;
    assert.ok(hats(chorus) < hats(first), `${genre} ${seed}: ${hats(chorus)} after ${hats(first)}`);
    const players = (at: number): number => seats.seats.filter(({ sections }) => sections.includes(at)).length;
    assert.ok(players(chorus) > players(first), `${genre} ${seed}`);
  }
});

test("who keeps time by hand leans on the beat", () => {
  const hats = (genre: Genre): Map<"on" | "off", number[]> => {
    const found = new Map<"on" | "off", number[]>([
      ["on", []],
      ["off", []],
    ]);
    for (let seed = 0; seed < 8; seed++)
      for (const { role, notes } of played({ genre }, seed).parts)
        if (role === "drums")
          for (const { pitch, beat, velocity } of notes)
            if (pitch === DRUM_KEYS.closed_hat) found.get(beat % 1 < 1e-6 ? "on" : "off")!.push(velocity);
    return found;
  };
  const mean = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;
  const rock = hats("rock");
  assert.ok(rock.get("on")!.length > 100 && rock.get("off")!.length > 100);
  assert.ok(mean(rock.get("off")!) < 0.93 * mean(rock.get("on")!));
});

test("left and right are balanced", () => {
  for (const genre of genres()) {
    const { seats } = played({ genre }, 3, { seconds: 20 }).cast;
    const sides = seats.filter(({ pan }) => pan !== 0);
    if (sides.length < 2) continue;
    const sum = sides.reduce((total, { pan }) => total + pan, 0);
    assert.ok(Math.abs(sum) / sides.length < 0.25, `${genre}: ${sides.map(({ name, pan }) => `${name} ${pan}`)}`);
  }
});

test("moves stay within the piece, name parts that play, and mute for half a second at most", () => {
  let mutes = 0;
  for (const genre of genres()) {
    for (const seed of [1, 2]) {
      const plan = planned({ ...BRIEF, genre }, { seconds: 120 }, seed);
      const seats = cast(plan);
      const names = new Set(seats.seats.map(({ name }) => name));
      for (const move of moves(plan, seats)) {
        assert.ok(move.beat >= 0 && move.beats > 0 && move.beat + move.beats <= plan.beats + 1e-6);
        assert.ok(move.amount >= 0 && move.amount <= 1);
        for (const part of move.parts) assert.ok(names.has(part));
        if (move.kind === "mute") {
          mutes++;
          assert.ok((move.beats * 60) / plan.bpm <= 0.51);
        }
      }
    }
  }
  assert.ok(mutes > 3, `${mutes}`);
});

test("a mix character per genre, moved by the brief", () => {
  const of = (brief: Partial<Brief>): ReturnType<typeof character> => character(played(brief, 1, { seconds: 10 }).plan);
  for (const genre of genres()) {
    const mix = of({ genre });
    assert.equal(mix.genre, genre);
    for (const value of [mix.space, mix.brightness, mix.drive, mix.density, mix.pump, mix.width, mix.age])
      assert.ok(value >= 0 && value <= 1);
  }
  assert.ok(of({ genre: "metal" }).drive > of({ genre: "jazz" }).drive);
  assert.ok(of({ genre: "lofi" }).age > of({ genre: "edm" }).age);
  assert.ok(of({ genre: "house" }).pump > 0.3 && of({ genre: "folk" }).pump === 0);
  assert.ok(of({ genre: "pop", space: 1, explicit: ["space"] }).space > of({ genre: "pop", space: 0 }).space);
});

test("line-ups name instruments in roles that suit them, and at least one holds the harmony", () => {
  for (const genre of genres())
    for (const band of musicOf(genre).lineup.bands) {
      for (const { role, instruments: choice } of band) {
        for (const name of choice) {
          assert.ok(instruments().includes(name), `${genre}: ${name}`);
          assert.ok(factsOf(name).roles.includes(role), `${genre}: ${name} as ${role}`);
          const [low, high] = rangeFor(name, role);
          assert.ok(low < high);
        }
      }
      assert.ok(
        band.some(({ role }) => role === "chords" || role === "pad" || role === "arpeggio"),
        genre,
      );
    }
});

test("half time is played where it is said, and nowhere else", () => {
  const brief = understand(readPrompt("rock in E minor, drums, half time in the middle, 120 bpm"));
  const [half, plain] = [brief, { ...brief, cues: [] }].map((one): readonly number[] => {
    const { parts, beats } = compose(one, { seconds: 60 }, 3);
    const snares = parts.find(({ role }) => role === "drums")!.notes.filter(({ pitch }) => pitch === 38);
    const within = (from: number, to: number): number =>
      snares.filter(({ beat }) => beat >= from * beats && beat < to * beats).length;
    return [within(0, 0.3), within(0.36, 0.64)];
  });
  assert.equal(half![0], plain![0]);
  assert.ok(half![1]! < 0.75 * plain![1]!, `${half![1]} for ${plain![1]}`);
});
