import type { Audio, Job, Making, Output, Streamed } from "../../../contract/mod.ts";
import { collectGarbage } from "../../collect.ts";
import type { Ask } from "../../language/mod.ts";
import { stretchOf, viewsOf, wholeOf } from "../../samples.ts";
import { type Analysis, analyse, reportOf as heardReport } from "../../signal/analyse/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { release } from "../../signal/dsp/release.ts";
import {
  type Brief,
  beatSeconds,
  composer,
  type Given,
  type GivenChord,
  type Instrument,
  type Key,
  type Role,
  type Score,
} from "../compose/mod.ts";
import { recorder, scoreReport, share, within } from "../studio/mod.ts";
import { type Apart, type Returning, takenApart } from "./apart.ts";
import { byModels } from "./by_models.ts";
import { ENGINE } from "./engine.ts";
import { sectionsOn } from "./form.ts";
import { type BeatGrid, beatGrid } from "./grid.ts";
import { chordsOn, Transposition } from "./harmony.ts";
import type { RemixInput } from "./input.ts";
import { rebarred, withEnding } from "./metre.ts";
import { type Returned, returning } from "./returns.ts";
import { readSource, remixedAs, type SourceAsked } from "./source.ts";
import { endedWithin, type Origin, resized } from "./sung.ts";
import { hearTune, type Tune, treated } from "./tune.ts";
import { calmer, ELSEWHERE, quiet, unlike } from "./unlike.ts";
import { afresh, type Kept, type Wish, wishesFor } from "./wishes.ts";

/** Shares of the progress that hearing the source, taking it apart and hearing its tune take. */
const HEARD = 0.1;
const DIVIDED = 0.2;
export const FOLLOWED = 0.24;
/** Share of the beats in which somebody sings from which the tune is the singer's. */
const SUNG = 0.25;
/** A remix that nobody gave a length may be so much longer or shorter than its source. */
const GIVE = 0.12;
/** Full scale against which a source is silent: -80 dB. */
const SILENT = 1e-4;

/** What of the source every variation keeps. */
export interface Facts {
  readonly analysis: Analysis;
  readonly grid: BeatGrid;
  readonly key: Key;
  readonly chords: readonly GivenChord[] | undefined;
  readonly sections: Given["sections"];
  readonly tune: Tune;
  /** Absent where the source keeps no beat that parts of it could come back on. */
  readonly apart?: Apart;
}

interface Varied {
  readonly output: Output;
  /** Who was heard of those that a further variation can do without. */
  readonly players: readonly Instrument[];
}

/** Roles that have many players; no further variation takes the same. */
const TUNED: ReadonlySet<Role> = new Set<Role>(["bass", "chords", "pad", "arpeggio", "lead", "counter", "percussion"]);

/** One remix for each seed, each made when it is called for: stereo, not mastered. Equal input gives equal samples. */
export async function remix(input: RemixInput, job: Job): Promise<readonly (Output | Making)[]> {
  if (isSilent(input.source)) return silent(input);
  const report = () => ({ heard: null, understood: null, composed: null, tune: null, returned: null });
  return byModels("remix", input, report, job, () => orchestrate(input, job));
}

async function orchestrate({ source, prompt, seconds, seeds }: RemixInput, job: Job): Promise<readonly Making[]> {
  const { facts, own, analysis, grid, writer } = await hear(source, job);
  const heard: Instrument[] = [];
  const kept = keptOf(facts);
  const ask = prompt === undefined ? undefined : writer.readPrompt(prompt);
  const source_asked = ask === undefined ? undefined : readSource(ask);
  const wishes = wishesFor(own, ask, grid, analysis, seeds, writer, kept);
  const far = (seed: number): Wish =>
    wishesFor(own, ask, grid, analysis, [seed, seed, seed], writer, { ...kept, fours: false })[2]!;
  const width = (1 - FOLLOWED) / seeds.length;
  // Who asked for a manner keeps it, in other colours; else from the third time on it may be far.
  const times = prompt === undefined ? 5 : 3;
  return unlike(source, seeds.length, times, async (index, again) => {
    const seed = again > 1 ? hash32(seeds[index]!, again) : seeds[index]!;
    const wish = afresh(again >= ELSEWHERE && prompt === undefined ? far(seed) : wishes[index]!, heard);
    const { output, players } = await variation(
      facts,
      again > 0 ? calmer(wish, seed) : wish,
      again > 0 ? [] : takes(index, source_asked, wish.brief),
      { ask, seconds },
      seed,
      again > 0 ? quiet(job) : share(job, FOLLOWED + index * width, width),
    );
    // Whoever played in what was not good enough is not missed by those that follow either.
    heard.push(...players);
    return output;
  });
}

/** Everything of a source that its remixes stand on. */
export async function hear(source: Audio | Streamed, job: Job) {
  const writer = await composer.load();
  const listener = await analyse.load();
  const analysis = await listener.run({ audio: source }, share(job, 0, HEARD));
  const colour = hash32(Math.round(analysis.seconds * 1000), Math.round(analysis.timbre.centroid_hz));
  const own = writer.briefOf(analysis, colour);
  const grid = beatGrid(analysis, own);
  const chords = chordsOn(analysis, grid);
  const sections = sectionsOn(analysis, grid, writer.outlineOf(analysis));
  const apart = grid.steady ? await takenApart(source, grid, share(job, HEARD, DIVIDED - HEARD)) : undefined;
  collectGarbage(analysis.seconds);
  // Where somebody sings, the tune is that; else it is whatever stands out.
  const sung = apart !== undefined && apart.sung >= SUNG;
  const followed = sung ? apart.vocals : source;
  const tune = await hearTune(followed, grid, own.key, chords ?? [], share(job, DIVIDED, FOLLOWED - DIVIDED));
  // Of the vocals nothing is used after that.
  if (apart !== undefined) release(...apart.vocals.channels);
  collectGarbage(analysis.seconds);
  const facts: Facts = {
    analysis,
    grid,
    key: own.key,
    chords,
    sections,
    tune,
    ...(apart === undefined ? {} : { apart }),
  };
  return { facts, own, analysis, grid, writer };
}

/** What of a source a remix's genre is to keep: its drums' share, and how often its chords change. */
export function keptOf({ apart, chords }: Facts): Kept {
  return { drums: apart?.drummed, changes: Math.max(0, (chords?.length ?? 0) - 1) };
}

/** What of the hearing a report repeats. */
export function heardOf(analysis: Analysis): object {
  const { seconds, tempo_bpm, beat_confidence, metre, key, key_confidence, chords, sections } = heardReport(analysis);
  return { seconds, tempo_bpm, beat_confidence, metre, key, key_confidence, chords, sections };
}

/**
 * What of the source's sound comes back: near it chords and beat, further off the beat alone, far from it nothing. Who asks for players by
 * name, or for one alone, wants no others.
 */
export function takes(index: number, asked: SourceAsked | undefined, { wanted, traits }: Brief): readonly Returning[] {
  const kept = asked?.keep.filter((part) => part !== "vocals") ?? [];
  if (kept.length > 0) return kept.some((part) => !/drum|beat|percussion/u.test(part)) ? ["drums", "other"] : ["drums"];
  if (traits.includes("solo") || (asked !== undefined && wanted.length > 2)) return [];
  return index === 0 ? (wanted.length === 0 ? ["drums", "other"] : ["drums"]) : index === 1 ? ["drums"] : [];
}

async function variation(
  facts: Facts,
  { brief, treatment }: Wish,
  kinds: readonly Returning[],
  { ask, seconds: duration }: { readonly ask: Ask | undefined; readonly seconds: number | undefined },
  seed: number,
  job: Job,
): Promise<Varied> {
  const [{ chooseBest, compose, reportOf, fitted }, record] = await Promise.all([composer.load(), recorder.load()]);
  job.progress(0, "composing");
  const { analysis, grid, tune } = facts;
  const { given, bars } = givenFor(facts, brief, treatment, fitted, duration);
  const { score, choice } = chooseBest(seed, (candidate) => ({ score: compose(brief, { given }, candidate) }));
  const { guests, seconds } = returned(facts, bars, score, brief, kinds, seed, job);
  const lasting = within(duration ?? analysis.seconds);
  const audio = await record(score, seed, share(job, 0.02, 0.98), { guests, ...lasting });
  const output: Output = {
    audio,
    engine: ENGINE,
    report: {
      heard: heardOf(analysis),
      understood: ask === undefined ? reportOf(brief) : remixedAs(reportOf(brief), ask, false),
      composed: scoreReport(score, choice),
      tune: {
        notes: tune.notes.length,
        confidence: Math.round(100 * tune.confidence) / 100,
        share: Math.round(100 * tune.share) / 100,
        treatment,
        followed_beat: grid.steady,
        from_vocals: facts.apart !== undefined && facts.apart.sung >= SUNG,
      },
      returned: seconds,
    },
  };
  return {
    output,
    players: score.parts.filter(({ role }) => TUNED.has(role)).map(({ instrument }) => instrument),
  };
}

/** Guests that play parts of the source again. */
export function returned(
  { apart, grid, key }: Facts,
  bars: readonly number[],
  score: Score,
  brief: Brief,
  kinds: readonly Returning[],
  seed: number,
  { signal }: Job,
): Returned {
  if (apart === undefined) return { guests: [], seconds: {} };
  return returning(apart, grid, bars, score, brief, key, kinds, hash32(seed, 13), signal);
}

/** The source as it is to be played, and its bar for each bar: whole, or in the length that was asked for. */
function givenFor(
  { analysis, grid, key, chords, sections, tune }: Facts,
  brief: Brief,
  treatment: Wish["treatment"],
  fitted: Parameters<typeof resized>[2],
  asked?: number,
): { readonly given: Given; readonly bars: readonly number[] } {
  const moved = new Transposition(key, brief.key);
  const count = grid.metre.beats_per_bar;
  const notes = treated(tune.notes, treatment, count).map((note) => ({ ...note, pitch: moved.pitch(note.pitch) }));
  const origin: Origin = {
    sections,
    tune: notes,
    chords: chords?.map((chord) => moved.chord(chord)),
    beats_per_bar: count,
  };
  const ended = (form: Given): Given => withEnding(rebarred(form, count, brief.metre.beats_per_bar), brief);
  const whole: Given = { sections, tune: notes, ...(origin.chords === undefined ? {} : { chords: origin.chords }) };
  const bars = Array.from({ length: grid.bars }, (_, bar) => bar);
  const lasting = ended(whole).sections.reduce((sum, section) => sum + section.bars, 0);
  const wanted = Math.round((asked ?? analysis.seconds) / (brief.metre.beats_per_bar * beatSeconds(brief.bpm)));
  // A source is played as it is, unless another tempo or what was asked for make it much longer or shorter.
  const give = asked === undefined ? GIVE * wanted : 1;
  if (Math.abs(wanted - lasting) <= Math.max(1, give)) return { given: ended(whole), bars };
  const form = endedWithin(wanted, (length) => resized(origin, length, fitted), ended);
  return { given: ended(form), bars: form.bars };
}

export function isSilent(source: Audio | Streamed): boolean {
  const sound = viewsOf(source);
  const quiet = (channel: Float32Array): boolean => channel.every((value) => !(Math.abs(value) > SILENT));
  for (let from = 0; from < sound.frames; from += LOOKED)
    if (!stretchOf(sound, from, from + LOOKED).every(quiet)) return false;
  return true;
}

/** Frames that are looked at together. */
const LOOKED = 1 << 16;

/** The silence of a source without a sound, for each seed. */
export function silent({ source, seeds }: RemixInput): readonly Output[] {
  const audio = wholeOf(source);
  return seeds.map(() => ({ audio, engine: ENGINE }));
}
