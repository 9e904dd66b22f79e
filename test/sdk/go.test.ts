/** sdk/go, built into a program, against a server that is killed and a proxy that misbehaves. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findProgram } from "../services/programs.ts";
import { type Setting, startSetting } from "./control.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const sdk = join(root, "sdk/go");
const own = join(root, "test/sdk/go_client");
const go = findProgram("go");
const why_not = go === undefined ? "go is not installed" : tooOld(go);
if (why_not !== false && process.env.TONWERK_TEST_SERVICES === "required") throw new Error(why_not);

/** Why this Go cannot build the client: from 1.21 on one fetches the version that go.mod names, before it fails at what it does not have. */
function tooOld(program: string): string | false {
  const [, wanted = ""] = /^go 1\.(\d+)/mu.exec(readFileSync(join(sdk, "go.mod"), "utf8")) ?? [];
  const said = execFileSync(program, ["version"], { encoding: "utf8", cwd: tmpdir() });
  const [, found = ""] = /go1\.(\d+)/u.exec(said) ?? [];
  return Number(found) >= Math.min(Number(wanted), 21) ? false : `go 1.${found} is older than 1.${wanted}`;
}

let folder: string;
let setting: Setting;
let program: string;

before(async () => {
  if (why_not !== false) return;
  folder = await mkdtemp(join(tmpdir(), "tonwerk-go-"));
  program = join(folder, "test");
  [setting] = await Promise.all([startSetting(), run(go!, ["build", "-o", program, "."], { cwd: own })]);
});
after(async () => {
  if (why_not !== false) return;
  await setting.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const [name, title] of [
  ["actions", "all ten actions side by side: price, submission to a server that is killed, progress, end, download"],
  ["typed", "typed requests send what was asked and no more"],
  ["noAnswer", "a server that stays away: ConnectionError has the key, and the key later gets the operation"],
  ["refusals", "429 is tried again after Retry-After; other refusals and failures are errors by their codes"],
  ["downloads", "downloads that break off, were changed or expired"],
  [
    "uploads",
    "uploads of a path, of what can be read again and of what cannot, under a key, listed, deleted, with a token",
  ],
  ["cancelling", "the end of the context cancels the operation unless told to keep it"],
  ["deliveries", "a delivery verifies; a changed, old or foreign one does not"],
  ["forms", "other forms, waveforms and archives: what breaks off, what expired, what is refused"],
  ["events", "progress and ends as events; where they are refused or break off, by asking"],
  ["lists", "operations by filters and by ids, and batches"],
  ["endpoints", "webhook endpoints from creation to deletion, and redelivery of what failed"],
] as const) {
  test(title, { skip: why_not }, async () => {
    await run(program, [name], { env: setting.env });
  });
}

test("gofmt and go vet find nothing", { skip: why_not }, async () => {
  for (const cwd of [sdk, own]) await run(go!, ["vet", "./..."], { cwd });
  const { stdout } = await run(findProgram("gofmt") ?? join(go!, "../gofmt"), ["-l", sdk, own]);
  assert.equal(stdout, "");
});
