import type { Streamed } from "../../../contract/mod.ts";

export interface AlbumInput {
  readonly tracks: readonly Streamed[];
  readonly target_lufs: number;
}

/** Of the tracks together, under the gain. */
export interface AlbumLevel {
  readonly gain_db: number;
  readonly lufs: number;
  readonly true_peak_dbtp: number;
}
