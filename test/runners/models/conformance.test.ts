/**
 * Families against the originals: public packages with random weights, exported as they are, run by us, compared with what the package itself gives.
 * `training/conformance` makes the cases. TONWERK_CONFORMANCE names a folder of more (of full width, say), which are run and told as well.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Audio } from "../../../core/plugin.ts";
import { readCharsmap } from "../../../runners/models/charsmap.ts";
import { parseManifest } from "../../../runners/models/manifest.ts";
import { KEYS, notesOf } from "../../../runners/models/note_events.ts";
import { readTokenizer } from "../../../runners/models/tokenizer.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { detect, generate, options, SETTINGS, separate, transcribe } from "./fixtures.ts";

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

interface Case {
  /** Package and version. */
  readonly original: string;
  readonly manifest: object;
  readonly input:
    | { readonly seconds: number; readonly seed: number; readonly gain?: number }
    | { readonly seconds: number; readonly prompt: string };
  /** Of what the original gives, of which every `stride`-th sample is kept. */
  readonly rows: number;
  readonly length: number;
  readonly stride: number;
}

/** What a listener heard: notes (start, end, pitch, strength), or the probability of speech in each window. */
interface Heard {
  readonly original: string;
  readonly manifest: object;
  readonly plucks: { readonly rate: number; readonly seconds: number; readonly seed: number };
  readonly notes?: readonly (readonly number[])[];
  readonly speech?: readonly number[];
}

/** Agreement that a listener cannot tell from equality. */
const WANTED_DB = 60;

const small = fileURLToPath(new URL("conformance", import.meta.url));
for (const folder of [small, process.env.TONWERK_CONFORMANCE]) {
  if (folder === undefined) continue;
  for (const name of readdirSync(folder).sort()) {
    const place = join(folder, name);
    if (!existsSync(join(place, "expected.f32"))) continue;
    const { original, manifest, input, rows, length, stride }: Case = JSON.parse(
      readFileSync(join(place, "case.json"), "utf8"),
    );
    test(`${name} agrees with ${original} within ${WANTED_DB} dB`, async (context) => {
      const settings = { ...SETTINGS, models: folder, model_mb: 12_000, model_seconds: 600 };
      const { manifest: parsed } = await parseManifest(manifest);
      const given = { manifest: parsed, settings };
      const made =
        "prompt" in input
          ? (await pool.run(generate, { ...given, request: { ...input, seed: 1 } }, options())).channels
          : (await pool.run(separate, { ...given, request: signal(input) }, options())).flat();
      const wanted = valuesOf(join(place, "expected.f32"));
      assert.equal(made.length, rows);
      const each = Math.ceil(length / stride);
      for (const [row, found] of made.entries()) {
        assert.equal(found.length, length);
        const agreement = agreementOf(found, stride, wanted.subarray(row * each, (row + 1) * each));
        context.diagnostic?.(`row ${row}: ${agreement.toFixed(1)} dB`);
        if (folder !== small) console.log(`${name}, row ${row}: ${agreement.toFixed(1)} dB`);
        assert.ok(agreement > WANTED_DB, `row ${row}: ${agreement.toFixed(1)} dB`);
      }
    });
  }
}

for (const folder of [small, process.env.TONWERK_CONFORMANCE]) {
  for (const name of ["basic_pitch", "silero"]) {
    if (folder === undefined || !existsSync(join(folder, name))) continue;
    const { original, manifest, plucks, notes, speech }: Heard = JSON.parse(
      readFileSync(join(folder, name, "case.json"), "utf8"),
    );
    test(`${name} hears what ${original} hears`, async () => {
      const given = {
        manifest: (await parseManifest(manifest)).manifest,
        settings: { ...SETTINGS, models: folder },
        request: plucked(plucks),
      };
      if (speech !== undefined) {
        const { values } = await pool.run(detect, given, options());
        assert.equal(values.length, speech.length);
        for (const [n, value] of values.entries()) assert.ok(Math.abs(value - speech[n]!) < 1e-4, `window ${n}`);
        return;
      }
      const found = (await pool.run(transcribe, given, options())).map(
        ({ start, end, pitch, strength }) => [start, end, pitch, strength] as const,
      );
      assert.equal(found.length, notes!.length);
      for (const wanted of notes!) {
        // Times may differ by what the package spreads over 172 frames, strengths by how single precision is added up.
        const same = found.some(([start, end, pitch, strength]) => {
          const far = Math.max(Math.abs(start - wanted[0]!), Math.abs(end - wanted[1]!));
          return pitch === wanted[2] && far < 0.012 && Math.abs(strength - wanted[3]!) < 1e-4;
        });
        assert.ok(same, `${JSON.stringify(wanted)} is missing`);
      }
    });
  }
}

test("note events go on over gaps as in basic-pitch", () => {
  const { frames, held, struck, spans } = JSON.parse(readFileSync(join(small, "basic_pitch/events.json"), "utf8"));
  const plane = (given: readonly (readonly [number, number, number, number])[]) => {
    const out = new Float32Array(frames * KEYS);
    for (const [key, from, to, value] of given) for (let at = from; at < to; at++) out[at * KEYS + key] = value;
    return out;
  };
  const found = notesOf(plane(held), plane(struck), { onset: 0.5, frame: 0.3 });
  const rounded = found.map(({ from, to, pitch, strength }) => [from, to, pitch, Math.round(1e6 * strength) / 1e6]);
  assert.deepEqual(rounded, spans);
});

test("the tokenizer gives SentencePiece's own numbers for every string", async () => {
  for (const folder of [small, process.env.TONWERK_CONFORMANCE]) {
    if (folder === undefined || !existsSync(join(folder, "tokenizer"))) continue;
    const { encode } = await readTokenizer(join(folder, "tokenizer/tokenizer.txt"));
    const lines = readFileSync(join(folder, "tokenizer/strings.txt"), "utf8").trim().split("\n");
    assert.ok(lines.length >= 400);
    for (const [text, ids] of lines.map((line): [string, number[]] => JSON.parse(line)))
      assert.deepEqual(encode(text), ids, JSON.stringify(text));
  }
});

test("the normalisation takes the longest match: what Unicode composes of several characters is one", () => {
  const { normalizer } = JSON.parse(readFileSync(join(small, "tokenizer/tokenizer.txt"), "utf8"));
  const [charsmap] = JSON.stringify(normalizer).match(/(?<="precompiled_charsmap":")[^"]+/)!;
  const { replace } = readCharsmap(charsmap);
  // Half-width letters with their marks: the letter alone has an entry too.
  for (const text of ["ﾊﾟ", "ｶﾞｯ", "ﾎﾟｯﾌﾟ", "e\u0301", "ﬁ", "Å"]) {
    const bytes = new TextEncoder().encode(text);
    let made = "";
    for (let at = 0; at < bytes.length; ) {
      const { text: part, length } = replace(bytes, at);
      made += part;
      at += length;
    }
    assert.equal(made, text.normalize("NFKC"));
  }
});

/** As `signal` in training/conformance/common.py, bit for bit. */
function signal({
  seconds,
  seed,
  gain = 1,
}: {
  readonly seconds: number;
  readonly seed: number;
  readonly gain?: number;
}): Audio {
  const frames = Math.round(44_100 * seconds);
  let x = seed;
  const low = [0, 0];
  const high = [0, 0];
  const channels = [new Float32Array(frames), new Float32Array(frames)];
  for (let n = 0; n < frames; n++) {
    const level = 0.1 + 0.5 * ((n % 30_011) / 30_011);
    for (const c of [0, 1]) {
      x = (1_664_525 * x + 1_013_904_223) % 4_294_967_296;
      const noise = x / 2_147_483_648 - 1;
      low[c] = low[c]! + 0.02 * (noise - low[c]!);
      high[c] = high[c]! + 0.6 * (noise - high[c]!);
      channels[c]![n] = gain * level * (2 * low[0]! + low[c]! + 0.3 * high[c]!);
    }
  }
  return { sample_rate: 44_100, channels };
}

/** As `plucks` in training/conformance/listeners.py. */
function plucked({ rate, seconds, seed }: Heard["plucks"]): Audio {
  const pitches = [60, 67, 48, 76, 55, 64, 72, 43];
  const out = new Float32Array(Math.round(rate * seconds));
  let x = seed;
  for (let number = 0; number < Math.floor(2 * seconds) - 1; number++) {
    const at = Math.round((number * rate) / 2);
    const size = Math.round(rate / (440 * 2 ** ((pitches[number % 8]! - 69) / 12)));
    const line = Array.from({ length: size }, () => {
      x = (1_664_525 * x + 1_013_904_223) % 4_294_967_296;
      return 0.4 * (x / 2_147_483_648 - 1);
    });
    for (let n = 0; n < Math.round(0.4 * rate); n++) {
      const k = n % size;
      out[at + n] = line[k]!;
      line[k] = 0.5 * (line[k]! + line[(k + 1) % size]!);
    }
  }
  return { sample_rate: rate, channels: [out] };
}

function valuesOf(path: string): Float32Array {
  const bytes = readFileSync(path);
  return Float32Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readFloatLE(4 * n));
}

function agreementOf(found: Float32Array, stride: number, wanted: Float32Array): number {
  let power = 0;
  let error = 0;
  for (const [k, value] of wanted.entries()) {
    power += value ** 2;
    error += (found[k * stride]! - value) ** 2;
  }
  return 10 * Math.log10(power / error);
}
