/**
 * What scenarios need on the server: sources of this run's own, submissions to read and replay, a result to download.
 * Removed at the end.
 */
import { randomUUID } from "node:crypto";
import { sourceFor, writeWav16 } from "./audio.ts";
import { NotReady } from "./check.ts";
import { openConnections } from "./connections.ts";
import { actionExamples, type Example, withSources } from "./examples.ts";
import type { Receiver } from "./receiver.ts";
import type { Prepared, Scenario } from "./scenarios.ts";
import { awaitEnd, type Call, must, type Submitted, submit, uploadFile } from "./service.ts";

export interface Bench {
  readonly url: string;
  readonly key: string;
  readonly call: Call;
  readonly is_test: boolean;
  /** By the name of the action. */
  readonly examples: ReadonlyMap<string, Example>;
  /** Seconds of a source, where the action does not ask for more. */
  readonly source_s: number;
  readonly receiver: (Receiver & { readonly callback_url: string }) | undefined;
}

/** Submissions that replays and reads turn around. */
const STORED = 20;
/** A second of sound is what the upload scenario sends. */
const FILE_SECONDS = 1;
/** For the one operation that shows that somebody works. */
const PROBE_SECONDS = 90;

export async function readExamples(call: Call): Promise<ReadonlyMap<string, Example>> {
  const { body } = await must(call, "GET", "/openapi.json");
  return new Map(Object.values(actionExamples(body)).map((example) => [example.path.slice("/v1/".length), example]));
}

/** `clean` cancels, deletes and says what it could not. */
export async function prepare(
  bench: Bench,
  action: string,
  scenario: Scenario,
): Promise<{ prepared: Prepared; clean(): Promise<readonly string[]> }> {
  const { call, url, key, examples, source_s } = bench;
  const example = examples.get(action);
  if (example === undefined)
    throw new NotReady(`This server has no action "${action}" with an example in /openapi.json`);
  const operations = new Set<string>();
  const files = new Set<string>();
  const connections = openConnections(url, { connections: scenario.works ? 1_000 : 128, timeout_ms: 60_000 });
  const clean = async (): Promise<readonly string[]> => {
    connections.close();
    // What has ended by itself needs no cancel; of a test key that is everything.
    const left = bench.is_test
      ? 0
      : await removeAll(operations, (id) =>
          call("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id }, 10_000),
        );
    const kept = await removeAll(files, (id) => call("DELETE", `/v1/files/${id}`, undefined, 10_000));
    return [
      ...(left > 0 ? [`${left} submissions could not be cancelled in time, and will be worked on`] : []),
      ...(kept > 0 ? [`${kept} uploads could not be deleted in time; they go 24 hours after their last use`] : []),
    ];
  };
  try {
    const urls = new Map<string, string>();
    for (const [index, name] of example.sources.entries()) {
      const file = await uploadFile(call, writeWav16(sourceFor(name, index, secondsFor(example, source_s))));
      files.add(file.id);
      urls.set(name, file.url);
    }
    const { path, body: fields } = withSources(example, urls);
    const stored: Submitted[] = [];
    if (!scenario.works || scenario.downloads)
      for (let n = 0; n < STORED; n++) {
        const one = await submit(call, path, fields);
        operations.add(one.operation.id);
        stored.push(one);
      }
    const download = scenario.works ? await probe(call, path, fields, scenario) : undefined;
    const prepared: Prepared = {
      connections,
      key,
      path,
      fields,
      stored,
      file: writeWav16([sourceFor("music", 1, FILE_SECONDS)[0]!]),
      download,
      receiver: bench.receiver,
      made: { operation: (id) => operations.add(id), file: (id) => files.add(id) },
    };
    return { prepared, clean };
  } catch (error) {
    await clean();
    throw error;
  }
}

/** One operation, before many: shows that a worker takes it, and is what downloads fetch. */
async function probe(call: Call, path: string, fields: object, scenario: Scenario): Promise<Prepared["download"]> {
  const submitted = await submit(call, path, fields);
  const ended = await awaitEnd(call, submitted, PROBE_SECONDS);
  if (ended.status === "processing") {
    await call("PUT", "/v1/operations.cancel", { idempotency_key: randomUUID(), id: ended.id });
    throw new NotReady(
      `No worker ended an operation of ${path} within ${PROBE_SECONDS} s: is there a node with the role worker, or all?`,
    );
  }
  if (ended.status === "failed") throw new NotReady(`${path} failed with its own example: ${ended.error?.code}`);
  const output = ended.output ?? ended.outputs?.[0];
  if (scenario.downloads && output === undefined) throw new NotReady(`${path} has no result to download`);
  return output ?? undefined;
}

/** Longer than what an example asks to be cut down to, so that there is something to cut. */
function secondsFor({ body }: Example, seconds: number): number {
  const asked = Object.entries(body).flatMap(([name, value]) =>
    name.endsWith("duration") && typeof value === "number" ? [value + 1] : [],
  );
  return Math.max(seconds, ...asked);
}

const CLEAN_MS = 60_000;
const AT_ONCE = 32;

/** Resolves to how many are left, where it takes too long or the server refuses. */
async function removeAll(ids: Set<string>, remove: (id: string) => Promise<{ status: number }>): Promise<number> {
  const all = [...ids];
  const until = performance.now() + CLEAN_MS;
  let at = 0;
  const work = async (): Promise<void> => {
    while (at < all.length && performance.now() < until) {
      const id = all[at++]!;
      const { status } = await remove(id).catch(() => ({ status: 0 }));
      // 404 and 409: it is gone or has ended.
      if (status > 0 && status < 500 && status !== 429) ids.delete(id);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids.size;
}
