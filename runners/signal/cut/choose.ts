import type { Job } from "../../../contract/mod.ts";
import { type Sound, type Views, viewsOf } from "../../samples.ts";
import type { Analysis } from "../analyse/mod.ts";
import { type Affinity, affinityOf } from "./affinity.ts";
import { type Aim, align, type Seam } from "./align.ts";
import type { Flux } from "./attacks.ts";
import { durationCost, Framing } from "./durations.ts";
import type { Edges } from "./edges.ts";
import { type Frame, framesOf } from "./endings.ts";
import type { Envelopes } from "./envelopes.ts";
import { joinCosts, type Strictness } from "./join_costs.ts";
import type { Splice } from "./passages.ts";
import { findPlans } from "./plan.ts";
import type { CutPlan, Join } from "./plans.ts";
import { beatPoints, downbeatsOf, freePoints, isSteady, type Points } from "./points.ts";
import { type Layout, lengthOf } from "./render.ts";

/** What is known of the source. */
export interface Heard {
  readonly audio: Views;
  readonly seconds: number;
  readonly target: number;
  readonly analysis: Analysis;
  readonly envelopes: Envelopes;
  readonly edges: Edges;
  readonly flux: Flux;
  /** Never played across. */
  readonly splice?: Splice | undefined;
}

/** A plan, aligned. */
export interface Version {
  /** Undefined where no point was asked: nothing is joined, or it is joined bluntly. */
  readonly points: Points | undefined;
  /** As many as `seams`, or none where there are no points. */
  readonly joins: readonly Join[];
  readonly seams: readonly Seam[];
  readonly frame: Frame;
  readonly cost: number;
}

/** A source that is this near to its target is the cut that it asks for, seconds. */
const CLOSE_ENOUGH = 0.25;

/**
 * The source as it is where that is near enough; else the cheapest version: on bars if it can be, then on half bars and beats, then
 * wherever it can be. Its length is within the promise, whatever the source.
 */
export async function choose(heard: Heard, job: Job, pause: () => Promise<void>): Promise<Version> {
  const { analysis, edges, flux, envelopes: bands } = heard;
  if (Math.abs(heard.seconds - heard.target) <= CLOSE_ENOUGH) return whole(heard);
  let best: Version | undefined;
  if (isSteady(analysis)) {
    const points = thinned(beatPoints(analysis, edges, flux));
    const affinity = affinityOf(analysis, points, bands);
    await pause();
    for (const strictness of ["bar", "half_bar", "beat"] as const) {
      const version = attempt(heard, points, affinity, strictness, job);
      if (version !== undefined && (best === undefined || version.cost < best.cost)) best = version;
      await pause();
      if (best !== undefined && Math.abs(lengthSeconds(best, heard) - heard.target) <= 0.5) return best;
    }
    if (best !== undefined) return best;
  }
  const points = freePoints(analysis, edges, flux);
  const affinity = affinityOf(analysis, points, bands);
  await pause();
  return attempt(heard, points, affinity, "beat", job) ?? blunt(heard);
}

/** The source as it is. */
function whole({ seconds, target }: Heard): Version {
  return {
    points: undefined,
    joins: [],
    seams: [],
    frame: { start: 0, end: seconds, fade: 0, cost: 0 },
    cost: durationCost(seconds - target),
  };
}

/** Above this many points only bar lines are kept: ten minutes of fast music. */
const POINTS_MAX = 1000;

function thinned(points: Points): Points {
  return points.times.length <= POINTS_MAX ? points : downbeatsOf(points);
}

function attempt(
  heard: Heard,
  points: Points,
  affinity: Affinity,
  strictness: Strictness,
  { signal }: Job,
): Version | undefined {
  const { analysis, edges, target, seconds, splice } = heard;
  // A hole that is longer than the output: no plan of the wanted length plays across it.
  const hole = splice === undefined ? 0 : target + HOLE_SECONDS;
  const placeOf = (time: number): number => (splice !== undefined && time >= splice.at ? time + hole : time);
  const framing = new Framing(framesOf(edges, points.bar_seconds, target));
  const own = framing.frames[0]!;
  const natural = own.end - own.start;
  const forward = natural > target;
  const bar = points.kind === "beats" ? points.bar_seconds : 1;
  const edge = Math.min(bar, 0.2 * target, 0.2 * seconds);
  const first_end = framing.frames.reduce((least, { end }) => Math.min(least, end), seconds);
  const costs = joinCosts(points, affinity, strictness, forward, analysis.form.energy, target);
  if (splice !== undefined) forbidNear(splice.at, points.times, costs);
  const plans = findPlans(
    {
      times: splice === undefined ? points.times : points.times.map(placeOf),
      costs,
      framing,
      natural: natural + hole,
      target,
      leave_min: Math.min(edges.sound_start + edge, 0.5 * seconds),
      enter_max: placeOf(Math.max(Math.min(edges.sound_end - edge, first_end - 0.5 * edge), 0.5 * seconds)),
      stretch_min: Math.min(0.95 * bar, 0.25 * target, 0.25 * seconds),
      stretch_good: Math.min(8, 0.28 * target),
      joins_max: forward ? 3 : 4,
    },
    () => signal.throwIfAborted(),
  );
  let best: Version | undefined;
  const known = new Map<string, Seam>();
  for (const plan of plans) {
    const version = finished(heard, points, framing, plan, known);
    if (version !== undefined && (best === undefined || version.cost < best.cost)) best = version;
  }
  return best;
}

/** Above what the length may be off by. */
const HOLE_SECONDS = 10;
/** Crossfades and the rhythm around a join would be heard across the splice. */
const SPLICE_SECONDS = 2;

function forbidNear(splice: number, times: Float64Array, costs: Float32Array): void {
  const count = times.length;
  for (const [n, time] of times.entries()) {
    if (Math.abs(time - splice) >= SPLICE_SECONDS) continue;
    costs.fill(Number.POSITIVE_INFINITY, n * count, (n + 1) * count);
    for (let row = 0; row < count; row++) costs[row * count + n] = Number.POSITIVE_INFINITY;
  }
}

/** Aligns a plan's joins and mends the length that this moved; undefined where that cannot be done within the promise. */
function finished(
  heard: Heard,
  points: Points,
  framing: Framing,
  plan: CutPlan,
  known: Map<string, Seam>,
): Version | undefined {
  const { audio, flux, target } = heard;
  const own = framing.frames[0]!;
  const seams: Seam[] = [];
  let cost = plan.cost - framing.cost(plan.error);
  let length = own.end - own.start;
  for (const { leave, enter } of plan.joins) {
    const key = `${leave} ${enter}`;
    const aim: Aim = {
      leave: points.times[leave]!,
      enter: points.times[enter]!,
      kind:
        points.kind === "beats" ? "beat" : points.pauses[leave] === 1 && points.pauses[enter] === 1 ? "pause" : "free",
      beat_seconds: points.bar_seconds / points.beats_per_bar,
    };
    const seam = known.get(key) ?? align(audio, flux, aim);
    known.set(key, seam);
    seams.push(seam);
    length -= (seam.enter - seam.leave) / audio.sample_rate;
    // What is heard at the join itself: rhythms that fall together, waveforms that agree.
    if (aim.kind === "beat") cost += 0.5 * (1 - seam.agreement);
    // Neither a hole before the attack nor sound that starts from nowhere: 6 dB are nothing, 20 dB are one.
    cost += 0.2 * Math.max(0, Math.min(1, (Math.abs(seam.step_db) - 6) / 14));
    if (aim.kind !== "pause") cost += 0.15 * (1 - Math.max(0, seam.correlation));
  }
  const error = length - target;
  if (framing.cost(error) === Number.POSITIVE_INFINITY) return undefined;
  const frame = framing.choose(error);
  const last = seams.at(-1);
  // What is entered last must be heard before the end.
  if (last !== undefined && last.enter + last.fade > frame.end * audio.sample_rate) return undefined;
  return { points, joins: plan.joins, seams, frame, cost: cost + framing.cost(error) };
}

/** Where nothing else is left: the beginning under a fade, or the end again and again. */
export function blunt({
  audio,
  seconds,
  target,
}: { readonly audio: Sound } & Pick<Heard, "seconds" | "target">): Version {
  const frame = { start: 0, end: Math.min(seconds, target), fade: Math.min(1, 0.1 * target), cost: 0 };
  if (target <= seconds) return { points: undefined, joins: [], seams: [], frame, cost: 0 };
  const { frames: samples, sample_rate } = viewsOf(audio);
  const fade = Math.round(0.02 * sample_rate);
  const seams: Seam[] = [];
  for (let rest = Math.round((target - seconds) * sample_rate); rest > 0; ) {
    const again = Math.min(rest, samples - 4 * fade);
    seams.push({
      leave: samples - fade,
      enter: samples - fade - again,
      fade,
      correlation: 0,
      step_db: 0,
      agreement: 0,
    });
    rest -= again;
  }
  return { points: undefined, joins: [], seams, frame: { ...frame, fade: 0 }, cost: 0 };
}

/** The version in samples. */
export function layoutOf({ seams, frame }: Version, audio: Sound): Layout {
  const { sample_rate, frames: samples } = viewsOf(audio);
  const end = Math.round(frame.end * sample_rate);
  return {
    start: Math.round(frame.start * sample_rate),
    // The whole source is the whole source, whatever rounding says.
    end: Math.abs(end - samples) <= 1 ? samples : end,
    fade: Math.round(frame.fade * sample_rate),
    seams,
  };
}

function lengthSeconds(version: Version, { audio }: Heard): number {
  return lengthOf(layoutOf(version, audio)) / audio.sample_rate;
}
