/**
 * SentencePiece's normalisation from the table that its models carry (Kudo, Richardson, "SentencePiece", 2018): a double-array trie from UTF-8 to the text
 * that stands for it, as Darts-clone lays it out. The longest match at each place counts.
 */
export interface Charsmap {
  /** What stands for the beginning of `bytes` from `at` on, and how many bytes that replaces. */
  replace(bytes: Uint8Array, at: number): { readonly text: string; readonly length: number };
}

/** @throws Error where the table is cut short */
export function readCharsmap(base64: string): Charsmap {
  const blob = Uint8Array.from(Buffer.from(base64, "base64"));
  const view = new DataView(blob.buffer);
  const size = blob.length < 4 ? -1 : view.getUint32(0, true);
  if (size < 0 || size % 4 !== 0 || size + 4 > blob.length) throw new Error("its table of characters is cut short");
  const units = Uint32Array.from({ length: size / 4 }, (_, n) => view.getUint32(4 + 4 * n, true));
  const texts = blob.subarray(4 + size);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const textAt = (from: number): string => decoder.decode(texts.subarray(from, texts.indexOf(0, from)));
  return {
    replace(bytes, at) {
      let found = -1;
      let length = 0;
      let node = offsetOf(units[0] ?? 0);
      for (let n = at; n < bytes.length; n++) {
        node ^= bytes[n]!;
        const unit = units[node];
        if (unit === undefined || labelOf(unit) !== bytes[n]) break;
        node ^= offsetOf(unit);
        if (((unit >>> 8) & 1) === 0) continue;
        found = units[node]! & 0x7fffffff;
        length = n + 1 - at;
      }
      if (found >= 0) return { text: textAt(found), length };
      const own = lengthOf(bytes[at]!);
      return { text: decoder.decode(bytes.subarray(at, at + own)), length: own };
    },
  };
}

function offsetOf(unit: number): number {
  return (unit >>> 10) << ((unit & 512) >>> 6);
}

/** -1 for a leaf, which no byte leads to. */
function labelOf(unit: number): number {
  return unit >>> 31 === 1 ? -1 : unit & 255;
}

/** Bytes of a character of UTF-8, by its first one. */
function lengthOf(first: number): number {
  return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}
