// `npm test`: types, style and formatting, then the same test files on Bun and on Deno side by side: much of a test is waiting.
// Ends with one line, `N passed, N failed`. `npm test -- test/api` runs only what is under these paths, without the checks.
import { spawn, spawnSync } from "node:child_process";
import { createReadStream, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
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
const SUITE_MINUTES = 30;
/** What failed, to be said once more at the end. */
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
    fallen.push(title);
  }
}

/** Runs a suite while others run, its output into `log` or, without one, on the screen; resolves when it has ended, to what is to be told of it. */
function begin(title, program, args, report, log) {
  const began = Date.now();
  const out = log === undefined ? "inherit" : openSync(log, "w");
  const child = spawn(bin(program), args, { cwd: root, stdio: ["ignore", out, out] });
  return new Promise((resolve) => {
    // A test that hangs would keep everybody waiting, and nobody would learn which.
    const late = setTimeout(() => {
      console.error(`${title}: not done after ${SUITE_MINUTES} minutes, ended`);
      child.kill("SIGKILL");
    }, SUITE_MINUTES * 60_000);
    const ended = (status, error) => {
      clearTimeout(late);
      const seconds = ((Date.now() - began) / 1000).toFixed(1);
      resolve({ title, report, log, error, ok: status === 0, seconds });
    };
    child.on("error", (error) => ended(null, error));
    child.on("close", (status) => ended(status));
  });
}

/** The runner's own report counts; a runner that fails without a failing test (a crash, a leak) counts as one failure. */
async function tell({ title, report, log, error, ok, seconds }) {
  console.log(`\n── ${title}`);
  if (log !== undefined)
    await new Promise((resolve) => createReadStream(log).on("end", resolve).pipe(process.stdout, { end: false }));
  if (error) console.error(error.message);
  console.log(`── ${title}: ${ok ? "ok" : "FAILED"} in ${seconds} s`);
  let counted = { tests: 0, failures: 0, skipped: 0 };
  try {
    const xml = readFileSync(report, "utf8");
    counted = count(xml);
    fallen.push(...namesOfFailed(xml).map((name) => `${title}: ${name}`));
  } catch {
    console.error(`${title} wrote no report`);
  }
  if (!ok && counted.failures === 0) fallen.push(`${title}: the runner itself`);
  passed += counted.tests - counted.failures - counted.skipped;
  skipped += counted.skipped;
  failed += counted.failures;
  if (counted.tests === 0 || (!ok && counted.failures === 0)) failed++;
}

/** Sums over the top-level <testsuite> elements of a JUnit report. */
function count(xml) {
  const tests = (xml.match(/<testcase\b/g) ?? []).length;
  const failures = (xml.match(/<(failure|error)\b/g) ?? []).length;
  return { tests, failures, skipped: (xml.match(/<skipped\b/g) ?? []).length };
}

function namesOfFailed(xml) {
  const cases = xml.matchAll(/<testcase\b([^>]*[^/])>(?:(?!<\/testcase>)[\s\S])*?<(?:failure|error)\b/gu);
  return [...cases].map(([, attributes]) => / name="([^"]*)"/u.exec(` ${attributes}`)?.[1] ?? "?").map(plain);
}

function plain(text) {
  const entities = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/gu, (_, name) => entities[name]);
}

if (paths.length === 0) {
  check("types", "tsc", ["--noEmit"]);
  check("style and formatting", "biome", ["ci", "--error-on-warnings", "--colors=off", "."]);
}
const files = paths.length === 0 ? ["test"] : paths;
const suites = [
  [
    "tests on Bun",
    "bun",
    (report) => ["test", "--timeout", "120000", "--reporter=junit", `--reporter-outfile=${report}`],
  ],
  // Deno's own type check would see a second copy of Elysia's types; tsc has checked them above.
  ["tests on Deno", "deno", (report) => ["test", "-A", "--no-check", "--quiet", `--junit-path=${report}`]],
];
console.log("\n── tests on Bun, and beside them on Deno, whose output follows later");
const running = suites.map(([title, program, args], index) => {
  const report = join(reports, `${program}.xml`);
  const log = index === 0 ? undefined : join(reports, `${program}.log`);
  return begin(title, program, [...args(report), ...files], report, log);
});
for (const suite of running) await tell(await suite);

rmSync(reports, { recursive: true, force: true });
for (const name of fallen) console.log(`failed: ${name}`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);
