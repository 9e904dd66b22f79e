import { rangeFor } from "./band/instrument_facts.ts";
import { calledOn } from "./instruments.ts";
import type { Cast, Plan, Seat } from "./plan.ts";
import { pick, stream } from "./stream.ts";

/** Notes of a tune within a section from which somebody must play it. */
const NOTES_MIN = 3;

/** A tune that is known is heard: a lead, who is called in where the line-up has none, plays in every section that has notes of it. */
export function carrying(cast: Cast, plan: Plan): Cast {
  const { tune, sections, brief } = plan;
  if (tune === undefined || brief.unwanted.roles.includes("lead")) return cast;
  const sounding = sections.flatMap(({ beat, beats }, index) =>
    tune.filter((note) => note.beat >= beat && note.beat < beat + beats).length >= NOTES_MIN ? [index] : [],
  );
  if (sounding.length === 0) return cast;
  const leads = cast.seats.filter(({ role }) => role === "lead");
  const open = sounding.filter((index) => !leads.some((seat) => seat.sections.includes(index)));
  if (open.length === 0) return cast;
  const called = leads[0] ?? newcomer(plan);
  const longer = { ...called, sections: [...new Set([...called.sections, ...open])].sort((a, b) => a - b) };
  return {
    seats: leads.length === 0 ? [...cast.seats, longer] : cast.seats.map((seat) => (seat === called ? longer : seat)),
  };
}

function newcomer({ brief, seed }: Plan): Seat {
  const singers = calledOn("carry_tune");
  const able = singers.filter((instrument) => !brief.unwanted.instruments.includes(instrument));
  const instrument = pick(able.length > 0 ? able : singers, stream(seed ^ brief.colour, "carrier"));
  return {
    name: "lead",
    role: "lead",
    instrument,
    pan: 0,
    level_db: 0,
    sections: [],
    range: rangeFor(instrument, "lead"),
  };
}
