// `npm test`: types, style and formatting, and the same test files on Bun and on Deno, several at a time: much of a test is waiting.
// Says each minute where it is and, when a test fails, what it was and why, at the end; the last line is `N passed, N failed`. `npm test -- test/api` runs only what is under these paths, without the checks.
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHECKS, plan, runsOf } from "./test_plan.mjs";
import { countSoFar, lastLines, readReport } from "./test_report.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const paths = process.argv.slice(2);
/** Of memory for each processor. A run takes up to 2 GB with the servers and browsers that it starts. */
const ROOMY_BYTES = 5e9;
const reports = mkdtempSync(join(tmpdir(), "tonwerk-test-"));
/** Two more than there are processors, for much of a test is waiting; one more where memory is short. */
const AT_ONCE = availableParallelism() + (totalmem() / availableParallelism() < ROOMY_BYTES ? 1 : 2);
/** A quiet machine takes some twenty, a busy one more. What is not done by then hangs: it is ended here, and told. */
const SUITE_MINUTES = 40;
/** A run that takes so long hangs (the longest takes one), and would keep everybody waiting. */
const RUN_MINUTES = 10;
const PROGRESS_SECONDS = 60;
/** More than this is no accident. */
const FILES_AGAIN_MAX = 8;
const SLOWEST = 8;

const began = Date.now();
/** Passed, failed and skipped tests; a check counts as one. `unsteady`: failed at first and passed at the second try; they count as passed. */
const sum = { passed: 0, failed: 0, skipped: 0, unsteady: 0 };
/** Runs that are under way, each with its output, its beginning and what ends it. */
const running = new Map();
const ended = [];
let is_over = false;

const nameOf = ({ title, files }) =>
  `${title}${files.length === 0 ? "" : ` ${files[0]}${files.length > 1 ? ` and ${files.length - 1} more` : ""}`}`;
const secondsSince = (time) => Math.round((Date.now() - time) / 1000);

/** Runs it, with its output into a file; resolves when it has ended, to what came of it. */
function start(run) {
  const began = Date.now();
  const number = running.size + ended.length;
  const log = join(reports, `${number}-${run.program}.log`);
  const report = join(reports, `${number}-${run.program}.xml`);
  const out = openSync(log, "w");
  // Files with "./": without it Bun takes them for a part of a name. A group of its own, so that it can be ended with all that it started.
  const child = spawn(
    join(root, "node_modules", ".bin", run.program),
    [...run.args(report), ...run.files.map((file) => `./${file}`)],
    {
      cwd: root,
      stdio: ["ignore", out, out],
      detached: true,
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    },
  );
  let why;
  const end = (reason) => {
    why ??= reason;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has just ended by itself.
    }
  };
  return new Promise((resolve) => {
    const late = setTimeout(() => end(`not done after ${RUN_MINUTES} minutes`), RUN_MINUTES * 60_000);
    const done = (ok, how) => {
      clearTimeout(late);
      closeSync(out);
      running.delete(run);
      const outcome = { run, log, ok, how: why ?? how, seconds: secondsSince(began), ...readReport(report) };
      ended.push(outcome);
      resolve(outcome);
    };
    running.set(run, { log, began, end });
    child.on("error", (error) => done(false, error.message));
    child.on("close", (code, signal) =>
      done(code === 0, signal ? `ended by ${signal}` : "ended with an error and no failed test"),
    );
  });
}

/** Runs all, `AT_ONCE` at a time, of each runtime in order and both alike. Resolves to the outcomes, also of what there was no time for. */
async function runAll(runs) {
  const lines = [...new Set(runs.map(({ title }) => title))].map((title) => runs.filter((run) => run.title === title));
  const outcomes = [];
  const next = () => {
    const busy = (line) => [...running.keys()].filter(({ title }) => title === line[0].title).length;
    return lines
      .filter((line) => line.length > 0)
      .sort((a, b) => busy(a) - busy(b) || b.length - a.length)[0]
      ?.shift();
  };
  const work = async () => {
    for (let run = next(); run !== undefined; run = next()) {
      outcomes.push(
        is_over ? { run, ok: false, how: "not begun", failures: [], tests: 0, skipped: 0 } : await start(run),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

/**
 * The runner's own report counts; a runner that fails without a failing test (a crash, a leak, the end of its time) counts as one failure.
 * Resolves to the failed tests.
 */
function count({ run, log, ok, how, tests, failures, skipped }) {
  sum.passed += tests - failures.length - skipped;
  sum.skipped += skipped;
  const failed = failures.map((failure) => ({ run, is_test: true, ...failure, name: `${run.title}: ${failure.name}` }));
  if (run.files.length === 0 && ok) sum.passed++;
  else if ((run.files.length > 0 && tests === 0) || (!ok && failed.length === 0)) {
    const text =
      log === undefined ? run.files.join(" ") : `${run.files.join(" ")}\nThe end of its output:\n${lastLines(log)}`;
    const name = run.files.length === 0 ? run.title : `${nameOf(run)}: the runner itself (${how ?? "no test"})`;
    failed.push({ run, is_test: false, name, text });
  }
  return failed;
}

/**
 * Files with a failed test run once more, when all else is done, and what passes then is told as such: on a machine that others use too, a
 * test that waits for a process or a browser may be starved.
 */
async function again(failed) {
  const tests = failed.filter(({ is_test }) => is_test);
  // Where a failure is reported of a file of helpers, any of the run's files may be meant.
  const filesOf = ({ run, file }) => (run.files.includes(file) ? [file] : run.files);
  const keyOf = (title, file) => `${title} ${file}`;
  const tries = new Map();
  for (const one of tests) {
    const { title } = one.run;
    for (const file of filesOf(one)) tries.set(keyOf(title, file), runsOf(title, [[file]])[0]);
  }
  if (tries.size === 0 || tries.size > FILES_AGAIN_MAX || is_over) return failed;
  for (const { name, text } of tests) console.log(`\nfailed, and tried again: ${name}\n${text}`);
  const fine = new Set();
  for (const { run, ok, tests } of await runAll([...tries.values()])) {
    console.log(`── again, ${nameOf(run)}: ${ok ? "ok" : "FAILED"}`);
    if (ok && tests > 0) fine.add(keyOf(run.title, run.files[0]));
  }
  const left = failed.filter(
    (one) => !one.is_test || !filesOf(one).every((file) => fine.has(keyOf(one.run.title, file))),
  );
  sum.unsteady += failed.length - left.length;
  sum.passed += failed.length - left.length;
  return left;
}

function tellProgress(of) {
  const now = [...running].map(([run, { began }]) => `${nameOf(run)} (${secondsSince(began)} s)`);
  const logs = [...ended.map(({ log }) => log), ...[...running.values()].map(({ log }) => log)].map(countSoFar);
  const total = (which) => logs.reduce((all, one) => all + one[which], 0);
  console.log(
    `${Math.round(secondsSince(began) / 60)} min · ${ended.length} of ${of} runs done, ${total("passed")} passed, ${total("failed")} failed · in ${now.join(", ")}`,
  );
}

const runs = [...(paths.length === 0 ? CHECKS : []), ...plan(root, paths)];
console.log(`── ${runs.length} runs, ${AT_ONCE} at a time, on Bun and on Deno`);
const progress = setInterval(() => tellProgress(runs.length), PROGRESS_SECONDS * 1000);
const stop = (why) => {
  is_over = true;
  for (const { end } of running.values()) end(why);
};
const over = setTimeout(() => {
  console.log(`\n── not done after ${SUITE_MINUTES} minutes: what runs is ended, and what is left is not begun`);
  stop(`the suite's ${SUITE_MINUTES} minutes are over`);
}, SUITE_MINUTES * 60_000);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop(`ended by ${signal}`));

const failed = await again((await runAll(runs)).flatMap(count));
clearInterval(progress);
clearTimeout(over);
sum.failed = failed.length;

const slowest = ended.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST);
console.log(`\nlongest: ${slowest.map(({ run, seconds }) => `${nameOf(run)} ${seconds} s`).join(", ")}`);
for (const { name, text } of failed) console.log(`\nfailed: ${name}\n${text}`);
if (sum.failed === 0) rmSync(reports, { recursive: true, force: true });
else console.log(`\nall that the tests printed: ${reports}`);
for (const { name } of failed) console.log(`failed: ${name}`);
if (sum.unsteady > 0) console.log(`passed at the second try: ${sum.unsteady}`);
console.log(`all in ${secondsSince(began)} s`);
console.log(`\n${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ""}`);
process.exit(sum.failed === 0 ? 0 : 1);
