/** Red, green, blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** A pixel is a place in a palette: colours that differ by the page share their pixels. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Row by row from the top. */
  readonly pixels: Uint8Array;
}

/** Up to 256 colours, each with its opacity from 0 to 255. */
export type Palette = readonly (readonly [red: number, green: number, blue: number, opacity: number])[];
