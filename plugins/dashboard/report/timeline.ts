/**
 * What a `report` says about time, gathered from the words that reports share (sections, chords, beats, cuts, gain,
 * speech, lines, sequence), whichever action wrote them. Anything that is not of the expected form is left out: reports
 * come from plugins too.
 */

export interface Span {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

export interface Timeline {
  readonly sections: readonly Span[];
  readonly chords: readonly Span[];
  readonly lines: readonly Span[];
  readonly speech: readonly Span[];
  readonly events: readonly Span[];
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly cuts: readonly { readonly time: number; readonly label: string }[];
  /** Corners of the gain of the music, dB. */
  readonly gain: readonly { readonly time: number; readonly db: number }[];
}

export const EMPTY: Timeline = {
  sections: [],
  chords: [],
  lines: [],
  speech: [],
  events: [],
  beats: [],
  downbeats: [],
  cuts: [],
  gain: [],
};

type Report = Readonly<Record<string, unknown>>;

/** Of an output that lasts `seconds`. */
export function timelineOf(report: Report | null, seconds: number): Timeline {
  if (report === null) return EMPTY;
  const cuts = cutsOf(report);
  const music = record(report.composed) ?? undefined;
  // An analysis is of the source; where the output is made of it piece by piece, it is carried over.
  const heard = record(report.analysis);
  const carried = heard === undefined ? undefined : carry(musicOf(heard), piecesOf(report, cuts, seconds));
  const { sections, chords, beats, downbeats } = music !== undefined ? musicOf(music) : (carried ?? EMPTY);
  return {
    sections,
    chords,
    beats: beats.filter((time) => time <= seconds),
    downbeats: downbeats.filter((time) => time <= seconds),
    lines: spans(report.lines, "line"),
    speech: spans(report.speech, ""),
    events: eventsOf(report.sequence),
    cuts: cuts.map(({ output_time, bars }) => ({ time: output_time, label: cutLabel(bars) })),
    gain: records(report.gain).flatMap(({ time, db }) => (isNumber(time) && isNumber(db) ? [{ time, db }] : [])),
  };
}

/** Of a source, as far as the report says what was heard of it, or is all about it. */
export function sourceTimeline(report: Report | null): Timeline {
  if (report === null) return EMPTY;
  const heard = record(report.analysis) ?? record(report.heard);
  if (heard !== undefined) return { ...EMPTY, ...musicOf(heard) };
  return Array.isArray(report.beats) ? { ...EMPTY, ...musicOf(report), speech: spans(report.speech, "") } : EMPTY;
}

export const isEmpty = (timeline: Timeline): boolean => Object.values(timeline).every((list) => list.length === 0);

type Music = Pick<Timeline, "sections" | "chords" | "beats" | "downbeats">;

function musicOf(music: Report): Music {
  const sections = spans(music.sections, "label");
  const chords = spans(music.chords, "label");
  const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.filter(isNumber) : []);
  if (Array.isArray(music.beats))
    return { sections, chords, beats: numbers(music.beats), downbeats: numbers(music.downbeats) };
  return { sections, chords, ...gridOf(music, sections) };
}

/**
 * Where only tempo and metre are told, as for composed music: a beat every 60 / tempo seconds from the first section
 * on.
 */
function gridOf({ tempo_bpm, metre }: Report, sections: readonly Span[]): Pick<Timeline, "beats" | "downbeats"> {
  const first = sections[0];
  const last = sections.at(-1);
  if (!isNumber(tempo_bpm) || tempo_bpm < 20 || tempo_bpm > 400 || first === undefined || last === undefined)
    return { beats: [], downbeats: [] };
  const [, upper = "4", lower = "4"] = /^(\d{1,2})\/(\d{1,2})$/u.exec(String(metre)) ?? [];
  // Crotchets, or dotted crotchets of three quavers.
  const in_bar = lower === "8" && Number(upper) % 3 === 0 ? Number(upper) / 3 : Number(upper);
  const beats: number[] = [];
  for (let index = 0; first.start + (index * 60) / tempo_bpm < last.end - 0.01; index++)
    beats.push(first.start + (index * 60) / tempo_bpm);
  return { beats, downbeats: beats.filter((_, index) => index % in_bar === 0) };
}

// ----------------------------------------------------------------------------------------------------------------- cuts

interface Cut {
  readonly output_time: number;
  readonly source_time: number;
  readonly bars: number | null;
}

function cutsOf(report: Report): readonly Cut[] {
  return records(report.cuts).flatMap(({ output_time, source_time, bars }) =>
    isNumber(output_time) && isNumber(source_time)
      ? [{ output_time, source_time, bars: isNumber(bars) ? bars : null }]
      : [],
  );
}

function cutLabel(bars: number | null): string {
  if (bars === null || bars === 0) return "cut";
  const what = Math.abs(bars) === 1 ? "bar" : "bars";
  return bars > 0 ? `cut: skips ${bars} ${what}` : `cut: ${-bars} ${what} again`;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  /** Output time less source time. */
  readonly shift: number;
}

function piecesOf(report: Report, cuts: readonly Cut[], seconds: number): readonly Piece[] {
  const start = isNumber(report.source_start) ? report.source_start : 0;
  const joints = [{ output_time: 0, source_time: start }, ...cuts];
  return joints.map(({ output_time, source_time }, index) => {
    const end = joints[index + 1]?.output_time ?? seconds;
    return { from: source_time, to: source_time + (end - output_time), shift: output_time - source_time };
  });
}

function carry(music: Music, pieces: readonly Piece[]): Music {
  const moved = (list: readonly Span[]): Span[] =>
    pieces.flatMap(({ from, to, shift }) =>
      list.flatMap(({ start, end, label }) => {
        const [a, b] = [Math.max(start, from), Math.min(end, to)];
        return b - a > 0.02 ? [{ start: a + shift, end: b + shift, label }] : [];
      }),
    );
  const times = (list: readonly number[]): number[] =>
    pieces.flatMap(({ from, to, shift }) =>
      list.filter((time) => time >= from && time < to).map((time) => time + shift),
    );
  return {
    sections: moved(music.sections),
    chords: moved(music.chords),
    beats: times(music.beats),
    downbeats: times(music.downbeats),
  };
}

// -------------------------------------------------------------------------------------------------------------- reading

function eventsOf(sequence: unknown): readonly Span[] {
  return records(sequence).flatMap(({ start, seconds, layers }) => {
    if (!isNumber(start) || !isNumber(seconds)) return [];
    const names = records(layers).flatMap(({ sound }) =>
      typeof sound === "string" ? [sound.replaceAll("_", " ")] : [],
    );
    return [{ start, end: start + seconds, label: names.join(" + ") }];
  });
}

function spans(list: unknown, label: string): readonly Span[] {
  return records(list).flatMap((entry) => {
    const { start, end } = entry;
    if (!isNumber(start) || !isNumber(end) || end < start) return [];
    const named = entry[label];
    return [{ start, end, label: typeof named === "string" ? named : "" }];
  });
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

export function record(value: unknown): Report | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Report) : undefined;
}

function records(value: unknown): readonly Report[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown): readonly Report[] => {
    const found = record(entry);
    return found === undefined ? [] : [found];
  });
}
