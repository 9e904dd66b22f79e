/** What `process` of an action is asked, is given and answers. `./mod.ts` hands all of it on. */
import type { Static, TObject, TProperties } from "@sinclair/typebox";
import type { Making, Output, ReportOutput, Stem, StreamedOutput } from "./audio.ts";
import type { PluginEngines, Step } from "./engines.ts";
import type { FetchAnswer, FetchRequest } from "./fetch.ts";
import type { Runner } from "./runner.ts";
import type { DecodedSources, HasRepeated, SentSources, Sources } from "./sources.ts";

/**
 * Names of outputs that come together, in the order of delivery, each with what it is: `{ dry: "The voice alone", wet:
 * "Its hall alone" }`.
 */
export type OutputNames = Readonly<Record<string, string>>;
/** `report`: one output without audio. */
export type Shape = "single" | "variations" | "stems" | "report" | OutputNames;

export type Produced<O extends Shape, S extends Sources> = O extends "single"
  ? Output | StreamedOutput | (HasRepeated<S> extends true ? readonly StreamedOutput[] : never)
  : O extends "variations"
    ? readonly (Output | Making)[]
    : O extends "report"
      ? ReportOutput
      : /** Undefined: not asked for. At least one is there. */
        Readonly<Record<O extends OutputNames ? keyof O : Stem, StreamedOutput | undefined>>;

export type NoProperties = Record<never, never>;

/** What the author declared, plus the fields core adds because of `output` and `sources`. */
export type RequestOf<P extends TProperties, S extends Sources, O extends Shape> = Static<TObject<P>> &
  SentSources<S> &
  (O extends "variations" ? { n_variations: number } : unknown);

export interface LoudnessRequest {
  preset?: "streaming" | "podcast" | "broadcast";
  target_lufs?: number;
  allow_compression?: boolean;
}

export type ExampleOf<P extends TProperties, S extends Sources, O extends Shape> = Static<TObject<P>> &
  SentSources<S> &
  (O extends "variations" ? { n_variations?: number } : unknown) & { seed?: number; loudness?: LoudnessRequest };

/** What `process` is given. */
export interface Context<
  P extends TProperties,
  S extends Sources,
  O extends Shape,
  F extends string,
  C extends TProperties = NoProperties,
  W = undefined,
> {
  readonly request: RequestOf<P, S, O>;
  /** Fetched, checked against their `Limits`, decoded to 44.1 kHz. */
  readonly sources: DecodedSources<S>;
  /** One a variation, (seed + i) mod 2^32; a single seed for the other shapes. */
  readonly seeds: readonly number[];
  /** The loudness that core brings the outputs to, by a limiter where it may; null where it does not go by loudness. */
  readonly loudness: { readonly target_lufs: number; readonly allow_compression: boolean } | null;
  /** The action's `config`, as the environment of the installation has it. */
  readonly config: Static<TObject<C>>;
  /** What `setup` made here. */
  readonly prepared: W;
  readonly signal: AbortSignal;
  /** Several in one action say by `step` how much of its work each is. */
  run<Input, Output>(runner: Runner<Input, Output>, input: Input, step?: Step): Promise<Output>;
  /** Tonwerk's own, which our actions use as well, each as a step like any other. */
  readonly engines: PluginEngines;
  /**
   * Asks a host that `fetch` names, over HTTPS and never at a private address, as long as the operation lives. Resolves
   * to any status; rejects where there is no answer: an error named `OutboundError`, whose `code` says why.
   */
  fetch(url: string, request?: FetchRequest): Promise<FetchAnswer>;
  progress(fraction: number, stage: string): void;
  /** Ends the operation as `failed`. Only codes listed in `failures`; `source` names the input concerned. */
  fail(code: F, message: string, source?: keyof S): never;
}

/** What `setup` is given. */
export interface Preparing<C extends TProperties = NoProperties> {
  readonly config: Static<TObject<C>>;
  /** Aborted with the job that is the first, and when it takes too long. */
  readonly signal: AbortSignal;
}

/** What `understand.read` is given: no audio, for none is read, and no seed. */
export interface Asking<P extends TProperties, S extends Sources, O extends Shape>
  extends Pick<Context<P, S, O, never>, "request" | "signal" | "run"> {
  readonly engines: Pick<PluginEngines, "understand">;
}
