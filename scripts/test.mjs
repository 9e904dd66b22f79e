// `npm test`: types, style and formatting, then the same test files on Bun and on Deno side by side: much of a test is waiting.
// Says each minute where it is and, when a test fails, what it was and why, at the end; the last line is `N passed, N failed`. `npm test -- test/api` runs only what is under these paths, without the checks.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, "node_modules", ".bin", name);
const paths = process.argv.slice(2);
const reports = mkdtempSync(join(tmpdir(), "tonwerk-test-"));
let passed = 0;
let failed = 0;
let skipped = 0;
/** Failed at first and passed at the second try; they count as passed. */
let unsteady = 0;
const SUITE_MINUTES = 30;
const PROGRESS_SECONDS = 60;
const FAILURE_LINES_MAX = 40;
/** More than this is no accident. */
const FILES_AGAIN_MAX = 5;
/** What failed and why: `{ name, text }`, to be said at the end, where nobody has to look for it. */
const fallen = [];

function run(title, program, args) {
  console.log(`\n── ${title}`);
  const began = Date.now();
  const { status, error } = spawnSync(bin(program), args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (error) console.error(error.message);
  console.log(`── ${title}: ${status === 0 ? "ok" : "FAILED"} in ${((Date.now() - began) / 1000).toFixed(1)} s`);
  return status === 0;
}

/** A check counts as one test. */
function check(title, program, args) {
  if (run(title, program, args)) passed++;
  else {
    failed++;
    fallen.push({ name: title, text: "see above" });
  }
}

/** Runs a suite while others run, its output into a file; resolves when it has ended, to what is to be told of it. */
function begin(suite, files, run) {
  const began = Date.now();
  const { title, program, args } = suite;
  const log = logOf(suite, run);
  const report = join(reports, `${program}-${run}.xml`);
  const out = openSync(log, "w");
  const child = spawn(bin(program), [...args(report), ...files], {
    cwd: root,
    stdio: ["ignore", out, out],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
  });
  return new Promise((resolve) => {
    // A test that hangs would keep everybody waiting, and nobody would learn which.
    const late = setTimeout(() => {
      console.log(`${title}: not done after ${SUITE_MINUTES} minutes, ended`);
      child.kill("SIGKILL");
    }, SUITE_MINUTES * 60_000);
    const ended = (status, signal, error) => {
      clearTimeout(late);
      closeSync(out);
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      resolve({ suite, report, log, error, signal, ok: status === 0, seconds });
    };
    child.on("error", (error) => ended(null, null, error));
    child.on("close", (status, signal) => ended(status, signal));
  });
}

/**
 * The runner's own report counts; a runner that fails without a failing test (a crash, a leak) counts as one failure. Files with a failed
 * test run once more by themselves, and what passes then is told as such: on a machine that others use too, a test that waits for a
 * process or a browser may be starved.
 */
async function tell({ suite, report, log, error, signal, ok, seconds }) {
  const { title } = suite;
  console.log(`\n── ${title}: ${ok ? "ok" : "FAILED"} in ${seconds} s`);
  const first = read(report);
  if (first.tests === 0 || (!ok && first.failures.length === 0)) {
    const how = error?.message ?? (signal ? `ended by ${signal}` : "ended with an error and no failed test");
    fallen.push({ name: `${title}: the runner itself (${how}), the end of its output`, text: lastLines(log) });
    failed++;
  }
  passed += first.tests - first.failures.length - first.skipped;
  skipped += first.skipped;
  if (first.failures.length === 0) return;
  const again = [...new Set(first.failures.map(({ file }) => file).filter((file) => file !== ""))];
  let still = first.failures;
  if (again.length > 0 && again.length <= FILES_AGAIN_MAX) {
    for (const { name, text } of first.failures) console.log(`\nfailed, and tried again: ${title}: ${name}\n${text}`);
    const second = await begin(suite, again, "again");
    const found = read(second.report);
    if (second.ok && found.tests > 0) still = [];
    else if (found.failures.length > 0) still = found.failures;
    console.log(`── ${title}, again ${again.join(" ")}: ${second.ok ? "ok" : "FAILED"} in ${second.seconds} s`);
  }
  const mended = Math.max(0, first.failures.length - still.length);
  passed += mended;
  unsteady += mended;
  failed += first.failures.length - mended;
  fallen.push(...still.map(({ name, text }) => ({ name: `${title}: ${name}`, text })));
}

/** What a JUnit report says; of one that is not there, nothing. */
function read(report) {
  let xml = "";
  try {
    xml = readFileSync(report, "utf8");
  } catch {
    console.log(`no report: ${report}`);
  }
  const tests = (xml.match(/<testcase\b/g) ?? []).length;
  return { tests, failures: failuresOf(xml), skipped: (xml.match(/<skipped\b/g) ?? []).length };
}

/** The file that a suite is at, and what it has passed and failed, of its output so far. */
function progressOf(title, log) {
  const text = readFileSync(log, "utf8");
  const files = text.match(/^(?:running \d+ tests? from \S+|\S+\.test\.ts:)$/gmu) ?? [];
  const passes = (text.match(/^\(pass\)|\.\.\. ok \(/gmu) ?? []).length;
  const failures = (text.match(/^\(fail\)|\.\.\. FAILED \(/gmu) ?? []).length;
  const file = files.at(-1)?.match(/\S+\.test\.ts/u)?.[0] ?? "starting";
  return `${title}: ${passes} passed, ${failures} failed, in ${file}`;
}

function logOf({ program }, run) {
  return join(reports, `${program}-${run}.log`);
}

function lastLines(log) {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-FAILURE_LINES_MAX).join("\n");
}

function failuresOf(xml) {
  const cases = xml.matchAll(
    /<testcase\b([^>]*[^/])>((?:(?!<\/testcase>)[\s\S])*?<(?:failure|error)\b(?:(?!<\/testcase>)[\s\S])*)/gu,
  );
  return [...cases].map(([, attributes, inside]) => {
    const of = (name) => plain(new RegExp(` ${name}="([^"]*)"`, "u").exec(` ${attributes}`)?.[1] ?? "");
    const text =
      plain(inside.replaceAll(/<[^>]*>/gu, "").trim()) || plain(/ message="([^"]*)"/u.exec(inside)?.[1] ?? "");
    const file = /\.test\.ts$/u.test(of("file")) ? of("file") : of("classname");
    return {
      file: file.endsWith(".test.ts") ? file : "",
      name: `${of("name")} (${file})`,
      text: text.split("\n").slice(0, FAILURE_LINES_MAX).join("\n"),
    };
  });
}

function plain(text) {
  const entities = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", "#10": "\n" };
  return text.replace(/&(lt|gt|quot|apos|amp|#10);/gu, (_, name) => entities[name]);
}

if (paths.length === 0) {
  check("types", "tsc", ["--noEmit"]);
  check("style and formatting", "biome", ["ci", "--error-on-warnings", "--colors=off", "."]);
}
const files = paths.length === 0 ? ["test"] : paths;
const suites = [
  {
    title: "tests on Bun",
    program: "bun",
    args: (report) => ["test", "--timeout", "300000", "--reporter=junit", `--reporter-outfile=${report}`],
  },
  // Deno's own type check would see a second copy of Elysia's types; tsc has checked them above.
  {
    title: "tests on Deno",
    program: "deno",
    args: (report) => ["test", "-A", "--no-check", "--quiet", `--junit-path=${report}`],
  },
];
console.log("\n── tests on Bun, and beside them on Deno");
const began = Date.now();
const running = suites.map((suite) => begin(suite, files, "all"));
const progress = setInterval(() => {
  const minutes = Math.round((Date.now() - began) / 60_000);
  console.log(`${minutes} min · ${suites.map((suite) => progressOf(suite.title, logOf(suite, "all"))).join(" · ")}`);
}, PROGRESS_SECONDS * 1000);
const ended = await Promise.all(running);
clearInterval(progress);
for (const suite of ended) await tell(suite);

for (const { name, text } of fallen) console.log(`\nfailed: ${name}\n${text}`);
if (failed === 0) rmSync(reports, { recursive: true, force: true });
else console.log(`\nall that the tests printed: ${reports}`);
for (const { name } of fallen) console.log(`failed: ${name}`);
if (unsteady > 0) console.log(`passed at the second try: ${unsteady}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);
