/**
 * One action in a fresh process, run as the thread of a pool runs a job (decode, process, master, encode, verify), here
 * with what it nests in this process too: `child.ts <folder> <action> <index of the example> <seconds of sources>
 * [<warm runs at most>]`; prints `ActionTimed` as JSON.
 */
import { exit } from "../../core/adapters/runtime/runtime.ts";
import { runJob } from "../../core/adapters/thread/job.ts";
import { type Timed, timed } from "../kernels/clock.ts";
import { jobOf, planOf, registry } from "./plan.ts";

export interface ActionTimed extends Timed {
  /** Seconds of audio of the outputs together. */
  readonly delivered_s: number;
  readonly outputs: number;
}

const [folder = "", name = "", index = "0", seconds = "180", warm_max] = process.argv.slice(2);
const registered = (await registry()).actions.get(name);
const plan = registered === undefined ? undefined : planOf(registered, Number(index), Number(seconds));
if (plan === undefined) throw new Error(`There is no action "${name}" with an example ${index}`);

const input = jobOf(plan, folder, "wav");
const job = { signal: new AbortController().signal, progress: () => undefined };
let delivered_s = 0;
let outputs = 0;
const found = await timed(
  async () => {
    const { outputs: made } = await runJob(input, job);
    delivered_s = made.reduce((sum, output) => sum + ("duration" in output ? output.duration : 0), 0);
    outputs = made.length;
    // What another engine made must not be shown as what was asked for.
    const over = made.find((output) => "report" in output && output.report?.passed_over !== undefined);
    if (over !== undefined) throw new Error(`A model was passed over: ${JSON.stringify(over)}`);
  },
  warm_max === undefined ? undefined : Number(warm_max),
);
console.log(JSON.stringify({ ...found, delivered_s, outputs } satisfies ActionTimed));
// A model's process stays for the next job, and Deno waits for it.
exit(0);
