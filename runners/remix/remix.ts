import type { Audio, Job, Output } from "../../core/plugin.ts";
import { type Analysis, analyse, reportOf as heardReport } from "../analyse/mod.ts";
import {
  type Brief,
  composer,
  type Given,
  type GivenChord,
  type Instrument,
  type Key,
  type Role,
} from "../compose/mod.ts";
import { hash32 } from "../dsp/random.ts";
import { recorder, scoreReport, share } from "../studio/mod.ts";
import { sectionsOn } from "./form.ts";
import { type BeatGrid, beatGrid } from "./grid.ts";
import { chordsOn, Transposition } from "./harmony.ts";
import { rebarred, withEnding } from "./metre.ts";
import { withTail } from "./tail.ts";
import { hearTune, type Tune, treated } from "./tune.ts";
import { afresh, type Wish, wishesFor } from "./wishes.ts";

/** Its number is raised whenever the same request and seed would give other samples. */
export const ENGINE = "remix/1";
/** Shares of the progress that hearing the source and its tune take. */
const HEARD = 0.12;
export const FOLLOWED = 0.16;
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
}

interface Varied {
  readonly output: Output;
  /** Who was heard of those that a further variation can do without. */
  readonly players: readonly Instrument[];
}

/** Roles that have many players; no further variation takes the same. */
const TUNED: ReadonlySet<Role> = new Set<Role>(["bass", "chords", "pad", "arpeggio", "lead", "counter", "percussion"]);

/** One remix for each seed, stereo, not mastered. Equal input gives equal samples. */
export async function remix(
  { source, prompt, seeds }: { source: Audio; prompt?: string | undefined; seeds: readonly number[] },
  job: Job,
): Promise<readonly Output[]> {
  if (isSilent(source)) return seeds.map(() => ({ audio: source, engine: ENGINE }));
  const { facts, own, analysis, grid, writer } = await hear(source, job);
  const outputs: Output[] = [];
  const heard: Instrument[] = [];
  const wishes = wishesFor(own, prompt, grid, analysis, seeds, writer);
  for (const [index, wish] of wishes.entries()) {
    const width = (1 - FOLLOWED) / wishes.length;
    const { output, players } = await variation(
      facts,
      afresh(wish, heard),
      seeds[index]!,
      share(job, FOLLOWED + index * width, width),
    );
    outputs.push(output);
    heard.push(...players);
  }
  return outputs;
}

/** Everything of a source that its remixes stand on. */
export async function hear(source: Audio, job: Job) {
  const writer = await composer.load();
  const listener = await analyse.load();
  const analysis = await listener.run({ audio: source }, share(job, 0, HEARD));
  const colour = hash32(Math.round(analysis.seconds * 1000), Math.round(analysis.timbre.centroid_hz));
  const own = writer.briefOf(analysis, colour);
  const grid = beatGrid(analysis, own);
  const chords = chordsOn(analysis, grid);
  const sections = sectionsOn(analysis, grid, writer.outlineOf(analysis));
  const tune = await hearTune(source, grid, own.key, chords ?? [], share(job, HEARD, FOLLOWED - HEARD));
  const facts: Facts = { analysis, grid, key: own.key, chords, sections, tune };
  return { facts, own, analysis, grid, writer };
}

/** What of the hearing a report repeats. */
export function heardOf(analysis: Analysis): object {
  const { seconds, tempo_bpm, beat_confidence, metre, key, key_confidence, chords, sections } = heardReport(analysis);
  return { seconds, tempo_bpm, beat_confidence, metre, key, key_confidence, chords, sections };
}

async function variation(facts: Facts, { brief, treatment }: Wish, seed: number, job: Job): Promise<Varied> {
  const [{ compose, reportOf }, record] = await Promise.all([composer.load(), recorder.load()]);
  job.progress(0, "composing");
  const { analysis, grid, tune } = facts;
  const given = givenFor(facts, brief, treatment);
  const score = compose(brief, { given }, seed);
  const recorded = await record(score, seed, share(job, 0.02, 0.98));
  const audio = withTail(recorded, (60 * (score.lead_in + score.beats)) / score.bpm);
  const output: Output = {
    audio,
    engine: ENGINE,
    report: {
      heard: heardOf(analysis),
      understood: reportOf(brief),
      composed: scoreReport(score),
      tune: {
        notes: tune.notes.length,
        confidence: Math.round(100 * tune.confidence) / 100,
        share: Math.round(100 * tune.share) / 100,
        treatment,
        followed_beat: grid.steady,
      },
    },
  };
  return {
    output,
    players: score.parts.filter(({ role }) => TUNED.has(role)).map(({ instrument }) => instrument),
  };
}

function givenFor({ grid, key, chords, sections, tune }: Facts, brief: Brief, treatment: Wish["treatment"]): Given {
  const moved = new Transposition(key, brief.key);
  const notes = treated(tune.notes, treatment, grid.metre.beats_per_bar).map((note) => ({
    ...note,
    pitch: moved.pitch(note.pitch),
  }));
  const own = {
    sections,
    tune: notes,
    ...(chords === undefined ? {} : { chords: chords.map((chord) => moved.chord(chord)) }),
  };
  return withEnding(rebarred(own, grid.metre.beats_per_bar, brief.metre.beats_per_bar), brief);
}

export function isSilent({ channels }: Audio): boolean {
  return channels.every((channel) => channel.every((value) => !(Math.abs(value) > SILENT)));
}
