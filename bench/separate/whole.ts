/**
 * The whole of `adapt.separate_stems` as a service does it: decode, separate, five FLAC files written and read back, in
 * a thread of the pool with the model in a child process.
 *
 *   bun bench/separate/whole.ts [--seconds 64] [--models FOLDER] [--shipped] [--rounds 1] [--source FILE]
 *   deno run -A --no-check bench/separate/whole.ts ...
 *
 * Prints for each round processor time of this process (decoding, transforms, FLAC) and of the model's, wall time and times real time by
 * both together; then peak memory of each, and the digest of all five files. The first round loads the model. Linux.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { job } from "../../core/adapters/thread/tasks.ts";
import { createPool } from "../../runners/pool/pool.ts";
import { wav } from "../../test/audio.ts";
import { pieceOf } from "../../test/runners/signal/separate/shipped_fixtures.ts";
import { registry } from "../actions/plan.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "64" },
    models: { type: "string" },
    shipped: { type: "boolean", default: false },
    rounds: { type: "string", default: "1" },
    source: { type: "string" },
  },
});

/** Seconds of processor time. */
function cpuOf(pid: number | "self"): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** 10^6 bytes. */
function peakOf(pid: number | "self"): number {
  const [, kib = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

function children(): number[] {
  const found = readdirSync(`/proc/self/task`).flatMap((task) => {
    const text = readFileSync(`/proc/self/task/${task}/children`, "latin1").trim();
    return text === "" ? [] : text.split(" ").map(Number);
  });
  return found;
}

const folder = mkdtempSync(join(tmpdir(), "tonwerk-whole-"));
try {
  const path = options.source ?? join(folder, "source.wav");
  if (options.source === undefined) {
    const piece = pieceOf(Math.min(64, Number(options.seconds))).mix.channels;
    const frames = Math.round(Number(options.seconds) * 44_100);
    const whole = piece.map((channel) => Float32Array.from({ length: frames }, (_, n) => channel[n % channel.length]!));
    writeFileSync(path, wav(whole));
  }
  const registered = (await registry()).actions.get("adapt.separate_stems");
  if (registered === undefined) throw new Error("There is no adapt.separate_stems");
  const checked = registered.schema.validate(registered.action.examples[0], { dry_run: true });
  if (!checked.ok) throw new Error("The action refuses its own example");
  const { fields, loudness } = checked.value;
  const input = {
    origin: registered.origin,
    runners: new URL("../../runners/mod.ts", import.meta.url).href,
    request: { fields, loudness, seed: 1 },
    sources: [{ name: "source", path, limits: registered.action.sources.source! }],
    folder,
    bits: 24 as const,
    packs: [],
    sounds: [],
    models: {
      models: options.models ?? null,
      providers: ["cpu"],
      devices: [],
      model_mb: 4000,
      model_seconds: 600,
      shipped: options.shipped,
      families: [],
      sidecars: [],
    },
  };
  const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
  let helper: number | undefined;
  const before_making = peakOf("self");
  let digest = "";
  for (let round = 0; round < Number(options.rounds); round++) {
    const before = { own: cpuOf("self"), model: helper === undefined ? 0 : cpuOf(helper), wall: performance.now() };
    const made = await pool.run(job, input, { signal: new AbortController().signal, ms_max: 3_600_000 });
    const outputs = made.outputs.filter((output) => "duration" in output);
    helper = children()[0];
    const seconds = outputs[0]!.duration;
    const own = cpuOf("self") - before.own;
    const model = helper === undefined ? 0 : cpuOf(helper) - before.model;
    const wall = (performance.now() - before.wall) / 1000;
    console.log(
      `${seconds.toFixed(0)} s by ${outputs[0]!.engine}: own ${own.toFixed(2)} s, model ${model.toFixed(2)} s, wall ${wall.toFixed(2)} s, ${(seconds / (own + model)).toFixed(2)} x real time`,
    );
    const hash = createHash("sha256");
    for (const { sha256 } of outputs) hash.update(sha256);
    digest = hash.digest("hex").slice(0, 16);
  }
  console.log(
    `peak ${peakOf("self").toFixed(0)} MB (${before_making.toFixed(0)} before) + ${helper === undefined ? 0 : peakOf(helper).toFixed(0)} MB, digest ${digest}`,
  );
  await pool.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
