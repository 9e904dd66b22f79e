/**
 * Draws what the ear makes of a file as an SVG picture: waveform, loudness, energy, beats and bars, chords, sections,
 * and from a report the cuts and the duck's gain.
 *
 *   bun bench/draw_analysis.ts FILE [--report REPORT.json] [--truth TRUTH.json] [--out PICTURE.svg]
 *
 * REPORT is an output's `report`: of the cut (drawn over its source) or of the duck (drawn over its music). TRUTH, of the kind that
 * `training/material/make.ts` writes, adds its sections, chords and downbeats in a second row each. For PNG: `rsvg-convert PICTURE.svg`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import type { Audio } from "../contract/mod.ts";
import { analyse } from "../runners/signal/analyse/analyse.ts";
import { type AnalysisReport, reportOf } from "../runners/signal/analyse/report.ts";
import { decode } from "../runners/signal/media/decode.ts";

interface Cut {
  readonly source_time_left: number;
  readonly source_time: number;
}
interface Sampled {
  readonly hop_seconds: number;
  readonly values: readonly number[];
}
interface Report {
  readonly cuts?: readonly Cut[];
  /** Corners of the gain, with a raised cosine in dB from each to the next. */
  readonly gain?: readonly { readonly time: number; readonly db: number }[];
}
interface Truth {
  readonly downbeats?: readonly number[];
  readonly sections?: readonly { readonly label: string; readonly start: number; readonly end: number }[];
  readonly chords?: readonly { readonly start: number; readonly root: string; readonly quality?: string }[];
}

const LIMITS = { seconds_min: 0, seconds_max: 3600, bytes_max: 2 ** 31 };
const MARGIN = 60;
const INK = "#222";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { report: { type: "string" }, truth: { type: "string" }, out: { type: "string" } },
  });
  const [file] = positionals;
  if (file === undefined) throw new Error("Cannot draw: no file is named");
  const signal = new AbortController().signal;
  const { audio } = await decode(file, LIMITS, signal);
  const analysis = reportOf(await analyse(audio, { signal, progress: () => {} }));
  const out = values.out ?? `${basename(file).replace(/\.[^.]*$/u, "")}.svg`;
  const report = values.report === undefined ? {} : (JSON.parse(await readFile(values.report, "utf8")) as Report);
  const truth = values.truth === undefined ? {} : (JSON.parse(await readFile(values.truth, "utf8")) as Truth);
  await writeFile(out, draw(basename(file), audio, analysis, report, truth));
  console.log(`${out}: ${title(file, analysis)}`);
}

function title(
  name: string,
  { tempo_bpm, metre, key, tuning_hz, beat_confidence, key_confidence }: AnalysisReport,
): string {
  const beat = metre === null ? "no steady beat" : `${tempo_bpm} BPM, ${metre}`;
  return `${basename(name)}: ${beat} (${beat_confidence}), ${key ?? "no key"} (${key_confidence}), A4 = ${tuning_hz} Hz`;
}

/** One picture, 12 pixels a second and at least 900 wide. */
function draw(name: string, audio: Audio, analysis: AnalysisReport, report: Report = {}, truth: Truth = {}): string {
  const { seconds } = analysis;
  const width = Math.max(900, Math.round(seconds * 12));
  const x = (time: number): string => (MARGIN + (time / seconds) * width).toFixed(1);
  const parts: string[] = [];
  let top = 40;
  const row = (label: string, height: number, content: (y: number) => string): void => {
    parts.push(text(8, top + height / 2 + 4, label, 11, "#777"), content(top));
    top += height + 10;
  };

  row("sections", 26, (y) =>
    boxes(
      analysis.sections.map((s) => ({ ...s, text: `${s.label} ${signed(s.level_db)}` })),
      x,
      y,
      26,
    ),
  );
  if (truth.sections)
    row("truth", 20, (y) =>
      boxes(
        truth.sections!.map((s) => ({ ...s, text: s.label })),
        x,
        y,
        20,
      ),
    );
  row("wave", 110, (y) => waveform(audio, width, y, 110) + bars(analysis, x, y, 110) + cuts(report, x, y, 110));
  if (truth.downbeats)
    row("bars", 8, (y) => truth.downbeats!.map((time) => line(x(time), y, x(time), y + 8, "#0a0")).join(""));
  row(
    "loudness",
    80,
    (y) => scale(x(0), y, 80, "-10", "-50 LUFS") + curve(analysis.loudness, x, y, 80, -50, -10, "#06c"),
  );
  row("energy", 60, (y) => scale(x(0), y, 60, "1", "0") + curve(analysis.energy, x, y, 60, 0, 1, "#c60"));
  row("chords", 24, (y) =>
    boxes(
      analysis.chords.map((c) => ({ ...c, text: c.label })),
      x,
      y,
      24,
    ),
  );
  if (truth.chords) {
    const spans = truth.chords.map((chord, index) => ({
      start: chord.start,
      end: truth.chords![index + 1]?.start ?? seconds,
      text: chord.root + (SHORT[chord.quality ?? ""] ?? chord.quality ?? ""),
    }));
    row("truth", 20, (y) => boxes(spans, x, y, 20));
  }
  const { gain } = report;
  if (gain) row("gain", 60, (y) => scale(x(0), y, 60, "0", "-24 dB") + corners(gain, seconds, x, y, 60));
  parts.push(timeAxis(seconds, x, top));
  const size = `width="${width + 2 * MARGIN}" height="${top + 30}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif"><rect width="100%" height="100%" fill="#fff"/>${text(8, 22, title(name, analysis), 14, INK)}${parts.join("\n")}</svg>\n`;
}

const SHORT: Readonly<Record<string, string>> = { maj: "", min: "m", min7: "m7" };
type Place = (time: number) => string;

/** Equal texts up to the first space share a colour. */
function boxes(
  spans: readonly { readonly start: number; readonly end: number; readonly text: string }[],
  x: Place,
  y: number,
  height: number,
): string {
  return spans
    .map(({ start, end, text: label }) => {
      const width = Number(x(end)) - Number(x(start));
      const box = `<rect x="${x(start)}" y="${y}" width="${width.toFixed(1)}" height="${height}" fill="${hue(label)}" stroke="#fff"/>`;
      const room = width >= 6 * Math.min(3, label.length);
      return box + (room ? text(Number(x(start)) + 3, y + height / 2 + 4, label, width < 30 ? 8 : 11, INK) : "");
    })
    .join("");
}

function hue(label: string): string {
  const word = label.split(" ")[0]!;
  let sum = 0;
  for (const letter of word) sum = sum * 31 + letter.codePointAt(0)!;
  return `hsl(${(sum * 47) % 360},60%,82%)`;
}

/** The extremes of both channels together, a column a pixel. */
function waveform(audio: Audio, width: number, y: number, height: number): string {
  const frames = audio.channels[0]!.length;
  const tops: string[] = [];
  const bottoms: string[] = [];
  for (let column = 0; column < width; column++) {
    let [low, high] = [0, 0];
    const to = Math.floor(((column + 1) * frames) / width);
    for (const channel of audio.channels) {
      for (let n = Math.floor((column * frames) / width); n < to; n++) {
        low = Math.min(low, channel[n]!);
        high = Math.max(high, channel[n]!);
      }
    }
    const at = (value: number): string => `${MARGIN + column},${(y + (height / 2) * (1 - value)).toFixed(1)}`;
    tops.push(at(high));
    bottoms.push(at(low));
  }
  return `<polygon points="${tops.join(" ")} ${bottoms.reverse().join(" ")}" fill="#9ab"/>`;
}

function bars({ beats, downbeats }: AnalysisReport, x: Place, y: number, height: number): string {
  const strong = new Set(downbeats);
  return beats
    .map((time) =>
      strong.has(time)
        ? line(x(time), y, x(time), y + height, "#c00", 0.8)
        : line(x(time), y + height - 8, x(time), y + height, "#c00", 0.5),
    )
    .join("");
}

/** An arc from where the source is left to where it goes on. */
function cuts({ cuts: joins = [] }: Report, x: Place, y: number, height: number): string {
  return joins
    .map(({ source_time_left: from, source_time: to }) => {
      const [a, b] = [x(from), x(to)];
      const arc = `<path d="M${a},${y} Q${((Number(a) + Number(b)) / 2).toFixed(1)},${y - 40} ${b},${y}" fill="none" stroke="#608" stroke-width="2"/>`;
      return line(a, y, a, y + height, "#608", 2) + line(b, y, b, y + height, "#608", 2) + arc;
    })
    .join("");
}

function curve(
  { hop_seconds, values }: Sampled,
  x: Place,
  y: number,
  height: number,
  low: number,
  high: number,
  colour: string,
): string {
  const points = values.map((value, k) => {
    const share = Math.max(0, Math.min(1, (value - low) / (high - low)));
    return `${x((k + 0.5) * hop_seconds)},${(y + height * (1 - share)).toFixed(1)}`;
  });
  return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
}

/** The gain to the end of the piece, each rise and fall in steps of an eighth. */
function corners(gain: NonNullable<Report["gain"]>, seconds: number, x: Place, y: number, height: number): string {
  const points: string[] = [];
  const add = (time: number, db: number): void => {
    points.push(`${x(time)},${(y + height * Math.max(0, Math.min(1, -db / 24))).toFixed(1)}`);
  };
  for (const [index, { time, db }] of gain.entries()) {
    const before = gain[index - 1] ?? { time, db };
    for (let step = 1; step <= 8; step++)
      add(
        before.time + ((time - before.time) * step) / 8,
        before.db + (db - before.db) * (0.5 - 0.5 * Math.cos((Math.PI * step) / 8)),
      );
  }
  const last = gain.at(-1);
  if (last) add(Math.max(last.time, seconds), last.db);
  return `<polyline points="${points.join(" ")}" fill="none" stroke="#a06" stroke-width="1.5"/>`;
}

function scale(left: string, y: number, height: number, above: string, below: string): string {
  const at = Number(left) + 4;
  return (
    text(at, y + 9, above, 9, "#999") +
    text(at, y + height, below, 9, "#999") +
    line(left, y + height, String(at + 20), y + height, "#ccc")
  );
}

function timeAxis(seconds: number, x: Place, y: number): string {
  const ticks: string[] = [];
  for (let time = 0; time <= seconds; time += 10)
    ticks.push(line(x(time), y, x(time), y + 5, INK) + text(Number(x(time)) + 2, y + 15, `${time} s`, 10, INK));
  return ticks.join("");
}

function line(x1: string, y1: number, x2: string, y2: number, colour: string, width = 1): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${colour}" stroke-width="${width}"/>`;
}

function text(x: number, y: number, content: string, size: number, colour: string): string {
  const safe = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y}" font-size="${size}" fill="${colour}">${safe}</text>`;
}

function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(0)} dB`;
}

if (import.meta.main) await main();
