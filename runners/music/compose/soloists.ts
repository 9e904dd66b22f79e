/** Who plays a section's tune where that was said: "[Solo: guitar]", "a saxophone solo". */
import { factsOf, rangeFor } from "./band/instrument_facts.ts";
import type { Instrument } from "./instruments.ts";
import type { Cast, Plan, PlanSection, Seat } from "./plan.ts";
import type { Role } from "./score.ts";

const TUNES: ReadonlySet<Role> = new Set(["lead", "counter"]);
const BEATS: ReadonlySet<Role> = new Set(["drums", "percussion"]);

/**
 * The plan with somebody else in each solo where nobody was named and there are several: who has the tune first, then
 * whoever else of the band could have it, in turn. In the last of three or more the first two trade phrases.
 */
export function withTurns(plan: Plan, { seats }: Cast): Plan {
  const solos = plan.sections.flatMap(({ kind, lead }, at) => (kind === "solo" && lead === undefined ? [at] : []));
  const able = ["lead", "counter", "chords"].flatMap((role) => seats.filter((seat) => seat.role === role));
  const soloists = [...new Set(able.map(({ instrument }) => instrument))].filter((one) =>
    factsOf(one).roles.some((role) => TUNES.has(role)),
  );
  if (plan.known_chords === true || solos.length < 2 || soloists.length < 2) return plan;
  const sections = plan.sections.map((section, at): PlanSection => {
    const nth = solos.indexOf(at);
    if (nth < 0) return section;
    if (solos.length > 2 && nth === solos.length - 1) return { ...section, lead: soloists.slice(0, 2), trades: true };
    return { ...section, lead: [soloists[nth % soloists.length]!] };
  });
  return { ...plan, sections };
}

/** In sections that name their players these have the tune, and nobody else; drums that are named play alone. */
export function withSoloists(cast: Cast, plan: Plan): Cast {
  let seats = [...cast.seats];
  for (const [at, { lead = [] }] of plan.sections.entries()) {
    if (lead.length === 0) continue;
    const tuned = lead.filter((instrument) => !isDrum(instrument));
    const drummed = tuned.length === 0 && seats.some(({ role }) => BEATS.has(role));
    seats = seats.map((seat) => {
      const stays = drummed ? BEATS.has(seat.role) : !TUNES.has(seat.role) || tuned.length === 0;
      const sections = seat.sections.filter((section) => section !== at);
      return stays
        ? drummed
          ? { ...seat, sections: [...sections, at].sort(ascending) }
          : seat
        : { ...seat, sections };
    });
    for (const instrument of tuned) seats = called(seats, instrument, at);
  }
  return { seats };
}

function isDrum(instrument: Instrument): boolean {
  const { family } = factsOf(instrument);
  return family === "kit" || family === "percussion";
}

/** The band with somebody who plays the tune there on that instrument: whoever has it already, else a newcomer. */
function called(seats: readonly Seat[], instrument: Instrument, at: number): Seat[] {
  const known = seats.find((seat) => seat.role === "lead" && seat.instrument === instrument);
  if (known !== undefined)
    return seats.map((seat) =>
      seat === known ? { ...seat, sections: [...new Set([...seat.sections, at])].sort(ascending) } : seat,
    );
  const others = seats.filter(({ role }) => role === "lead").length;
  const newcomer: Seat = {
    name: others === 0 ? "lead" : `lead ${others + 1}`,
    role: "lead",
    instrument,
    pan: others === 0 ? 0 : 0.15,
    level_db: 1,
    sections: [at],
    range: rangeFor(instrument, "lead"),
  };
  return [...seats, newcomer];
}

const ascending = (a: number, b: number): number => a - b;
