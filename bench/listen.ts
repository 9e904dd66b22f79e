/**
 * Writes a page with players and pictures, to judge by ear and eye.
 *
 *   npm run listen [-- --out FOLDER] [--only WORD] [--seed 1]
 *   npm run listen -- --against COMMIT [--out FOLDER] [--only WORD] [--count 20] [--seed 1]
 *   npm run listen -- --serve FOLDER [--port 0]
 *   npm run listen -- --tally FOLDER
 *
 * The page has a fixed set of pieces, mastered and written as FLAC as the service does it. Under each: sections, waveform, what is sung,
 * spectrogram, what was understood, what was composed, and what was measured.
 *
 * `--against`: twenty prompts over twenty genres, each by a service of this checkout and by one of another commit, as A
 * and B in an order that chance draws; what they are is told when one has chosen. `--serve` opens such a page on the
 * loopback interface and keeps what is chosen in FOLDER/choices.jsonl; opened as a file, it keeps choices in the
 * browser and offers them as a download. `--tally` counts them. The page does not hide how long a piece is.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Output } from "../contract/mod.ts";
import { attributes, type Html, html } from "../plugins/dashboard/html.ts";
import { studio } from "../runners/delivery.ts";
import type { LineTiming } from "../runners/music/sing/setting/phrases.ts";
import type { ScoreReport } from "../runners/music/studio/score_report.ts";
import { measure } from "./create/measure.ts";
import { compareWith, describeScore } from "./listen/against.ts";
import { describeTally, readChoices, readKey } from "./listen/choices.ts";
import { factsOf, pageOf } from "./listen/page.ts";
import { job, PIECES, type Piece } from "./listen/pieces.ts";
import { servePage } from "./listen/serve.ts";
import { writeTrack } from "./listen/view.ts";
import { ownCpuSeconds } from "./measure.ts";

const { values } = parseArgs({
  options: {
    out: { type: "string", default: "listen" },
    only: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    against: { type: "string" },
    count: { type: "string", default: "20" },
    serve: { type: "string" },
    port: { type: "string", default: "0" },
    tally: { type: "string" },
  },
});
const seed = Number(values.seed);

if (values.serve !== undefined) {
  const { url } = await servePage(values.serve, Number(values.port));
  console.log(url);
} else if (values.tally !== undefined) {
  const key = await readKey(values.tally);
  console.log(describeTally(await readChoices(join(values.tally, "choices.jsonl"), key), key));
} else if (values.against !== undefined) {
  const { out: folder, against: commit, only, count } = values;
  console.log(await compareWith({ folder, commit, seed, only, count: Number(count) }));
} else console.log(await writePieces(values.out));

async function writePieces(folder: string): Promise<string> {
  const chosen = PIECES.filter(({ group, prompt }) => `${group} ${prompt}`.includes(values.only));
  const groups = new Map<string, Html[]>();
  await mkdir(join(folder, "rendered"), { recursive: true });
  for (const [index, piece] of chosen.entries()) {
    const name = String(index + 1).padStart(2, "0");
    groups.set(piece.group, [...(groups.get(piece.group) ?? []), await writePiece(folder, name, piece)]);
  }
  const body = [...groups].map(([group, articles]) => html`<h2>${group}</h2>${articles}`);
  const lead = html`One plays at a time. Keys: <kbd>space</kbd> plays and pauses, <kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous piece.`;
  const path = join(folder, "index.html");
  await writeFile(path, await pageOf({ title: "Tonwerk: listen", lead, body }));
  return path;
}

async function writePiece(folder: string, name: string, piece: Piece): Promise<Html> {
  const before = ownCpuSeconds();
  const output = await piece.make(seed);
  const cpu = ownCpuSeconds() - before;
  const file = join(folder, "rendered", `${name}.flac`);
  const { seconds } = await studio.finish(output, piece.level, { path: file, bits: 16, tags: {} }, job.signal);
  console.log(`${name} ${seconds.toFixed(1)} s, ${(seconds / cpu).toFixed(1)} x real time: ${piece.prompt}`);
  const report = output.report ?? null;
  const track = await writeTrack(folder, { title: piece.prompt, name, file, seconds, report });
  const facts = [
    `${(seconds / cpu).toFixed(1)} x real time`,
    output.engine ?? "",
    ...(await describe(output, seconds)),
  ];
  const understood = JSON.stringify(output.report?.understood ?? output.report ?? {}, null, 1);
  return html`<article ${attributes({ class: "panel piece", "data-piece": name })}>${track}${factsOf(facts)}
<details><summary>Understood</summary><p class="user-text">${understood}</p></details>${linesOf(output)}</article>`;
}

async function describe({ report, audio }: Output, seconds: number): Promise<readonly string[]> {
  const composed = report?.composed as ScoreReport | undefined;
  const facts = composed === undefined ? [] : [...describeScore(composed)];
  if (seconds <= 10) return facts;
  const { tempo, correlation, crest_db, octaves_db } = await measure(audio);
  const octaves = octaves_db.map((value) => value.toFixed(0)).join(" ");
  return [
    ...facts,
    `heard: ${tempo.toFixed(1)} bpm, correlation ${correlation.toFixed(2)}, crest before mastering ${crest_db.toFixed(1)} dB, octaves ${octaves} dB`,
  ];
}

/** Of what is sung: each line with its times, so that an ear can follow. */
function linesOf({ report }: Output): Html | null {
  const lines = report?.lines as readonly LineTiming[] | undefined;
  if (lines === undefined) return null;
  const rows = lines.map(
    ({ line, start, end, syllables }) =>
      html`<tr><td>${start.toFixed(2)}</td><td>${end.toFixed(2)}</td><td>${syllables}</td><td>${line}</td></tr>`,
  );
  return html`<details><summary>Lines</summary><div class="scroll"><table><thead><tr><th>from, s</th><th>to, s</th><th>syllables</th><th>line</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
