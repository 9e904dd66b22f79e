/** Who plays: one of the genre's line-ups, with everyone who was asked for and no one who was not. */
import { musicOf } from "../../../packs/mod.ts";
import { calledOn, gestureOf, type Instrument } from "../instruments.ts";
import type { Plan } from "../plan.ts";
import type { Role } from "../score.ts";
import { pick } from "../stream.ts";
import { type Chair, chairFor } from "./chair.ts";
import { duo, soloist, soloistOf, thinned, trio } from "./few_players.ts";
import { stream } from "./frame.ts";
import { factsOf } from "./instrument_facts.ts";
import { addLowEnd, addTransitions, ensureSomebody, keepTime } from "./missing_players.ts";
import { texturesOf } from "./scenes.ts";
import { substitute } from "./substitutes.ts";

export function chairsOf(plan: Plan): Chair[] {
  const { brief } = plan;
  const rng = stream(plan, "cast");
  const traits = new Set(brief.traits.map((trait) => trait.toLowerCase().replaceAll("_", " ")));
  const unwanted = new Set(brief.unwanted.instruments);
  const barred = new Set(brief.unwanted.roles);
  const wanted = brief.wanted.filter((instrument) => !unwanted.has(instrument));
  const solo = traits.has("solo") || traits.has("unaccompanied");
  if (solo && wanted.length <= 1) {
    const alone = soloist(wanted[0] ?? soloistOf(plan, rng, unwanted), barred);
    // Rain that was asked for falls behind one player too.
    const behind = texturesOf(brief.scene, 1).filter((texture) => !unwanted.has(texture) && !barred.has("texture"));
    if (alone.length > 0) return [...alone, ...behind.map((texture) => chairFor("texture", texture))];
  }

  const [singer] = calledOn("sing");
  if (traits.has("a cappella") && wanted.includes(singer!)) return soloist(singer!, barred);
  let chairs = lineup(plan, rng, wanted, unwanted);
  if (brief.second_genre && brief.second_genre !== brief.genre) addGuests(plan, chairs, rng);
  addForChoruses(plan, chairs);
  for (const chair of chairs) {
    const fitting = substitute(chair.instrument, chair.role, { traits, unwanted, rng });
    if (fitting) chair.instrument = fitting;
  }
  for (const instrument of wanted) seat(chairs, instrument, barred);
  for (const texture of texturesOf(brief.scene, 2))
    if (!chairs.some((chair) => chair.instrument === texture)) chairs.push(chairFor("texture", texture));
  if (traits.has("orchestral") || traits.has("epic")) addOrchestra(chairs);
  chairs = chairs.filter((chair) => !unwanted.has(chair.instrument) && !barred.has(chair.role));
  if (traits.has("arpeggiated") && !barred.has("arpeggio") && !chairs.some(({ role }) => role === "arpeggio")) {
    const plays = substitute(calledOn("arpeggiate")[0]!, "arpeggio", { traits, unwanted, rng });
    if (plays) chairs.push(chairFor("arpeggio", plays));
  }
  if (traits.has("percussive") && !barred.has("percussion") && !chairs.some(({ role }) => role === "percussion")) {
    const plays = calledOn("add_percussion").find((one) => !unwanted.has(one));
    if (plays !== undefined) chairs.push(chairFor("percussion", plays));
  }
  if (traits.has("nothing else")) {
    const named = chairs.filter((chair) => chair.wanted);
    if (named.length > 0) return named;
  }
  if (traits.has("duo")) chairs = duo(wanted, barred) ?? thinned(chairs, 2);
  else if (traits.has("trio")) chairs = trio(plan, chairs, wanted, barred) ?? thinned(chairs, 3);
  else if (traits.has("minimal") || traits.has("sparse") || traits.has("stripped")) chairs = thinned(chairs, 4);
  if (traits.has("build up") || traits.has("drop") || traits.has("riser")) {
    const rises = gestureOf("rise");
    if (!chairs.some(({ instrument }) => instrument === rises) && !unwanted.has(rises) && !barred.has("transition"))
      chairs.push(chairFor("transition", rises));
  }
  addTransitions(plan, chairs, unwanted, barred);
  addLowEnd(plan, chairs, unwanted, barred);
  keepTime(plan, chairs, unwanted, barred);
  ensureSomebody(chairs, unwanted, barred);
  return chairs;
}

/** The line-up of the genre that suits what is asked for best; the seed decides between equals. */
function lineup(
  plan: Plan,
  rng: () => number,
  wanted: readonly Instrument[],
  unwanted: ReadonlySet<Instrument>,
): Chair[] {
  const { genre, density } = plan.brief;
  const { bands } = musicOf(genre).lineup;
  const scores = bands.map((band) => {
    const names = new Set(band.flatMap(({ instruments }) => instruments));
    let score = rng() * 2;
    for (const instrument of wanted) if (names.has(instrument)) score += 2;
    for (const instrument of unwanted) if (names.has(instrument)) score -= 1;
    return score;
  });
  const band = bands[scores.indexOf(Math.max(...scores))]!;
  const chairs: Chair[] = [];
  for (const { role, instruments, guest = false } of band) {
    const asked = instruments.find((instrument) => wanted.includes(instrument));
    const instrument = asked ?? pick(instruments, rng);
    // Half of the guests come to a piece of middling density.
    const comes = !guest || rng() < 0.15 + 0.7 * density;
    if (comes || asked) chairs.push(chairFor(role, instrument));
  }
  return chairs;
}

/**
 * Where a song has choruses, a drummer and room for one more: whom the genre has for it, who comes in where it is
 * fullest. Metal has nobody.
 */
function addForChoruses(plan: Plan, chairs: Chair[]): void {
  const { mix, styles, lineup } = musicOf(plan.brief.genre);
  const grows = plan.sections.some(({ kind, lines }) => kind === "chorus" && lines > 0);
  const has = (role: Role): boolean => chairs.some((chair) => chair.role === role);
  if (!grows || mix.natural || styles.scene === "orchestral" || styles.scene === "floating") return;
  if (!has("drums") || has("percussion") || chairs.length > CHAIRS_MAX) return;
  const own = lineup.bands.flat().find(({ role }) => role === "percussion");
  const plays = lineup.for_choruses ?? own?.instruments[0];
  if (plays !== undefined) chairs.push(chairFor("percussion", plays));
}

/** A band of more needs nobody else. */
const CHAIRS_MAX = 8;

/** Up to two players of the second genre join: those whose instruments say most about it. */
function addGuests(plan: Plan, chairs: Chair[], rng: () => number): void {
  const band = pick(musicOf(plan.brief.second_genre!).lineup.bands, rng);
  let come = 0;
  for (const { role, instruments } of band) {
    if (come >= 2) break;
    const instrument = pick(instruments, rng);
    if (chairs.some((chair) => chair.instrument === instrument)) continue;
    const same = chairs.findIndex((chair) => chair.role === role);
    const guest: Chair = { role, instrument, wanted: false, guest: true };
    if (role === "lead" || role === "chords" || role === "pad" || role === "arpeggio" || role === "percussion") {
      if (role === "lead" && same >= 0) chairs[same] = guest;
      else chairs.push(guest);
      come++;
    } else if (same < 0 && role !== "transition") {
      chairs.push(guest);
      come++;
    }
  }
}

function seat(chairs: Chair[], instrument: Instrument, barred: ReadonlySet<Role>): void {
  const { roles, family } = factsOf(instrument);
  // Who asks for a cello wants to hear it, and not only under the others.
  const present = chairs.find(
    (chair) =>
      chair.instrument === instrument && !barred.has(chair.role) && (chair.role !== "bass" || roles[0] === "bass"),
  );
  if (present) {
    present.wanted = true;
    return;
  }
  const open = roles.filter((role) => !barred.has(role));
  // Someone of less right gives up the chair; drums and bass of the same family always.
  for (const role of open) {
    const rivals = chairs.filter((chair) => chair.role === role && !chair.wanted);
    const rival = rivals.find((chair) => factsOf(chair.instrument).family === family) ?? rivals[0];
    if (rival) {
      rival.instrument = instrument;
      rival.wanted = true;
      rival.guest = false;
      return;
    }
    if (
      !chairs.some((chair) => chair.role === role) ||
      role === "lead" ||
      role === "texture" ||
      role === "transition"
    ) {
      const taken = role === "lead" && chairs.some((chair) => chair.role === "lead");
      if (taken && open.includes("counter")) continue;
      chairs.push(chairFor(role, instrument, true));
      return;
    }
  }
  chairs.push(chairFor(open[0] ?? roles[0]!, instrument, true));
}

function addOrchestra(chairs: Chair[]): void {
  const strings = calledOn("string_section");
  const horns = calledOn("horns");
  const has = (some: readonly Instrument[]): boolean => chairs.some(({ instrument }) => some.includes(instrument));
  if (!has(strings)) chairs.push(chairFor("pad", strings[0]!));
  if (!has(horns)) chairs.push(chairFor("counter", horns[0]!));
  if (!chairs.some(({ role }) => role === "percussion"))
    chairs.push(chairFor("percussion", calledOn("orchestra_drums")[0]!));
}
