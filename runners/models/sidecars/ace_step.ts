/** ACE-Step's own server (`acestep/api_server.py` of ACE-Step 1.5): a task is released, asked after, and its file fetched. */
import type { Job } from "../../../contract/mod.ts";
import { sleep } from "../sleep.ts";
import { type Answer, type Asked, fetchWhole, refusalOf } from "./exchange.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { fileBytesMax, readFile } from "./foreign.ts";
import type { SidecarManifest } from "./manifest.ts";
import { fitGenerated, LOOK_MS, type Speaker } from "./speaker.ts";
import type { SidecarFacts } from "./types.ts";

/** What it makes: its documentation says 10 to 600 s. */
const SECONDS = { min: 10, max: 600 } as const;
const MADE = { sample_rate: null, seconds_max: SECONDS.max, stems: [] };
/** Its word for lyrics of music that nobody sings to. */
const INSTRUMENTAL = "[Instrumental]";
const ANSWER_BYTES_MAX = 1_000_000;
const ASK_MS = 1000;
/** It answers these at once; a file takes as long as it takes to send. */
const SILENCE_MS = 30_000;

export function speakAceStep(manifest: SidecarManifest): Speaker {
  const facts = (version: unknown): SidecarFacts => ({
    name: "ACE-Step",
    version: typeof version === "string" ? version.slice(0, 100) : null,
    licence: null,
    device: null,
    memory_mb: null,
    concurrency: null,
    tasks: { generate: MADE, song: MADE },
  });
  const ask = async (asked: Omit<Asked, "silence_ms">, bytes_max = ANSWER_BYTES_MAX): Promise<Answer> => {
    const answer = await fetchWhole(manifest, { ...asked, silence_ms: SILENCE_MS }, bytes_max);
    if (answer.status !== 200) throw refusalOf(answer);
    return answer;
  };
  const post = async (path: string, body: object, signal: AbortSignal): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return dataOf(await ask({ method: "POST", path, headers, body: bytes, signal }));
  };

  return {
    async look(signal) {
      const asked = { method: "GET", path: "/health", signal, silence_ms: LOOK_MS, ms_max: LOOK_MS } as const;
      const answer = await fetchWhole(manifest, asked, ANSWER_BYTES_MAX);
      if (answer.status !== 200) throw refusalOf(answer);
      const { status, version } = Object(dataOf(answer)) as Record<string, unknown>;
      if (status !== "ok") throw wrong(`its health says ${quote(status ?? null)}`);
      return { state: "ready", reason: null, facts: facts(version) };
    },
    // It loads when it starts.
    load: async () => undefined,
    unload: async () => undefined,
    async generate({ prompt, lyrics = INSTRUMENTAL, seconds, seed }, job) {
      const released = await post(
        "/release_task",
        {
          prompt,
          lyrics,
          audio_duration: Math.max(SECONDS.min, seconds),
          use_random_seed: false,
          seed,
          batch_size: 1,
          audio_format: "wav",
          ...manifest.with,
        },
        job.signal,
      );
      const { task_id } = Object(released) as Record<string, unknown>;
      if (typeof task_id !== "string") throw wrong(`it released ${quote(released ?? null)}, expected a task_id`);
      const path = await waitFor(task_id, post, job);
      const { body } = await ask({ method: "GET", path, signal: job.signal }, fileBytesMax(seconds + SECONDS.min));
      return fitGenerated(
        await readFile("its piece", body.bytes(), Math.max(SECONDS.min, seconds), job.signal),
        seconds,
      );
    },
    separate: async () => {
      throw wrong("it does not separate");
    },
  };
}

/** Resolves to the path of the file. There is no way to tell it that nobody wants the task any more. */
async function waitFor(
  task_id: string,
  post: (path: string, body: object, signal: AbortSignal) => Promise<unknown>,
  job: Job,
): Promise<string> {
  let fraction = 0;
  for (;;) {
    const answer = await post("/query_result", { task_id_list: [task_id] }, job.signal);
    const [task] = Array.isArray(answer) ? (answer as unknown[]) : [];
    const { status, result } = Object(task) as Record<string, unknown>;
    const [made] = resultsIn(result);
    if (status === 1) return pathOf(made?.file);
    if (status === 2) throw wrong(`its task failed: ${quote(made?.error ?? made?.stage ?? "")}`);
    if (status !== 0) throw wrong(`its task has the status ${quote(status ?? null)}`);
    // What it does not know it calls queued, for ever.
    if (made === undefined) throw new SidecarFault("lost", "it does not know its task any more");
    if (typeof made.progress === "number" && made.progress > fraction && made.progress <= 1) {
      fraction = made.progress;
      job.progress(fraction, "generating");
    }
    await sleep(ASK_MS, job.signal);
  }
}

function resultsIn(result: unknown): readonly Record<string, unknown>[] {
  try {
    const all: unknown = JSON.parse(String(result));
    return Array.isArray(all) ? all.map((one) => Object(one) as Record<string, unknown>) : [];
  } catch {
    throw wrong("the result of its task is not JSON");
  }
}

/** Within the server; another address is not followed. */
function pathOf(file: unknown): string {
  if (typeof file !== "string" || !/^\/v1\/audio\?path=[\u0021-\u007e]{1,2000}$/u.test(file))
    throw wrong(`its file is ${quote(file ?? null)}, expected /v1/audio?path=…`);
  return file;
}

function dataOf({ body }: Answer): unknown {
  const { data, code, error } = Object(body.json()) as Record<string, unknown>;
  if (code !== undefined && code !== 200) throw wrong(`it answers ${quote(code)}: ${quote(error ?? "")}`);
  return data;
}
