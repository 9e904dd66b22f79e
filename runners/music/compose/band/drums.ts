import { DRUM_KEYS, type Drum, type GroovePack, grooveOf, type KitGroove, midiOf, packs } from "../../../packs/mod.ts";
import { instrumentOf } from "../instruments.ts";
import type { Seat } from "../plan.ts";
import type { Note } from "../score.ts";
import { type Mark, marksOf } from "./cells.ts";
import { changed } from "./drum_moves.ts";
import { feelsOf, paceOf } from "./feels.ts";
import { fillOf, fillsOf } from "./fills.ts";
import forces from "./force.json" with { type: "json" };
import type { Bar } from "./frame.ts";
import { type Found, likeGroove } from "./like_groove.ts";
import {
  choiceOf,
  Hand,
  intensityOf,
  nameFrom,
  patternOf,
  rateOf,
  type Setting,
  semiquaverDelay,
  strengthOf,
  styleFor,
} from "./player.ts";

/** Loudness of the signs. */
const FORCE: Readonly<Record<string, number>> = forces.sticks;
/** Drums that keep time. */
const KEEPERS: ReadonlySet<string> = new Set<Drum>([
  "closed_hat",
  "ride",
  "pedal_hat",
  "tambourine",
  "maracas",
  "cabasa",
  "cowbell",
  "open_hat",
  "ride_bell",
  "muted_triangle",
]);
const keysOf = (...drums: readonly Drum[]): ReadonlySet<number> => new Set(drums.map((drum) => DRUM_KEYS[drum]));
const KICKS = keysOf("low_kick", "kick");
const SNARES = keysOf("side_stick", "snare", "clap", "electric_snare");

/**
 * The kit: a groove of the genre in its lighter and fuller forms, varied within the phrase, with fills at its ends and
 * crashes on arrivals.
 */
export function drums(setting: Setting, seat: Seat): Note[] {
  const { plan, style, bars, traits } = setting;
  const { metre } = plan.brief;
  const drawn = choiceOf(plan, `groove ${seat.role}`);
  const { groove } = plan.brief;
  const found = groove === undefined ? undefined : likeGroove(setting, groove, KEEPERS);
  const name = found?.name ?? grooveName(setting, drawn);
  const choice = found === undefined ? drawn : choosing(found, drawn);
  const family = grooveOf(name).drums!;
  const rate = rateOf(plan, family.written_for_bpm);
  const hand = new Hand(setting, seat);
  const delay = semiquaverDelay(setting);
  const machine = style.sequenced;
  const playing = new Set(seat.sections);
  const whole = paceOf(traits);
  const feels = feelsOf(plan);
  const before_counts = new Map<string, number>();

  for (const [n, bar] of bars.entries()) {
    if (!playing.has(bar.section_index)) continue;
    const { kind } = bar.section;
    const half = feels.find((feel) => feel.isAt(bar, n, bars.length))?.pace ?? whole;
    const strength = strengthOf(setting, bar);
    const came = before_counts.get(bar.section.label) ?? 0;
    before_counts.set(bar.section.label, came + 1);
    if (bar.ends_piece && bar.index > 0) {
      finish(hand, bar, strength, setting);
      continue;
    }
    if (kind === "build") {
      rollUp(hand, setting, bar, strength);
      continue;
    }
    const intensity = intensityOf(setting, bar);
    const light_fallback = intensity === "light" && !family.light;
    const drawn_pattern = patternOf(family, intensity, choice);
    const pattern = changed(setting, drawn_pattern, patternOf(family, "base", choice), bar, intensity, choice);
    const next = bars[n + 1];
    const leaves = bar.ends_section && next !== undefined;
    const fill = fillOf(setting, bar, next, choice, playing);
    const fill_from = fill ? bar.beats - fill.beats : bar.beats;
    for (const [drum, signs] of Object.entries(pattern)) {
      const key = DRUM_KEYS[drum as Drum];
      const keeps = KEEPERS.has(drum);
      if (light_fallback && !keeps && !KICKS.has(key) && drum !== "side_stick") continue;
      const lane_rate = half === 1 || keeps ? rate : (clampRate(rate * half) as 0.5 | 1 | 2);
      const marks = marksOf(signs, bar.index, bar.beats, metre.division, lane_rate, plan.brief.swing, keeps);
      const even = keeps && !machine && marks.every(({ sign }) => sign === marks[0]!.sign);
      for (const mark of marks) {
        if (mark.at >= fill_from - 1e-6) continue;
        if (light_fallback && KICKS.has(key) && mark.at > 1e-6 && !machine) continue;
        const varied = vary(mark.sign, key, bar, mark.at, hand.rng, machine);
        if (varied === null) continue;
        const late = (mark.odd16 ? delay : 0) + (!machine && SNARES.has(key) ? style.snare_late_ms : 0);
        const velocity = FORCE[varied] ?? 0.7;
        strike(
          hand,
          bar.beat + mark.at,
          mark.length,
          key,
          velocity * strength * (light_fallback ? 0.85 : 1) * (even ? accentOf(mark) : 1),
          late,
          varied,
        );
      }
    }
    if (fill) fill.play(hand, bar.beat + fill_from, strength);
    if (bar.index === 0) crashAt(hand, setting, bar, bars[n - 1], strength);
    else if (intensity === "lift" && bar.phrase_index === 0 && bar.index > 0 && style.scene === "band")
      hand.play(bar.beat, 1, DRUM_KEYS.second_crash, 0.6 * strength);
    if (leaves && style.scene === "beat" && hand.rng() < 0.3)
      hand.play(bar.beat + bar.beats - (metre.division === 3 ? 1 / 3 : 0.5), 0.3, DRUM_KEYS.open_hat, 0.5 * strength);
  }
  const notes = hand.finished();
  for (const note of notes) if (KICKS.has(note.pitch)) setting.kicks.push(note.beat);
  return notes;
}

/** Named outright by a trait, the genre's own, or what the metre needs. */
function grooveName(setting: Setting, choice: number): string {
  const asked = askedOf(setting);
  // An operator's groove of the same name may be for something else.
  const answer = asked && [...packs("grooves")].find(([, { asked_as }]) => asked_as === asked)?.[0];
  return answer ?? nameFrom(setting.style.drums, choice);
}

function askedOf({ plan, style, traits }: Setting): GroovePack["asked_as"] {
  const { beats_per_bar, division } = plan.brief.metre;
  const { scene } = style;
  if (traits.has("four on the floor") && scene !== "dance" && scene !== "orchestral") return "four on the floor";
  if (traits.has("shuffle") && division === 2 && scene === "band") return "shuffle";
  if (traits.has("breakbeat") || traits.has("amen")) return plan.bpm > 140 ? "fast breakbeat" : "breakbeat";
  return beats_per_bar === 3 && division === 2 && (scene === "acoustic" || scene === "orchestral")
    ? "three beats"
    : undefined;
}

/** The number drawn, or one a little higher, that chooses this groove. */
function choosing({ name, index }: Found, drawn: number): number {
  const count = grooveOf(name).drums!.base.length;
  return drawn - (drawn % count) + index;
}

/** Who keeps time by hand leans on the beat, also where the pattern says nothing of it. */
function accentOf({ at, odd16 }: Mark): number {
  const { beat, half, between } = forces.keeping;
  return at - Math.floor(at + 1e-6) < 1e-6 ? beat : odd16 ? between : half;
}

function clampRate(rate: number): number {
  return rate >= 2 ? 2 : rate <= 0.5 ? 0.5 : 1;
}

/** Small liberties: a ghost more or less, a hat that opens at the end of a phrase. Machines vary only by their pattern. */
function vary(sign: string, key: number, bar: Bar, at: number, rng: () => number, machine: boolean): string | null {
  if (machine) return sign;
  if ((sign === "g" || sign === "s") && rng() < 0.15) return null;
  if (key === DRUM_KEYS.closed_hat && sign === "x" && bar.ends_phrase && at > bar.beats - 1 && rng() < 0.2) return "X";
  return sign;
}

/** One sign: flams and little rolls are several strokes. */
function strike(
  hand: Hand,
  beat: number,
  length: number,
  key: number,
  velocity: number,
  late: number,
  sign: string,
): void {
  if (sign === "f") {
    hand.play(Math.max(0, beat - 0.04), 0.04, key, velocity * 0.4, late);
    hand.play(beat, length, key, velocity, late);
    return;
  }
  const strokes = sign === "r" ? 3 : sign === "q" ? 2 : 1;
  for (let n = 0; n < strokes; n++)
    hand.play(beat + (length * n) / strokes, length / strokes, key, velocity * (n === 0 ? 1 : 0.82 + 0.06 * n), late);
}

/** Arrivals are marked: a crash where the energy rises, a lighter one where it only goes on. */
function crashAt(hand: Hand, setting: Setting, bar: Bar, before: Bar | undefined, strength: number): void {
  const { scene } = setting.style;
  const fills = fillsOf(setting);
  if (fills === undefined || scene === "floating") return;
  if (scene === "beat" && bar.section.energy < 0.75) return;
  const rise = bar.section.energy - (before?.section.energy ?? 0.3);
  if (before && rise < -0.05) return;
  if (!before && bar.section.energy < 0.6) return;
  const soft = fills.soft ? 0.7 : 1;
  const crash = rise > 0.15 ? DRUM_KEYS.crash : DRUM_KEYS.second_crash;
  hand.play(bar.beat, 2, crash, (0.6 + 0.35 * Math.max(0, rise)) * soft * strength);
}

/** The last bar of a piece: one stroke together. */
function finish(hand: Hand, bar: Bar, strength: number, setting: Setting): void {
  const fills = fillsOf(setting);
  const soft = fills?.short ?? fills === undefined;
  hand.play(bar.beat, 1, DRUM_KEYS.kick, 0.85 * strength);
  const cymbal = soft ? DRUM_KEYS.ride : DRUM_KEYS.crash;
  if (fills !== undefined) hand.play(bar.beat, Math.min(4, bar.beats), cymbal, (soft ? 0.5 : 0.85) * strength);
  if (!soft) hand.play(bar.beat, 0.5, DRUM_KEYS.snare, 0.7 * strength);
}

/** Up to the drop: the kick, then the snare in ever shorter notes, ever louder; the last half bar is left to the riser. */
function rollUp(hand: Hand, setting: Setting, bar: Bar, strength: number): void {
  const { section } = bar;
  const dance = setting.style.scene === "dance";
  const progress = bar.index / Math.max(1, section.bars);
  const finer = setting.plan.brief.metre.division === 3 ? 1.5 : 1;
  const steps = progress < 0.5 ? 1 : finer * (progress < 0.75 ? 2 : bar.ends_section || dance ? 4 : 2);
  const drum: Drum = dance && hand.rng() < 0.7 ? "snare" : dance ? "clap" : "floor_tom";
  const key = DRUM_KEYS[drum];
  const stop = bar.ends_section && section.bars > 1 ? bar.beats - (dance ? 1 : 0.5) : bar.beats;
  for (let beat = 0; beat < bar.beats; beat++) {
    if (beat < stop && (!bar.ends_section || section.bars < 2))
      hand.play(bar.beat + beat, 0.25, DRUM_KEYS.kick, 0.78 * strength);
    for (let k = 0; k < steps; k++) {
      const at = beat + k / steps;
      if (at >= stop - 1e-6) continue;
      const through = (bar.index * bar.beats + at) / (section.bars * bar.beats);
      hand.play(bar.beat + at, 1 / steps, key, (0.35 + 0.6 * through) * strength * (k === 0 ? 1 : 0.88));
    }
  }
}

/** Hand drums, shakers, taiko, the orchestra's percussion. */
export function percussion(setting: Setting, seat: Seat, nth: number): Note[] {
  const { plan, style, bars } = setting;
  const { metre } = plan.brief;
  const choice = choiceOf(plan, `percussion ${seat.instrument} ${nth}`);
  const family = percussionFamily(setting, seat, choice);
  const rate = rateOf(plan, family.written_for_bpm);
  const hand = new Hand(setting, seat);
  const delay = semiquaverDelay(setting);
  const playing = new Set(seat.sections);
  const leads = !setting.cast.seats.some(({ role }) => role === "drums");
  for (const [n, bar] of bars.entries()) {
    if (!playing.has(bar.section_index)) continue;
    const strength = strengthOf(setting, bar) * (leads ? 1 : 0.86);
    if (bar.ends_piece && bar.index > 0) {
      hand.play(bar.beat, 1, firstKey(family), 0.9 * strength);
      continue;
    }
    const intensity = intensityOf(setting, bar);
    const pattern = patternOf(family, intensity, choice);
    const thin = intensity === "light" && !family.light;
    for (const [drum, signs] of Object.entries(pattern)) {
      const keeps = KEEPERS.has(drum);
      for (const mark of marksOf(signs, bar.index, bar.beats, metre.division, rate, plan.brief.swing, keeps)) {
        if (thin && (mark.sign === "g" || mark.sign === "s" || mark.sign === "o") && !keeps) continue;
        strike(
          hand,
          bar.beat + mark.at,
          mark.length,
          DRUM_KEYS[drum as Drum],
          (FORCE[mark.sign] ?? 0.7) * strength,
          mark.odd16 ? delay : 0,
          mark.sign,
        );
      }
    }
    const next = bars[n + 1];
    if (leads && bar.ends_section && (next || plan.ring)) handFill(hand, bar, family, strength, metre.division);
    if (bar.index === 0 && intensity === "lift" && style.scene === "orchestral") {
      const { opens_with } = instrumentOf(seat.instrument).drumming ?? {};
      if (opens_with !== undefined) hand.play(bar.beat, 2, midiOf(opens_with), 0.9 * strength);
    }
  }
  return hand.finished();
}

/** The last beat in triplets or semiquavers, growing. */
function handFill(hand: Hand, bar: Bar, family: KitGroove, strength: number, division: 2 | 3): void {
  const keys = Object.keys(family.base[0]!).map((drum) => DRUM_KEYS[drum as Drum]);
  const steps = division === 3 ? 3 : 4;
  for (let k = 0; k < steps; k++)
    hand.play(
      bar.beat + bar.beats - 1 + k / steps,
      1 / steps,
      keys[(k + 1) % Math.min(3, keys.length)]!,
      (0.6 + 0.09 * k) * strength,
    );
}

function firstKey(family: KitGroove): number {
  return DRUM_KEYS[Object.keys(family.base[0]!)[0] as Drum];
}

function percussionFamily(setting: Setting, seat: Seat, choice: number): KitGroove {
  const style = styleFor(setting, seat);
  const { follows, pattern } = instrumentOf(seat.instrument).drumming ?? {};
  const named = follows === undefined ? (pattern ?? "shaker") : nameFrom(style[follows], choice);
  return grooveOf(named).percussion!;
}

/** Of kettledrums: D2. */
const LOWEST = midiOf("D2");

/** Kettledrums: the bass note on strong beats where it is loud, rolls that swell into arrivals. Pitches are real: D2 to A3. */
export function timpani(setting: Setting, seat: Seat, bassAt: (beat: number) => number): Note[] {
  const { bars, plan } = setting;
  const hand = new Hand(setting, seat);
  const playing = new Set(seat.sections);
  const choice = choiceOf(plan, "timpani");
  const tuned = (beat: number): number => LOWEST + ((bassAt(beat) - LOWEST + 120) % 12);
  for (const [n, bar] of bars.entries()) {
    if (!playing.has(bar.section_index)) continue;
    const strength = strengthOf(setting, bar);
    const intensity = intensityOf(setting, bar);
    const rolls = bar.ends_section && bars[n + 1] !== undefined && bars[n + 1]!.section.energy >= bar.section.energy;
    if (intensity !== "light" || bar.phrase_index === 0)
      hand.play(bar.beat, 1, tuned(bar.beat), 0.85 * strength, 0, "accent");
    if (intensity === "lift" && bar.beats >= 4 && !rolls) {
      hand.play(bar.beat + 2, 0.5, tuned(bar.beat + 2), 0.7 * strength);
      if (choice % 2 === 0) hand.play(bar.beat + 3.5, 0.5, tuned(bar.beat + 3.5), 0.6 * strength);
    }
    if (!rolls || bar.beats < 2) continue;
    // One note: the player's roll, which grows.
    hand.play(bar.beat + bar.beats - 2, 2, tuned(bar.beat + bar.beats - 0.1), 0.75 * strength, 0, "roll");
  }
  return hand.finished();
}
