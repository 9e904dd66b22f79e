/** Sources as a declaration has them, and what each becomes in requests, in prices and in `process`. */
import type { Audio, Streamed } from "./audio.ts";

/**
 * What a source may be. Seconds and bytes are inclusive bounds; anything outside fails the operation with a `source_*`
 * code.
 */
export interface Limits {
  readonly seconds_min: number;
  readonly seconds_max: number;
  readonly bytes_max: number;
  readonly optional?: true;
  /** A list of 1 to this many, at most 100; each is held to the bounds, and comes as `Streamed` however short it is. */
  readonly repeated?: number;
  /**
   * The operator's `TONWERK_SOURCE_SECONDS` and `TONWERK_SOURCE_BYTES` may raise the bounds. What lasts longer than
   * `whole_seconds` then comes as `Streamed`.
   */
  readonly long?: true;
  /**
   * What lasts longer than so many seconds comes as `Streamed`, so that a worker's memory suffices for the longest; absent:
   * 600 where it is `long`, else nothing does.
   */
  readonly whole_seconds?: number;
}

export type Sources = Readonly<Record<string, Limits>>;

type Sent<L extends Limits> = L extends { repeated: number } ? readonly { url: string }[] : { url: string };

export type SentSources<S extends Sources> = {
  [K in keyof S as S[K] extends { optional: true } ? never : K]: Sent<S[K]>;
} & { [K in keyof S as S[K] extends { optional: true } ? K : never]?: Sent<S[K]> };

export type DecodedSources<S extends Sources> = {
  readonly [K in keyof S]:
    | (S[K] extends { repeated: number }
        ? readonly Streamed[]
        : Audio | (S[K] extends { long: true } | { whole_seconds: number } ? Streamed : never))
    | (S[K] extends { optional: true } ? undefined : never);
};

/** What a price may know of a source. Of one that is not measured yet: the most that its `Limits` let it be. */
export interface Measured {
  readonly seconds: number;
  /** 1 or 2, as `process` gets it. */
  readonly channels: number;
}

/** By field, as `cost` has them. */
export type MeasuredSources<S extends Sources> = {
  readonly [K in keyof S]:
    | (S[K] extends { repeated: number } ? readonly Measured[] : Measured)
    | (S[K] extends { optional: true } ? undefined : never);
};

/** Whether any source is a list. */
export type HasRepeated<S extends Sources> = true extends {
  [K in keyof S]: S[K] extends { repeated: number } ? true : false;
}[keyof S]
  ? true
  : false;
