/** How loud players are against each other, where the prompt says. */
import type { Brief } from "./brief.ts";
import { type Loudness, plays } from "./cues.ts";
import type { Part } from "./score.ts";

/** dB and factor on the velocity for what was asked of a player. */
const LEVELS: Partial<Readonly<Record<Loudness["level"], readonly [db: number, velocity: number]>>> = {
  loud: [4, 1.15],
  louder: [4, 1.1],
  "up front": [5, 1.05],
  soft: [-4, 0.72],
  softer: [-5, 0.82],
  "in the background": [-7, 0.8],
};

/** dB that players were asked to be louder. */
export function levelAsked({ dynamics = [] }: Brief, player: Pick<Part, "role" | "instrument">): number {
  return dynamics.reduce(
    (sum, { players, level }) => sum + (plays(player, players) ? (LEVELS[level]?.[0] ?? 0) : 0),
    0,
  );
}

/** The parts, struck as hard as was asked. */
export function withTouch(parts: readonly Part[], { dynamics = [] }: Brief): readonly Part[] {
  if (dynamics.length === 0) return parts;
  return parts.map((part) => {
    const factor = dynamics.reduce(
      (by, { players, level }) => (plays(part, players) ? by * (LEVELS[level]?.[1] ?? 1) : by),
      1,
    );
    if (factor === 1 || part.role === "texture" || part.role === "transition") return part;
    return {
      ...part,
      notes: part.notes.map((note) => ({ ...note, velocity: Math.min(1, Math.max(0.05, note.velocity * factor)) })),
    };
  });
}
