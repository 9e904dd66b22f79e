/**
 * What one iteration of each scenario asks, and what counts as its success. A scenario for each action is made from the
 * server's own document.
 */
import { randomUUID } from "node:crypto";
import { type Answer, type Ask, type Connections, headerOf } from "./connections.ts";
import type { Outcome } from "./pace.ts";
import type { Receiver } from "./receiver.ts";
import type { Submitted } from "./service.ts";

/** What the scenarios ask with and about, prepared by prepare.ts. */
export interface Prepared {
  readonly connections: Connections;
  readonly key: string;
  /** Of the action that is submitted. */
  readonly path: string;
  /** The request without its `idempotency_key`; its sources are uploads of this run. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Submissions that are there already, to be read and replayed. */
  readonly stored: readonly Submitted[];
  /** A file that is uploaded. */
  readonly file: Uint8Array;
  /** A result that is downloaded. */
  readonly download: { readonly url: string; readonly bytes: number } | undefined;
  readonly receiver: (Receiver & { readonly callback_url: string }) | undefined;
  /** What was made on the server, and is to be removed at the end. */
  readonly made: { operation(id: string): void; file(id: string): void };
}

export interface Scenario {
  readonly sentence: string;
  /** Iterations a second where nobody says another: within the limits that an account has by default. */
  readonly rate: number;
  /** Where nobody says another: milliseconds at p99. */
  readonly p99_ms: number;
  /** Requests of an iteration, for the check of limits. */
  readonly puts: number;
  readonly gets: number;
  /** Whether a worker has to end what is submitted; such an iteration holds a long-poll or waits for a webhook. */
  readonly works?: true;
  readonly downloads?: true;
  readonly webhooks?: true;
  begin(prepared: Prepared): (index: number) => Promise<Outcome>;
}

const json = (key: string): string => `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n`;
const DONE: Outcome = {};

/** Whatever is no 200 failed, however soon it came. */
const judge = ({ status, fault }: Answer): Outcome => (status === 200 ? DONE : { failed: fault ?? String(status) });
const firstOf = <Part>(parts: readonly Part[], index: number): Part => parts[index % parts.length]!;

function submission({ path, key, fields }: Prepared, more: object = {}): Ask {
  const body = JSON.stringify({ idempotency_key: randomUUID(), ...fields, ...more });
  return { method: "PUT", url: path, head: json(key), body, read: true };
}

/** Submits, and notes what has to be cancelled at the end. */
async function submitNew(prepared: Prepared, more?: object): Promise<Outcome & { readonly id?: string }> {
  const answer = await prepared.connections.ask(submission(prepared, more));
  const id = /"id":"(op_[^"]+)"/u.exec(answer.text)?.[1];
  if (answer.status !== 200 || id === undefined) return { failed: judge(answer).failed ?? "no operation" };
  prepared.made.operation(id);
  return { id };
}

/** Until it has ended; success is `ready`. */
async function waitFor({ connections, path, key }: Prepared, id: string): Promise<Outcome> {
  for (;;) {
    const answer = await connections.ask({
      method: "GET",
      url: `${path}?id=${id}&wait=true`,
      head: json(key),
      read: true,
    });
    if (answer.status !== 200) return judge(answer);
    const status = /"status":"(\w+)"/u.exec(answer.text)?.[1];
    if (status !== "processing") return status === "ready" ? DONE : { failed: `operation ${status}` };
  }
}

const submit: Scenario = {
  sentence: "a new submission",
  rate: 5,
  p99_ms: 25,
  puts: 1,
  gets: 0,
  begin: (prepared) => async () => submitNew(prepared),
};

const replay: Scenario = {
  sentence: "a submission that was accepted before, again; success is the first answer",
  rate: 5,
  p99_ms: 25,
  puts: 1,
  gets: 0,
  begin:
    ({ connections, key, stored }) =>
    async (index) => {
      const { path, body } = firstOf(stored, index);
      const answer = await connections.ask({ method: "PUT", url: path, head: json(key), body });
      if (answer.status === 200 && headerOf(answer, "idempotent-replayed") !== "true") return { failed: "no replay" };
      return judge(answer);
    },
};

const status: Scenario = {
  sentence: "a read of an operation",
  rate: 20,
  p99_ms: 25,
  puts: 0,
  gets: 1,
  begin:
    ({ connections, key, stored }) =>
    async (index) => {
      const { path, operation } = firstOf(stored, index);
      return judge(await connections.ask({ method: "GET", url: `${path}?id=${operation.id}`, head: json(key) }));
    },
};

const long_poll: Scenario = {
  sentence: "a submission and a long-poll until it is ready",
  rate: 1,
  p99_ms: 2_000,
  puts: 1,
  gets: 1,
  works: true,
  begin: (prepared) => async () => {
    const { id, failed } = await submitNew(prepared);
    return id === undefined ? { failed } : waitFor(prepared, id);
  },
};

const upload: Scenario = {
  sentence: "an upload of a WAV file",
  rate: 2,
  p99_ms: 250,
  puts: 1,
  gets: 0,
  begin:
    ({ connections, key, file, made }) =>
    async () => {
      const head = `authorization: Bearer ${key}\r\n`;
      const answer = await connections.ask({
        method: "PUT",
        url: "/v1/files?name=benchmark",
        head,
        body: file,
        read: true,
      });
      const id = /"id":"([^"]+)"/u.exec(answer.text)?.[1];
      if (answer.status === 200 && id !== undefined) made.file(id);
      return judge(answer);
    },
};

const download: Scenario = {
  sentence: "a whole result by its signed URL, from the bucket where it leads there",
  rate: 5,
  p99_ms: 500,
  puts: 0,
  gets: 0,
  works: true,
  downloads: true,
  begin:
    ({ connections, download }) =>
    async () => {
      let url = download!.url;
      for (let hop = 0; hop < 3; hop++) {
        const answer = await connections.ask({ method: "GET", url, head: "" });
        const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, "location") : undefined;
        if (location === undefined)
          return answer.status === 200 && answer.bytes !== download!.bytes ? { failed: "not whole" } : judge(answer);
        url = new URL(location, url).href;
      }
      return { failed: "too many redirects" };
    },
};

const webhooks: Scenario = {
  sentence: "a submission until the webhook of its end has come",
  rate: 1,
  p99_ms: 3_000,
  puts: 1,
  gets: 0,
  works: true,
  webhooks: true,
  begin: (prepared) => async () => {
    const receiver = prepared.receiver!;
    const { id, failed } = await submitNew(prepared, { callback_url: receiver.callback_url });
    if (id === undefined) return { failed };
    const body = await receiver.arrived(id);
    return body.includes('"status":"ready"') ? DONE : { failed: "operation failed" };
  },
};

/** Of 20 iterations: what clients of one installation ask, by a guess that docs/benchmarking.md states. */
const MIX: readonly (readonly [part: string, of: Scenario, times: number])[] = [
  ["status", status, 12],
  ["submit", submit, 3],
  ["replay", replay, 1],
  ["download", download, 2],
  ["upload", upload, 1],
  ["long-poll", long_poll, 1],
];

const mixed: Scenario = {
  sentence: `of 20: ${MIX.map(([part, , times]) => `${times} ${part}`).join(", ")}`,
  rate: 10,
  p99_ms: 2_000,
  puts: 6 / 20,
  gets: 13 / 20,
  works: true,
  downloads: true,
  begin(prepared) {
    const parts = MIX.flatMap(([part, scenario, times]) => {
      const begin = scenario.begin(prepared);
      return Array.from({ length: times }, () => ({ part, begin }));
    });
    // Spread over the 20: seven and twenty share no factor.
    return async (index) => {
      const { part, begin } = parts[(index * 7) % parts.length]!;
      return { ...(await begin(index)), part };
    };
  },
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  submit,
  replay,
  status,
  "long-poll": long_poll,
  upload,
  download,
  webhooks,
  mixed,
};

/** From the submission to the end, of one action by the first example of its declaration. */
export const actionScenario = (name: string): Scenario => ({
  ...long_poll,
  sentence: `${name} by its own example, from the submission to its end`,
  rate: 0.2,
  p99_ms: 60_000,
});
