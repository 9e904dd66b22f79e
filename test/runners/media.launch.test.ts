import assert from "node:assert/strict";
import { test } from "node:test";
import { find } from "../../runners/signal/media/ffmpeg.ts";
import { launch } from "../../runners/signal/media/launch.ts";
import { exec, program, signal } from "./media_files.ts";

const ALLOWANCE = { wall_s: 20, cpu_s: 10, memory_bytes: 2 ** 30, file_bytes: 0 };

test("launch() kills the whole group when the time is up", {
  skip: process.platform === "win32" && "POSIX process groups",
}, async () => {
  let group = "";
  const order = {
    program: "sh",
    args: ["-c", "echo $$; sleep 60 & sleep 60"],
    allowance: { ...ALLOWANCE, wall_s: 0.3 },
    signal,
    output: (bytes: Uint8Array) => {
      group += Buffer.from(bytes).toString();
    },
  };
  await assert.rejects(launch(order), /more than 0.3 s/);
  for (let tries = 0; tries < 1000 && (await alive(Number(group))); tries++)
    await new Promise((wake) => setTimeout(wake, 20));
  assert.equal(await alive(Number(group)), false);
});

/** Whether a process of the group still runs; what is dead but not yet collected by its parent does not count. */
async function alive(group: number): Promise<boolean> {
  const { stdout } = await exec("ps", ["-e", "-o", "pgid=,stat="]);
  return stdout.split("\n").some((line) => {
    const [pgid, stat] = line.trim().split(/\s+/);
    return Number(pgid) === group && !stat?.startsWith("Z");
  });
}

test("launch() hides our environment, and reports how a program ended", async () => {
  process.env.TONWERK_TEST_SECRET = "hidden";
  try {
    const order = {
      program: "sh",
      args: ["-c", 'echo "$TONWERK_TEST_SECRET" >&2; exit 3'],
      allowance: ALLOWANCE,
      signal,
    };
    assert.deepEqual(await launch(order), { code: 3, killed_by: null, complaint: "\n" });
    assert.equal((await launch({ ...order, args: ["-c", "kill -SEGV $$"] })).killed_by, "SIGSEGV");
  } finally {
    delete process.env.TONWERK_TEST_SECRET;
  }
  await assert.rejects(
    launch({ program: "tonwerk-no-such-program", args: [], allowance: ALLOWANCE, signal }).then(({ code }) => {
      if (code !== 0) throw new Error(`exit ${code}`);
    }),
  );
});

test("find() uses FFMPEG_PATH, says so where that does not work, and none where it says none", async () => {
  if (program !== undefined) assert.equal((await find({ FFMPEG_PATH: program })).path, program);
  await assert.rejects(find({ FFMPEG_PATH: "/nowhere/ffmpeg" }), /Cannot use FFMPEG_PATH "\/nowhere\/ffmpeg"/);
  await assert.rejects(find({ FFMPEG_PATH: process.execPath }), /Cannot use FFMPEG_PATH/);
  await assert.rejects(find({ FFMPEG_PATH: "none" }), /FFMPEG_PATH is none/);
});
