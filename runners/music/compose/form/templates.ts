import type { NamedChord } from "../../../language/mod.ts";
import type { FormSection } from "../../../packs/mod.ts";
import type { Instrument } from "../instruments.ts";
import type { WordLine } from "../plan.ts";
import type { SectionKind } from "../score.ts";
import kinds from "./kinds.json" with { type: "json" };

/** One section of a form before its length is fitted. */
export interface Slot {
  readonly kind: SectionKind;
  readonly label: string;
  readonly bars: number;
  /** 0 to 1; absent: by kind and turn. */
  readonly energy?: number;
  /** Where the piece is to be shorter this goes, the highest first; 0 stays. */
  readonly spare: number;
}

/** A section before it has its place. */
export interface Draft extends Slot {
  readonly lines?: number;
  readonly words?: readonly WordLine[];
  readonly chords?: readonly (readonly NamedChord[])[];
  /** Bars of a line. */
  readonly line_bars?: number;
  /** The outline named the bars. */
  readonly fixed?: boolean;
  /** Who plays the tune. */
  readonly lead?: readonly Instrument[];
}

/** The sections of a template. */
export function slotsOf(template: readonly FormSection[]): Slot[] {
  return template.map((section) => ({ ...section, label: section.label ?? section.kind, spare: section.spare ?? 0 }));
}

/** Energy of a section whose template says nothing: 0 to 1, for the first time that its label comes. */
export const ENERGY: Readonly<Record<SectionKind, number>> = kinds.energy;
