import type { Job } from "../../../contract/mod.ts";
import { Pauses } from "../../breathe.ts";
import { collectGarbage } from "../../collect.ts";
import { viewsOf } from "../../samples.ts";
import { type Analysis, type AnalysisReport, reportOf, type Span } from "../analyse/mod.ts";
import { roundTo } from "../dsp/numbers.ts";
import { fluxOf } from "./attacks.ts";
import { choose, layoutOf, type Version } from "./choose.ts";
import { type Edges, edgesOf, withoutQuietEnd } from "./edges.ts";
import { envelopes } from "./envelopes.ts";
import type { Splice } from "./passages.ts";
import type { Join } from "./plans.ts";
import type { Points } from "./points.ts";
import { type Layout, render } from "./render.ts";
import type { Cut, CutInput, CutOutput, CutReport, Ending } from "./types.ts";

interface CutOf extends CutInput {
  readonly splice?: Splice | undefined;
}

/**
 * The source at about `seconds`, within a second of it: whole bars left out, or heard again, where there are bars; else cut in its pauses.
 * What is close enough already is handed back as it is.
 */
export async function cutDown(
  { audio, seconds: target, splice }: CutOf,
  analysis: Analysis,
  job: Job,
): Promise<CutOutput> {
  const pauses = new Pauses(job.signal);
  const pause = async (): Promise<void> => {
    job.signal.throwIfAborted();
    await pauses.due();
  };
  job.progress(0, "finding cut points");
  const sound = viewsOf(audio);
  const { frames: samples, sample_rate } = sound;
  const seconds = samples / sample_rate;
  const bands = await envelopes(sound, (done) => {
    job.progress(0.4 * done, "finding cut points");
    return pause();
  });
  const edges = withoutQuietEnd(edgesOf(bands, seconds), target);
  const flux = fluxOf(bands);
  await pause();
  const version = await choose(
    { audio: sound, seconds, target, analysis, envelopes: bands, edges, flux, splice },
    job,
    pause,
  );
  // Finding where to cut leaves 40 MB of ten minutes behind, and the output is up to 106.
  collectGarbage(seconds);
  job.progress(0.8, "joining");
  const layout = layoutOf(version, sound);
  const untouched = layout.seams.length === 0 && layout.start === 0 && layout.end === samples;
  const made = untouched && !("samples" in audio) ? audio : await render(sound, layout, pause);
  job.progress(1, "joining");
  /** Seconds of the source. */
  const placeOf = (time: number): number =>
    roundTo(splice !== undefined && time >= splice.at ? time + splice.skipped : time, 4);
  return {
    audio: made,
    report: {
      target_duration: target,
      duration: made.channels[0]!.length / sample_rate,
      source_start: layout.start / sample_rate,
      cuts: cutsOf(version, layout, sample_rate, placeOf),
      ending: untouched
        ? { kind: "kept", source_time: seconds, fade_seconds: 0 }
        : endingOf(version, edges, seconds, placeOf),
      ...(splice === undefined
        ? { analysis: reportOf(analysis) }
        : { analysis: analysisOf(reportOf(analysis), splice), heard: heardOf(splice, seconds) }),
    },
  };
}

function heardOf({ at, skipped }: Splice, seconds: number): NonNullable<CutReport["heard"]> {
  return [
    { start: 0, end: roundTo(at, 4) },
    { start: roundTo(at + skipped, 4), end: roundTo(seconds + skipped, 4) },
  ];
}

/** The analysis in the source's own time. A span that lies across the splice is one on either side. */
function analysisOf(report: AnalysisReport, { at, skipped }: Splice): AnalysisReport {
  const later = (time: number): number => roundTo(time + skipped, 4);
  const placed = (time: number): number => (time < at ? time : later(time));
  const split = <S extends Span>(span: S): S[] => [
    ...(span.start < at ? [{ ...span, end: Math.min(at, span.end) }] : []),
    ...(span.end > at ? [{ ...span, start: later(Math.max(at, span.start)), end: later(span.end) }] : []),
  ];
  return {
    ...report,
    seconds: later(report.seconds),
    beats: report.beats.map(placed),
    downbeats: report.downbeats.map(placed),
    chords: report.chords.flatMap(split),
    sections: report.sections.flatMap(split),
  };
}

function endingOf(
  { frame }: Version,
  { abrupt, sound_end }: Edges,
  seconds: number,
  placeOf: (time: number) => number,
): Ending {
  const whole = frame.fade === 0 && frame.end >= sound_end;
  return {
    kind: whole ? "kept" : abrupt ? "faded" : "shortened",
    source_time: placeOf(Math.min(seconds, frame.end)),
    fade_seconds: roundTo(frame.fade, 4),
  };
}

function cutsOf(
  { points, joins, seams }: Version,
  { start }: Layout,
  sample_rate: number,
  placeOf: (time: number) => number,
): Cut[] {
  let at = -start;
  return seams.map(({ leave, enter, fade, correlation }, index) => {
    const output = at + leave;
    at += leave - enter;
    const join = joins[index];
    return {
      output_time: roundTo(output / sample_rate, 4),
      source_time: placeOf(enter / sample_rate),
      source_time_left: placeOf(leave / sample_rate),
      crossfade_seconds: roundTo(fade / sample_rate, 4),
      at: join === undefined || points === undefined ? "free" : kindOf(points, join),
      bars: join === undefined || points?.kind !== "beats" ? null : points.bars[join.enter]! - points.bars[join.leave]!,
      correlation: roundTo(correlation, 4),
    };
  });
}

function kindOf({ kind, places, pauses, beats_per_bar }: Points, { leave, enter }: Join): Cut["at"] {
  if (kind === "free") return pauses[leave] === 1 && pauses[enter] === 1 ? "pause" : "free";
  const shift = Math.abs(places[leave]! - places[enter]!);
  return shift === 0 ? "bar" : 2 * shift === beats_per_bar ? "half_bar" : "beat";
}

/** To a tenth of a millisecond. */
