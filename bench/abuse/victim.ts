/**
 * The victim: an account with a steady pace. An open loop, so what is slow delays nothing but itself, and each latency counts from when its
 * request was due (no coordinated omission).
 */
import { randomUUID } from "node:crypto";
import { secondOfMusic } from "./bombs.ts";
import { KINDS, type Kind, type Phase } from "./judge.ts";
import { ask } from "./wire.ts";

/**
 * A second: enough of each for a p99 in some seconds, and a quarter of what two cores can do. The victim's account has
 * a higher limit for them.
 */
const RATES: Readonly<Record<Kind, number>> = { upload: 10, status: 20, job: 5 };
/** A second of it is enough for every thread that the node starts for one account at a time. */
const WARM_UP_SECONDS = 1;
/** What is not done by then, after the phase, is given up. */
const PATIENCE_MS = 10_000;
const HEALTH_EVERY_MS = 250;
const HEALTH_MS_MAX = 2_000;

export interface Victim {
  /** A phase of so many seconds, and the patience that its last requests need; without memory. */
  act(seconds: number): Promise<Omit<Phase, "memory_mb">>;
  /** One of each, until they are as quick as they get: threads load their code with the first job. */
  warmUp(): Promise<void>;
  /** Signed URL of an upload. */
  readonly file_url: string;
}

/** `callback`: where each job's webhook goes, by a key of the job. */
export async function createVictim(port: number, key: string, callback?: (name: string) => string): Promise<Victim> {
  const authorization = { authorization: `Bearer ${key}` };
  const json = { ...authorization, "content-type": "application/json" };
  const body = secondOfMusic();
  const send = (signal: AbortSignal) => ({
    upload: () =>
      ask({ port, method: "PUT", path: "/v1/files", headers: authorization, body, ms_max: GIVE_UP, signal }),
    submit: (url: string) =>
      ask({
        ...{ port, method: "PUT", path: `/v1/${ACTION}`, headers: json, ms_max: GIVE_UP, signal },
        body: JSON.stringify({
          idempotency_key: randomUUID(),
          source: { url },
          ...(callback === undefined ? {} : { callback_url: callback(randomUUID()) }),
        }),
      }),
    read: (id: string, wait = "") =>
      ask({ port, path: `/v1/${ACTION}?id=${id}${wait}`, headers: authorization, ms_max: GIVE_UP, signal }),
  });
  const unbound = send(new AbortController().signal);
  const uploaded = await unbound.upload();
  if (uploaded.status !== 200) throw new Error(`The victim cannot upload: ${uploaded.status} ${uploaded.text}`);
  const file_url = (JSON.parse(uploaded.text) as { file: { url: string } }).file.url;
  const known = idOf((await unbound.submit(file_url)).text);

  /** Empty: well; else what went wrong. */
  const once: Readonly<Record<Kind, (signal: AbortSignal) => Promise<string>>> = {
    upload: async (signal) => problem("upload", (await send(signal).upload()).status),
    status: async (signal) => problem("status", (await send(signal).read(known)).status),
    async job(signal) {
      const submitted = await send(signal).submit(file_url);
      if (submitted.status !== 200) return problem("job", submitted.status);
      for (;;) {
        const { status, text } = await send(signal).read(idOf(submitted.text), "&wait=true");
        if (status !== 200) return problem("job", status);
        const state = stateOf(text);
        if (state === "ready") return "";
        if (state === "failed") return "job failed";
      }
    },
  };

  const act: Victim["act"] = async (seconds) => {
    const ms: Record<Kind, number[]> = { upload: [], status: [], job: [] };
    const errors: Record<string, number> = {};
    const health: Record<string, number> = {};
    const over = new AbortController();
    const count = (counts: Record<string, number>, name: string): void => {
      counts[name] = (counts[name] ?? 0) + 1;
    };
    const due = async (kind: Kind, at: number): Promise<void> => {
      await until(at);
      const fault = await once[kind](over.signal);
      ms[kind].push(performance.now() - at);
      if (fault !== "") count(errors, fault);
    };
    const began = performance.now() + 20;
    const asked = KINDS.flatMap((kind, n) =>
      // Not all at the same moment: each kind begins a little later than the one before.
      Array.from({ length: Math.round(RATES[kind] * seconds) }, (_, index) =>
        due(kind, began + ((index + n / KINDS.length) * 1_000) / RATES[kind]),
      ),
    );
    const looks = Array.from({ length: Math.round((seconds * 1_000) / HEALTH_EVERY_MS) }, async (_, index) => {
      await until(began + index * HEALTH_EVERY_MS);
      const { status } = await ask({ port, path: "/health", ms_max: HEALTH_MS_MAX });
      count(health, status === 0 ? "none" : String(status));
    });
    const timer = setTimeout(() => over.abort(), seconds * 1_000 + PATIENCE_MS);
    await Promise.all([...asked, ...looks]);
    clearTimeout(timer);
    return { ms, errors, health };
  };

  return {
    file_url,
    act,
    async warmUp() {
      for (const kind of KINDS) {
        const fault = await once[kind](AbortSignal.timeout(60_000));
        if (fault !== "") throw new Error(`The victim is not served before anybody attacks: ${fault}`);
      }
      await act(WARM_UP_SECONDS);
    },
  };
}

const ACTION = "adapt.normalise_loudness";
/** The phase gives up, not the request. */
const GIVE_UP = 600_000;

const problem = (what: Kind, status: number): string =>
  status === 200 ? "" : status === 0 ? `${what} given up` : `${what} ${status}`;
const operationOf = (text: string): { id: string; status: string } =>
  Object.values(JSON.parse(text) as Record<string, { id: string; status: string }>)[0]!;
const idOf = (text: string): string => operationOf(text).id;
const stateOf = (text: string): string => operationOf(text).status;
const until = (at: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
