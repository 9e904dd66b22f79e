import { instrumentOf } from "../instruments.ts";
import type { Cast, Plan, Seat } from "../plan.ts";
import type { Note, Part, Role } from "../score.ts";
import { bass } from "./bass.ts";
import { arpeggio, comping, pad } from "./comping.ts";
import { drums, percussion, timpani } from "./drums.ts";
import { staged } from "./entrances.ts";
import { chordIndexAt } from "./frame.ts";
import { withoutHoles } from "./holes.ts";
import { type Setting, settingOf } from "./player.ts";
import { pushed } from "./pushes.ts";
import { texture, transition } from "./transitions.ts";

export { cast } from "./cast.ts";
export { character } from "./character.ts";
export { moves } from "./moves.ts";

/**
 * What everybody plays but the tunes: drums, percussion, bass, chords, pads, arpeggios, textures and the gestures
 * between sections. Seats of role `lead` and `counter` are left to the melody writer. Drums come first, since the bass
 * listens to them.
 *
 * @returns parts named as their seats, in the order of the seats; a seat with nothing to play is left out
 */
export function accompany(plan: Plan, cast: Cast): Part[] {
  const setting = settingOf(plan, cast);
  const written = new Map<Seat, Note[]>();
  const order = [...cast.seats].sort((a, b) => Number(b.role === "drums") - Number(a.role === "drums"));
  const counts = new Map<Role, number>();
  for (const seat of order) {
    const nth = counts.get(seat.role) ?? 0;
    counts.set(seat.role, nth + 1);
    const notes = notesOf(setting, seat, nth);
    if (notes && notes.length > 0) written.set(seat, notes);
  }
  const parts: Part[] = [];
  for (const seat of cast.seats) {
    const notes = written.get(seat);
    if (!notes) continue;
    const { name, role, instrument, pan, level_db } = seat;
    parts.push(staged(plan, { name, role, instrument, notes, pan, level_db }));
  }
  return withoutHoles(
    plan,
    pushed(
      plan,
      parts.filter(({ notes }) => notes.length > 0),
    ),
  );
}

function notesOf(setting: Setting, seat: Seat, nth: number): Note[] | null {
  switch (seat.role) {
    case "drums":
      return drums(setting, seat);
    case "percussion":
      return instrumentOf(seat.instrument).drumming?.tuned === true
        ? timpani(setting, seat, bassAt)
        : percussion(setting, seat, nth);
    case "bass":
      return bass(setting, seat);
    case "chords":
      return comping(setting, seat, nth);
    case "pad":
      return pad(setting, seat, nth);
    case "arpeggio":
      return arpeggio(setting, seat, nth);
    case "texture":
      return texture(setting, seat);
    case "transition":
      return transition(setting, seat);
    default:
      return null;
  }

  function bassAt(beat: number): number {
    const { chords } = setting.plan;
    return chords[chordIndexAt(chords, beat)]?.bass ?? setting.plan.brief.key.tonic;
  }
}
