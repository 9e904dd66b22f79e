/**
 * Families against the originals: public packages with random weights, exported as they are, run by us, compared with what the package itself gives.
 * `training/conformance` makes the cases. TONWERK_CONFORMANCE names a folder of more (of full width, say), which are run and told as well.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { readCharsmap } from "../../../runners/models/charsmap.ts";
import { KEYS, notesOf } from "../../../runners/models/note_events.ts";
import { readTokenizer } from "../../../runners/models/tokenizer.ts";
import { createPool } from "../../../runners/pool/pool.ts";
import { agreements, readCase, readHeard, runCase, runHeard } from "./cases.ts";

const pool = createPool({ threads_max: 1, processes_max: 1, idle_ms: 60_000 });
after(() => pool.close());

/** Agreement that a listener cannot tell from equality. */
const WANTED_DB = 60;

const small = fileURLToPath(new URL("conformance", import.meta.url));
for (const folder of [small, process.env.TONWERK_CONFORMANCE]) {
  if (folder === undefined) continue;
  for (const name of readdirSync(folder).sort()) {
    const place = join(folder, name);
    if (!existsSync(join(place, "expected.f32"))) continue;
    const one = readCase(folder, name);
    test(`${name} agrees with ${one.original} within ${WANTED_DB} dB`, async (context) => {
      const made = await runCase(pool, folder, one);
      for (const [row, agreement] of agreements(folder, name, one, made).entries()) {
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
    const one = readHeard(folder, name);
    test(`${name} hears what ${one.original} hears`, async () => {
      const { notes, speech } = one;
      const made = await runHeard(pool, folder, one);
      if (speech !== undefined) {
        assert.equal(made.speech!.length, speech.length);
        for (const [n, value] of made.speech!.entries()) assert.ok(Math.abs(value - speech[n]!) < 1e-4, `window ${n}`);
        return;
      }
      const found = made.notes!;
      assert.equal(found.length, notes!.length);
      for (const wanted of notes!) {
        // Times may differ by what the package spreads over 172 frames, strengths by how single precision is added up.
        const same = found.some(({ start, end, pitch, strength }) => {
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
