/** Every action of a running server, ready to be submitted: examples from `/openapi.json`, their sources uploaded, each tried once. */
import { randomUUID } from "node:crypto";
import { wav } from "../../test/audio.ts";
import { sourceFor } from "../actions/sources.ts";
import { actionExamples, type Example, withSources } from "./examples.ts";
import type { Target } from "./servers.ts";

export interface Actions {
  /** By the name that k6 takes for a scenario. */
  readonly examples: Readonly<Record<string, Example>>;
  /** From the `PUT` to the end, one after another on an idle server that has done each once before. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Above the longest `seconds_min` of a declaration, and half of what an example asks to be cut down to. */
const SOURCE_SECONDS = 31;
/** For one operation while nothing else runs. */
const PATIENCE_MS = 300_000;

/** Rejects where an action fails with its own example. */
export async function prepareActions(target: Target): Promise<Actions> {
  const description: unknown = await (await fetch(`${target.url}/openapi.json`)).json();
  const examples: Record<string, Example> = {};
  const seconds: Record<string, number> = {};
  for (const [name, example] of Object.entries(actionExamples(description))) {
    const urls = new Map<string, string>();
    for (const [index, source] of example.sources.entries())
      urls.set(source, await upload(target, sourceFor(source, index, SOURCE_SECONDS)));
    examples[name] = withSources(example, urls);
    await once(target, examples[name]);
    seconds[name] = await once(target, examples[name]);
  }
  return { examples, seconds };
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
