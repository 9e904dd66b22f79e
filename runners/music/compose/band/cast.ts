import { musicOf } from "../../../packs/mod.ts";
import { calledOn, gestureOf, type Instrument, instrumentOf } from "../instruments.ts";
import { levelAsked } from "../loudness.ts";
import type { Cast, Plan, Seat } from "../plan.ts";
import type { Role } from "../score.ts";
import { pick } from "../stream.ts";
import { arrange, type Chair } from "./arrangement.ts";
import { stagedSections } from "./entrances.ts";
import { stream } from "./frame.ts";
import { factsOf, rangeFor } from "./instrument_facts.ts";
import { texturesOf } from "./scenes.ts";
import { substitute } from "./substitutes.ts";

/**
 * Who plays: one of the genre's line-ups, with everyone who was asked for and no one who was not, where they sit and in which sections they play. In every
 * section somebody plays who can hold the harmony.
 */
export function cast(plan: Plan): Cast {
  const chairs = chairsOf(plan);
  const pans = panned(chairs, musicOf(plan.brief.genre).mix.width, stream(plan, "pan"));
  const entries = arrange(plan, chairs);
  const counts = new Map<Role, number>();
  const seats: Seat[] = chairs.map((chair, n) => {
    const count = (counts.get(chair.role) ?? 0) + 1;
    counts.set(chair.role, count);
    return {
      name: count === 1 ? chair.role : `${chair.role} ${count}`,
      role: chair.role,
      instrument: chair.instrument,
      pan: pans[n]!,
      level_db: levelOf(chair, count, plan) + levelAsked(plan.brief, chair),
      sections: stagedSections(plan, chair, entries[n]!),
      range: registerOf(chair, chairs),
    };
  });
  return { seats };
}

function chairsOf(plan: Plan): Chair[] {
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
  found(plan, chairs, unwanted, barred);
  keepTime(plan, chairs, unwanted, barred);
  ensureSomebody(chairs, unwanted, barred);
  return chairs;
}

function chairFor(role: Role, instrument: Instrument, wanted = false): Chair {
  return { role, instrument, wanted, guest: false };
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

/** Where a song has choruses, a drummer and room for one more: whom the genre has for it, who comes in where it is fullest. Metal has nobody. */
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

/** One player alone: both hands of a piano, a guitar's bass and melody; who has one voice plays the melody over his own long notes. */
function soloist(instrument: Instrument, barred: ReadonlySet<Role>): Chair[] {
  const { polyphonic, family } = factsOf(instrument);
  let roles: Role[];
  if (family === "kit" || family === "percussion") roles = [family === "kit" ? "drums" : "percussion"];
  else if (family === "texture") roles = ["texture"];
  else if (family === "bass") roles = ["bass"];
  else if (family === "pad_synth") roles = ["pad", "lead"];
  else if (!polyphonic) roles = ["lead", "pad"];
  else if (factsOf(instrument).low <= 41) roles = ["chords", "bass", "lead"];
  else roles = ["arpeggio", "lead"];
  const open = roles.filter((role) => !barred.has(role));
  return open.map((role) => chairFor(role, instrument, true));
}

function soloistOf(plan: Plan, rng: () => number, unwanted: ReadonlySet<Instrument>): Instrument {
  const names = pick(musicOf(plan.brief.genre).lineup.bands, rng)
    .filter(({ role }) => role === "chords" || role === "lead" || role === "arpeggio")
    .flatMap(({ instruments }) => instruments)
    .filter(
      (instrument) => factsOf(instrument).polyphonic && factsOf(instrument).low <= 41 && !unwanted.has(instrument),
    );
  const usual = calledOn("play_alone");
  return names[0] ?? usual.find((one) => !unwanted.has(one)) ?? usual.at(-1)!;
}

/** "Guitar duo": two of a kind; undefined where not one instrument was named, or one that cannot accompany. */
function duo(wanted: readonly Instrument[], barred: ReadonlySet<Role>): Chair[] | undefined {
  const [named] = wanted;
  if (wanted.length !== 1 || named === undefined || !factsOf(named).polyphonic) return undefined;
  const roles: Role[] = [factsOf(named).low <= 41 ? "chords" : "arpeggio", "lead"];
  return roles.filter((role) => !barred.has(role)).map((role) => chairFor(role, named, true));
}

/** "Piano trio": who was named plays chords and tune, with bass and drums, or whom the genre has for it; undefined where no such player was. */
function trio(
  { brief }: Plan,
  chairs: readonly Chair[],
  wanted: readonly Instrument[],
  barred: ReadonlySet<Role>,
): Chair[] | undefined {
  const rhythm = (instrument: Instrument): boolean => /^(?:bass|kit)$/u.test(factsOf(instrument).family);
  const [named, ...others] = wanted.filter((instrument) => !rhythm(instrument));
  if (others.length > 0 || named === undefined || !factsOf(named).polyphonic) return undefined;
  const own: Chair[] = [chairFor("chords", named, true)];
  if (musicOf(brief.genre).lineup.chamber)
    own.push(chairFor("lead", calledOn("chamber_melody")[0]!), chairFor("bass", calledOn("chamber_bass")[0]!));
  else {
    own.push(chairFor("lead", named, true));
    for (const role of ["bass", "drums"] as const)
      own.push(
        chairs.find((chair) => chair.role === role) ??
          chairFor(role, calledOn(role === "bass" ? "trio_bass" : "trio_drums")[0]!),
      );
  }
  return own.filter(({ role }) => !barred.has(role));
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

function thinned(chairs: readonly Chair[], most: number): Chair[] {
  const worth: Partial<Record<Role, number>> = { lead: 5, chords: 4, bass: 3, drums: 2, arpeggio: 2.5, pad: 2 };
  const ranked = chairs.map((chair, n) => ({
    chair,
    n,
    worth: (chair.wanted ? 10 : 0) + (worth[chair.role] ?? 1) - n * 0.01,
  }));
  ranked.sort((a, b) => b.worth - a.worth);
  const kept = new Set(ranked.slice(0, Math.max(most, chairs.filter(({ wanted }) => wanted).length)).map(({ n }) => n));
  return chairs.filter((_, n) => kept.has(n));
}

/** Risers call for what falls after them; epic music for its impacts. Only on guest lists that have a transition already. */
function addTransitions(
  plan: Plan,
  chairs: Chair[],
  unwanted: ReadonlySet<Instrument>,
  barred: ReadonlySet<Role>,
): void {
  if (barred.has("transition") || plan.sections.length < 2) return;
  const own = chairs.flatMap(({ role, instrument }) => (role === "transition" ? [instrument] : []));
  if (own.length === 0) return;
  const rng = stream(plan, "gestures");
  const more = own.some((instrument) => instrumentOf(instrument).gesture === "rise")
    ? ([rng() < 0.5 ? "impact" : "drop", rng() < 0.5 ? "fall" : "swell"] as const)
    : (["swell"] as const);
  for (const instrument of more.map(gestureOf))
    if (!own.includes(instrument) && !unwanted.has(instrument)) chairs.push(chairFor("transition", instrument));
}

/** Something low under everything: basses with the celli of an orchestra; a left hand where a harp or a piano plays and nobody else is low. */
function found({ brief }: Plan, chairs: Chair[], unwanted: ReadonlySet<Instrument>, barred: ReadonlySet<Role>): void {
  if (barred.has("bass")) return;
  const bass = chairs.find(({ role }) => role === "bass");
  if (bass === undefined) {
    const hands = chairs.find(
      ({ role, instrument }) =>
        (role === "chords" || role === "arpeggio") && factsOf(instrument).polyphonic && factsOf(instrument).low <= 36,
    );
    if (hands !== undefined) chairs.push(chairFor("bass", hands.instrument));
    return;
  }
  if (bass.wanted || factsOf(bass.instrument).low <= 33) return;
  const dances = chairs.some(({ role }) => role === "percussion" || role === "drums");
  const section = calledOn("string_section");
  const strings = chairs.some(({ instrument }) => section.includes(instrument));
  const { low_end, low_end_with_drums } = musicOf(brief.genre).lineup;
  const deeper = dances ? (low_end_with_drums ?? low_end) : low_end;
  if (deeper === undefined || (section.includes(deeper) && !strings)) return;
  if (!unwanted.has(deeper)) bass.instrument = deeper;
}

/** Roles whose attacks tell the tempo. */
const TELLING: ReadonlySet<Role> = new Set(["drums", "percussion", "arpeggio"]);

/** A tempo that was asked for is heard, even where nobody beats time. */
function keepTime(
  { brief }: Plan,
  chairs: Chair[],
  unwanted: ReadonlySet<Instrument>,
  barred: ReadonlySet<Role>,
): void {
  if (!brief.explicit.includes("bpm") || barred.has("arpeggio")) return;
  const told = chairs.some(
    ({ role, instrument }) => TELLING.has(role) || (role === "chords" && !factsOf(instrument).sustains),
  );
  const plays = calledOn("keep_time").find((one) => !unwanted.has(one));
  if (!told && plays !== undefined) chairs.push(chairFor("arpeggio", plays));
}

/** Someone must hold the harmony, or at least sound. */
function ensureSomebody(chairs: Chair[], unwanted: ReadonlySet<Instrument>, barred: ReadonlySet<Role>): void {
  const holds = chairs.some(({ role }) => role === "chords" || role === "pad" || role === "arpeggio");
  const rhythm_only = chairs.length > 0 && chairs.every(({ role }) => role === "drums" || role === "percussion");
  if (holds || (rhythm_only && chairs.some(({ wanted }) => wanted))) return;
  const roles: Role[] = ["chords", "pad", "arpeggio"];
  const role = roles.find((candidate) => !barred.has(candidate));
  const choice = calledOn("hold_harmony");
  const instrument =
    choice.find(
      (candidate) => !unwanted.has(candidate) && (role !== "pad" || factsOf(candidate).roles.includes("pad")),
    ) ?? choice.find((candidate) => !unwanted.has(candidate));
  if (role && instrument) chairs.push(chairFor(role, instrument));
}

const CENTRE: ReadonlySet<Role> = new Set(["drums", "bass", "lead", "vocal", "texture", "transition"]);
/** How much of the picture a player fills, for the balance of left and right. */
const WEIGHT: Partial<Record<Role, number>> = {
  chords: 1,
  pad: 0.6,
  arpeggio: 0.8,
  counter: 0.7,
  percussion: 0.6,
  lead: 0.7,
};

/** Nobody sits in one loudspeaker alone. */
const WIDEST = 0.8;

/** Basses, drums and the tune in the middle; the others alternate, and the heavier side gets the next. */
function panned(chairs: readonly Chair[], width: number, rng: () => number): number[] {
  const pans = chairs.map(() => 0);
  const leads = chairs.filter(({ role }) => role === "lead").length;
  const alone = new Set(chairs.map(({ instrument }) => instrument)).size === 1;
  const wide: number[] = [];
  let leads_seen = 0;
  chairs.forEach((chair, n) => {
    if (alone) return;
    if (chair.role === "lead" && leads > 1 && leads_seen++ > 0) wide.push(n);
    else if (!CENTRE.has(chair.role) && !isDoubled(chair)) wide.push(n);
  });
  if (wide.length === 0) return pans;
  if (wide.length === 1) {
    pans[wide[0]!] = rng() < 0.5 ? -0.15 : 0.15;
    return pans;
  }
  const first = rng() < 0.5 ? -1 : 1;
  let balance = 0;
  for (const [turn, n] of wide.entries()) {
    const { role } = chairs[n]!;
    const drawn = role === "pad" ? 0.25 + 0.15 * rng() : role === "percussion" ? 0.4 + 0.25 * rng() : 0.5 + 0.3 * rng();
    const amount = drawn * (0.5 + 0.85 * width);
    const side = turn === 0 ? first : balance > 0 ? -1 : 1;
    pans[n] = side * amount;
    balance += pans[n]! * (WEIGHT[role] ?? 0.5);
  }
  // What is left over is taken from each, so that the whole stands upright.
  let total = 0;
  for (const n of wide) total += WEIGHT[chairs[n]!.role] ?? 0.5;
  for (const n of wide) {
    const pan = Math.round((pans[n]! - balance / total) * 100) / 100;
    pans[n] = Math.min(WIDEST, Math.max(-WIDEST, pan));
  }
  return pans;
}

/** What rhythm players play through an amplifier they play twice, once for each side. */
function isDoubled({ role, instrument }: Chair): boolean {
  return role === "chords" && instrumentOf(instrument).sampled?.amplifier !== undefined;
}

function levelOf(chair: Chair, count: number, { brief }: Plan): number {
  let level = 0;
  if (chair.role === "bass" && brief.traits.includes("bass heavy")) level += 2;
  if ((chair.role === "drums" || chair.role === "percussion") && brief.traits.includes("percussive")) level += 1.5;
  if (chair.wanted) level += chair.role === "pad" || chair.role === "counter" || chair.role === "percussion" ? 3 : 1.5;
  if (count > 1) level -= chair.role === "chords" || chair.role === "pad" ? 2 : 1;
  if (chair.guest) level -= 0.5;
  return level;
}

/** One player's hands keep out of each other's way; everyone else has the register of his role. */
function registerOf(chair: Chair, chairs: readonly Chair[]): readonly [number, number] {
  const { instrument, role } = chair;
  const own = rangeFor(instrument, role);
  const shared = chairs.filter((other) => other.instrument === instrument);
  if (shared.length < 2 || !factsOf(instrument).polyphonic) return own;
  const { low, high } = factsOf(instrument);
  if (role === "bass") return [low, Math.min(high, 52)];
  if (role === "lead") return [Math.max(low, Math.min(64, high - 17)), Math.min(high, 88)];
  if (role === "chords" && shared.some((other) => other.role === "lead"))
    return [Math.max(low, 48), Math.min(high, 69)];
  return own;
}
