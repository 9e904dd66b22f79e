/**
 * The contract between core and the plugins that add actions.
 *
 * Glossary
 * - action     a named piece of work a client can submit, declared by a plugin
 * - operation  one submission of an action; `processing`, then `ready` or `failed`
 * - source     client audio named in the request; core fetches and decodes it
 * - runner     compute behind an action; knows audio, not requests
 * - report     what a runner wants the client to know about one output (cuts, lyric timing, analysis), or all that there is to know
 * - understood what the words of a request are taken to ask for, told in dry runs before anything is made
 *
 * Authors get it as the package `@tonwerk/plugin` (packages/plugin), which hands all of it on, or as the `kit` of a
 * package, and nothing else of core. See docs/writing-a-plugin.md.
 */
import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { FetchRules } from "./fetch.ts";
import type { Asking, Context, ExampleOf, NoProperties, Preparing, Produced, RequestOf, Shape } from "./process.ts";
import type { Permissions } from "./runner.ts";
import type { MeasuredSources, Sources } from "./sources.ts";

export * from "./audio.ts";
export * from "./engines.ts";
export * from "./fetch.ts";
export * from "./process.ts";
export * from "./runner.ts";
export * from "./sources.ts";
export * from "./understood.ts";
export { type Static, type TObject, type TProperties, Type };

/**
 * The first number of `PLUGIN_VERSION`: bumped only when an action written for the previous contract would misbehave.
 */
export const CONTRACT = 1;

/**
 * Of the contract, as semantic versions go, and of the package `@tonwerk/plugin`: the second number rises with each
 * addition.
 */
export const PLUGIN_VERSION = `${CONTRACT}.2.0`;

/** Found on every action. `Symbol.for`, so that two copies of this module agree. */
export const BRAND: unique symbol = Symbol.for("tonwerk.action") as never;

/** One entry of a 422 body. `loc` is relative to the request body. */
export interface Issue {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What is on its way out, as days in UTC: `2026-11-23`. */
export interface Deprecation {
  readonly since: string;
  /** It may be gone from this day on; absent: that is not decided. */
  readonly sunset?: string;
}

/**
 * Everything core knows of an action. Fields of the request that every action shares are core's and must not be
 * declared here.
 */
export interface Declaration<
  P extends TProperties,
  S extends Sources,
  O extends Shape,
  F extends string,
  U extends TProperties = TProperties,
  C extends TProperties = TProperties,
  W = unknown,
> {
  /** `group.action`, snake_case; also the folder's name and the route. `operations.` is reserved. */
  readonly name: `${string}.${string}`;
  /** Key of the response object. */
  readonly wrapper: string;
  /**
   * What clients call its operations together, in snake_case and the plural: `songs` for `tonwerk.songs.create()`.
   * Absent: the wrapper.
   */
  readonly resource?: string;
  /** Its command in `tonwerk`, words with dashes: `remix-song`. Absent: what follows the dot in its name. */
  readonly command?: string;
  /** Told in the headers of its answers and in OpenAPI. */
  readonly deprecated?: Deprecation;
  /** One sentence, shown in OpenAPI, capabilities and dashboard. */
  readonly summary: string;
  /** Own fields only; core adds the common ones. */
  readonly request: TObject<P>;
  readonly sources: S;
  /**
   * Settings that the operator makes in the environment, as a `Type.Object` of texts, numbers and truth values, each
   * with the variable's name: `Type.String({ env: "ACME_TOKEN", secret: true, description: "Key of the service" })`.
   * What is `secret` is masked wherever it would show.
   */
  readonly config?: TObject<C>;
  /** Exactly one of these optional fields or sources must be sent, else 422 `one_of`. */
  readonly exactly_one_of?: readonly (keyof P | keyof S)[];
  /** Fields of the request that the operation repeats; absent ones echo null. */
  readonly echo: readonly (keyof P | keyof S)[];
  /**
   * Fields that it repeats where they were sent, and has not else: what came later than clients that check whole
   * answers.
   */
  readonly echo_sent?: readonly (keyof P)[];
  readonly output: O;
  /**
   * A repeated source: where it is sent, there is an output of each entry, in order, in `outputs` instead of `output`.
   * Needs `single`.
   */
  readonly outputs_of?: keyof S;
  /** What a `report` output holds, with one of its `examples`: for the document and the clients that are made of it. */
  readonly report?: TObject;
  /**
   * Tells in dry runs, as `understood`, what the words of a request are taken to ask for: whoever asks sees it before
   * paying. `read` takes milliseconds, in a pool thread, and answers what `schema` says, which has a `title` where
   * several actions share it, and one of its `examples` for the document: `Understood`, where an engine of ours is to
   * make it.
   */
  readonly understand?: {
    readonly schema: TObject<U>;
    read(context: NoInfer<Asking<P, S, O>>): NoInfer<Static<TObject<U>>> | Promise<NoInfer<Static<TObject<U>>>>;
  };
  /**
   * Each variation hangs on its own seed alone, so that several may be made at the same time: where workers are idle,
   * core calls `process` in several processes, and each makes some of the variations. Needs `Making`s; what `process`
   * does before them is done in each.
   */
  readonly side_by_side?: true;
  /** Other services that `context.fetch` may ask. */
  readonly fetch?: FetchRules<NoInfer<keyof C & string>>;
  /**
   * `process` runs in a process of its own, which is ended with whatever it holds, and may use what `permissions` say:
   * as far as runtime and system can keep it to that (docs/writing-a-plugin.md). Sources and outputs cross whole.
   * Absent: in the process of its job.
   */
  readonly isolation?: "process";
  readonly permissions?: Permissions;
  /** Which workers run it: those for short adaptations or those for long generations. Decides nothing else. */
  readonly work: "dsp" | "generation";
  /** Whether the request takes a `seed`: the same request, seed, version and engine then give the same samples. */
  readonly seeded: boolean;
  /**
   * What core brings the outputs to where no `loudness` block was sent: `source` keeps their level, lowered by one gain
   * where it is above
   * -1 dBTP; `peak` brings their peak to -1 dBTP; `loudness` their integrated loudness to -14 LUFS. Stems and reports need `source`.
   */
  readonly level: "source" | "peak" | "loudness";
  /**
   * The task that a model may serve instead of the built-in engine, as `runners/engines.ts` names it, or several, the
   * first to be asked first; for `/v1/capabilities` and TONWERK_GPU_TASKS.
   */
  readonly task?: string | readonly string[];
  /** What makes the outputs unless an output names another; for `/v1/capabilities` and the tags of the FLAC. */
  readonly engine: string;
  /** Text fields that the content policy reads, and the failure code it uses. */
  readonly policy?: {
    readonly fields: readonly (keyof P)[];
    readonly code: "content_policy" | "tos_violation";
  };
  /** Two sources that must differ; core answers `same_source`, in the request or after the fetch. */
  readonly distinct_sources?: readonly [keyof S, keyof S];
  /**
   * Whether the request takes a `loudness` block; `always`: the operation echoes one, at -14 LUFS, where none was sent.
   */
  readonly loudness: "never" | "optional" | "always";
  /** Failure codes of this action's own, beyond `internal_error`, `source_*` and the other shared ones. */
  readonly failures: readonly F[];
  /** At least one request that works, without `idempotency_key`. Shown in OpenAPI and used by tests and load tests. */
  readonly examples: readonly [NoInfer<ExampleOf<P, S, O>>, ...NoInfer<ExampleOf<P, S, O>>[]];
  /**
   * `cost` goes by the sources too. Until they are measured it is given the most that they may be: what that costs is
   * debited, and the rest is given back before `process` begins.
   */
  readonly priced_by?: "sources";
  /**
   * Credits, a whole number of at least 0. Pure. `sources`: only where it is `priced_by` them, and never dearer than at
   * their limits.
   */
  cost(request: NoInfer<RequestOf<P, S, O>>, sources: NoInfer<MeasuredSources<S>>): number;
  /**
   * About how long a worker takes for it, seconds of one core; absent: a second for each credit. Accounts whose jobs
   * wait share the workers by it, and of jobs whose turn it is the shorter goes first. More than 63 is as much as that.
   * Pure.
   */
  work_seconds?(request: NoInfer<RequestOf<P, S, O>>): number;
  /** Cross-field rules, answered with 422. Pure. */
  check?(request: NoInfer<RequestOf<P, S, O>>): readonly Issue[];
  /**
   * Makes what jobs of this action share, a table or a loaded model, once in each thread or process, before its first
   * job there: their `context.prepared`. It takes up to a minute, of that job's time.
   */
  setup?(context: NoInfer<Preparing<C>>): W | Promise<W>;
  /**
   * Gives back what `setup` made, within two seconds, where its thread or process ends in order: not where that is
   * killed or the machine stops.
   */
  dispose?(prepared: NoInfer<W>): unknown;
  /** Makes the outputs. Runs in a process of the pool, off the HTTP loop. */
  process(context: NoInfer<Context<P, S, O, F, C, W>>): NoInfer<Produced<O, S>> | Promise<NoInfer<Produced<O, S>>>;
}

export type Action<
  P extends TProperties,
  S extends Sources,
  O extends Shape,
  F extends string,
  U extends TProperties = TProperties,
  C extends TProperties = TProperties,
  W = unknown,
> = Declaration<P, S, O, F, U, C, W> & { readonly [BRAND]: number };

/**
 * Declares an action. The compiler checks echo, failure codes, sources and the shape of the output against the
 * declaration; the registry checks the rest at boot.
 *
 * @example An action that hands its source back
 * ```ts
 * export default defineAction({
 *   name: "adapt.copy",
 *   wrapper: "copy",
 *   summary: "Return the source unchanged",
 *   request: Type.Object({}),
 *   sources: { source: { seconds_min: 0.5, seconds_max: 600, bytes_max: 50_000_000 } },
 *   echo: [],
 *   output: "single",
 *   work: "dsp",
 *   seeded: false,
 *   level: "source",
 *   engine: "copy",
 *   loudness: "never",
 *   failures: [],
 *   examples: [{ source: { url: "https://example.com/song.flac" } }],
 *   cost: () => 1,
 *   process: ({ sources }) => ({ audio: sources.source }),
 * });
 * ```
 */
export function defineAction<
  P extends TProperties,
  const S extends Sources,
  const O extends Shape,
  const F extends string,
  U extends TProperties,
  D extends Declaration<P, S, O, F, U, C, W>,
  C extends TProperties = NoProperties,
  W = undefined,
>(declaration: Declaration<P, S, O, F, U, C, W> & D & NothingElse<D>): Action<P, S, O, F, U, C, W> {
  return Object.freeze({ ...declaration, [BRAND]: CONTRACT });
}

/** A misspelt optional key would silently be none: no key beside those of a declaration is taken. */
type NothingElse<D> = { readonly [K in Exclude<keyof D, keyof Erased>]: never };

/** Handed to npm packages, so that they need no run-time import of ours. */
export const kit: Readonly<{ defineAction: typeof defineAction; Type: typeof Type }> = Object.freeze({
  defineAction,
  Type,
});

/** What a package exports as `actions`. */
export type ActionPack = (author: typeof kit) => readonly AnyAction[];

type Erased = Declaration<TProperties, Sources, Shape, string>;

/** The erased form that core holds: data readable, functions callable only after core's own validation, with a cast. */
export type AnyAction = Omit<
  Erased,
  "cost" | "work_seconds" | "check" | "setup" | "dispose" | "process" | "examples" | "understand"
> & {
  readonly [BRAND]: number;
  readonly examples: readonly object[];
  cost(request: never, sources: never): number;
  work_seconds?(request: never): number;
  check?(request: never): readonly Issue[];
  readonly understand?: { readonly schema: TObject; read(context: never): unknown };
  setup?(context: never): unknown;
  dispose?(prepared: never): unknown;
  process(context: never): unknown;
};
