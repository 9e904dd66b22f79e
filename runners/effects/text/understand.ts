/** A prompt to what is to be heard. Never fails, never empty. */
import { type Ask, kindOf, readAsk } from "../../language/mod.ts";
import type { Brief, Layer, Pause } from "../brief.ts";
import { divide, silenceAfter } from "./divide.ts";
import { Ear } from "./ear.ts";
import { takeExact } from "./exact.ts";
import { effectLexicon } from "./lexicon.ts";
import { match, type Unit } from "./match.ts";
import { motionOf, SHADES } from "./shades.ts";

const LAYERS_MAX = 4;
const PARTS_MAX = 8;
const BACKGROUND_MAX = 2;
const UNKNOWN_MAX = 20;
/** How far away is what is farther than what is near. */
const FARTHER = 0.6;

/** "Knock knock ... knock": the dots are a silence. */
const DOTTED = /(\p{L}+)\s*(?:\.{3,}|…)\s*(?=\1(?!\p{L}))/giu;

export function understand(written: string): Brief {
  const prompt = written.replaceAll(DOTTED, "$1, silence, ");
  const { rest, said } = takeExact(prompt);
  const ask = withEnds(readAsk(prompt, effectLexicon(), rest));
  const ear = new Ear(ask, said);
  const parts: (readonly Layer[])[] = [];
  const pauses: (Pause | null)[] = [];
  const background: Layer[] = [];
  let pause: Pause | null = null;
  for (const stretch of divide(ask, (units) => ear.means(units)).slice(0, PARTS_MAX)) {
    const layers: Layer[] = [];
    pause = stretch.pause ?? pause;
    for (const clause of stretch.clauses) {
      // "Ignition and hum": the same thing's.
      const last = layers.at(-1);
      if (last !== undefined && clause.units.every((unit) => isSaidOf(last, unit))) {
        layers[layers.length - 1] = { ...last, ...motionOf(clause.units, last) };
        continue;
      }
      const heard = ear.listen(clause);
      const before = parts.at(-1);
      // "Ticking slowly, then going mad": how the sound before goes on.
      if (heard === null && layers.length === 0 && before !== undefined)
        parts[parts.length - 1] = before.map((layer) => ({ ...layer, ...motionOf(clause.units, layer) }));
      if (heard === null) continue;
      const layer = clause.farther ? { ...heard, far: Math.max(heard.far, FARTHER) } : heard;
      if (clause.behind) background.push(layer);
      // "Match strike and flame" is one fire.
      else if (layer.recipe.kind === "bed" && layers.some(({ recipe }) => recipe === layer.recipe)) continue;
      else if (layers.length < LAYERS_MAX) layers.push(layer);
    }
    const kept = ear.withoutDenied(layers);
    if (kept.length === 0) continue;
    parts.push(kept);
    pauses.push(pause);
    pause = null;
  }
  if (parts.length === 0) {
    parts.push([background.pop() ?? ear.guess()]);
    pauses.push(pause);
    pause = null;
  }
  // "Wind for four seconds, then" is the wind's.
  const length = ask.times.find(({ how, from }) => how === "length" && !isOfPart(ask, from));
  return {
    parts: isFarAltogether(ask) ? parts.map((layers) => layers.map((layer) => ({ ...layer, far: 1 }))) : parts,
    ...{ pauses, silence_after: silenceAfter(ask) + (pause?.seconds ?? 0) },
    background: background.slice(0, BACKGROUND_MAX),
    ...{ environment: ear.environment, place: ear.place, pan: ear.pan },
    // "Static for three seconds, then silence for one".
    seconds: length === undefined ? null : length.seconds + (length.to <= silentFrom(ask) ? silenceAfter(ask) : 0),
    unwanted: unwantedIn(ask),
    unknown: [...ear.unknown, ...ear.exact.unheard()].slice(0, UNKNOWN_MAX),
    guessed: ear.guessed,
  };
}

/** "Ending with a huge boom": in music that colours nothing but the ending, which of effects is a sound like the others. */
function withEnds(ask: Ask): Ask {
  const ends = new Set(ask.form.flatMap(({ event, who }) => (event === "ends" ? who : [])));
  const isOfEnd = (at: number): boolean => ends.has(at) || (ask.mentions[at + 1]?.adjacent === true && isOfEnd(at + 1));
  const mentions = ask.mentions.map((one, at) =>
    one.polarity === "compared" && (isOfEnd(at) || isMotion(one)) ? { ...one, polarity: "wanted" as const } : one,
  );
  return { ...ask, mentions };
}

/** "Un camión arranca a la tercera y se aleja": what is of a beginning in music is heard all the same. */
function isMotion({ concepts, led_by }: Ask["mentions"][number]): boolean {
  return (
    concepts.every((one) => kindOf(one) === "motion") && !led_by.some(({ role }) => role === "than" || role === "like")
  );
}

function isOfPart({ mentions }: Ask, at: number): boolean {
  const before = mentions.findLast(({ to }) => to <= at);
  return before !== undefined && mentions.some(({ from, part }) => from >= at && part > before.part);
}

/** Where silence is said that nothing follows; before all that is said for none. */
function silentFrom({ times }: Ask): number {
  return times.findLast(({ how, closing }) => how === "pause" && !closing)?.from ?? -1;
}

function unwantedIn({ mentions, unknown }: Ask): string[] {
  const denied = [
    ...mentions.filter(
      ({ concepts }) => !concepts.every((concept) => concept.slice(concept.indexOf(":") + 1) in SHADES),
    ),
    ...unknown.map((one) => ({ ...one, phrase: one.word })),
  ].filter(({ polarity }) => polarity === "unwanted");
  return [
    ...new Set(denied.sort((one, other) => one.from - other.from).map(({ phrase }) => phrase.replaceAll("_", " "))),
  ];
}

/** Between commas it is said of all that is heard. */
function isFarAltogether({ mentions, unknown }: Ask): boolean {
  return mentions.some(
    (one, n) =>
      one.concepts.includes("distance:far") &&
      one.polarity === "wanted" &&
      n > 0 &&
      ![...mentions, ...unknown].some((other) => other !== one && other.clause === one.clause) &&
      !one.led_by.some(({ role }) => role === "number" || role === "again") &&
      mentions.every(({ part }) => part === one.part),
  );
}

/** "Ignition and hum": how something sounds, or how strongly. What a cat does besides ("meows and purrs") is heard by itself. */
function isSaidOf({ recipe }: Layer, unit: Unit): boolean {
  const sounds = unit.concepts.some((concept) => kindOf(concept) === "sound");
  if (sounds && match([unit])?.recipe.group === recipe.group) return false;
  return unit.concepts.some((concept) => concept === "motion:sounding" || (!sounds && SAYS_HOW.has(kindOf(concept))));
}

const SAYS_HOW: ReadonlySet<string> = new Set(["quality", "dynamics", "distance", "material", "place"]);
