/** Which 30 seconds of an output tell most of it: from where its chorus begins, or what is most like one. */
import type { StoredOutput } from "../../core/surface.ts";

const PREVIEW_SECONDS = 30;

interface Section {
  readonly start: number;
  readonly kind: string;
  readonly energy: number;
}

/** From the report, where it knows of sections; else the beginning. A piece that is shorter is told whole. */
export function tellingPart({ duration, report }: Pick<StoredOutput, "duration" | "report">): {
  readonly from: number;
  readonly seconds: number;
} {
  const sections = sectionsIn(report?.composed) ?? sectionsIn(report?.analysis) ?? [];
  let best: Section | undefined;
  // The first of the most energetic; a chorus goes before all else.
  for (const section of sections) if (best === undefined || worth(section) > worth(best)) best = section;
  const from = Math.max(0, Math.min(best?.start ?? 0, duration - PREVIEW_SECONDS));
  return { from, seconds: PREVIEW_SECONDS };
}

/** Whether its preview would be all of it. */
export const isShort = ({ duration }: Pick<StoredOutput, "duration">): boolean => duration <= PREVIEW_SECONDS;

const worth = ({ kind, energy }: Section): number => energy + (/chorus|drop|hook/iu.test(kind) ? 1 : 0);

function sectionsIn(found: unknown): readonly Section[] | undefined {
  const { sections } = (found ?? {}) as { readonly sections?: unknown };
  if (!Array.isArray(sections)) return undefined;
  return sections.flatMap((section: Partial<Record<string, unknown>>) =>
    typeof section.start === "number"
      ? [
          {
            start: section.start,
            kind: String(section.kind ?? section.label ?? ""),
            energy: Number(section.energy ?? 0),
          },
        ]
      : [],
  );
}
