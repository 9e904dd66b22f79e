/** What a decoder that is another program can reach: a script in its place tries. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { test } from "node:test";
import { hasSandbox } from "../../runners/signal/media/confine.ts";
import { find } from "../../runners/signal/media/ffmpeg.ts";
import { type Launch, launch } from "../../runners/signal/media/launch.ts";
import { inFolder } from "../audio.ts";

const skip = existsSync("/bin/bash") ? false : "there is no bash to try it with";
const no_sandbox = (await hasSandbox()) ? false : "there is no bubblewrap that works here";
const SECRETS = { TONWERK_SECRET: "told-secret", DATABASE_URL: "postgres://told", S3_SECRET_ACCESS_KEY: "told-key" };

/** Runs `body` with secrets in this process's environment, as the server has them. */
async function withSecrets(body: () => Promise<void>): Promise<void> {
  Object.assign(process.env, SECRETS);
  try {
    await body();
  } finally {
    for (const name of Object.keys(SECRETS)) delete process.env[name];
  }
}

async function printed(order: Partial<Launch> & Pick<Launch, "program">): Promise<string> {
  let text = "";
  await launch({
    args: [],
    allowance: { wall_s: 20, cpu_s: 10, memory_bytes: 2 ** 30, file_bytes: 0 },
    signal: new AbortController().signal,
    output: (bytes) => {
      text += Buffer.from(bytes).toString();
    },
    ...order,
  });
  return text;
}

/** An ffmpeg whose version says what it could reach. */
async function spy(file: string, secret: string, port: number): Promise<void> {
  const script = `#!/bin/bash
version=1
[ -r "${secret}" ] && version=$version-file
[ -n "$(ls /etc/passwd /root /home /proc/1/environ 2>/dev/null)" ] && version=$version-system
(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && version=$version-network
printenv | grep -q told && version=$version-environment
echo "ffmpeg version $version"
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
}

async function listening(body: (port: number) => Promise<void>): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await body((server.address() as { port: number }).port);
  } finally {
    server.close();
  }
}

test(
  "a decoder in the sandbox reaches no file, no network and none of our environment",
  {
    skip: skip || no_sandbox,
  },
  () =>
    withSecrets(() =>
      listening((port) =>
        inFolder(async (path) => {
          await writeFile(path("secret"), "told");
          await spy(path("ffmpeg"), path("secret"), port);
          assert.equal((await find({ FFMPEG_PATH: path("ffmpeg") })).version, "1");
          // The files that it is to read are there, under their names, and cannot be written.
          await writeFile(path("source"), "sound");
          const reads = [path("source")];
          const sh = (text: string) => printed({ program: "sh", args: ["-c", text], reads });
          assert.equal(await sh(`cat ${path("source")}; ls ${path("")}`), "soundsource\n");
          assert.equal(await sh(`echo > ${path("source")} || echo no`), "no\n");
          assert.equal(await sh("ls /proc /root /home /etc/passwd 2>/dev/null; pwd"), "/tmp\n");
        }),
      ),
    ),
);

test("a decoder without a sandbox has none of our environment either, and a folder of its own", { skip }, () =>
  withSecrets(async () => {
    const order = { program: "/bin/bash", sandbox: false } as const;
    const names = (await printed({ ...order, args: ["-c", "printenv"] })).match(/^\w+/gmu) ?? [];
    const own = ["PWD", "OLDPWD", "SHLVL", "_"];
    const allowed = ["PATH", "LANG", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot", ...own];
    assert.deepEqual(
      names.filter((name) => !allowed.includes(name)),
      [],
    );
    const folder = (await printed({ ...order, args: ["-c", "pwd; ls -A"] })).trim();
    assert.ok(folder.startsWith(join(tmpdir(), "tonwerk-launch-")) && !folder.includes("\n"), folder);
    assert.ok(!(await readdir(tmpdir())).includes(basename(folder)), "it is gone afterwards");
  }),
);

test("launch() tells signals and exit codes apart, in the sandbox and without", { skip }, async () => {
  for (const sandbox of [true, false]) {
    const ended = async (text: string) => {
      const { code, killed_by } = await launch({
        ...{ program: "sh", args: ["-c", text], sandbox, signal: new AbortController().signal },
        allowance: { wall_s: 20, cpu_s: 1, memory_bytes: 2 ** 30, file_bytes: 0 },
      });
      return [code, killed_by];
    };
    assert.deepEqual(await ended("exit 3"), [3, null]);
    assert.deepEqual(await ended("kill -SEGV $$"), [null, "SIGSEGV"]);
    // Its processor time used up: the source's fault, not a loss of the machine's.
    assert.deepEqual(await ended("while :; do :; done"), [null, "SIGXCPU"]);
  }
});

test("find() takes the system's ffmpeg, and none that comes with a package", { skip }, async () => {
  await inFolder(async (path) => {
    await spy(path("ffmpeg"), path("nothing"), 1);
    const elsewhere = join(path(""), "no-such-folder");
    const { path: found } = await find({ PATH: [elsewhere, path("")].join(delimiter) });
    assert.equal(found, path("ffmpeg"));
    await assert.rejects(find({ PATH: elsewhere }), /none is on the PATH/);
    await assert.rejects(find({ PATH: path(""), FFMPEG_PATH: "none" }), /FFMPEG_PATH is none/);
  });
});
