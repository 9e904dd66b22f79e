/**
 * Jobs of one action, one after another, in a worker as the service has it: a process of a pool, models in theirs.
 * `child.ts <folder> <action> <fields as JSON> <seconds of sources> <jobs>`; prints `JobMeasured` of each as JSON.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { exit } from "../../core/adapters/runtime/runtime.ts";
import { job } from "../../core/adapters/thread/tasks.ts";
import { createPool } from "../../runners/pool/pool.ts";
import { FLAC_BYTES_A_SECOND, jobOf, planFor, registry } from "../actions/plan.ts";
import { children, cpuOf, peakOf } from "../process.ts";

export interface JobMeasured {
  /** Of the longest source, or of all that was delivered where there is none. */
  readonly audio_s: number;
  /** Of worker and models. */
  readonly cpu_s: number;
  /** Peaks of resident memory while each lasted, 10^6 bytes; 0 where no model's process ran. */
  readonly stages: readonly { readonly stage: string; readonly worker: number; readonly models: number }[];
}

const [folder = "", name = "", fields = "{}", seconds = "180", jobs = "2"] = process.argv.slice(2);
const registered = (await registry()).actions.get(name);
if (registered === undefined) throw new Error(`There is no action "${name}"`);
const plan = planFor(registered, JSON.parse(fields), Number(seconds), FLAC_BYTES_A_SECOND);
const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 600_000 });
const found: JobMeasured[] = [];
for (let index = 0; index < Number(jobs); index++) found.push(await measured());
console.log(JSON.stringify(found));
await pool.close();
exit(0);

async function measured(): Promise<JobMeasured> {
  const stages: { stage: string; worker: number; models: number }[] = [];
  const began = cpuSeconds();
  let stage = "starting";
  look();
  // The peaks of a stage are looked at when the next one begins, and forgotten then.
  const end = (next: string): void => {
    stages.push({ stage, ...look() });
    stage = next;
  };
  const { outputs } = await pool.run(job, jobOf(plan, folder, "flac"), {
    signal: new AbortController().signal,
    ms_max: 3_600_000,
    lane: "job",
    onProgress: (_, now) => {
      if (now !== stage) end(now);
    },
  });
  end("");
  const delivered_s = outputs.reduce((sum, output) => sum + ("duration" in output ? output.duration : 0), 0);
  const lengths = plan.sources.map((source) => source.seconds);
  const audio_s = lengths.length === 0 ? delivered_s : Math.max(...lengths);
  return { audio_s, cpu_s: cpuSeconds() - began, stages };
}

/** Peaks since the last look. */
function look(): { worker: number; models: number } {
  const peaks = { worker: 0, models: 0 };
  for (const pid of children()) {
    const is_worker = readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes("job");
    peaks[is_worker ? "worker" : "models"] += peakOf(pid);
    // Linux: Documentation/filesystems/proc.rst, clear_refs.
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  }
  return peaks;
}

function cpuSeconds(): number {
  return children().reduce((sum, pid) => sum + cpuOf(pid), 0);
}
