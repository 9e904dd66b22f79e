/** `tonwerk` for clients, against a server: commands, what breaks on the way, deliveries, shells. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmod, copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { Tonwerk, verifyWebhook } from "../../sdk/typescript/src/mod.ts";
import { copyExample } from "../plugin_folder.ts";
import { KEY, SONG, startTestServer, type TestServer } from "../sdk/tonwerk.ts";
import { findProgram } from "../services/programs.ts";
import { command, type Ended, run, type Shell, start, writeProgram } from "./run.ts";

let folder: string;
let server: TestServer;
let tonwerk: Tonwerk;
let shell: Shell;
/** With a test key, whose operations end at once. */
let trial: Shell;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "tonwerk-cli-"));
  server = await startTestServer({ TONWERK_PLUGINS: `./plugins,${await copyExample(folder, "tremolo")}` });
  tonwerk = new Tonwerk({ baseUrl: server.url, apiKey: KEY });
  shell = { folder, env: { TONWERK_URL: server.url, TONWERK_KEY: KEY } };
  trial = { folder, env: { TONWERK_URL: server.url, TONWERK_KEY: await server.makeTestKey() } };
  await copyFile(SONG, join(folder, "song.flac"));
  await writeFile(join(folder, "song.txt"), "[Verse]\nMorning on the river\n");
});
after(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const isFlac = async (path: string) =>
  (await readFile(join(folder, path))).subarray(0, 4).toString("latin1") === "fLaC";
const lineOf = ({ lines }: Ended, type: string) => lines.find((line) => line.type === type);

async function operationsUnder(key: string) {
  const found = [];
  for await (const operation of tonwerk.operations.list({ limit: 100 }))
    if (operation.idempotency_key === key) found.push(operation);
  return found;
}

test("what an action without audio finds is JSON, in a file or on standard output", async () => {
  const saved = await run(shell, ["analyse", "song.flac", "-o", "found.json"]);
  assert.equal(saved.code, 0, saved.stdout + saved.stderr);
  assert.deepEqual(lineOf(saved, "ready")!.files, ["found.json"]);
  const report = JSON.parse(await readFile(join(folder, "found.json"), "utf8"));
  assert.ok(report.beats.length > 10 && report.loudness.integrated_lufs < 0);
  const beside = await run(trial, ["analyse", "song.flac", "--quiet"]);
  assert.deepEqual(lineOf(beside, "ready")!.files, ["song-analyse.json"]);
  const piped = await run(trial, ["analyse", "song.flac", "-o", "-"]);
  const file = await readFile(join(folder, "song-analyse.json"), "utf8");
  assert.deepEqual(JSON.parse(piped.bytes.toString()), JSON.parse(file));
  const wrong = await run(shell, ["analyse", "song.flac", "-o", "found.flac"]);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /must end with \.json/u);
});

test("several words make several operations, a file is uploaded once, and names that nobody chose replace nothing", async () => {
  const before = server.seen.filter((line) => line === "PUT /v1/files").length;
  await copyFile(SONG, join(folder, "other.flac"));
  for (const names of [
    ["other-normalise.flac", "song-normalise.flac"],
    ["other-normalise-2.flac", "song-normalise-2.flac"],
  ]) {
    const ended = await run(shell, ["normalise", "song.flac", "other.flac", "--preset", "podcast", "--quiet"]);
    assert.equal(ended.code, 0, ended.stdout);
    assert.deepEqual(ended.lines.flatMap(({ files }) => files as string[]).sort(), names.sort());
    assert.ok(ended.lines.every(({ type }) => type === "ready"));
  }
  // The same bytes were uploaded by the test before.
  assert.equal(server.seen.filter((line) => line === "PUT /v1/files").length, before);
  const wave = await run(shell, ["cut", "song.flac", "--target-duration", "6", "-o", "cut.wav"]);
  assert.equal(wave.code, 0, wave.stdout);
  assert.equal((await readFile(join(folder, "cut.wav"))).subarray(0, 4).toString("latin1"), "RIFF");
  const record = await run(shell, ["normalise", "song.flac", "other.flac", "--album", "-o", "record/"]);
  assert.equal(record.code, 0, JSON.stringify(record.lines));
  const album = lineOf(record, "ready") as unknown as { operation: { output: null; cost: number }; files: string[] };
  assert.deepEqual([album.operation.output, album.operation.cost, album.files.length], [null, 2, 2]);
  for (const file of album.files) assert.ok(await isFlac(file), file);
  const piped = await run(shell, ["normalise", "-", "-o", "-"], await readFile(SONG));
  assert.equal(piped.code, 0, piped.stderr);
  assert.equal(piped.bytes.subarray(0, 4).toString("latin1"), "fLaC");
  assert.match(piped.stderr, /"type":"ready"/);
});

test("a server that stays away is exit code 5 with the key, under which the same command makes it once", async () => {
  const { credits } = await tonwerk.account();
  server.disturb = (request) => (request.url?.includes("normalise") === true ? "lose" : false);
  const lost = await run(shell, ["normalise", "song.flac", "--preset", "broadcast"]);
  server.disturb = undefined;
  assert.equal(lost.code, 5, lost.stdout);
  const { code, idempotency_key: key } = lineOf(lost, "refused") as { code: string; idempotency_key: string };
  assert.equal(code, "no_answer");
  const again = await run(shell, ["normalise", "song.flac", "--preset", "broadcast", "--idempotency-key", key]);
  assert.equal(again.code, 0, again.stdout);
  const made = await operationsUnder(key);
  assert.equal(made.length, 1);
  assert.equal((await tonwerk.account()).credits, credits - made[0]!.cost);
});

test("exit codes tell usage, refusal and failure apart", async () => {
  const code = async (...words: string[]) => run(shell, words);
  for (const words of [
    ["sample", "kick", "--duration", "soon"],
    ["sample", "kick"],
    ["stems", "nothing.flac"],
    ["duck", "song.flac"],
    ["song", "folk", "--lyrics", "missing.txt"],
    ["normalise", "song.flac", "--preset", "loud"],
    ["normalise", "song.flac", "-o", "song.ogg"],
    ["normalise", "song.flac", "-o", "song.wav", "--format", "flac"],
    ["normalise", "song.flac", "other.flac", "-o", "one.flac"],
    ["sonng", "folk"],
    ["normalise", "song.flac", "--target-luffs", "-14"],
  ]) {
    const { code: exit, stderr } = await code(...words);
    assert.equal(exit, 2, `${words.join(" ")}: ${stderr}`);
    assert.notEqual(stderr, "");
    if (words.includes("--target-luffs"))
      assert.match(stderr, /There is no option --target-luffs; did you mean --target-lufs\?/u);
    if (words[0] === "duck") assert.match(stderr, /Expected <music> <voice>, not 1 word$/mu);
  }
  const refused = await code("cut", "song.flac", "--target-duration", "4");
  assert.equal(refused.code, 3);
  assert.equal(lineOf(refused, "refused")!.code, "invalid_request");
  const failed = await code("cut", "song.flac", "--target-duration", "300");
  assert.equal(failed.code, 4, failed.stdout);
  assert.equal(lineOf(failed, "failed")!.code, "target_duration_too_long");
  const { code: wrong_key } = await run({ folder, env: { ...shell.env, TONWERK_KEY: `${KEY}x` } }, ["fx", "knock"]);
  assert.equal(wrong_key, 3);
  const unset = await run({ folder, env: {} }, ["sonng", "folk"]);
  assert.equal(unset.code, 2);
  assert.match(unset.stderr, /If it is an action of your server, set TONWERK_URL and TONWERK_KEY/u);
  assert.ok(unset.stderr.split("\n").length <= 4, unset.stderr);
  const nowhere = { folder, env: { TONWERK_URL: "http://127.0.0.1:9", TONWERK_KEY: KEY } };
  assert.equal((await run(nowhere, ["fx", "knock"])).code, 5);
});

test("a dry run says the price, uploads nothing and makes nothing", async () => {
  const count = server.seen.length;
  const words = ["--lyrics", "song.txt", "--prompt", "house", "--n-variations", "3", "--dry-run"];
  const ask = () => run(shell, ["remix", "song", "song.flac", ...words]);
  let ended = await ask();
  // Null where a busy machine took more than five seconds to load what reads words.
  while (ended.lines[0]?.understood === null) ended = await ask();
  assert.equal(ended.code, 0, ended.stdout + ended.stderr);
  assert.equal(ended.lines[0]!.type, "price");
  assert.equal(ended.lines[0]!.cost, 9);
  assert.equal((ended.lines[0]!.understood as { genre: string }).genre, "house");
  const asked = new Set(server.seen.slice(count));
  assert.deepEqual([...asked], ["GET /openapi.json", "PUT /v1/create.remix_song"]);
});

test("Ctrl-C cancels the operation", async () => {
  const running = start(shell, ["stems", "song.flac"]);
  await running.said('"type":"progress"');
  process.kill(running.child.pid!, "SIGINT");
  const { code, lines } = await running.ended;
  assert.equal(code, 130);
  const { error } = await tonwerk.stems.get(lines[0]!.id as string);
  assert.equal(error?.code, "canceled");
});

test("a plugin's action is a command, with help and completion, without edits", async () => {
  const help = await run(shell, ["--help"]);
  assert.match(help.stdout, /tonwerk tremolo +Let the volume of a track rise and fall/);
  assert.match(
    (await run(shell, ["tremolo", "--help"])).stdout,
    /--rate-hz <number> +How often it falls in a second \(required\)/,
  );
  // Many words wrap as a sentence does.
  const lines = (await run(shell, ["song", "--help"])).stdout.split("\n");
  assert.ok(lines.every((line) => line.length <= 120));
  assert.ok(lines.some((line) => line.startsWith("  --test-outcome <word> ")));
  const failed = await run(shell, ["tremolo", "song.flac", "--rate-hz", "5"]);
  assert.equal(lineOf(failed, "failed")?.code, "mono_expected", failed.stdout + failed.stderr);
  const dry = await run(shell, ["acme.tremolo", "song.flac", "--rate-hz", "5", "--dry-run"]);
  assert.equal(lineOf(dry, "price")?.cost, 1);
});

test("a server of this machine is asked for its actions each time", async () => {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, { readonly put: { summary: string } }>>;
  };
  const served = createServer((_, answer) => answer.end(JSON.stringify(document)));
  await new Promise<void>((ready) => served.listen(0, "127.0.0.1", ready));
  try {
    const { port } = served.address() as AddressInfo;
    const own = { folder, env: { TONWERK_URL: `http://127.0.0.1:${port}` } };
    for (const summary of ["As it was", "As it is since the last save"]) {
      document.paths["/v1/adapt.auto_cut_down"]!.put.summary = summary;
      assert.match((await run(own, ["cut", "--help"])).stdout, new RegExp(`^${summary}\\.$`, "mu"));
    }
  } finally {
    served.close();
  }
});

test("profiles: a file of its owner alone, and a key from standard input", async () => {
  const home = await mkdtemp(join(folder, "home-"));
  const alone: Shell = { folder: home, env: {} };
  assert.equal((await run(alone, ["fx", "knock"])).code, 2, "no server was named");
  const refused = await run(alone, ["profile", "add", "studio", "--url", server.url], `${KEY}x\n`);
  assert.equal(refused.code, 3);
  const added = await run(alone, ["profile", "add", "studio", "--url", `${server.url}/`], `${KEY}\n`);
  assert.equal(added.code, 0, added.stderr);
  assert.match(added.stdout, /^studio: http:.*, \d+ credits\n$/);
  const path = join(home, ".config/tonwerk/config.json");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await run(alone, ["sample", "kick", "--duration", "0.5", "--dry-run"])).code, 0);
  const listed = (await run(alone, ["profile", "list"])).stdout;
  assert.ok(listed.startsWith("* studio") && !listed.includes(KEY), listed);
  assert.equal((await run(alone, ["sample", "kick", "--duration", "1", "--dry-run", "--profile", "stage"])).code, 2);
  await chmod(path, 0o644);
  const open = await run(alone, ["sample", "kick", "--duration", "0.5", "--dry-run"]);
  assert.equal(open.code, 2);
  assert.match(open.stderr, /Others may read/);
});

test("listen forwards deliveries, and trigger sends samples, both with signatures that verify", async () => {
  const arrived: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    arrived.push({ headers: request.headers as Record<string, string>, body });
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const secret = (await run(shell, ["listen", "--print-secret"])).stdout.trim();
  const seen = server.seen.length;
  const listening = start(shell, ["listen", "--forward", forward]);
  await listening.said(secret);
  const { id } = await tonwerk.samples.create({ prompt: "kick", duration: 0.5 });
  await listening.said('"type":"forwarded"');
  await server.kill();
  await server.start();
  // Ended before the connection came again, perhaps: it is told what it missed.
  const { id: later } = await tonwerk.samples.create({ prompt: "snare", duration: 0.5 }).wait();
  await listening.said(`msg_${later.slice(3)}`);
  const lists = server.seen.slice(seen).filter((request) => request === "GET /v1/operations");
  assert.equal(lists.length, 1, "what had ended before it began; nothing is polled");
  process.kill(listening.child.pid!, "SIGINT");
  const ended = await listening.ended;
  assert.equal(ended.code, 130);
  assert.deepEqual(
    ended.lines.map(({ status, event }) => [status, event]),
    [
      [200, "create.new_sample.ready"],
      [200, "create.new_sample.ready"],
    ],
  );
  for (const type of ["song.failed", "adapt.separate_stems.ready", "tremolo.ready", "fx.started"]) {
    const sent = await run(shell, ["trigger", type]);
    assert.equal(sent.code, 0, sent.stderr);
  }
  receiver.close();
  assert.equal(arrived.length, 6);
  const events = (
    await Promise.all(arrived.map(({ body, headers }) => verifyWebhook(body, headers, { secret })))
  ).flatMap((event) => (event.type === "ping" ? [] : [event]));
  assert.equal(events[0]!.operation.id, id);
  assert.deepEqual(JSON.parse(arrived[0]!.body).sample.status, "ready");
  assert.deepEqual(
    events.slice(2).map(({ type, operation: { status, error } }) => [type, status, error?.code]),
    [
      ["create.new_song.failed", "failed", "internal_error"],
      ["adapt.separate_stems.ready", "ready", undefined],
      ["acme.tremolo.ready", "ready", undefined],
      ["create.new_fx.started", "processing", undefined],
    ],
  );
  const listed = await run(shell, ["events", "--limit", "1"]);
  assert.equal(listed.lines[0]!.id, later);
  const page = `${server.url}/dashboard/operations/${id}\n`;
  assert.equal((await run(shell, ["open", id])).stdout, page);
});

const runFile = promisify(execFile);

/** What each shell makes of its script: the words that complete the last of `typed`, or the line as it then stands. */
const SHELLS: Readonly<Record<string, (typed: string) => readonly string[]>> = {
  bash: (typed) => [
    "-c",
    `. ./completion.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tonwerk; printf '%s\\n' "\${COMPREPLY[@]}"`,
    "bash",
    ...typed.split(" "),
  ],
  fish: (typed) => ["-N", "-c", `source completion.fish; complete -C ${JSON.stringify(typed)} | cut -f1`],
  // Tab in an interactive zsh, on a terminal of its own; then the line is made one that does nothing.
  zsh: (typed) => [
    "-f",
    "-c",
    `zmodload zsh/zpty; zpty -b shell zsh -f -i
    until_said() { local part; said=; repeat 400; do zpty -r -t shell part && said+=$part; [[ $said == *$1* ]] && return; sleep 0.05; done }
    zpty -w shell "PS1=; autoload -Uz compinit; compinit -u -D; source ./completion.zsh; bindkey '^I' complete-word; print RE''ADY"
    until_said READY
    zpty -w -n shell ${JSON.stringify(typed)}$'\\t\\x01: \\x05; print EN""DED\\n'
    until_said ENDED; print -r -- "$said"`,
  ],
};

for (const [name, wordsFor] of Object.entries(SHELLS)) {
  const program = findProgram(name);
  const skip = program === undefined && `${name} is not installed`;
  test(`${name} completes commands, verbs, options and their words, and leaves files to itself`, { skip }, async () => {
    const script = await run(shell, ["completion", name]);
    assert.equal(script.code, 0, script.stderr);
    await writeFile(join(folder, `completion.${name}`), script.stdout);
    const PATH = `${await writeProgram(folder)}:${process.env.PATH}`;
    const env = { ...shell.env, HOME: folder, PATH, TERM: "dumb" };
    const complete = async (typed: string): Promise<string> =>
      (await runFile(program!, wordsFor(typed), { cwd: folder, env, timeout: 60_000 })).stdout.trim();
    for (const [typed, found] of [
      ["tonwerk tre", "tremolo"],
      ["tonwerk normalise --pre", "--preset"],
      ["tonwerk normalise --preset pod", "podcast"],
      ["tonwerk endpoints pi", "ping"],
      ["tonwerk list --creat", "--created-"],
      ["tonwerk trigger fx.rea", "fx.ready"],
      ["tonwerk normalise song.tx", name === "bash" ? "" : "song.txt"],
    ] as const) {
      const said = await complete(typed);
      assert.ok(found === "" ? said === "" : said.includes(found), `${typed}: ${said}`);
    }
  });
}

// Deno alone takes longer to start.
test("help takes less than 150 ms of processor time", { skip: "Deno" in globalThis }, () => {
  const timed = execFileSync(
    "bash",
    ["-c", `TIMEFORMAT='%U %S'; { time "$@" > help.out; } 2>&1`, "bash", ...command, "--help"],
    { cwd: folder, env: { ...shell.env, HOME: folder, PATH: process.env.PATH }, encoding: "utf8" },
  );
  const [user = 1, system = 1] = timed.trim().split(" ").map(Number);
  assert.ok(user + system < 0.15, timed);
});
