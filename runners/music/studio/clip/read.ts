/** What kind of clip a prompt asks for: one stroke, note or chord, a roll, a fill, a riser, single drums of a groove, or music. */
import type { Ask, Mention } from "../../../language/mod.ts";
import { DRUM_KEYS } from "../../../packs/mod.ts";
import { hertzOf } from "../../../signal/dsp/octave_table.ts";
import { type Brief, gestureOf, instrumentOf } from "../../compose/mod.ts";
import { spelledIn } from "./beatbox.ts";
import { anyIn, type Clip, natureOf, type Reading, STROKE_SECONDS, struck, type Tuned } from "./clip.ts";
import { CLOSED_HAT, type DrumWord, HITS, piecesIn } from "./drum_words.ts";
import { isElsewhere, isKitSaid, kitOf } from "./kits.ts";
import { pitchClass, pitchedIn, triadOf } from "./pitched.ts";
import { asStruck, placesIn } from "./places.ts";
import lists from "./words.json" with { type: "json" };

/** Longest clip in which even beside a tempo no rhythm fits. */
const ONE_SECOND = 1;

/** What goes on, among kinds of clips. */
const GOING_ON = ["loop", "beat", "riff", "melody", "several", "whole", "kit"];
/** What may be a single one. */
const SINGLE = /^(?:drum:.*|instrument:.*|clip:(?:stroke|note|chord|strum|stab|tutti|percussive))$/u;
/** "Flexatone, one", "just one, dry". */
const ONE_ALONE = /(?:^|[,.;:] *)(?:just |only )?(?:one|single) *(?:$|[,.;!])/iu;

/**
 * @param seconds of the clip
 * @param loop whether it is to repeat
 * @returns undefined for music, a phrase, or what is no music at all
 */
export function readClip(ask: Ask, brief: Brief, seconds: number, loop: boolean): Clip | undefined {
  // "I play my own hats, so no hi-hats": a drum that must not be there is only mentioned elsewhere.
  const unwanted = new Set(
    ask.mentions.flatMap(({ polarity, concepts }) => (polarity === "unwanted" ? concepts.filter(isDrumWord) : [])),
  );
  const heard = asStruck(ask.mentions, ask.text).filter(
    ({ polarity, likened, concepts }) =>
      polarity !== "unwanted" &&
      polarity !== "compared" &&
      !likened &&
      !concepts.some((concept) => unwanted.has(concept)),
  );
  // "4 beats" is a length.
  const concepts = heard.flatMap((one) =>
    one.count !== null && one.concepts.includes("clip:beat") ? [] : one.concepts,
  );
  const kinds = new Set(
    concepts.flatMap((one) => (/^(?:clip|quality):/u.test(one) ? [one.slice(one.indexOf(":") + 1)] : [])),
  );
  const said = ` ${[...heard.map(({ phrase }) => phrase), ...ask.unknown.map(({ word }) => word)].join(" ")} `;
  const { wanted, explicit } = brief;
  // What a hit sounds like says that there is one: "daxophone yelp".
  const strange = ask.unknown.filter(({ polarity }) => polarity === "wanted").map(({ word }) => word);
  if (anyIn(` ${[...heard.map(({ phrase }) => phrase), ...strange].join(" ")} `, HITS)) kinds.add("stroke");
  const going_on = GOING_ON.some((kind) => kinds.has(kind));
  const timed = explicit.includes("bpm") || explicit.includes("metre");
  const pieces = piecesIn(heard);
  // "Perc, 1 bar"; a chord or a long note may last that long.
  const barred = ask.bars !== null && !["chord", "note", "long", "swell"].some((kind) => kinds.has(kind));
  // "One hit", "a single piano chord", "just once"; not "a 4 bar loop".
  const counted = heard.some((one) => one.count === 1 && one.concepts.some((concept) => SINGLE.test(concept)));
  const reading: Reading = {
    ...{ ask, brief, seconds, heard, kinds, said },
    outright:
      kinds.has("one_shot") ||
      (ONE_ALONE.test(ask.text) && !going_on) ||
      (counted && !kinds.has("loop") && (!kinds.has("beat") || kinds.has("stroke"))),
    goes_on: going_on || timed || barred || loop || ask.chords > 1,
    patterned: going_on || loop || explicit.includes("metre"),
    others: wanted.filter(
      (one) => !natureOf(one).drums && natureOf(one).gesture === undefined && !struck(one, said, pieces),
    ),
  };
  return rollIn(reading) ?? fillIn(reading) ?? tuttiIn(reading) ?? gestureIn(reading, loop) ?? drumsIn(reading);
}

function isDrumWord(concept: string): boolean {
  return concept.startsWith("drum:");
}

function rollIn({ kinds, brief, heard, others, said }: Reading): Clip | undefined {
  const swelled = kinds.has("swell") && !brief.wanted.some((one) => natureOf(one).gesture === "swell");
  if (!kinds.has("roll") && !(swelled && piecesIn(heard).length > 0)) return undefined;
  // A fill may begin with a roll.
  if (kinds.has("fill") && piecesIn(heard).length > 1) return undefined;
  if (["beat", "kit", "loop", "whole"].some((kind) => kinds.has(kind))) return undefined;
  const [tuned] = brief.wanted.filter((one) => instrumentOf(one).drumming?.tuned === true);
  if (tuned !== undefined && others.every((one) => one === tuned))
    return { kind: "roll", kit: tuned, name: tuned, key: 40 + ((brief.key.tonic + 8) % 12) };
  if (others.length > 0) return undefined;
  const [piece] = piecesIn(heard);
  const { kit = kitOf(said, brief), key, name } = piece ?? { key: DRUM_KEYS.snare, name: "snare" };
  return { kind: "roll", kit, key, name };
}

function fillIn({ kinds, brief, heard, others, said }: Reading): Clip | undefined {
  if (others.length > 0 || !kinds.has("fill")) return undefined;
  const toms = heard.some(({ concepts, phrase }) => concepts.includes("drum:tom") || /\btoms?\b/u.test(phrase));
  const named = new Set(piecesIn(heard).map(({ name }) => name));
  const beside = {
    ...(named.has("snare") && { snare: true as const }),
    ...(named.has("crash") && { crash: true as const }),
  };
  const rising = kinds.has("rising") && !kinds.has("falling");
  return { kind: "fill", kit: kitOf(said, brief), toms, rising, ...(toms ? beside : {}) };
}

function tuttiIn({ ask, kinds, brief, goes_on }: Reading): Clip | undefined {
  if (goes_on || !kinds.has("tutti")) return undefined;
  return { kind: "tutti", root: ask.chord?.root ?? brief.key.tonic, said: ask.chord ?? triadOf(brief) };
}

function gestureIn({ ask, kinds, brief, heard, others, said }: Reading, loop: boolean): Clip | undefined {
  if (Object.keys(placesIn(heard, ask.text)).length > 0) return undefined;
  if (loop || ["kit", "whole", "loop"].some((kind) => kinds.has(kind))) return undefined;
  const cymbals = heard.some(({ concepts }) => concepts.some((one) => one === "drum:cymbal" || one === "drum:crash"));
  if (kinds.has("reverse") && (cymbals || kinds.has("swell")) && others.length === 0)
    return { kind: "gesture", instrument: gestureOf("swell") };
  // A bang among words that are not known may be a door's.
  const counted = kinds.has("several") && piecesIn(heard).length > 0;
  const banged = (brief.unknown.length > 0 || counted) && !anyIn(said, lists.impacts);
  const instrument = brief.wanted.find((one) => {
    const { gesture } = natureOf(one);
    return gesture !== undefined && !(gesture === "impact" && banged);
  });
  if (instrument === undefined || !others.every((one) => instrumentOf(one).makes_gestures)) return undefined;
  const turned = natureOf(instrument).gesture === "rise" && kinds.has("falling") && !kinds.has("rising");
  return { kind: "gesture", instrument: turned ? gestureOf("fall") : instrument };
}

function drumsIn(reading: Reading): Clip | undefined {
  const spelled = reading.others.length > 0 ? null : spelledIn(reading.ask.text);
  if (spelled !== null) return { kind: "drums", kit: kitOf(reading.said, reading.brief), ...spelled };
  const { brief, seconds, heard, kinds, said, outright, goes_on, patterned, others } = reading;
  const pieces = others.length > 0 || isElsewhere(reading.ask, brief) ? [] : piecesIn(heard);
  const is_closed = anyIn(said, ["close", "closed"]) && pieces[0]?.key === CLOSED_HAT.key;
  const piece = is_closed ? CLOSED_HAT : pieces[0];
  const hit = kinds.has("stroke") || kinds.has("percussive");
  if (piece === undefined) {
    const drummer = brief.wanted.find((one) => natureOf(one).drums);
    const struck_once = others.length === 0 && (outright || (!goes_on && hit));
    if (struck_once && (kinds.has("percussive") || drummer !== undefined)) {
      const metal = heard.some(({ concepts }) => concepts.includes("material:metal")) || / metal(?:lic)? /u.test(said);
      const kit = drummer ?? kitOf(said, brief);
      const { cowbell, low_mid_tom, open_conga } = DRUM_KEYS;
      const key = metal
        ? cowbell
        : drummer !== undefined && instrumentOf(kit).family === "kit"
          ? low_mid_tom
          : open_conga;
      return { kind: "stroke", kit, key, name: drummer ?? "percussion" };
    }
    return pitchedIn(reading);
  }
  const kit = piece.kit ?? kitOf(said, brief);
  const places = placesIn(heard, reading.ask.text);
  const placed = Object.keys(places).length > 0;
  if (pieces.length === 1 && !placed) {
    const times = timesIn(heard);
    const named = !piece.only_in_rhythm && (!kinds.has("several") || times !== undefined);
    const bare = seconds <= STROKE_SECONDS && named;
    const brief_clip = seconds <= ONE_SECOND && named && !patterned;
    const tuned = tunedTo(reading, piece);
    const free = tuned !== undefined && !isKitSaid(said, brief);
    const of = (free ? piece.tuned_kit : undefined) ?? kit;
    const struck_so = { kind: "stroke", kit: of, key: piece.key, name: piece.name, ...(tuned && { tuned }) } as const;
    // "Three wood block hits".
    if (
      times !== undefined &&
      !["loop", "beat", "kit", "whole"].some((kind) => kinds.has(kind)) &&
      !reading.brief.explicit.includes("bpm")
    )
      return { ...struck_so, times };
    if (
      outright ||
      brief_clip ||
      (!goes_on && (bare || is_closed || tuned || ["stroke", "short", "long"].some((kind) => kinds.has(kind))))
    )
      return struck_so;
  }
  // Named beside whole kits, pieces are only mentioned.
  if (kinds.has("kit") && !placed) return undefined;
  return {
    kind: "drums",
    kit,
    pieces,
    ...everyIn(kinds),
    places,
    ...((kinds.has("kit") || isBeside(reading)) && { whole: true }),
  };
}

/** "A breakbeat with an open hat on every offbeat". */
function isBeside({ heard, brief }: Reading): boolean {
  const first = heard.find((one) => piecesIn([one]).length > 0);
  return brief.explicit.includes("genre") && first?.led_by.some(({ role }) => role === "with") === true;
}

/** "Kick tuned to F", "snare at 200 Hz", "tom in D". */
function tunedTo({ ask }: Reading, { rings }: DrumWord): Tuned | undefined {
  const { tonic = null, hertz = null } = ask.tuning ?? {};
  const said = tonic ?? ask.note?.tonic ?? pitchClass(ask.note?.pitch) ?? ask.key?.tonic ?? null;
  if (rings === undefined || (said === null && hertz === null)) return undefined;
  const octave = ask.tuning?.octave ?? null;
  const at = hertz ?? (octave === null ? null : hertzOf(12 * (octave + 1) + tonic!));
  return { tonic: hertz === null ? said : null, hertz: at, rings };
}

/** More strokes than these are a rhythm. */
const TIMES_MAX = 12;

/** "Three hits", "five times", of a drum. */
function timesIn(heard: readonly Mention[]): number | undefined {
  return heard.find(
    ({ count, concepts }) =>
      count !== null &&
      count > 1 &&
      count <= TIMES_MAX &&
      concepts.some((one) => isDrumWord(one) || one === "clip:stroke" || one === "clip:several"),
  )?.count as number | undefined;
}

const EVERY: readonly (readonly [kind: string, every: number])[] = [
  ["thirty_seconds", 8],
  ["sixteenths", 4],
  ["triplets", 3],
  ["eighths", 2],
  ["quarters", 1],
];

function everyIn(kinds: ReadonlySet<string>): { readonly every?: number } {
  const found = EVERY.find(([kind]) => kinds.has(kind));
  return found === undefined ? {} : { every: found[1] };
}
