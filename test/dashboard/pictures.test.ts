/** Which pictures are drawn, how many, and where. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { createLimits } from "../../core/accounts/limits.ts";
import { openFilesBucket } from "../../core/adapters/files/bucket.ts";
import type { StoredAudio } from "../../core/surface.ts";
import { silence, tone } from "../../packages/plugin/testing.ts";
import type { Draw } from "../../plugins/dashboard/drawings.ts";
import { createPictures } from "../../plugins/dashboard/pictures.ts";
import { inFolder, wav } from "../audio.ts";
import { fakeClock } from "../clock.ts";
import { addAction, pluginFolder } from "../plugin_folder.ts";
import { type Answer, ownerLink, startTestService, type TestService } from "../service.ts";
import { entered, type Visitor } from "./visitor.ts";

let tonwerk: TestService;
let folder: string;
let owner: Visitor;

before(async () => {
  folder = await pluginFolder();
  await addAction(folder, "test.copy", { sources: "{ source: { seconds_min: 0.1, seconds_max: 3, bytes_max: 1e6 } }" });
  tonwerk = await startTestService({ env: { TONWERK_PLUGINS: folder } });
  owner = await entered(tonwerk, await ownerLink(tonwerk.service), "owner@example.com");
});
after(async () => {
  await tonwerk.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The ended operation on an upload. */
const run = async (sound: Uint8Array): Promise<Answer["body"]> =>
  tonwerk.perform("test.copy", { source: await tonwerk.upload(sound) });

async function statusOf(path: string): Promise<number> {
  const response = await owner.get(path);
  await response.body?.cancel();
  return response.status;
}

const mono = (seconds: number): Uint8Array => wav(tone(440, seconds, { channels: 1 }).channels);

test("sources are drawn where something was made of them, and not where the operation failed", async () => {
  const ready = await run(mono(1));
  assert.equal(ready.status, "ready");
  assert.equal(await statusOf(`/operations/${ready.id}/sources/source/pictures/waveform-light-1x`), 200);
  assert.equal(await statusOf(`/operations/${ready.id}/outputs/0/pictures/spectrogram-2x`), 200);
  assert.equal(await statusOf(`/operations/${ready.id}/sources/other/pictures/waveform-light-1x`), 404);
  for (const sound of [mono(5), wav(silence(1, { channels: 1 }).channels)]) {
    const failed = await run(sound);
    if (failed.status === "ready") continue;
    assert.equal(await statusOf(`/operations/${failed.id}/sources/source/pictures/waveform-light-1x`), 404);
    // It is the account's own file all the same.
    assert.equal(await statusOf(`/operations/${failed.id}/sources/source/audio`), 200);
  }
  assert.equal((await run(mono(5))).error.code, "source_too_long");
});

test("drawing a picture is free work, which its account has a budget of", async () => {
  const { id } = await run(mono(2));
  const used = async () => (await tonwerk.json("GET", "/v1/account")).body.account.limits.free_seconds.used;
  const before = await used();
  assert.equal(await statusOf(`/operations/${id}/outputs/0/pictures/spectrogram-1x`), 200);
  const after = await used();
  assert.ok(after > before, `${before} s before, ${after} s after`);
  // It is drawn.
  assert.equal(await statusOf(`/operations/${id}/outputs/0/pictures/spectrogram-2x`), 200);
  assert.equal(await used(), after);
});

test("a picture of a source goes when the account is another's, or the object is gone", async () => {
  const { id } = await run(mono(1));
  const { sources } = (await tonwerk.service.store.operation(id))!;
  await tonwerk.service.bucket.delete([sources[0]!.object!]);
  assert.equal(await statusOf(`/operations/${id}/sources/source/pictures/waveform-dark-1x`), 404);
});

test("drawings are counted by account: so many a minute, so many at once; those who wait for one share it", () =>
  inFolder(async (path) => {
    const bucket = await openFilesBucket(path("bucket"));
    const clock = fakeClock();
    const begun: StoredAudio[] = [];
    const waiting: (() => void)[] = [];
    let is_slow = false;
    const draw: Draw = async (audio) => {
      begun.push(audio);
      if (is_slow) await new Promise<void>((resolve) => waiting.push(resolve));
      return { "spectrogram-1x": new Uint8Array([begun.length]) };
    };
    const pictures = createPictures({ bucket, limits: createLimits({ clock }) }, draw);
    let count = 0;
    const fresh = (account_id = "acc_a"): StoredAudio => ({ key: `files/${count++}.wav`, account_id, seconds: 1 });
    const find = (audio = fresh()) => pictures.find(audio, "spectrogram-1x");
    const isTooMany = (error: { status?: number; headers?: Record<string, string> }) =>
      error.status === 429 && Number(error.headers?.["retry-after"]) >= 1;

    is_slow = true;
    const same = fresh();
    const eight = Array.from({ length: 7 }, () => find());
    const joined = [find(same), find(same), find(same)];
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(begun.length, 8);
    await assert.rejects(find(), isTooMany);
    const other = find(fresh("acc_b"));
    while (begun.length < 9) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const end of waiting) end();
    const [first, ...others] = await Promise.all(joined);
    for (const bytes of others) assert.deepEqual(bytes, first);
    await Promise.all([...eight, other]);
    assert.equal(begun.length, 9);

    is_slow = false;
    while (begun.filter(({ account_id }) => account_id === "acc_a").length < 60) await find();
    await assert.rejects(find(), isTooMany);
    await find(fresh("acc_b"));
    // What was drawn is not drawn, and not counted.
    await find(begun.at(-1));
    clock.advance(1_000);
    await find();
    await assert.rejects(find(), isTooMany);
    await bucket.close();
  }));
