/**
 * What a peer of bench/engines.ts is held against and no kernel or action is alone, in a fresh process:
 * `child.ts beats|key FOLDER…` (of pieces) or `child.ts play SECONDS PROMPT…`; prints `EngineTimed` as JSON.
 */
import { sample } from "../../runners/music/play/sampler.ts";
import { type Grid, gridOf } from "../../runners/signal/analyse/form/grid.ts";
import { fold } from "../../runners/signal/analyse/front.ts";
import { chromaOf } from "../../runners/signal/analyse/harmony/chroma.ts";
import { notesOf } from "../../runners/signal/analyse/harmony/notes.ts";
import { hearPitch } from "../../runners/signal/analyse/harmony/pitch.ts";
import { tonality } from "../../runners/signal/analyse/harmony/tonality.ts";
import { rhythmOf } from "../../runners/signal/analyse/rhythm/rhythm.ts";
import { release } from "../../runners/signal/dsp/release.ts";
import { readPiece } from "../../training/material/read.ts";
import { type Timed, timed } from "../kernels/clock.ts";
import { played } from "./played.ts";

export interface EngineTimed extends Timed {
  /** For each piece what was found: beats in seconds, or tonic and mode. Empty for playing. */
  readonly found: readonly unknown[];
}

const [task = "", ...args] = process.argv.slice(2);
const signal = new AbortController().signal;
const found: unknown[] = [];
const TASKS: Readonly<Record<string, () => Promise<() => Promise<void>>>> = { beats, key, play };
const prepare = TASKS[task];
if (prepare === undefined) throw new Error(`There is no task "${task}", only ${Object.keys(TASKS)}`);
console.log(JSON.stringify({ ...(await timed(await prepare())), found } satisfies EngineTimed));

async function beats(): Promise<() => Promise<void>> {
  const pieces = await Promise.all(args.map(readPiece));
  return async () => {
    found.length = 0;
    for (const piece of pieces) found.push((await rhythmOf(await fold(piece, signal), signal)).beats);
  };
}

/** Pitches, notes, chords and the key; beats, which librosa's key does without, are found outside the clock. */
async function key(): Promise<() => Promise<void>> {
  const pieces = await Promise.all(args.map(readPiece));
  const grids: Grid[] = [];
  for (const piece of pieces) {
    const seconds = piece.channels[0]!.length / piece.sample_rate;
    grids.push(gridOf(await rhythmOf(await fold(piece, signal), signal), seconds));
  }
  return async () => {
    found.length = 0;
    for (const [n, piece] of pieces.entries()) {
      const pitch = await hearPitch(await fold(piece, signal), signal);
      const { tonic, mode } = tonality(pitch, chromaOf(notesOf(pitch, grids[n]!.edges)), grids[n]!);
      found.push([tonic, mode]);
    }
  };
}

async function play(): Promise<() => Promise<void>> {
  const [seconds = "60", ...prompts] = args;
  const pieces = await Promise.all(prompts.map((prompt) => played(prompt, Number(seconds))));
  return async () => {
    for (const { performances } of pieces)
      for (const performance of performances) release(...(await sample(performance, signal)));
  };
}
