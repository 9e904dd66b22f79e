// `npm test`: types, style and formatting, then the same test files on Bun and on Deno. Ends with one line, `N passed, N failed`.
// `npm test -- test/api` runs only what is under these paths, without the checks.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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
  else failed++;
}

/** The runner's own report counts; a runner that fails without a failing test (a crash, a leak) counts as one failure. */
function suite(title, program, args, report) {
  const ok = run(title, program, args);
  let counted = { tests: 0, failures: 0, skipped: 0 };
  try {
    counted = count(readFileSync(report, "utf8"));
  } catch {
    console.error(`${title} wrote no report`);
  }
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

if (paths.length === 0) {
  check("types", "tsc", ["--noEmit"]);
  check("style and formatting", "biome", ["ci", "--error-on-warnings", "--colors=off", "."]);
}
const files = paths.length === 0 ? ["test"] : paths;
const bunReport = join(reports, "bun.xml");
const denoReport = join(reports, "deno.xml");
const bunArgs = ["test", "--timeout", "120000", "--reporter=junit", `--reporter-outfile=${bunReport}`, ...files];
suite("tests on Bun", "bun", bunArgs, bunReport);
// Deno's own type check would see a second copy of Elysia's types; tsc has checked them above.
suite(
  "tests on Deno",
  "deno",
  ["test", "-A", "--no-check", "--quiet", `--junit-path=${denoReport}`, ...files],
  denoReport,
);

rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 ? 0 : 1);
