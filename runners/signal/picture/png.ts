import { crc32, deflateSync } from "node:zlib";
import type { Drawing, Palette } from "./drawing.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Eight bits a pixel, in a palette; deflate, filters by row, not interlaced. */
const FORM = [8, 3, 0, 0, 0];

/** A drawing as PNG files, one for each palette: what takes time, packing the pixels, is done once. */
export function encodePngs({ width, height, pixels }: Drawing, palettes: readonly Palette[]): Uint8Array[] {
  // Each row begins with the number of its filter, here none.
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const first = chunk("IHDR", Buffer.concat([head, Buffer.from(FORM)]));
  const packed = chunk("IDAT", deflateSync(rows));
  return palettes.map((palette) => {
    const colours = chunk("PLTE", Buffer.from(palette.flatMap((colour) => colour.slice(0, 3))));
    const opacities = chunk("tRNS", Buffer.from(palette.map(([, , , opacity]) => opacity)));
    // Not a `Buffer`: those may be slices of a slab, which cannot be given away.
    return new Uint8Array(
      Buffer.concat([SIGNATURE, first, colours, opacities, packed, chunk("IEND", Buffer.alloc(0))]),
    );
  });
}

function chunk(type: string, body: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, check]);
}
