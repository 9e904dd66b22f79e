/**
 * Excerpts of what the project's own studio composes, plays and mixes, kept as features: material of another composer,
 * other players and other mixes than wide.ts, with the beats known from the score.
 *
 *   bun training/rhythm/studio.ts --out FOLDER [--seeds 1-2] [--seconds 34] [--genres rock,waltz] [--held in|out] [--part 0/2]
 *
 * Writes FOLDER/GENRE-SEED-MIX/{features.f32,onsets.json,truth.json}; what is there is kept. Mix 0 is the desk's own,
 * mix 1 coloured by vary.ts; --mixes 1 writes but one of them, by turns. --held out takes only the genres that nothing
 * is learnt from, in only the others.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { profileOf } from "../../runners/music/compose/genres.ts";
import { beatSeconds, clockOf, composer, type Genre, type Note, type Score } from "../../runners/music/compose/mod.ts";
import { record } from "../../runners/music/studio/record.ts";
import { hash32, random } from "../../runners/signal/dsp/random.ts";
import { TRAINED_GENRES } from "../material/trained_genres.ts";
import { keep } from "./kept.ts";
import { colour } from "./vary.ts";

/** Nothing in them marks a beat. */
const BEATLESS: ReadonlySet<Genre> = new Set<Genre>(["ambient", "dark_ambient", "horror"]);
/** Every seventh genre is for checking alone. */
const heldOut = (genre: Genre): boolean => TRAINED_GENRES.indexOf(genre) % 7 === 3;
/** A whole piece, of which an excerpt is played. Seconds. */
const WHOLE = 80;
const RATE = 44_100;

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    genres: { type: "string" },
    held: { type: "string" },
    seeds: { type: "string", default: "1-2" },
    seconds: { type: "string", default: "34" },
    mixes: { type: "string", default: "2" },
    part: { type: "string", default: "0/1" },
  },
});
if (values.out === undefined) throw new Error("Cannot render: --out names no folder");
const [first, last] = values.seeds.split("-").map(Number) as [number, number | undefined];
const [part, parts] = values.part.split("/").map(Number) as [number, number];
const seconds = Number(values.seconds);
const job = { signal: new AbortController().signal, progress: () => undefined };
const { understand, compose } = await composer.load();

let turn = 0;
for (let seed = first; seed <= (last ?? first); seed++) {
  for (const [index, genre] of TRAINED_GENRES.entries()) {
    if (BEATLESS.has(genre)) continue;
    if (values.genres !== undefined && !values.genres.split(",").includes(genre)) continue;
    if (values.held !== undefined && heldOut(genre) !== (values.held === "out")) continue;
    if (turn++ % parts !== part) continue;
    const wanted = values.mixes === "1" ? [(index + seed) % 2] : [0, 1];
    const folder = (mix: number): string => join(values.out!, `${genre}-${seed}-${mix}`);
    if (existsSync(join(folder(wanted.at(-1)!), "truth.json"))) continue;
    const next = random(hash32(seed, index + 1000));
    const score = composed(genre, seed, next);
    const { excerpt, truth } = cutOut(score, next);
    const { channels } = await record(excerpt, hash32(seed, index), job, { frames: seconds * RATE });
    const [left, right] = channels as [Float32Array, Float32Array];
    const mono = left.map((value, n) => 0.5 * (value + right[n]!));
    for (const mix of wanted) {
      const channel = mono.slice();
      if (mix === 1) colour(channel, next);
      await keep(folder(mix), { sample_rate: RATE, channels: [channel] }, { genre, seed, ...truth });
    }
    console.log(genre, seed, score.bpm.toFixed(1), `${score.metre.beats_per_bar}/${score.metre.division}`);
  }
}

/** A piece in the genre's own tempo, as the seed varies it, or every other time anywhere in its range and a little beyond. */
function composed(genre: Genre, seed: number, next: () => number): Score {
  const brief = understand(genre.replaceAll("_", " "));
  const own = { ...brief, genre, second_genre: null };
  const { low, high } = profileOf(genre).bpm;
  const bpm = Math.round(0.95 * low + next() * (1.05 * high - 0.95 * low));
  const asked = next() < 0.5 ? { ...own, bpm, explicit: [...own.explicit, "bpm"] } : own;
  return compose(asked, { seconds: WHOLE }, hash32(seed, 77));
}

/** `seconds` of it from any moment on, not from a bar line. */
function cutOut(score: Score, next: () => number): { excerpt: Score; truth: object } {
  const beat = beatSeconds(score.bpm);
  const span = seconds / beat;
  const begin = Math.max(0, Math.min(score.beats - span, next() * (score.beats - span)));
  const inside = <T extends { readonly beat: number; readonly beats: number }>(list: readonly T[]): T[] =>
    list
      .filter((one) => one.beat + one.beats > begin && one.beat < begin + span)
      .map((one) => ({ ...one, beat: one.beat - begin }));
  // What was struck before the excerpt is not struck again.
  const struck = (notes: readonly Note[]): Note[] => inside(notes).filter(({ beat }) => beat >= 0);
  const excerpt: Score = {
    ...score,
    beats: Math.min(span, score.beats - begin),
    lead_in: 0,
    ...(score.tempo && { tempo: score.tempo.map((point) => ({ ...point, beat: point.beat - begin })) }),
    sections: inside(score.sections),
    chords: inside(score.chords),
    moves: inside(score.moves),
    parts: score.parts.map((one) => ({ ...one, notes: struck(one.notes) })).filter(({ notes }) => notes.length > 0),
  };
  const clock = clockOf(excerpt);
  const beats: number[] = [];
  const downbeats: number[] = [];
  for (let n = Math.ceil(begin); n < Math.min(score.beats, begin + span); n++) {
    const time = clock.seconds(n - begin);
    if (time >= seconds) break;
    beats.push(time);
    if (n % score.metre.beats_per_bar === 0) downbeats.push(time);
  }
  const { beats_per_bar, division } = score.metre;
  return {
    excerpt,
    truth: {
      tempo: score.bpm,
      meter: beats_per_bar,
      division,
      swing: score.swing,
      duration: seconds,
      beats,
      downbeats,
    },
  };
}
