import sharp from "sharp";
import type { Drawing, Encoded } from "./drawing.ts";

/** Each drawing at its own size and at half of it: for two pixels a point and for one. */
export async function encodeDrawings(drawings: readonly Drawing[]): Promise<readonly Encoded[]> {
  sharp.cache(false);
  // The cores belong to the audio.
  sharp.concurrency(1);
  const encoded: Encoded[] = [];
  for (const { name, width, height, rgba, kind } of drawings) {
    for (const scale of [1, 2]) {
      const image = sharp(rgba, { raw: { width, height, channels: 4 } });
      if (scale === 1) image.resize(Math.ceil(width / 2), Math.ceil(height / 2), { kernel: "mitchell" });
      const webp = kind === "lossless" ? { lossless: true, effort: 2 } : { quality: 80, effort: 2 };
      encoded.push({ name: `${name}-${scale}x`, bytes: new Uint8Array(await image.webp(webp).toBuffer()) });
    }
  }
  return encoded;
}
