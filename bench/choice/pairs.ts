/** First tries and choices, rendered and mastered as the service does it. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { studio } from "../../runners/delivery.ts";
import { chooser } from "../../runners/music/compose/choice/choose.ts";
import * as music from "../../runners/music/compose/composer.ts";
import { judge } from "../../runners/music/compose/critic/critic.ts";
import { TERMS, type TermName, worthOf } from "../../runners/music/compose/critic/terms.ts";
import type { Candidate } from "../../runners/music/compose/mod.ts";
import { loadSinger, type SingEngine } from "../../runners/music/sing/mod.ts";
import { layoutOf } from "../../runners/music/studio/layout.ts";
import { type Guest, record } from "../../runners/music/studio/record.ts";
import { scoreReport } from "../../runners/music/studio/score_report.ts";
import { singerFor } from "../../runners/music/studio/singer.ts";
import { vocals } from "../../runners/music/studio/song.ts";
import { describeScore } from "../listen/against.ts";
import { type Pair, type Side, writeBlindPage } from "../listen/blind.ts";
import { LYRICS, PIECES } from "./pieces.ts";

type Rendered = Candidate & { readonly guests: readonly Guest[] };

const SEED = 1;
const SECONDS = 40;
const job = { signal: new AbortController().signal, progress: () => undefined };

/** A blind page of first tries against choices (`bench/listen.ts` serves and counts); resolves to its path. */
export async function writePairs(folder: string): Promise<string> {
  const engine = await loadSinger();
  // Composing is cheap beside playing, and the page has to know how many there are.
  const differing = PIECES.flatMap(({ prompt, sung }) => {
    const attempt = attempts(prompt, sung, engine);
    const [first, chosen] = [chooser([SEED], attempt, 1)(0), chooser([SEED], attempt)(0)];
    return chosen.choice.worth === chosen.choice.first_worth ? [] : [{ prompt, sung, first, chosen }];
  });
  async function* pairs(): AsyncGenerator<Pair> {
    for (const { prompt, sung, first, chosen } of differing) {
      const place = join(folder, "rendered", prompt.replaceAll(/\W+/gu, "-"));
      const differs = differences(first, chosen);
      console.log(`${prompt}: ${differs}`);
      const sides = [await write(`${place}-first.flac`, first), await write(`${place}-chosen.flac`, chosen)] as const;
      yield { prompt, ...(sung ? { lyrics: LYRICS } : {}), sides, differs };
    }
  }
  await mkdir(join(folder, "rendered"), { recursive: true });
  const page = {
    title: "Which one is better?",
    sides: ["first try", "choice"],
    seed: SEED,
    count: differing.length,
  } as const;
  return writeBlindPage(folder, page, pairs());
}

async function write(file: string, { score, guests }: Rendered): Promise<Side> {
  const audio = await record(score, SEED, job, { guests });
  const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
  const { seconds, loudness } = await studio.finish(
    { audio, engine: "" },
    level,
    { path: file, bits: 16, tags: {} },
    job.signal,
  );
  const composed = scoreReport(score);
  return { file, seconds, report: { composed }, lufs: loudness?.lufs ?? null, facts: describeScore(composed) };
}

function attempts(prompt: string, sung: boolean, engine: SingEngine): (seed: number) => Rendered {
  const brief = music.understand(prompt);
  if (!sung) return (seed) => ({ score: music.compose(brief, { seconds: SECONDS }, seed), guests: [] });
  const words = engine.readLyrics(LYRICS);
  const singer = singerFor(music.readPrompt(prompt), brief, SEED, engine);
  return (seed) => {
    const {
      lyrics,
      brief: laid,
      outline,
    } = layoutOf(words, { brief, outline: {}, seconds: SECONDS }, seed, engine, music);
    const score = music.compose(laid, { ...outline, singer: singer.voice }, seed);
    const { guests } = vocals(lyrics, score, singer, SEED, engine);
    return { score, guests };
  };
}

/** The three terms that gain most. */
function differences(first: Candidate, chosen: Candidate): string {
  const [a, b] = [first, chosen].map(({ score }) => judge(score).measures) as [
    ReturnType<typeof judge>["measures"],
    ReturnType<typeof judge>["measures"],
  ];
  return (Object.keys(TERMS) as TermName[])
    .flatMap((name) => {
      const [from, to] = [a[name], b[name]];
      if (from === undefined || to === undefined) return [];
      const gain = TERMS[name].weight * (worthOf(TERMS[name], to) - worthOf(TERMS[name], from));
      return [{ gain, text: `${TERMS[name].unit}: ${from.toFixed(2)} → ${to.toFixed(2)}` }];
    })
    .filter(({ gain }) => gain > 0)
    .sort((one, two) => two.gain - one.gain)
    .slice(0, 3)
    .map(({ text }) => text)
    .join("; ");
}
