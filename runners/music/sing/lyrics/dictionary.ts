/**
 * English words as they are said, by the CMU Pronouncing Dictionary. It is searched as text: as an object its 135,000 entries take half a
 * second and 100 MB to load, as bytes with an index of positions 50 ms and 6 MB.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isPhoneme, isVowel, type Sound, type Stress } from "../phonemes.ts";

/** The pronunciation of a lower-case word, the first where there are several; null for what is not in it. */
export function lookUp(word: string): Sound[] | null {
  opened ??= open();
  const { bytes, index } = opened;
  const mask = index.length - 1;
  for (let slot = hashOf(word) & mask; ; slot = (slot + 1) & mask) {
    const at = index[slot]!;
    if (at === 0) return null;
    let n = 0;
    while (n < word.length && bytes[at + n] === word.charCodeAt(n)) n++;
    if (n === word.length && bytes[at + n] === QUOTE) {
      const from = at + n + 4;
      return soundsOf(bytes.toString("latin1", from, bytes.indexOf(QUOTE, from)));
    }
  }
}

/** Sounds of "HH AH0 L OW1", as the dictionary writes them; what follows a "#" is remark. */
export function soundsOf(text: string): Sound[] {
  const sounds: Sound[] = [];
  for (const part of text.split(" ")) {
    if (part === "#") break;
    const digit = part.charCodeAt(part.length - 1) - 48;
    const stressed = digit >= 0 && digit <= 2;
    const phoneme = stressed ? part.slice(0, -1) : part;
    if (!isPhoneme(phoneme)) continue;
    const stress = (stressed ? digit : isVowel(phoneme) ? 1 : 0) as Stress;
    sounds.push({ phoneme: phoneme === "AH" && stress === 0 ? "AX" : phoneme, stress });
  }
  return sounds;
}

interface Opened {
  readonly bytes: Buffer;
  /** Open addressing by `hashOf`: where a word begins in `bytes`, 0 for an empty slot. */
  readonly index: Int32Array;
}

let opened: Opened | undefined;
const QUOTE = 34;
const NEWLINE = 10;

function open(): Opened {
  const bytes = readFileSync(createRequire(import.meta.url).resolve("cmu-pronouncing-dictionary"));
  const index = new Int32Array(1 << 19);
  const mask = index.length - 1;
  let entries = 0;
  // Every entry stands on a line of its own: `  "word": "P R AH0 N AH1 N S",`.
  for (let line = bytes.indexOf(NEWLINE); line >= 0; line = bytes.indexOf(NEWLINE, line + 1)) {
    const at = line + 4;
    if (bytes[line + 1] !== 32 || bytes[line + 3] !== QUOTE) continue;
    let hash = 0;
    let n = at;
    for (; bytes[n] !== QUOTE; n++) hash = (Math.imul(hash, 31) + bytes[n]!) | 0;
    let slot = spread(hash) & mask;
    while (index[slot] !== 0) slot = (slot + 1) & mask;
    index[slot] = at;
    entries++;
  }
  if (entries < 100_000) throw new Error(`Cannot read the pronouncing dictionary: only ${entries} entries were found`);
  return { bytes, index };
}

function hashOf(word: string): number {
  let hash = 0;
  for (let n = 0; n < word.length; n++) hash = (Math.imul(hash, 31) + word.charCodeAt(n)) | 0;
  return spread(hash);
}

function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
