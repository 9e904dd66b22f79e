/** The same prompts by this checkout and by another commit, on a blind page. */
import { join } from "node:path";
import type { ScoreReport } from "../../runners/music/studio/score_report.ts";
import { checkOut, commitHere, nameCommit } from "../k6/checkout.ts";
import { HERE } from "../measure.ts";
import { type Pair, type Side, writeBlindPage } from "./blind.ts";
import { missing, placeOf, REQUESTS, type Rendered, type Request, readRendered, render } from "./render.ts";

export interface Against {
  /** The page's. What is rendered stays in `rendered/<commit>` there, and a later call goes on with it. */
  readonly folder: string;
  /** The other commit. */
  readonly commit: string;
  readonly seed: number;
  /** A word of genre or prompt. */
  readonly only: string;
  readonly count: number;
}

/** Resolves to the page's path. */
export async function compareWith({ folder, commit, seed, only, count }: Against): Promise<string> {
  const wanted = REQUESTS.filter(({ genre, prompt }) => `${genre} ${prompt}`.includes(only)).slice(0, count);
  const sources = REQUESTS.filter(({ genre }) => wanted.some(({ source }) => source === genre));
  const names = [nameCommit(commit), commitHere()] as const;
  const [before, after] = names.map((name) => join(folder, "rendered", name)) as [string, string];
  // What is remixed is the other commit's on both sides.
  const order = { requests: [...new Set([...sources, ...wanted])], folder: before, sources: before, seed };
  const open = await missing(names[0], order);
  if (open.length > 0) {
    const other = await checkOut(commit);
    await render(other, { ...order, requests: open }).finally(() => other.remove());
  }
  const own = { requests: wanted, folder: after, sources: before, seed };
  const left = await missing(names[1], own);
  if (left.length > 0) await render({ name: names[1], folder: HERE }, { ...own, requests: left });
  return writeBlindPage(
    folder,
    { title: "Which one is better?", sides: names, seed, count: wanted.length },
    pairsOf(wanted, [before, after]),
  );
}

async function* pairsOf(requests: readonly Request[], folders: readonly [string, string]): AsyncGenerator<Pair> {
  for (const request of requests) {
    const [before, after] = await Promise.all(folders.map((folder) => sideOf(placeOf(folder, request))));
    const { genre, prompt, lyrics, source } = request;
    const words = `${genre}: ${prompt}${source === undefined ? "" : `, a remix of the ${source}`}`;
    yield { prompt: words, lyrics, sides: [before!, after!] };
  }
}

async function sideOf(place: string): Promise<Side> {
  const rendered = (await readRendered(place))!;
  const { duration, loudness, report } = rendered.output;
  return {
    ...{ file: `${place}.flac`, played: `${place}.opus`, seconds: duration, report },
    lufs: loudness.lufs,
    facts: factsOf(rendered),
  };
}

function factsOf({ output, cpu_s, heard }: Rendered): readonly string[] {
  const composed = output.report.composed as ScoreReport | undefined;
  return [
    `${output.duration.toFixed(1)} s`,
    output.engine,
    `${(output.duration / cpu_s).toFixed(1)} x real time`,
    `${output.loudness.lufs} LUFS`,
    ...(composed === undefined ? [] : describeScore(composed)),
    `heard: ${heard.tempo.toFixed(1)} bpm`,
    `crest ${heard.crest_db.toFixed(1)} dB`,
    `correlation ${heard.correlation.toFixed(2)}`,
    `octaves ${heard.octaves_db.map((level) => level.toFixed(0)).join(" ")} dB`,
  ];
}

export function describeScore({ tempo_bpm, metre, key, parts }: ScoreReport): readonly string[] {
  return [`${tempo_bpm} bpm`, metre, key, parts.map(({ name, instrument }) => `${name}: ${instrument}`).join(", ")];
}
