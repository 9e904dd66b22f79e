import assert from "node:assert/strict";
import { test } from "node:test";
import { clarity } from "../../../../runners/music/compose/form/clarity.ts";
import { plan } from "../../../../runners/music/compose/form/plan.ts";
import { isBright } from "../../../../runners/music/compose/form/scales.ts";
import { genres } from "../../../../runners/music/compose/genres.ts";
import type { Outline, OutlineSection, Plan } from "../../../../runners/music/compose/plan.ts";
import { MODES, pitchClass } from "../../../../runners/notes.ts";
import { briefOf, KEYS } from "./form.briefs.ts";

const RATE = 44_100;
const secondsOf = ({ beats, bpm }: Plan) => (beats * 60) / bpm;
const every = function* (outline: Outline, seeds: number) {
  for (const [at, genre] of genres().entries())
    for (let seed = 0; seed < seeds; seed++)
      yield { genre, made: plan(briefOf(genre, { key: KEYS[(at + seed) % KEYS.length]! }), outline, seed) };
};

function assertWhole(made: Plan, what: string): void {
  let [beat, bar] = [0, 0];
  for (const section of made.sections) {
    assert.equal(section.beat, beat, what);
    assert.equal(section.bar, bar, what);
    assert.ok(section.bars >= 1 && section.beats === section.bars * made.brief.metre.beats_per_bar, what);
    assert.ok(section.energy > 0 && section.energy <= 1, what);
    beat += section.beats;
    bar += section.bars;
  }
  assert.equal(beat, made.beats, what);
  beat = 0;
  for (const chord of made.chords) {
    assert.ok(Math.abs(chord.beat - beat) < 1e-9, `${what}: chord at ${chord.beat}, not ${beat}`);
    assert.ok(chord.beats > 0 && chord.tones[0] === chord.root && chord.symbol.length > 0, what);
    const home = made.sections.find((one) => chord.beat >= one.beat && chord.beat < one.beat + one.beats)!;
    assert.ok(chord.beat + chord.beats <= home.beat + home.beats + 1e-9, `${what}: ${chord.symbol} crosses an edge`);
    beat += chord.beats;
  }
  assert.ok(Math.abs(beat - made.beats) < 1e-9, what);
}

test("plan() tiles every genre's piece with sections and chords, 85 to 245 s long", () => {
  for (const { genre, made } of every({}, 3)) {
    assertWhole(made, genre);
    assert.ok(secondsOf(made) >= 85 && secondsOf(made) <= 245, `${genre}: ${secondsOf(made)} s`);
    for (const section of made.sections.slice(0, -1)) assert.equal(section.bars % section.phrase_bars, 0, genre);
    assert.equal(made.sections.at(-1)!.leaves_by, "end");
  }
});

test("plan() varies the energy, has one climax late, and choruses above verses", () => {
  for (const { genre, made } of every({}, 2)) {
    const energies = made.sections.map(({ energy }) => energy);
    assert.equal(Math.max(...energies), 1, genre);
    assert.ok(Math.max(...energies) - Math.min(...energies) >= 0.25, `${genre}: ${energies.join()}`);
    assert.ok(energies.indexOf(1) >= (made.sections.length - 1) / 2, `${genre}: ${energies.join()}`);
    const mean = (kind: string) => {
      const found = made.sections.filter((section) => section.kind === kind);
      return found.reduce((sum, { energy }) => sum + energy, 0) / found.length;
    };
    if (made.sections.some(({ kind }) => kind === "chorus") && made.sections.some(({ kind }) => kind === "verse"))
      assert.ok(mean("chorus") > mean("verse") + 0.1, genre);
  }
});

test("plan() comes as near to a length as whole bars let it, and keeps a tempo that was asked for", () => {
  for (const seconds of [12, 20, 33, 60, 97, 120, 180, 300]) {
    for (const genre of ["pop", "techno", "jazz", "ambient", "blues", "trailer", "waltz", "celtic"] as const) {
      for (const explicit of [[], ["bpm"]]) {
        const brief = briefOf(genre, { explicit });
        const made = plan(brief, { seconds }, 5);
        assertWhole(made, `${genre} of ${seconds} s`);
        const bar = (brief.metre.beats_per_bar * 60) / brief.bpm;
        assert.ok(
          Math.abs(secondsOf(made) - seconds) <= bar / 2 + 1e-6,
          `${genre} of ${seconds} s: ${secondsOf(made)}`,
        );
        assert.ok(Math.abs(made.bpm / brief.bpm - 1) <= (explicit.length > 0 ? 0 : 0.0201));
      }
    }
  }
});

test("plan() makes loops exact to the sample from 0.5 to 60 s", () => {
  for (const genre of ["house", "hip_hop", "ambient", "waltz", "bebop", "classical"] as const) {
    for (const seconds of [0.5, 0.7, 1, 1.5, 2, 2.75, 3.3, 4, 5, 7.77, 8, 10, 12.345, 16, 22.1, 30, 45, 59.9, 60]) {
      for (const explicit of [[], ["bpm"]]) {
        const brief = briefOf(genre, { explicit });
        const made = plan(brief, { seconds, ring: true }, 3);
        assertWhole(made, `${genre} ring of ${seconds} s`);
        assert.equal(Math.round(((made.beats * 60) / made.bpm) * RATE), Math.round(seconds * RATE));
        assert.ok(made.ring && made.sections.every(({ kind }) => kind === "loop"));
        const away = Math.abs(Math.log2(made.bpm / brief.bpm));
        if (seconds >= 7.5) assert.ok(away < 0.3, `${genre} ring of ${seconds} s: ${made.bpm} for ${brief.bpm}`);
        if (seconds >= 30 && explicit.length > 0) assert.ok(away < 0.06, `${genre} of ${seconds} s: ${made.bpm}`);
      }
    }
  }
});

test("plan() loops of usual lengths are two, four, eight or sixteen bars", () => {
  for (const [bpm, seconds, bars] of [
    [120, 4, 2],
    [120, 8, 4],
    [120, 16, 8],
    [90, 10.6, 4],
    [174, 5.5, 4],
    [120, 32, 16],
  ] as const) {
    const made = plan(briefOf("house", { bpm }), { seconds, ring: true }, 1);
    assert.equal(
      made.sections.reduce((sum, section) => sum + section.bars, 0),
      bars,
    );
  }
});

test("plan() ends a clip's music before its time is up, on the tonic", () => {
  for (const genre of ["cinematic", "pop", "techno", "jazz"] as const) {
    for (const seconds of [0.5, 1, 2, 5, 8, 10, 15, 20, 30, 45, 60]) {
      const made = plan(briefOf(genre), { seconds, clip: true }, 4);
      assertWhole(made, `${genre} clip of ${seconds} s`);
      assert.ok(secondsOf(made) < seconds, `${genre} clip of ${seconds} s: ${secondsOf(made)}`);
      if (seconds >= 8) assert.ok(secondsOf(made) > 0.6 * seconds, `${genre} clip of ${seconds} s: ${secondsOf(made)}`);
      assert.equal(made.chords.at(-1)!.root, 9);
      assert.ok(made.sections.every(({ kind }) => kind !== "intro"));
    }
  }
});

test("plan() gives lines the bars they need and keeps the outline's order", () => {
  const sections: readonly OutlineSection[] = [
    { kind: "intro", label: "intro", lines: 0 },
    { kind: "verse", label: "verse 1", lines: 4 },
    { kind: "chorus", label: "chorus", lines: 4 },
    { kind: "verse", label: "verse 2", lines: 5 },
    { kind: "chorus", label: "chorus", lines: 4 },
    { kind: "bridge", label: "bridge", lines: 1, energy: 0.2 },
    { kind: "chorus", label: "chorus", lines: 4 },
    { kind: "outro", label: "outro", lines: 0, bars: 6 },
  ];
  for (const [bpm, line_bars] of [
    [60, 2],
    [110, 2],
    [190, 4],
  ] as const) {
    const brief = briefOf("pop", { bpm });
    const made = plan(brief, { sections }, 2);
    assertWhole(made, `song at ${bpm}`);
    assert.deepEqual(
      made.sections.map(({ kind, label, lines }) => [kind, label, lines]),
      sections.map(({ kind, label, lines }) => [kind, label, lines]),
    );
    for (const section of made.sections) assert.ok(section.bars >= section.lines * (bpm === 60 ? 1 : line_bars));
    assert.equal(made.sections.at(-1)!.bars, 6);
    assert.equal(made.sections[4]!.turn, 1);
    const symbols = (at: number) =>
      made.chords
        .filter(
          ({ beat }) =>
            beat >= made.sections[at]!.beat && beat < made.sections[at]!.beat + made.sections[at]!.beats / 2,
        )
        .map(({ symbol }) => symbol);
    assert.notDeepEqual(symbols(1), symbols(2));
    const long = plan(brief, { sections, seconds: 150 }, 2);
    assertWhole(long, `song of 150 s at ${bpm}`);
  }
});

test("plan() says its key: chords in scale, the tonic clear, and home at the end", () => {
  let [clear, pieces] = [0, 0];
  for (const { genre, made } of every({}, 4)) {
    const { key } = made.brief;
    const scale = MODES[key.mode];
    let [inside, all] = [0, 0];
    for (const { tones, beats } of made.chords) {
      for (const tone of tones) {
        all += beats;
        if (scale.includes(pitchClass(tone - key.tonic))) inside += beats;
      }
    }
    assert.ok(inside / all >= (key.mode === "phrygian" ? 0.7 : 0.78), `${genre} in ${key.mode}: ${inside / all}`);
    assert.equal(made.chords.at(-1)!.root, key.tonic, genre);
    const third = pitchClass(made.chords.at(-1)!.tones[1]! - key.tonic);
    if (genre !== "flamenco" && genre !== "arabic" && [3, 4].includes(third))
      assert.equal(third, isBright(key.mode) ? 4 : 3, genre);
    if (key.mode !== "major" && key.mode !== "minor") continue;
    pieces++;
    if (clarity(made.chords, key) > 0) clear++;
  }
  assert.ok(clear / pieces > 0.97, `${clear} of ${pieces}`);
});

test("plan() plays twelve bars of blues as they are known, on dominant sevenths", () => {
  for (let seed = 0; seed < 12; seed++) {
    const made = plan(briefOf("blues", { key: { tonic: 4, mode: "mixolydian" } }), {}, seed);
    const roots = new Set(made.chords.map(({ root }) => pitchClass(root - 4)));
    for (const degree of [0, 5, 7]) assert.ok(roots.has(degree), `seed ${seed} has no ${degree}`);
    assert.ok(!roots.has(10), `seed ${seed} goes by bVII`);
    for (const { root, tones, symbol } of made.chords)
      if ([0, 5, 7].includes(pitchClass(root - 4)) && !symbol.includes("°"))
        assert.ok(tones.includes(pitchClass(root + 10)), `${symbol} has no minor seventh`);
  }
});

test("plan() gives choruses other chords than verses", () => {
  for (const genre of ["pop", "rock", "country", "soul", "trap", "synthwave"] as const) {
    for (let seed = 0; seed < 8; seed++) {
      const made = plan(briefOf(genre), {}, seed);
      const of = (kind: string) => {
        const section = made.sections.find((one) => one.kind === kind);
        if (section === undefined) return null;
        return made.chords
          .filter(({ beat }) => beat >= section.beat && beat < section.beat + section.beats)
          .map(({ symbol, beats }) => `${symbol}:${beats}`)
          .join(" ");
      };
      if (of("verse") !== null && of("chorus") !== null) assert.notEqual(of("verse"), of("chorus"), `${genre} ${seed}`);
    }
  }
});

test("plan() gives equal seeds equal plans, and others other forms and chords", () => {
  for (const genre of ["pop", "house", "jazz", "cinematic", "celtic", "lofi"] as const) {
    assert.deepEqual(plan(briefOf(genre), {}, 9), plan(briefOf(genre), {}, 9));
    const forms = new Set<string>();
    const chords = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
      const made = plan(briefOf(genre), {}, seed);
      forms.add(made.sections.map(({ kind, label, bars }) => `${kind}.${label}:${bars}`).join(" "));
      chords.add(made.chords.map(({ symbol }) => symbol).join(" "));
    }
    assert.ok(forms.size >= 2, `${genre}: ${forms.size} forms`);
    assert.ok(chords.size >= 8, `${genre}: ${chords.size} progressions`);
  }
});

test("plan() makes sense of tempi, metres and lengths that make none", () => {
  for (const bpm of [0, Number.NaN, -5, 1e9])
    for (const beats_per_bar of [0, 1, 2, 5, 7, 12, Number.NaN])
      for (const outline of [{}, { seconds: 3, ring: true }, { seconds: 0.01, clip: true }, { seconds: 1 }] as const)
        assertWhole(
          plan(briefOf("pop", { bpm, metre: { beats_per_bar, division: 2 } }), outline, 1),
          `${bpm} ${beats_per_bar}`,
        );
});
