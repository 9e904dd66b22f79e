/** sdk/python, as a wheel in an empty environment, against a server that is killed and a proxy that misbehaves. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Setting, startSetting } from "./control.ts";
import { makeEnvironment, runPip, why_not } from "./python.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

let folder: string;
let setting: Setting;
/** Of the environment that has the wheel and what it depends on. */
let client: string;

before(async () => {
  if (why_not !== false) return;
  folder = await mkdtemp(join(tmpdir(), "tonwerk-python-"));
  [setting, client] = await Promise.all([startSetting(), installWheel()]);
});
after(async () => {
  if (why_not !== false) return;
  await setting.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const [name, title] of [
  ["actions", "all ten actions in threads: price, submission to a server that is killed, progress, end, download"],
  ["actions_async", "actions side by side on one event loop, submitted to a server that is killed"],
  ["no_answer", "a server that stays away: ConnectionError has the key, and the key later gets the operation"],
  ["retries", "429 and 503 are tried again after Retry-After; other refusals are errors by their codes"],
  ["downloads", "downloads that break off, were changed or expired"],
  ["uploads", "uploads of a path, bytes, file objects and iterators, under a key, listed, deleted, with a token"],
  ["cancelling", "cancelling the task that waits, or Ctrl-C, cancels the operation unless told to keep it"],
  ["deliveries", "a delivery verifies; a changed, old or foreign one does not"],
  ["forms", "other forms, waveforms and archives: what breaks off, what expired, what is refused"],
  ["events", "progress and ends as events; where they are refused or break off, by asking"],
  ["lists", "operations by filters and by ids, batches, account and capabilities"],
  ["endpoints", "webhook endpoints from creation to deletion, and redelivery of what failed"],
] as const) {
  test(title, { skip: why_not }, async () => {
    await run(client, [join(root, "test/sdk/python_client.py"), name], { env: setting.env, cwd: folder });
  });
}

test("mypy --strict and ruff find nothing", {
  skip: why_not,
}, async () => {
  const tools = await makeEnvironment(join(folder, "tools"), ["mypy==2.4.1", "ruff==0.17.6", "httpx"]);
  const source = join(root, "sdk/python");
  const bin = join(tools, "..");
  const own = ["python_client.py", "python_types.py"].map((name) => join(root, "test/sdk", name));
  const options = ["--config-file", join(source, "pyproject.toml"), "--cache-dir", join(folder, "mypy")];
  await run(join(bin, "mypy"), [...options, join(source, "src"), ...own], { cwd: source });
  for (const how of [["check"], ["format", "--check"]])
    await run(join(bin, "ruff"), [...how, "--no-cache", "--config", join(source, "pyproject.toml"), source, ...own]);
});

/** Builds the wheel as a release does; resolves to the Python that has it. */
async function installWheel(): Promise<string> {
  const source = join(folder, "source");
  await cp(join(root, "sdk/python"), source, { recursive: true });
  const wheels = join(folder, "wheels");
  await runPip(["wheel", "--no-deps", "--wheel-dir", wheels, source]);
  const [wheel] = await readdir(wheels);
  return makeEnvironment(join(folder, "client"), [join(wheels, wheel!)]);
}
