/** The example of a pack: a genre that Tonwerk does not have, and its instrument, are served from a file each, without code. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startTestService, type TestService } from "../service.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as clients do, without our types
type Json = any;

let tonwerk: TestService;

before(async () => {
  tonwerk = await startTestService({ env: { TONWERK_PACKS: "./examples/packs" } });
});

after(() => tonwerk.stop());

async function understood(prompt: string, service = tonwerk): Promise<Json> {
  const { status, body } = await service.json("PUT", "/v1/create.new_instrumental?dry_run=true", { prompt });
  assert.equal(status, 200, JSON.stringify(body));
  // Null where a busy machine took more than five seconds to load what reads words.
  return body.understood ?? understood(prompt, service);
}

test("a dry run knows the genre by its names, in each of its languages", async () => {
  for (const prompt of ["gnawa", "fast Gnawa music with flute", "musique gnaoua", "Gnawa-Musik"]) {
    const told = await understood(prompt);
    assert.equal(told.genre, "Gnawa", prompt);
  }
  const fusion = await understood("gnawa jazz");
  assert.deepEqual([fusion.genre, fusion.second_genre], ["Gnawa", "jazz"]);
});

test("its instrument is known, brings it to mind, and is what a bass player may play in other genres", async () => {
  const alone = await understood("slow guembri");
  assert.deepEqual([alone.genre, alone.instruments], ["Gnawa", ["guembri"]]);
  const guest = await understood("jazz with gimbri and drums");
  assert.deepEqual([guest.genre, guest.instruments.includes("guembri")], ["jazz", true]);
});

test("an instrumental of it is made, by its tempo and in its modes", async () => {
  const request = { prompt: "ten seconds of gnawa", seed: 3 };
  const { status, error, outputs } = await tonwerk.perform("create.new_instrumental", request);
  assert.equal(status, "ready", JSON.stringify(error));
  const told = outputs[0].report.understood;
  assert.equal(told.genre, "Gnawa");
  assert.ok(told.tempo_bpm >= 88 && told.tempo_bpm <= 132, `${told.tempo_bpm}`);
  const bass = outputs[0].report.composed.parts.find(({ role }: Json) => role === "bass");
  assert.equal(bass.instrument, "guembri");
  assert.match(told.key, /dorian|minor/u);
});

test("without the pack nobody knows it", async () => {
  const bare = await startTestService();
  try {
    const told = await understood("gnawa", bare);
    assert.notEqual(told.genre, "Gnawa");
  } finally {
    await bare.stop();
  }
});

test("a wrong pack stops the start, with its file and the place within it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "packs-"));
  try {
    const gnawa = JSON.parse(
      await readFile(new URL("../../examples/packs/genres/gnawa.json", import.meta.url), "utf8"),
    );
    await mkdir(join(folder, "genres"));
    await writeFile(join(folder, "genres/gnawa.json"), JSON.stringify({ ...gnawa, swing: 2 }));
    await assert.rejects(
      startTestService({ env: { TONWERK_PACKS: folder } }),
      /genres\/gnawa\.json \/swing: expected a number from 0\.5 to 0\.75/u,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
