/** What the engine of sound effects takes and gives. */
import type { Output } from "../../contract/mod.ts";
import type { Understood } from "../language/mod.ts";
import type { Motion, Pan } from "./brief.ts";

export interface EffectInput {
  readonly prompt: string;
  /** 0.1 to 30; absent: what the text says or the sound needs. */
  readonly seconds?: number | undefined;
  readonly seed: number;
}

export interface LayerReport {
  readonly sound: string;
  readonly group: string;
  readonly material: string | null;
  /** Events made; null for what goes on. */
  readonly count: number | null;
  /** -1 tiny to 1 huge; 0 soft to 1 violent; factors of speed and pitch; -1 dull to 1 bright; 0 near to 1 far. */
  readonly size: number;
  readonly intensity: number;
  readonly speed: number;
  readonly pitch: number;
  readonly brightness: number;
  readonly distance: number;
  readonly motion: Motion | null;
  /** Where it stands, or which way it crosses; null where all stand together (`pan`). */
  readonly pan: Pan | null;
}

export interface EffectReport {
  readonly understood: Understood;
  /** One after another, each with what sounds at once. */
  readonly sequence: readonly {
    readonly start: number;
    readonly seconds: number;
    readonly layers: readonly LayerReport[];
  }[];
  readonly background: readonly LayerReport[];
  readonly environment: string | null;
  /** "left", "right", or which way it crosses; null where nothing was said. */
  readonly pan: string | null;
  /** Seconds that the text asked for; null for none. */
  readonly seconds_said: number | null;
  readonly unknown_words: readonly string[];
  /** What unknown words were taken for. */
  readonly guessed: Readonly<Record<string, string>>;
}

export type Effect = Output & { readonly report: EffectReport & Readonly<Record<string, unknown>> };
