/** Separating families on miniature models of the true shapes: each stem is a known gain of the mix, all the way through. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Audio } from "../../../contract/mod.ts";
import type { Manifest } from "../../../runners/models/fields.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { file, music, options, parts, SETTINGS, separate, snr } from "./fixtures.ts";

const pool = createPool({ threads_max: 2, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

const common = { licence: "MIT", threads: 1 } as const;
const stft = { n_fft: 7680, hop: 1024, dim_f: 3072, dim_t: 256 };
const MDX: Manifest = {
  ...common,
  id: "mdx",
  family: "mdx",
  stem: "vocals",
  stft,
  files: { model: file("mdx_3072.onnx") },
};
const GAINS = [0.4, 0.3, 0.2, 0.1];
const HTDEMUCS = {
  ...common,
  stems: ["drums", "bass", "other", "vocals"] as ("drums" | "bass" | "other" | "vocals")[],
};
const UMX_FILES = {
  vocals: file("umx_vocals.onnx"),
  drums: file("umx_drums.onnx"),
  bass: file("umx_bass.onnx"),
  other: file("umx_other.onnx"),
};

const BANDS: Manifest = {
  ...common,
  id: "bands",
  family: "bands",
  stems: ["vocals", "drums", "bass"],
  files: { model: file("bands.onnx") },
};

/** Each manifest with the gains of its stems, of each side where they differ. */
const cases: readonly (readonly [string, Manifest, readonly (number | readonly number[])[]])[] = [
  ["mdx with a transform of 7680", MDX, [0.5, 0.5]],
  [
    "mdx with a transform of 6144, a batch and a gain to make up",
    {
      ...MDX,
      id: "mdx-6144",
      stft: { ...stft, n_fft: 6144, dim_f: 2048 },
      files: { model: file("mdx_2048.onnx") },
      batch: 3,
      compensate: 1.5,
    },
    [0.75, 0.25],
  ],
  [
    "mdx with a transform of 5120 and a fixed batch, without overlap",
    {
      ...MDX,
      id: "mdx-5120",
      stem: "instrumental",
      stft: { ...stft, n_fft: 5120, dim_f: 2048 },
      files: { model: file("mdx_fixed.onnx") },
      overlap: 0,
    },
    [0.5, 0.5],
  ],
  [
    "htdemucs without its transforms",
    { ...HTDEMUCS, id: "core", family: "htdemucs-core", files: { model: file("htdemucs_core.onnx") }, batch: 2 },
    GAINS,
  ],
  [
    "htdemucs with its transforms",
    { ...HTDEMUCS, id: "e2e", family: "htdemucs-e2e", files: { model: file("htdemucs_e2e.onnx") } },
    GAINS,
  ],
  ["umx by ratio masks", { ...common, id: "umx-0", family: "umx", files: UMX_FILES, wiener: 0 }, [0.4, 0.3, 0.2, 0.1]],
  [
    "umx with a residual",
    {
      ...common,
      id: "umx-r",
      family: "umx",
      files: { vocals: UMX_FILES.vocals, drums: UMX_FILES.drums },
      wiener: 0,
      residual: true,
    },
    [0.4, 0.3, 0.3],
  ],
  // Each power is the square of the gain, so that the filter's shares are g² / Σ g².
  [
    "umx by one round of Wiener filtering",
    { ...common, id: "umx-1", family: "umx", files: UMX_FILES, dim_t: 128 },
    [0.16, 0.09, 0.04, 0.01].map((square) => square / 0.3),
  ],
  // The last stem has another mask on the right, so that it shows if sides or stems were mixed up.
  ["masks of bands", BANDS, [0.4, 0.3, [0.2, 0.1]]],
  [
    "masks of bands in bytes",
    { ...BANDS, id: "bands-bytes", files: { model: file("bands_bytes.onnx") } },
    [0.4, 0.2, [0.6, 0.8]],
  ],
  ["masks of bands in short blocks", { ...BANDS, id: "bands-100", dim_t: 100, overlap: 0.125 }, [0.4, 0.3, [0.2, 0.1]]],
];

for (const [name, manifest, gains] of cases) {
  test(`${name}: every stem is its share of the mix within 60 dB, to the frame, without a seam`, async () => {
    // Three blocks at least, and more than a batch where it has one.
    const audio = music(manifest.family.startsWith("htdemucs") || ("batch" in manifest && manifest.batch) ? 17 : 12);
    const made = await pool.run(separate, { manifest, settings: SETTINGS, request: audio }, options());
    assert.equal(made.length, gains.length);
    for (const [stem, channels] of made.entries()) {
      for (const [side, channel] of channels.entries()) {
        const mix = audio.channels[side]!;
        const gain = [gains[stem]!].flat()[side] ?? [gains[stem]!].flat()[0]!;
        assert.equal(channel.length, mix.length);
        const whole = snr(channel, mix, gain);
        assert.ok(whole > 60, `stem ${stem}, channel ${side}: ${whole.toFixed(1)} dB`);
        // No tenth of a second is worse: not where blocks join, and not at the ends.
        for (let from = 0; from + 4410 <= mix.length; from += 4410) {
          const here = snr(channel, mix, gain, from, from + 4410);
          assert.ok(here > 55, `stem ${stem}, channel ${side}, ${from / 44_100} s: ${here.toFixed(1)} dB`);
        }
      }
    }
  });
}

test("pieces shorter than a block, and mono ones, come back in their own length and channels", async () => {
  for (const manifest of [cases[0]![1], cases[3]![1], cases[5]![1]]) {
    const { channels, sample_rate } = music(0.7);
    const audio: Audio = { sample_rate, channels: [channels[0]!] };
    const made = await pool.run(separate, { manifest, settings: SETTINGS, request: audio }, options());
    for (const stem of made) assert.deepEqual([stem.length, stem[0]!.length], [1, audio.channels[0]!.length]);
    const sum = audio.channels[0]!.map((_, n) => made.reduce((total, stem) => total + stem[0]![n]!, 0));
    assert.ok(snr(sum, audio.channels[0]!) > 60, `${manifest.id}: ${snr(sum, audio.channels[0]!)}`);
  }
});

test("silence stays silence", async () => {
  for (const [, manifest] of cases) {
    const audio: Audio = { sample_rate: 44_100, channels: [new Float32Array(20_000), new Float32Array(20_000)] };
    const made = await pool.run(separate, { manifest, settings: SETTINGS, request: audio }, options());
    for (const channel of made.flat())
      assert.ok(
        channel.every((value) => Math.abs(value) < 1e-9),
        manifest.id,
      );
  }
});

test("finished parts are handed on in order, each shorter than a block, so that no model holds a whole piece", async () => {
  const request = music(17);
  const found = await pool.run(parts, { manifest: cases[4]![1], settings: SETTINGS, request }, options());
  let next = 0;
  for (const { from, frames } of found) {
    assert.equal(from, next);
    assert.ok(frames <= 343_980);
    next += frames;
  }
  assert.equal(next, request.channels[0]!.length);
  assert.ok(found.length >= 3);
});

test("the same piece gives the same bits, in another process too", async () => {
  const given = { manifest: MDX, settings: SETTINGS, request: music(6) };
  const first = await pool.run(separate, given, options());
  const again = await pool.run(separate, given, options());
  const fresh = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
  try {
    const other = await fresh.run(separate, given, options());
    assert.deepEqual(again, first);
    assert.deepEqual(other, first);
  } finally {
    await fresh.close();
  }
});
