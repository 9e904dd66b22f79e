/** What an operator brings of models, and is told of them. */

/** What a look at one file of the models' folder, and a run of its graphs, showed. */
export interface ModelCheck {
  /** The model's id, or the file's name where it describes none. */
  readonly name: string;
  readonly family: string | null;
  readonly task: string | null;
  readonly licence: string | null;
  /** Null: it was not loaded, or cannot be. */
  readonly device: string | null;
  /** Loading and one run on silence, s. */
  readonly seconds: number | null;
  /** Why it cannot serve; null: it can. */
  readonly reason: string | null;
  /** Providers that come first but cannot be used here. */
  readonly skipped: readonly { readonly provider: string; readonly reason: string }[];
  /** Operators of its graphs that draw numbers at random, so that equal requests differ. */
  readonly draws: readonly string[];
  /**
   * Half precision of its graphs' inputs and outputs, or of their weights where the CPU cannot compute in it; null:
   * there is none, or it was not loaded.
   */
  readonly half: string | null;
  /**
   * Of a sidecar that was asked for by its name: what its protocol asks of it, and what was wrong with each; null: it
   * went well.
   */
  readonly checks?: readonly { readonly name: string; readonly fault: string | null; readonly seconds: number }[];
}

/** What a run of a model showed. */
export interface ModelFigures {
  readonly name: string;
  readonly task: string;
  readonly device: string;
  readonly draws: readonly string[];
  readonly half: string | null;
  readonly load_seconds: number;
  /** Of audio. */
  readonly seconds: number;
  /**
   * Processor time for it, of the model's process and of what is ours; null: of a sidecar, whose server is elsewhere.
   */
  readonly cpu_seconds: number | null;
  /** By the clock. */
  readonly wall_seconds: number;
  readonly slowest_run_ms: number;
  /**
   * The most that the model's process held, 10^6 bytes; of a sidecar what its server says that it holds, null where it
   * does not say.
   */
  readonly peak_mb: number | null;
  /** By stem, how near it came to a reference, dB, the nearest first; null: there was none. */
  readonly agreement: readonly { readonly stem: string; readonly db: number }[] | null;
  /** Fields that it had instead of the manifest's, to be short; absent: none. */
  readonly instead?: Readonly<Record<string, unknown>>;
}

/** What is being done, as it goes: a line for the operator. */
export type Tell = (line: string) => void;

/** Files that an operator brings. */
export interface NewModel {
  readonly files: readonly string[];
  readonly family?: string;
  readonly id?: string;
  readonly licence?: string;
  /** Of the manifest, beside what the files show. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** A piece, and a stem of it as the original made it. */
  readonly reference?: { readonly source: string; readonly wanted: string };
}

export interface AddedModel {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly task: string;
  /** Where the manifest was written. */
  readonly file: string;
  /** What was guessed. */
  readonly notes: readonly string[];
  readonly figures: ModelFigures;
}
