// What a run of tests reports: JUnit, as Bun and Deno write it.
import { readFileSync } from "node:fs";

const FAILURE_LINES_MAX = 40;

/** What a report says; of one that is not there, nothing. */
export function readReport(path) {
  let xml = "";
  try {
    xml = readFileSync(path, "utf8");
  } catch {
    // A run that was ended, or broke down, wrote none: whoever asks sees that it has no tests.
  }
  const tests = (xml.match(/<testcase\b/g) ?? []).length;
  return { tests, failures: failuresOf(xml), skipped: (xml.match(/<skipped\b/g) ?? []).length };
}

/** The end of what a run printed. */
export function lastLines(log) {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-FAILURE_LINES_MAX).join("\n");
}

/** How many tests a run that goes on has passed and failed so far. */
export function countSoFar(log) {
  const text = readFileSync(log, "utf8");
  const count = (pattern) => (text.match(pattern) ?? []).length;
  return { passed: count(/^\(pass\)|\.\.\. ok \(/gmu), failed: count(/^\(fail\)|\.\.\. FAILED \(/gmu) };
}

function failuresOf(xml) {
  const cases = xml.matchAll(
    /<testcase\b([^>]*[^/])>((?:(?!<\/testcase>)[\s\S])*?<(?:failure|error)\b(?:(?!<\/testcase>)[\s\S])*)/gu,
  );
  return [...cases].map(([, attributes, inside]) => {
    const of = (name) => plain(new RegExp(` ${name}="([^"]*)"`, "u").exec(` ${attributes}`)?.[1] ?? "");
    const text =
      plain(inside.replaceAll(/<[^>]*>/gu, "").trim()) || plain(/ message="([^"]*)"/u.exec(inside)?.[1] ?? "");
    const file = (/\.test\.ts$/u.test(of("file")) ? of("file") : of("classname")).replace(/^\.\//u, "");
    return {
      file,
      name: `${of("name")} (${file})`,
      text: text.split("\n").slice(0, FAILURE_LINES_MAX).join("\n"),
    };
  });
}

function plain(text) {
  const entities = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&", "#10": "\n" };
  return text.replace(/&(lt|gt|quot|apos|amp|#10);/gu, (_, name) => entities[name]);
}
