// What `npm test` runs and in which order: types, style, and the test files on both runtimes.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Files that take more than about four seconds, longest first: each is a run of its own. All others share one with their neighbours, for on
 * Bun files of one run share what they import. A file that is missing here costs time and nothing else.
 */
const LONG = [
  "test/e2e/api_on_nodes.test.ts",
  "test/cli/client.test.ts",
  "test/sdk/typescript.test.ts",
  "test/cli/plugins.test.ts",
  "test/sdk/python.test.ts",
  "test/sdk/go.test.ts",
  "test/e2e/dashboard.test.ts",
  "test/runners/models/faults.test.ts",
  "test/runners/models/separate.test.ts",
  "test/adapters/postgres.test.ts",
  "test/adapters/postgres_faults.test.ts",
  "test/examples/plugins.test.ts",
  "test/packages/newcomer.test.ts",
  "test/e2e/nodes.test.ts",
  "test/runners/effects/effect.test.ts",
  "test/api/separate_models.test.ts",
  "test/runners/master.property.test.ts",
  "test/api/work.test.ts",
  "test/runners/pool.test.ts",
  "test/api/runtime.test.ts",
  "test/api/webhooks.test.ts",
  "test/api/webhook_endpoints.test.ts",
  "test/sdk/generated_requests.test.ts",
  "test/runners/signal/analyse/form.test.ts",
  "test/runners/signal/cut/cut.test.ts",
  "test/e2e/crash.test.ts",
  "test/adapters/sqlite.test.ts",
  "test/runners/signal/separate/shipped.test.ts",
  "test/plugins/create.remix_song.test.ts",
  "test/runners/music/compose/band.test.ts",
  "test/runners/media.paths.test.ts",
  "test/runners/signal/analyse/harmony.test.ts",
  "test/plugins/create.new_instrumental.test.ts",
  "test/adapters/postgres_nodes.test.ts",
  "test/adapters/s3.test.ts",
  "test/runners/music/play/synth_ring.test.ts",
  "test/runners/flac.test.ts",
  "test/plugins/create.remix_instrumental.test.ts",
  "test/runners/dsp.true_peak.test.ts",
  "test/runners/signal/analyse/rhythm.test.ts",
  "test/api/sources.test.ts",
  "test/e2e/pictures_on_nodes.test.ts",
  "test/runners/signal/picture/picture.test.ts",
  "test/plugins/create.new_sample.test.ts",
  "test/plugins/create.new_song.test.ts",
  "test/e2e/operator.test.ts",
  "test/e2e/abuse.test.ts",
  "test/bench/pace.test.ts",
  "test/adapters/outbound.hostile.test.ts",
  "test/e2e/migrate_store.test.ts",
  "test/e2e/backup.test.ts",
];
/**
 * Files and folders that run on Bun alone, with what they look at instead of code of ours at work on a runtime. What
 * serves, and what others install and run on either, is on both: a server that these ask is the same that the other
 * files try on Deno.
 */
const ONCE = {
  "test/architecture.test.ts": "the source",
  "test/adapters/migrations.test.ts": "files of the repository",
  "test/supply": "files of the repository and of packages",
  "test/deploy/images.test.ts": "files of the repository",
  "test/deploy/manifests.test.ts": "files of the repository",
  "test/api/document_rules.test.ts": "a document that is the same on both, by two linters",
  "test/sdk/breaking_changes.test.ts": "two documents, by a program in Go",
  "test/sdk/generated_requests.test.ts":
    "answers to a program in Python; that both runtimes answer alike, test/api says",
  "test/sdk/go.test.ts": "a program in Go",
  "test/sdk/python.test.ts": "a program in Python",
  "test/e2e/browser_sdk.test.ts": "the client at work in a browser",
  "test/e2e/docs_page.test.ts": "a page at work in a browser",
  "test/e2e/browser_uploads.test.ts": "pages at work in a browser; the first of them, dashboard.test.ts, is on both",
  "test/e2e/dashboard_firefox.test.ts": "the same pages at work in another browser",
  "test/runners/models/sidecars/reference.test.ts": "programs in Python; what asks them is on both beside it",
  "test/core/cli_models_add.test.ts":
    "what is read of ONNX files, and processes of their own that run them; test/runners/models runs such on both",
  ...Object.fromEntries(
    ["abuse", "guard", "listen", "load", "measure", "pace", "peer", "profile", "records"].map((name) => [
      `test/bench/${name}.test.ts`,
      "programs of ours for this repository, which are run by Bun (bench/README.md)",
    ]),
  ),
};
const isOnce = (file) => Object.keys(ONCE).some((path) => file === path || file.startsWith(`${path}/`));
/** Files of one folder that share a run. */
const TOGETHER = 6;

/**
 * @typedef {{ title: string, program: string, args: (report: string) => string[], files: string[] }} Run
 * `files`: none for a check of the whole project.
 */

/** @type {Record<string, Pick<Run, "program" | "args">>} */
const RUNTIMES = {
  Bun: {
    program: "bun",
    args: (report) => ["test", "--timeout", "300000", "--reporter=junit", `--reporter-outfile=${report}`],
  },
  // Deno's own type check would see a second copy of Elysia's types; tsc does that.
  Deno: { program: "deno", args: (report) => ["test", "-A", "--no-check", "--quiet", `--junit-path=${report}`] },
};

/** @type {Run[]} */
export const CHECKS = [
  { title: "types", program: "tsc", args: () => ["--noEmit"], files: [] },
  {
    title: "style and formatting",
    program: "biome",
    args: () => ["ci", "--error-on-warnings", "--colors=off", "."],
    files: [],
  },
  // CI has the ffmpeg that it measures with; elsewhere it is `npm run guard`.
  ...(process.env.TONWERK_TEST_GUARD === "required"
    ? [{ title: "guard", program: "bun", args: () => ["bench/guard.ts", "--short"], files: [] }]
    : []),
];

/**
 * The runs of each runtime, in order. Bun begins with what is long, Deno with what is short: what is long waits most of its time, for
 * processes and servers, and does so beside what computes.
 */
export function plan(root, paths) {
  const all = filesOf(root, paths.length === 0 ? ["test"] : paths);
  for (const file of [...LONG, ...Object.keys(ONCE)])
    if (!existsSync(join(root, file))) throw new Error(`scripts/test_plan.mjs: no ${file}`);
  const split = (files) => ({
    long: LONG.filter((file) => files.includes(file)).map((file) => [file]),
    short: together(files.filter((file) => !LONG.includes(file))),
  });
  const [bun, deno] = [all, all.filter((file) => !isOnce(file))].map(split);
  return [...runsOf("Bun", [...bun.long, ...bun.short]), ...runsOf("Deno", [...deno.short, ...deno.long])];
}

/** @returns {Run[]} */
export const runsOf = (title, batches) => batches.map((files) => ({ title, ...RUNTIMES[title], files }));

/** Test files under these paths, which may be files themselves. */
function filesOf(root, paths) {
  const found = paths.flatMap((path) => {
    const whole = join(root, path);
    if (!existsSync(whole)) throw new Error(`There is no ${path}`);
    if (!statSync(whole).isDirectory()) return [join(path)];
    return readdirSync(whole, { recursive: true })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join(path, name));
  });
  return [...new Set(found)].sort();
}

function together(files) {
  const folders = new Map();
  for (const file of files) folders.set(dirname(file), [...(folders.get(dirname(file)) ?? []), file]);
  return [...folders.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / TOGETHER) }, (_, n) => some.slice(n * TOGETHER, (n + 1) * TOGETHER)),
  );
}
