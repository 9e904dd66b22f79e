import type { Colour } from "./drawing.ts";
import type { Levels } from "./levels.ts";

export interface WaveformColours {
  /** From the smallest to the largest sample. */
  readonly peak: Colour;
  /** Within ± the root mean square. */
  readonly body: Colour;
}

/**
 * One column a pixel: peaks behind, the root mean square in front, on nothing. Full scale reaches the edges, and silence is a line of at
 * least one pixel, so that it can be told from what is missing. Edges are as opaque as the share of the pixel that they cover.
 */
export function drawWaveform(levels: Levels, height: number, { peak, body }: WaveformColours): Uint8Array {
  const width = levels.low.length;
  const rgba = new Uint8Array(width * height * 4);
  const middle = height / 2;
  for (let x = 0; x < width; x++) {
    // Downwards from the top: the largest sample is the upper edge.
    const top = Math.min(middle - 0.5, middle - clamped(levels.high[x]!) * middle);
    const bottom = Math.max(middle + 0.5, middle - clamped(levels.low[x]!) * middle);
    const reach = clamped(levels.rms[x]!) * middle;
    const [body_top, body_bottom] = [Math.max(top, middle - reach), Math.min(bottom, middle + reach)];
    for (let y = Math.floor(top); y < Math.min(height, Math.ceil(bottom)); y++) {
      const opacity = covered(y, top, bottom);
      const share = opacity > 0 ? covered(y, body_top, body_bottom) / opacity : 0;
      const at = (y * width + x) * 4;
      for (let c = 0; c < 3; c++) rgba[at + c] = Math.round(peak[c]! + (body[c]! - peak[c]!) * share);
      rgba[at + 3] = Math.round(255 * opacity);
    }
  }
  return rgba;
}

const clamped = (value: number): number => Math.max(-1, Math.min(1, value));

/** Share of the pixel from `y` to `y + 1` that lies between `top` and `bottom`. */
function covered(y: number, top: number, bottom: number): number {
  return Math.max(0, Math.min(y + 1, bottom) - Math.max(y, top));
}
