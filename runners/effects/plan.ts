/** When each event of a brief begins and how long it may last. */
import { exp2 } from "../signal/dsp/exact.ts";
import { hash32, random } from "../signal/dsp/random.ts";
import type { Brief, Environment, Layer, Pan, Pause } from "./brief.ts";

interface Event {
  readonly at: number;
  readonly seconds: number;
  readonly gain: number;
}

export interface Slot {
  readonly layer: Layer;
  readonly start: number;
  readonly seconds: number;
  readonly events: readonly Event[];
  readonly gain_db: number;
  readonly bed_fade: number;
  /** Which stream of chance it draws from. */
  readonly stream: number;
}

export interface Planned {
  readonly seconds: number;
  /** Nobody asked for a length. */
  readonly free: boolean;
  readonly slots: readonly Slot[];
  readonly parts: readonly { readonly start: number; readonly seconds: number; readonly slots: readonly Slot[] }[];
  readonly background: readonly Slot[];
  readonly environment: Environment | null;
  readonly pan: Pan | null;
}

const SECONDS_MIN = 0.1;
const SECONDS_MAX = 30;
/** Parts of a sequence overlap by this share of the earlier one: a tail rings on under what follows. */
const OVERLAP = 0.12;
const BACKGROUND_DB = -9;
/** Factor by which what repeats may stretch to fill its time. */
const SPREAD = 1.6;

/** Tails that a place adds where no duration is asked. */
const TAILS: Readonly<Partial<Record<Environment, number>>> = {
  church: 2.2,
  cave: 1.8,
  hall: 0.9,
  canyon: 1.5,
  bathroom: 0.5,
  room: 0.2,
  space: 1.5,
};

export function plan(
  { parts, pauses, silence_after, background, environment, pan, seconds: said }: Brief,
  asked: number | undefined,
  seed: number,
): Planned {
  const natural = parts.map((layers) => Math.max(...layers.map(naturalSeconds)));
  const lengths = parts.map((layers, index) =>
    layers.every(({ recipe }) => recipe.kind === "bed") && parts.length > 1
      ? Math.min(4, natural[index]!)
      : natural[index]!,
  );
  /** Seconds from the start of each part to that of the next: what is asked, else until the tail. */
  const steps = lengths.map((length, index) => {
    const pause = pauses[index + 1];
    if (index + 1 === lengths.length) return length;
    if (!isSaid(pause)) return length * (1 - OVERLAP);
    return pause.from === "start" ? pause.seconds : length + pause.seconds;
  });
  const lead = pauses[0]?.seconds ?? 0;
  const span = lead + steps.reduce((sum, step) => sum + step, 0);
  const tail = environment === null ? 0 : (TAILS[environment] ?? 0);
  const wanted = asked ?? (said === null ? span + Math.max(tail, silence_after) : said);
  const seconds = Math.min(SECONDS_MAX, Math.max(SECONDS_MIN, wanted));
  // A room's tail belongs to the duration where there is room for it.
  const body = tail > 0 && seconds > 0.6 ? Math.max(seconds * 0.6, seconds - tail) : seconds;
  // Nothing goes on into the silence that ends it.
  const end = seconds - Math.min(silence_after, 0.8 * seconds);
  // Pauses that are asked keep their length where what sounds has room beside them.
  const fixed = lead + steps.reduce((sum, step, index) => sum + (isSaid(pauses[index + 1]) ? step : 0), 0);
  const keeps = fixed > 0 && fixed < 0.8 * body && span > fixed;
  const scale = keeps ? (body - fixed) / (span - fixed) : body / span;
  const scaleAt = (index: number): number => (keeps && isSaid(pauses[index + 1]) ? 1 : scale);
  const planned: { start: number; seconds: number; slots: Slot[] }[] = [];
  let stream = 1;
  let start = lead * (keeps ? 1 : scale);
  for (const [index, layers] of parts.entries()) {
    const last = index + 1 === parts.length;
    const step = steps[index]! * scaleAt(index);
    const length = last ? Math.max(0.1, end - start) : lengths[index]! * (keeps ? Math.min(1, scaleAt(index)) : scale);
    // Nothing begins in the time that is left for a room's tail.
    const active = last && tail > 0 ? Math.max(0.1, body - start) : length;
    const slots = layers.map((layer, place) => {
      const bed = layer.recipe.kind === "bed";
      // What goes on still does when something else begins "after three seconds", or "at the end".
      const goes_on = bed && (pauses[index + 1]?.from ?? "end") !== "end";
      const room = bed && !goes_on ? length : seconds - start;
      const gain_db =
        layer.level_db +
        (place === 0 || layer.recipe.kind !== "bed" ? 0 : -5) -
        12 * layer.far * (layers.length + parts.length + background.length > 2 ? 1 : 0);
      return slotOf(
        layer,
        start,
        last ? length : goes_on ? room : Math.min(room, length * (layer.recipe.kind === "event" ? 1.4 : 1)),
        layer.recipe.kind === "event" ? active : goes_on ? room : length,
        gain_db,
        stream++,
        seed,
      );
    });
    planned.push({ start, seconds: length, slots });
    start += step;
  }
  const behind = background.map((layer) =>
    slotOf(layer, 0, seconds, seconds, BACKGROUND_DB - 4 * layer.far + layer.level_db, stream++, seed),
  );
  return {
    seconds,
    free: asked === undefined && said === null && silence_after === 0,
    parts: planned,
    background: behind,
    slots: [...planned.flatMap(({ slots }) => slots), ...behind],
    environment,
    pan,
  };
}

/** Whether its length was said. */
function isSaid(pause: Pause | null | undefined): pause is Pause {
  return pause != null && pause.from !== "over";
}

/** Where an event falls when they come faster and faster, or slower and slower, in the same time. */
function hurried(at: number, length: number, hurry: number): number {
  const time = Math.min(1, at / length);
  return length * (hurry > 0 ? time * (2 - time) : time * time);
}

/** Length of one event of this size. */
function eventSeconds({ recipe, traits, length }: Layer): number {
  return length * recipe.seconds * exp2(0.5 * traits.size);
}

function spacing({ recipe, traits, every }: Layer): number {
  if (every !== null) return every;
  return (recipe.every ?? recipe.seconds) / traits.speed;
}

/** Seconds of the shortest stroke of a rhythm. */
function strokeSeconds(layer: Layer): number {
  return layer.rhythm?.held === null ? spacing(layer) / 2 : eventSeconds(layer) / (2 * layer.traits.speed);
}

function rhythmSeconds(layer: Layer): number {
  const { at, held } = layer.rhythm!;
  const last = at.at(-1)! * strokeSeconds(layer);
  return last + (held === null ? eventSeconds(layer) : held.at(-1)! * strokeSeconds(layer));
}

/** Its rhythm closes up where there is little room, and spreads, to a limit, where there is much. */
function rhythmic(layer: Layer, room: number, length: number): Event[] {
  const { at, held } = layer.rhythm!;
  const stroke = strokeSeconds(layer) * Math.min(SPREAD, length / rhythmSeconds(layer));
  return at.map((place, n) => {
    const seconds = held === null ? eventSeconds(layer) : held[n]! * stroke;
    return { at: place * stroke, seconds: Math.max(0.02, Math.min(seconds, room - place * stroke)), gain: 1 };
  });
}

function naturalSeconds(layer: Layer): number {
  const { recipe, traits, count, length } = layer;
  if (recipe.kind === "bed") return length * recipe.seconds;
  if (layer.rhythm !== null) return rhythmSeconds(layer);
  if (recipe.kind === "sweep" && (count ?? 1) <= 1)
    return (length * recipe.seconds * exp2(0.4 * traits.size)) / Math.sqrt(traits.speed);
  const events = count ?? recipe.events ?? 1;
  return (events - 1) * spacing(layer) + eventSeconds(layer);
}

/**
 * @param room seconds that the slot's samples may fill
 * @param length seconds in which its events begin and, for beds and sweeps, end
 */
function slotOf(
  layer: Layer,
  start: number,
  room: number,
  length: number,
  gain_db: number,
  stream: number,
  seed: number,
): Slot {
  const { recipe, count } = layer;
  const next = random(hash32(seed, stream * 7919));
  const slot = { layer, start, seconds: room, gain_db, stream, bed_fade: Math.min(1.2, 0.18 * length) };
  if (recipe.kind === "bed") return { ...slot, seconds: length, events: [{ at: 0, seconds: length, gain: 1 }] };
  if (layer.rhythm !== null) return { ...slot, events: rhythmic(layer, room, length) };
  if (recipe.kind === "sweep" && (count ?? 1) <= 1)
    return { ...slot, seconds: length, events: [{ at: 0, seconds: length, gain: 1 }] };
  const one = recipe.kind === "sweep" ? recipe.seconds * 0.7 : eventSeconds(layer);
  let gap = spacing(layer);
  let events = count ?? recipe.events ?? 1;
  const natural = (events - 1) * gap + one;
  if (count === null) {
    // A long duration holds more of what repeats, a short one fewer.
    if (natural < length * 0.7 && recipe.once !== true)
      events = Math.max(1, Math.floor((length - one * 0.6) / gap) + 1);
    if (natural > length * 1.05 && events > 1) events = Math.max(1, Math.floor((length - one * 0.5) / gap) + 1);
  }
  if (events > 1) {
    // A count is kept: events close up where there is little room, and spread, to a limit, where there is much.
    const fits = layer.every ?? (length - Math.min(one, length * 0.4)) / (events - 1);
    gap = count === null ? Math.min(gap, fits) : Math.min(Math.max(gap, Math.min(fits, gap * SPREAD)), fits);
  }
  const jitter = recipe.jitter ?? 0;
  const made: Event[] = [];
  for (let n = 0; n < events; n++) {
    const place = n === 0 ? 0 : n * gap + gap * jitter * 0.5 * (2 * next() - 1);
    const at = layer.hurry === 0 || n === 0 ? place : hurried(place, (events - 1) * gap, layer.hurry);
    const gain = n === 0 ? 1 : 0.82 + 0.18 * next();
    // What happens once takes its whole time where a longer one is asked: a longer tail, not a longer silence.
    const natural_length = recipe.once === true && events === 1 ? Math.max(one, Math.min(length, one * 2.5)) : one;
    made.push({ at, seconds: Math.max(0.02, Math.min(natural_length, room - at)), gain });
  }
  return { ...slot, events: made };
}
