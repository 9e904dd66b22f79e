import { derived, type Form, musicOf, packs } from "../../../packs/mod.ts";
import { vary } from "../brief/vary.ts";
import type { Brief } from "../brief.ts";
import type { Outline, OutlineSection, Plan, PlanSection } from "../plan.ts";
import { pick, stream } from "../stream.ts";
import { asCued, suits } from "./course.ts";
import { customsOf } from "./customs.ts";
import { endingOf } from "./endings.ts";
import { fitted } from "./fit.ts";
import { givenChords, givenDrafts } from "./given.ts";
import { harmonise } from "./harmony.ts";
import { clipOf, type Measure, ringOf, tempoOf } from "./ring.ts";
import { drafts, stretched, withEnergy } from "./sections.ts";
import { type Draft, type Slot, slotsOf } from "./templates.ts";

/** How far the tempo may move, where nobody asked for it, so that a length comes out: 2 %. */
const GIVE = 0.02;

/**
 * Form and harmony of a piece for a brief.
 *
 * @param outline what must be so whatever the brief says
 * @param seed equal seeds give equal plans
 */
export function plan(brief: Brief, outline: Outline, seed: number): Plan {
  const next = stream(seed ^ brief.colour, "form");
  const seconds = outline.seconds !== undefined && outline.seconds > 0 ? outline.seconds : undefined;
  const ring = outline.ring === true;
  const template = ended(asCued(asAsked(slotsOf(templateOf(brief, next)), brief), brief), brief, seed);
  let measure: Measure;
  let slots: readonly Draft[];
  const { given } = outline;
  if (given !== undefined && given.sections.length > 0) {
    slots = givenDrafts(given);
    measure = { ...tempoOf(brief), bars: slots.reduce((sum, slot) => sum + slot.bars, 0) };
  } else if (ring) {
    measure = ringOf(seconds ?? 16, brief);
    slots = loopOf(measure.bars);
  } else if (outline.clip === true) {
    measure = clipOf(seconds ?? 10, brief);
    slots = clipped(template, measure.bars, brief);
  } else {
    const free = { ...tempoOf(brief), explicit: brief.explicit.includes("bpm") };
    const bar_seconds = (free.beats_per_bar * 60) / free.bpm;
    const asked = outline.sections !== undefined && outline.sections.length > 0 ? outline.sections : undefined;
    // A template that lasts as long as such pieces do is left as it is.
    const own = template.reduce((sum, slot) => sum + slot.bars, 0) * bar_seconds;
    const { shortest_s, longest_s } = customsOf(brief, seed);
    const wanted = seconds ?? (asked !== undefined ? undefined : Math.min(longest_s, Math.max(shortest_s, own)));
    const laid =
      asked === undefined
        ? template
        : asCued(
            drafts(asked, { seconds: bar_seconds, beats: free.beats_per_bar }, musicOf(brief.genre).form.line_bars),
            brief,
            true,
          );
    const fixed = asked !== undefined;
    const counted = brief.bars !== undefined && seconds === brief.seconds;
    const bars = counted
      ? brief.bars!
      : wanted === undefined
        ? laid.reduce((sum, slot) => sum + slot.bars, 0)
        : barsFor(wanted, bar_seconds, free.explicit);
    slots =
      wanted === undefined
        ? laid
        : fixed
          ? stretched(laid, counted ? bars : wanted / bar_seconds)
          : fittedBetween(laid, bars);
    const length = slots.reduce((sum, slot) => sum + slot.bars, 0);
    const bpm =
      seconds === undefined || free.explicit ? free.bpm : near(free.bpm, (length * free.beats_per_bar * 60) / seconds);
    measure = { bars: length, beats_per_bar: free.beats_per_bar, bpm };
  }
  const of = { ...brief, metre: { ...brief.metre, beats_per_bar: measure.beats_per_bar } };
  const sections = placed(withEnergy(slots, of, stream(seed ^ brief.colour, "energy")), measure.beats_per_bar, ring);
  const known = given?.chords !== undefined && given.chords.length > 0 ? given.chords : undefined;
  return {
    brief: of,
    seed,
    bpm: measure.bpm,
    ring,
    beats: measure.bars * measure.beats_per_bar,
    sections,
    chords: known === undefined ? harmonise(of, sections, ring, measure.bpm, seed) : givenChords(known, of, sections),
    ...(known === undefined ? {} : { known_chords: true }),
    ...(given === undefined || given.tune.length === 0 ? {} : { tune: given.tune }),
    ...(outline.singer === undefined ? {} : { singer: outline.singer }),
  };
}

/** What sections take at the tempo of a piece, before anything is stretched. */
export function measured(
  brief: Brief,
  seed: number,
): { readonly secondsOf: (section: OutlineSection) => number; readonly bar_seconds: number } {
  const { bpm, beats_per_bar } = tempoOf(vary(brief, seed));
  const bar_seconds = (beats_per_bar * 60) / bpm;
  return {
    bar_seconds,
    secondsOf: (section) =>
      drafts([section], { seconds: bar_seconds, beats: beats_per_bar }, musicOf(brief.genre).form.line_bars)[0]!.bars *
      bar_seconds,
  };
}

/** Forms that other genres take where a kind of section is asked for that their own have not. */
const ANSWERS = derived(
  () =>
    new Map(
      [...packs("genres").keys()].flatMap((genre) => {
        const { form } = musicOf(genre);
        return (form.answers ?? []).map((kind): [string, Form] => [kind, form]);
      }),
    ),
);

/** The genre's form, or one that has what is asked for. */
function formOf({ genre, traits }: Brief): Form {
  const { form } = musicOf(genre);
  const has = (kind: string): boolean => form.templates.some((slots) => slots.some((slot) => slot.kind === kind));
  const asked = traits.find((trait) => ANSWERS().has(trait) && !has(trait));
  return asked === undefined ? form : ANSWERS().get(asked)!;
}

/** One of the form's templates, that has the sections which are spoken of where there is one. */
function templateOf(brief: Brief, next: () => number): Form["templates"][number] {
  const { templates } = formOf(brief);
  const picked = pick(templates, next);
  return [picked, ...templates].find((one) => suits(slotsOf(one), brief)) ?? picked;
}

/** `fitted`, but edges whose bars were asked for keep them. */
function fittedBetween(slots: readonly Draft[], bars: number): Draft[] {
  const edges = slots.filter(({ fixed }) => fixed === true);
  const rest = slots.filter(({ fixed }) => fixed !== true);
  const left = bars - edges.reduce((sum, slot) => sum + slot.bars, 0);
  if (edges.length === 0 || rest.length === 0 || left < 2) return fitted(slots, bars);
  const core = fitted(rest, left);
  return [...edges.filter(({ kind }) => kind === "intro"), ...core, ...edges.filter(({ kind }) => kind !== "intro")];
}

/** A breakdown, a big or a soft ending, where the brief has them. */
function asAsked(template: readonly Slot[], { traits }: Brief): Slot[] {
  let slots = [...template];
  if (traits.includes("epic ending")) slots = slots.filter(({ kind }) => kind !== "outro");
  const peak = slots.findLastIndex(({ kind, spare }) => spare === 0 && kind !== "outro");
  if (traits.includes("breakdown") && !slots.some(({ kind }) => kind === "break") && peak > 0)
    slots.splice(peak, 0, { kind: "break", label: "break", bars: 4, spare: 0 });
  const last = slots.at(-1)!;
  if (traits.includes("soft ending")) {
    if (last.kind !== "outro") slots.push({ kind: "outro", label: "outro", bars: 4, energy: 0.22, spare: 0 });
    else slots[slots.length - 1] = { ...last, bars: Math.max(4, last.bars), energy: 0.22, spare: 0 };
  }
  return slots;
}

/** The last section as strong as the genre's ending is, where its template does not say. */
function ended(slots: readonly Draft[], brief: Brief, seed: number): Draft[] {
  const { energy } = endingOf(brief, seed);
  return slots.map((slot, at) =>
    energy === undefined || at < slots.length - 1 || slot.kind !== "outro" || slot.energy !== undefined
      ? slot
      : { ...slot, energy },
  );
}

/** Whole bars nearest to a length: an even number where the tempo can make up for it. */
function barsFor(seconds: number, bar_seconds: number, explicit: boolean): number {
  const even = 2 * Math.round(seconds / bar_seconds / 2);
  if (even >= 2 && !explicit && Math.abs((even * bar_seconds) / seconds - 1) <= GIVE) return even;
  return Math.max(1, Math.round(seconds / bar_seconds));
}

function near(bpm: number, wished: number): number {
  return Math.min(bpm * (1 + GIVE), Math.max(bpm * (1 - GIVE), wished));
}

/** A loop is one idea; from 16 bars on, two. */
function loopOf(bars: number): Draft[] {
  const one = { kind: "loop", spare: 0, lines: 0 } as const;
  if (bars < 16 || bars % 4 !== 0) return [{ ...one, label: "A", bars }];
  return [
    { ...one, label: "A", bars: bars / 2, energy: 0.9 },
    { ...one, label: "B", bars: bars / 2, energy: 1 },
  ];
}

function clipped(template: readonly Slot[], bars: number, brief: Brief): Draft[] {
  const rising = brief.traits.some((trait) => /build|riser|rise/u.test(trait));
  const core = template.filter(({ kind }) => kind !== "intro" && kind !== "outro" && kind !== "break");
  const first = core.find(({ kind }) => kind === "theme" || kind === "verse") ?? core[0]!;
  const peak =
    core.findLast(({ kind, label }) => (kind === "chorus" || kind === "drop") && label !== first.label) ?? first;
  if (bars <= 8) {
    const kind = rising ? "build" : brief.traits.includes("drop") ? "drop" : "theme";
    return [{ ...first, kind, label: first.label, bars, energy: 1, spare: 0 }];
  }
  if (bars > 24) return fitted(core, bars);
  const half = 2 * Math.floor(bars / 4);
  return [
    { ...first, bars: half, energy: 0.75, spare: 0 },
    { ...peak, bars: bars - half, energy: 1, spare: 0 },
  ];
}

function placed(slots: readonly (Draft & { energy: number })[], beats_per_bar: number, ring: boolean): PlanSection[] {
  const turns = new Map<string, number>();
  let bar = 0;
  return slots.map((slot, at) => {
    const turn = turns.get(slot.label) ?? 0;
    turns.set(slot.label, turn + 1);
    const after = slots[at + 1]?.energy ?? (ring ? slots[0]!.energy : null);
    const section: PlanSection = {
      kind: slot.kind,
      label: slot.label,
      beat: bar * beats_per_bar,
      beats: slot.bars * beats_per_bar,
      energy: slot.energy,
      bar,
      bars: slot.bars,
      phrase_bars: phraseOf(slot, ring),
      turn,
      leaves_by:
        after === null ? "end" : after > slot.energy + 0.06 ? "lift" : after < slot.energy - 0.06 ? "fall" : "on",
      lines: slot.lines ?? 0,
      ...(slot.words === undefined ? {} : { words: slot.words }),
      ...(slot.chords === undefined ? {} : { chords: slot.chords }),
      ...(slot.lead === undefined ? {} : { lead: slot.lead }),
    };
    bar += slot.bars;
    return section;
  });
}

function phraseOf(slot: Draft, ring: boolean): number {
  if (slot.line_bars !== undefined && slot.bars % slot.line_bars === 0) return slot.line_bars;
  if (slot.bars % 4 === 0) return 4;
  if (slot.bars % 2 === 0) return 2;
  if (ring || slot.bars === 1) return slot.bars;
  // One bar more than phrases fill: the last chord is held.
  return (slot.bars - 1) % 4 === 0 ? 4 : 2;
}
