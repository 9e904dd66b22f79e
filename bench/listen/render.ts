/** Pieces as a service of any checkout delivers them: asked for over its API, which stays the same while everything behind it changes. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decode } from "../../runners/signal/media/decode.ts";
import { type AnyOutput, type Output, Tonwerk } from "../../sdk/typescript/src/mod.ts";
import { type Measured, measure } from "../create/measure.ts";
import { startKernel } from "../k6/servers.ts";
import { cpuSecondsOf, THIS_RUNTIME } from "../measure.ts";
import { LYRICS } from "../whole/songs.ts";
import list from "./requests.json" with { type: "json" };

export interface Request {
  readonly genre: string;
  readonly action: string;
  readonly prompt: string;
  /** Words to be sung. */
  readonly lyrics?: string;
  /** The genre whose piece is remixed. */
  readonly source?: string;
}

/** One for each of twenty genres. */
export const REQUESTS: readonly Request[] = (list as readonly (Request & { lyrics?: keyof typeof LYRICS })[]).map(
  ({ lyrics, ...request }) => ({ ...request, ...(lyrics === undefined ? {} : { lyrics: LYRICS[lyrics] }) }),
);

export interface Rendered {
  readonly request: Request;
  readonly seed: number;
  /** File that is remixed. */
  readonly source: string | null;
  /** Processor time of the service meanwhile, seconds. */
  readonly cpu_s: number;
  /** By our own ear. */
  readonly heard: Omit<Measured, "analysis" | "features">;
  readonly output: AnyOutput & {
    readonly engine: string;
    readonly loudness: { readonly lufs: number | null };
    readonly report: Readonly<Record<string, unknown>>;
  };
}

type Delivered = Output<Rendered["output"]>;
/** Of an operation that is ready: one output, or its variations. */
type Made = { readonly output: Delivered } | { readonly output?: never; readonly outputs: readonly [Delivered] };

export interface Checkout {
  readonly name: string;
  readonly folder: string;
}

/** Where the files of a piece lie, without their extension. */
export const placeOf = (folder: string, { genre }: Request): string => join(folder, genre.replaceAll(/\W+/gu, "-"));

/** What was rendered there before. */
export async function readRendered(place: string): Promise<Rendered | undefined> {
  const file = `${place}.json`;
  return existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Rendered) : undefined;
}

export interface Order {
  readonly requests: readonly Request[];
  /** Where the pieces come to lie, and where those that are remixed lie. */
  readonly folder: string;
  readonly sources: string;
  readonly seed: number;
}

const sourceOf = ({ source }: Request, sources: string): string | null =>
  source === undefined ? null : `${placeOf(sources, REQUESTS.find(({ genre }) => genre === source)!)}.flac`;

/** What the folder does not have yet. A checkout with changes of its own has nothing yet, for its name does not say which. */
export async function missing(name: string, { requests, folder, sources, seed }: Order): Promise<readonly Request[]> {
  if (name.endsWith("-dirty")) return requests;
  const found = await Promise.all(
    requests.map(async (request) => {
      const before = await readRendered(placeOf(folder, request));
      const [there, wanted] = [
        [before?.request, before?.seed, before?.source],
        [request, seed, sourceOf(request, sources)],
      ].map((all) => JSON.stringify(all));
      return there === wanted ? [] : [request];
    }),
  );
  return found.flat();
}

/** For each request writes FLAC, Opus and what the service says of the piece. */
export async function render(checkout: Checkout, { requests, folder, sources, seed }: Order): Promise<void> {
  await mkdir(folder, { recursive: true });
  const target = await startKernel(checkout.name, checkout.folder, "all", THIS_RUNTIME, [], {
    TONWERK_FREE_SECONDS: "0",
  });
  try {
    const client = new Tonwerk({ baseUrl: target.url, apiKey: target.keys[0]! });
    for (const request of requests) {
      const source = sourceOf(request, sources);
      const before = await cpuSecondsOf(target.process_id);
      const operation = await client
        .action(request.action)
        .create({
          prompt: request.prompt,
          ...(request.lyrics === undefined ? {} : { lyrics: request.lyrics }),
          ...(source === null ? {} : { source: await client.files.upload(source) }),
          seed,
        })
        .wait();
      const cpu_s = (await cpuSecondsOf(target.process_id)) - before;
      const ready = operation as unknown as Made;
      const made = ready.output ?? ready.outputs[0];
      const place = placeOf(folder, request);
      await made.download(`${place}.flac`);
      await made.download(`${place}.opus`, { format: "opus" });
      const heard = await hear(`${place}.flac`);
      const rendered: Rendered = { request, seed, source, cpu_s, heard, output: made };
      await writeFile(`${place}.json`, `${JSON.stringify(rendered, null, 1)}\n`);
      const { duration } = rendered.output;
      console.log(
        `${checkout.name} ${duration.toFixed(1)} s, ${(duration / cpu_s).toFixed(1)} x real time: ${request.prompt}`,
      );
    }
  } finally {
    await target.stop();
  }
}

async function hear(file: string): Promise<Rendered["heard"]> {
  const limits = { seconds_min: 0, seconds_max: 3_600, bytes_max: Number.MAX_SAFE_INTEGER };
  const { audio } = await decode(file, limits, new AbortController().signal);
  const { analysis, features, ...heard } = await measure(audio);
  return heard;
}
