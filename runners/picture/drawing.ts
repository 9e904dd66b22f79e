/** Pixels, 8 bits each of red, green, blue and opacity, row by row from the top. */
export interface Drawing {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
  /** `lossless`: few colours and sharp edges. `smooth`: like a photograph. */
  readonly kind: "lossless" | "smooth";
}

export interface Encoded {
  readonly name: string;
  /** WebP. */
  readonly bytes: Uint8Array;
}

/** Red, green, blue, 0 to 255. */
export type Colour = readonly [number, number, number];
