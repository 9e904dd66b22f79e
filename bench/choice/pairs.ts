/** First tries and choices, rendered and mastered as the service does it. */
import { mkdir, writeFile } from "node:fs/promises";
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
import { singerFor } from "../../runners/music/studio/singer.ts";
import { settingOf, tonesOf, vocals, withBreath } from "../../runners/music/studio/song.ts";
import { LYRICS, PIECES } from "./pieces.ts";

/** Two scores of one request: `a` the first try, `b` the choice; pages mix the sides. Files lie beside the list. */
interface Pair {
  readonly prompt: string;
  readonly a: string;
  readonly b: string;
  /** What one can name. */
  readonly differs: string;
}

type Rendered = Candidate & { readonly guests: readonly Guest[] };

const SEED = 1;
const SECONDS = 40;
const job = { signal: new AbortController().signal, progress: () => undefined };

export async function writePairs(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const engine = await loadSinger();
  const pairs: Pair[] = [];
  for (const { prompt, sung } of PIECES) {
    const attempt = attempts(prompt, sung, engine);
    const [first, chosen] = [chooser([SEED], attempt, 1)(0), chooser([SEED], attempt)(0)];
    if (chosen.choice.worth === chosen.choice.first_worth) continue;
    const name = prompt.replaceAll(/\W+/gu, "_");
    const pair = { prompt, a: `${name}-first.flac`, b: `${name}-chosen.flac`, differs: differences(first, chosen) };
    for (const [file, { score, guests }] of [
      [pair.a, first],
      [pair.b, chosen],
    ] as const) {
      const audio = await record(score, SEED, job, { guests });
      const level = { kind: "loudness", target_lufs: -14, allow_compression: true } as const;
      await studio.finish({ audio, engine: "" }, level, { path: join(folder, file), bits: 16, tags: {} }, job.signal);
    }
    pairs.push(pair);
    await writeFile(join(folder, "pairs.json"), `${JSON.stringify(pairs, null, 2)}\n`);
    console.log(`${prompt}: ${pair.differs}`);
  }
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
    const score = withBreath(music.compose(laid, outline, seed), outline.sections);
    const setting = settingOf(lyrics, score, singer, seed, engine);
    const { guests } = vocals(lyrics, score, singer, SEED, engine, { setting });
    return { score, sung: tonesOf(setting, score, engine), guests };
  };
}

/** The three terms that gain most. */
function differences(first: Candidate, chosen: Candidate): string {
  const [a, b] = [first, chosen].map(({ score, sung }) => judge(score, sung).measures) as [
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
