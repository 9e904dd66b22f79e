import type { Colour, Drawing, Palette } from "./drawing.ts";
import type { Levels } from "./levels.ts";

export interface WaveformColours {
  /** From the smallest to the largest sample. */
  readonly peak: Colour;
  /** Within ± the root mean square. */
  readonly body: Colour;
}

/** Steps of opacity and of the share between both colours: 16 by 16 are a palette. */
const STEPS = 15;

/** Colours of what `drawWaveform` draws: by opacity, then by the share of the body. */
export function waveformPalette({ peak, body }: WaveformColours): Palette {
  return Array.from({ length: (STEPS + 1) ** 2 }, (_, index) => {
    const [opacity, share] = [Math.floor(index / (STEPS + 1)) / STEPS, (index % (STEPS + 1)) / STEPS];
    const [red, green, blue] = peak.map((from, c) => Math.round(from + (body[c]! - from) * share));
    return [red!, green!, blue!, Math.round(255 * opacity)];
  });
}

/**
 * One column a pixel: peaks behind, the root mean square in front, on nothing. Full scale reaches the edges, and silence is a line of at
 * least one pixel, so that it can be told from what is missing. Edges are as opaque as the share of the pixel that they cover.
 */
export function drawWaveform(levels: Levels, height: number): Drawing {
  const width = levels.low.length;
  const pixels = new Uint8Array(width * height);
  const middle = height / 2;
  for (let x = 0; x < width; x++) {
    // Downwards from the top: the largest sample is the upper edge.
    const top = Math.min(middle - 0.5, middle - clamped(levels.high[x]!) * middle);
    const bottom = Math.max(middle + 0.5, middle - clamped(levels.low[x]!) * middle);
    const reach = clamped(levels.rms[x]!) * middle;
    const body_top = Math.max(top, middle - reach);
    const body_bottom = Math.min(bottom, middle + reach);
    for (let y = Math.floor(top); y < Math.min(height, Math.ceil(bottom)); y++) {
      const opacity = covered(y, top, bottom);
      const share = opacity > 0 ? covered(y, body_top, body_bottom) / opacity : 0;
      pixels[y * width + x] = Math.round(STEPS * opacity) * (STEPS + 1) + Math.round(STEPS * share);
    }
  }
  return { width, height, pixels };
}

const clamped = (value: number): number => Math.max(-1, Math.min(1, value));

/** Share of the pixel from `y` to `y + 1` that lies between `top` and `bottom`. */
function covered(y: number, top: number, bottom: number): number {
  return Math.max(0, Math.min(y + 1, bottom) - Math.max(y, top));
}
