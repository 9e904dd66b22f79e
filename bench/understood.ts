/**
 * How long a dry run of a creating action takes, what its words are taken to ask for included: through the front door of a service in this process,
 * the first question of a fresh thread apart from the rest.
 *
 * `bun bench/understood.ts` or `deno run -A bench/understood.ts`, `--rounds 60`.
 */
import { readFile } from "node:fs/promises";
import { startTestService } from "../test/service.ts";

const ROUNDS = Number(/--rounds[ =](\d+)/u.exec(process.argv.join(" "))?.[1] ?? 60);
/** The longest prompt that there is. */
const LENGTH_MAX = 1024;

const words = JSON.parse(await readFile(new URL("create/clips.json", import.meta.url), "utf8")) as readonly {
  readonly prompt: string;
}[];
const prompts = words.map(({ prompt }) => prompt);
/** Of many prompts, one after the other. */
const longPrompt = (from: number): string => {
  let text = "";
  for (let at = from; text.length < LENGTH_MAX; at++) text += `${prompts[at % prompts.length]}, `;
  return text.slice(0, LENGTH_MAX);
};

const source = { url: "https://example.com/song.flac" };
const lyrics = "[Verse]\nMorning on the river";
const ACTIONS: Readonly<Record<string, object>> = {
  "create.new_song": { lyrics },
  "create.new_instrumental": {},
  "create.new_sample": { duration: 4, loopable: false },
  "create.new_fx": {},
  "create.remix_song": { lyrics, source },
  "create.remix_instrumental": { source },
};

const tonwerk = await startTestService({ env: { TONWERK_PUT_PER_MINUTE: "0", TONWERK_FREE_SECONDS: "0" } });
const ask = async (action: string, prompt: string): Promise<number> => {
  const begun = performance.now();
  const { body } = await tonwerk.json("PUT", `/v1/${action}?dry_run=true`, { ...ACTIONS[action], prompt });
  const ms = performance.now() - begun;
  if (!body.understood) throw new Error(`${action}: ${JSON.stringify(body)} ${tonwerk.logged.at(-1)}`);
  return ms;
};
/** Milliseconds, sorted. */
async function measure(action: string, prompt: (index: number) => string): Promise<readonly number[]> {
  const all: number[] = [];
  for (let index = 0; index < ROUNDS; index++) all.push(await ask(action, prompt(index * 7)));
  return all.sort((one, other) => one - other);
}
const at = (sorted: readonly number[], share: number): string =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1).padStart(8);

console.log("action                     first ms   usual p50   p99     1,024 characters p50   p99");
try {
  for (const action of Object.keys(ACTIONS)) {
    const first = await ask(action, prompts[0]!);
    const usual = await measure(action, (index) => prompts[index % prompts.length]!);
    const long = await measure(action, longPrompt);
    console.log(
      `${action.padEnd(26)} ${first.toFixed(0).padStart(8)} ${at(usual, 0.5)} ${at(usual, 0.99)} ${at(long, 0.5)} ${at(long, 0.99)}`,
    );
  }
} finally {
  await tonwerk.stop();
}
