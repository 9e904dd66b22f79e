/** The inside of a sidecar's process: its server's state, its program where it has one, and the jobs that it is given. */
import type { Job } from "../../../contract/mod.ts";
import { sleep } from "../sleep.ts";
import { quote, SidecarFault, wrong } from "./fault.ts";
import { Program } from "./program.ts";
import { speakTo } from "./protocols.ts";
import { type Look, type Speaker, withManifest } from "./speaker.ts";
import { type SidecarFacts, type SidecarInput, type SidecarOutput, type SidecarSpec, taskOf } from "./types.ts";

/** Of a server that starts, or loads gigabytes; the pool's own limit is as long. */
const START_MS_MAX = 300_000;
/** How long somebody else's work is waited for. */
const BUSY_MS_MAX = 60_000;
/** How long after its connections broke the end of a program is heard of. */
const END_MS = 500;
const PAUSE_MS = { min: 50, max: 1000 } as const;
/** Once nobody answered, jobs are told so at once for a while, and longer each time: each would wait for a connection otherwise. */
const REST_MS = { min: 1000, max: 30_000 } as const;

export function createSidecar(): { run(input: SidecarInput, job: Job): Promise<SidecarOutput> } {
  let key: string | undefined;
  let side: Promise<Side> | undefined;
  return {
    async run(input, job) {
      const asked = JSON.stringify(input.spec);
      if (side === undefined || asked !== key) {
        const before = side;
        side = (async () => {
          await (await before)?.close();
          return new Side(input.spec);
        })();
        key = asked;
      }
      return (await side).run(input, job);
    },
  };
}

class Side {
  readonly #spec: SidecarSpec;
  readonly #speaker: Speaker;
  #program: Program | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #rests = 0;
  #rests_until = 0;
  /** What it is at work on. */
  readonly #work = new Set<Promise<unknown>>();
  /** What its server said last. */
  #facts: SidecarFacts | undefined;

  constructor(spec: SidecarSpec) {
    this.#spec = spec;
    this.#speaker = speakTo(spec.manifest);
  }

  async run(input: SidecarInput, job: Job): Promise<SidecarOutput> {
    if (input.type === "look") return { type: "opened", facts: await this.#seen(job.signal) };
    clearTimeout(this.#idle);
    try {
      const facts = await this.#ready(job.signal);
      if (input.type === "open") return { type: "opened", facts };
      if (input.type === "check") {
        const { checkSidecar } = await import("./kit.ts");
        return { type: "checked", facts, checks: await checkSidecar(this.#spec.manifest, facts, job.signal) };
      }
      clearTimeout(this.#idle);
      const work = this.#whenFree(job.signal, () => this.#do(input, facts, job));
      this.#work.add(work);
      return await work.finally(() => this.#work.delete(work));
    } catch (error) {
      // A program that ended takes this process with it, with a better reason, once the system says so.
      const is_gone = error instanceof SidecarFault && (error.code === "lost" || error.code === "away");
      if (is_gone && this.#program !== undefined) await sleep(END_MS, job.signal);
      throw error;
    } finally {
      const { unload_seconds } = this.#spec.manifest;
      if (unload_seconds !== undefined && this.#work.size === 0) {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => this.#unload(), 1000 * unload_seconds);
      }
    }
  }

  /** Once its work is done. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#work);
    clearTimeout(this.#idle);
    this.#program?.giveUp();
  }

  async #do(
    input: Exclude<SidecarInput, { type: "open" | "look" | "check" }>,
    facts: SidecarFacts,
    job: Job,
  ): Promise<SidecarOutput> {
    const task = input.type === "generate" ? taskOf(input.request) : input.type;
    if (facts.tasks[task] === undefined) throw wrong(`it does not serve ${task}`);
    if (input.type === "generate") return { type: "made", audio: await this.#speaker.generate(input.request, job) };
    return { type: "stems", stems: await this.#speaker.separate(input.audio, input.stems, job) };
  }

  /** Says what it says of itself, however ready it is. */
  async #seen(signal: AbortSignal): Promise<SidecarFacts> {
    const { manifest } = this.#spec;
    // One that is to be started here is what a look is for as well.
    if (manifest.command !== undefined && this.#program === undefined) return this.#ready(signal);
    this.#rests_until = 0;
    const look = await this.#look(signal);
    if (look === undefined) throw new SidecarFault("away", "its program does not listen");
    checkState(look);
    if (look.facts === undefined) throw wrong("it says nothing of itself");
    return withManifest(look.facts, manifest);
  }

  /** Looks until it is ready, has it loaded where it is not, starts its program where it has one. */
  async #ready(signal: AbortSignal): Promise<SidecarFacts> {
    const { manifest } = this.#spec;
    // Whoever works is known to live, and may be slow to say so.
    if (this.#work.size > 0 && this.#facts !== undefined) return this.#facts;
    this.#program ??= manifest.command === undefined ? undefined : new Program(this.#spec);
    const rest_ms = this.#rests_until - performance.now();
    if (rest_ms > 0)
      throw new SidecarFault("away", `nobody answered at its address; asked again in ${Math.ceil(rest_ms / 1000)} s`);
    const until = performance.now() + (manifest.start_ms_max ?? START_MS_MAX);
    let is_told = false;
    for (let pause = PAUSE_MS.min as number; ; pause = Math.min(PAUSE_MS.max, 2 * pause)) {
      const look = await this.#look(signal);
      if (look !== undefined) {
        const { state, facts } = look;
        checkState(look);
        if ((state === "ready" || state === "busy") && facts !== undefined) {
          this.#facts = withManifest(facts, manifest);
          return this.#facts;
        }
        if (state === "unloaded" && !is_told) {
          is_told = true;
          await this.#speaker.load(signal);
          continue;
        }
      }
      if (performance.now() > until) throw wrong("it did not get ready in time");
      await sleep(pause, signal);
    }
  }

  /** Undefined: its program does not listen yet. */
  async #look(signal: AbortSignal) {
    try {
      const look = await this.#speaker.look(signal);
      this.#rests = 0;
      return look;
    } catch (error) {
      if (!(error instanceof SidecarFault) || error.code !== "away") throw error;
      if (this.#program !== undefined) return undefined;
      const rest = Math.min(REST_MS.max, REST_MS.min * 2 ** this.#rests++);
      this.#rests_until = performance.now() + rest;
      throw error;
    }
  }

  async #whenFree<Made>(signal: AbortSignal, work: () => Promise<Made>): Promise<Made> {
    const until = performance.now() + BUSY_MS_MAX;
    for (let pause = PAUSE_MS.min as number; ; pause = Math.min(PAUSE_MS.max, 2 * pause)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof SidecarFault) || error.code !== "busy" || performance.now() > until) throw error;
      }
      await sleep(pause, signal);
    }
  }

  #unload(): void {
    void this.#speaker.unload(AbortSignal.timeout(10_000)).catch(() => undefined);
  }
}

/** @throws SidecarFault where it has failed for good */
function checkState({ state, reason }: Look): void {
  if (state === "failed") throw wrong(`it says that it has failed${reason === null ? "" : `: ${quote(reason)}`}`);
}
