/** Every action of a running server, ready to be submitted: examples from `/openapi.json`, their sources uploaded, each run once by itself. */
import { randomUUID } from "node:crypto";
import { sourceFor } from "../../cli/bench/audio.ts";
import { actionExamples, type Example, withSources } from "../../cli/bench/examples.ts";
import { wav } from "../../test/audio.ts";
import type { Target } from "./servers.ts";

export interface Prepared {
  readonly example: Example;
  /** From the `PUT` to the end, with nothing else to do; a runner's first job on this server, so with what it loads. */
  readonly alone_s: number;
}

/** Above the longest `seconds_min` of a declaration. */
const SOURCE_SECONDS = 12;
/** For one operation while nothing else runs. */
const PATIENCE_MS = 600_000;

/** By the name that k6 takes for a scenario, one after another. Rejects where an action fails with its own example. */
export async function prepareActions(target: Target): Promise<ReadonlyMap<string, Prepared>> {
  const description: unknown = await (await fetch(`${target.url}/openapi.json`)).json();
  const actions = Object.entries(actionExamples(description));
  if (actions.length === 0) throw new Error(`Cannot find an action with an example at ${target.url}/openapi.json`);
  const prepared = new Map<string, Prepared>();
  for (const [name, example] of actions) {
    const urls = new Map<string, string>();
    for (const [index, source] of example.sources.entries())
      urls.set(source, await upload(target, sourceFor(source, index, sourceSeconds(example))));
    const own = withSources(example, urls);
    const alone_s = await once(target, own);
    prepared.set(name, { example: own, alone_s });
    console.error(`${target.name} ${name}, alone: ${alone_s.toFixed(1)} s`);
  }
  return prepared;
}

/** Short, since time grows with it; but longer than what an example asks to be cut down to, so that there is something to cut. */
function sourceSeconds({ body }: Example): number {
  const asked = Object.entries(body).flatMap(([name, value]) =>
    name.endsWith("duration") && typeof value === "number" ? [value + 1] : [],
  );
  return Math.max(SOURCE_SECONDS, ...asked);
}

async function once(target: Target, { path, body }: Example): Promise<number> {
  const headers = { ...authorised(target), "content-type": "application/json" };
  const began = performance.now();
  const text = JSON.stringify({ idempotency_key: randomUUID(), ...body });
  let operation = await operationOf(await fetch(target.url + path, { method: "PUT", headers, body: text }));
  while (operation.status === "processing") {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`Cannot wait for ${path} any longer`);
    operation = await operationOf(await fetch(`${target.url}${path}?id=${operation.id}&wait=true`, { headers }));
  }
  if (operation.status !== "ready")
    throw new Error(`${path} failed with its own example: ${JSON.stringify(operation.error)}`);
  return (performance.now() - began) / 1000;
}

async function operationOf(answer: Response): Promise<{ id: string; status: string; error?: unknown }> {
  if (answer.status !== 200) throw new Error(`Cannot go on: ${answer.status} ${await answer.text()}`);
  return Object.values((await answer.json()) as Record<string, { id: string; status: string; error?: unknown }>)[0]!;
}

async function upload(target: Target, channels: readonly Float32Array[]): Promise<string> {
  const body = wav(channels) as Uint8Array<ArrayBuffer>;
  const answer = await fetch(`${target.url}/v1/files`, { method: "PUT", headers: authorised(target), body });
  if (answer.status !== 200) throw new Error(`Cannot upload: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { file: { url: string } }).file.url;
}

const authorised = ({ keys }: Target): Record<string, string> => ({ authorization: `Bearer ${keys[0]}` });
