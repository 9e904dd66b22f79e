/** Who may play when, as the prompt asks: who begins, comes in later, stays out and is left at the end. */
import type { Where } from "../../../language/mod.ts";
import { beatsIn } from "../clock.ts";
import { type Cue, plays } from "../cues.ts";
import type { Plan } from "../plan.ts";
import type { Note, Part } from "../score.ts";

/** Bars for which who begins, or ends, is alone: at most, and at least where sections are longer. */
const ALONE_BARS_MAX = 8;
const ALONE_BARS_USUAL = 4;
/** Share of the piece from its middle within which a section's edge is taken for it. */
const NEAR_MIDDLE = 0.12;

type Span = readonly [from: number, to: number];

interface Stage {
  readonly silent: readonly Span[];
  readonly present: readonly Span[];
}

type Player = Pick<Part, "role" | "instrument">;

/** Sections in which a player plays, in place of those that the arrangement has for him. */
export function stagedSections(plan: Plan, player: Player, sections: readonly number[]): readonly number[] {
  const { silent, present } = stageOf(plan, player);
  if (silent.length + present.length === 0) return sections;
  const overlaps = (spans: readonly Span[], at: number): boolean => {
    const { beat, beats } = plan.sections[at]!;
    return spans.some(([from, to]) => from < beat + beats - 1e-6 && to > beat + 1e-6);
  };
  const chosen = plan.sections.map((_, at) => at).filter((at) => sections.includes(at) || overlaps(present, at));
  return chosen.filter((at) => {
    const { beat, beats } = plan.sections[at]!;
    return !silent.some(([from, to]) => from <= beat + 1e-6 && to >= beat + beats - 1e-6);
  });
}

/** A part's notes without those that begin where it is to be silent; what is held into such a place ends there. */
export function staged<P extends Player & { readonly notes: readonly Note[] }>(plan: Plan, part: P): P {
  const { silent } = stageOf(plan, part);
  if (silent.length === 0) return part;
  const notes = part.notes.flatMap((note) => {
    if (silent.some(([from, to]) => note.beat >= from - 1e-3 && note.beat < to - 1e-3)) return [];
    const next = silent.find(([from]) => from > note.beat && from < note.beat + note.beats);
    return [next === undefined ? note : { ...note, beats: next[0] - note.beat }];
  });
  return { ...part, notes };
}

function stageOf(plan: Plan, player: Player): Stage {
  const { cues = [] } = plan.brief;
  const silent: Span[] = [];
  const present: Span[] = [];
  // What lies under or between is no player.
  const apart = player.role === "texture" || player.role === "transition";
  for (const cue of cues) {
    const own = plays(player, cue.players);
    if (cue.event === "starts" || (cue.event === "ends" && cue.what === null)) {
      const alone = edgeOf(plan, cue.event);
      // A voice that begins does not begin alone.
      if (cue.players.some(({ roles }) => roles.includes("vocal"))) continue;
      if (own) present.push(alone);
      else if (!apart && !isNamedElsewhere(cues, cue, player)) silent.push(alone);
      continue;
    }
    const everyone = cue.players.length === 0 && cue.event === "enters";
    if (apart && !own) continue;
    if (!own && !(everyone && !cues.some((other) => other !== cue && plays(player, other.players)))) continue;
    if (cue.where === null || cue.event === "has" || cue.event === "ends") continue;
    const spans = spansOf(plan, cue.where);
    const [first] = spans;
    const at =
      first === undefined
        ? plan.beats / 2
        : cue.where.edge === "after" && cue.where.section !== undefined
          ? first[1]
          : first[0];
    if (cue.event === "enters") {
      silent.push([0, at]);
      present.push([at, plan.beats]);
    } else if (cue.event === "leaves") silent.push([at, plan.beats]);
    else if (cue.event === "rests") silent.push(...spans);
    else if (cue.event === "only" && spans.length > 0) {
      present.push(...spans);
      let from = 0;
      for (const [begin, end] of spans) {
        if (begin > from) silent.push([from, begin]);
        from = end;
      }
      if (from < plan.beats) silent.push([from, plan.beats]);
    }
  }
  return { silent, present };
}

/** Of two that begin, neither silences the other. */
function isNamedElsewhere(cues: readonly Cue[], { event }: Cue, player: Player): boolean {
  return cues.some((other) => other.event === event && plays(player, other.players));
}

/** The first or last bars: the section there, unless it is long. */
function edgeOf(plan: Plan, event: "starts" | "ends"): Span {
  const bar = plan.brief.metre.beats_per_bar;
  const section = event === "starts" ? plan.sections[0]! : plan.sections.at(-1)!;
  const bars =
    section.bars > ALONE_BARS_MAX || plan.sections.length === 1
      ? Math.min(ALONE_BARS_USUAL, section.bars / 2)
      : section.bars;
  const beats = Math.max(1, Math.floor(bars)) * bar;
  return event === "starts" ? [0, beats] : [plan.beats - beats, plan.beats];
}

/** Where in the piece a place is; empty where there is no such section. */
function spansOf(plan: Plan, { section, nth = 0, share, seconds, bar }: Where): Span[] {
  const { sections, beats, bpm, brief } = plan;
  const length = brief.metre.beats_per_bar;
  const from = (beat: number): Span[] => [[Math.min(Math.max(0, beat), beats - length), beats]];
  if (bar !== undefined) return from((bar - 1) * length);
  if (seconds !== undefined) return from(length * Math.round(beatsIn(bpm, seconds) / length));
  if (share === 1) return [edgeOf(plan, "ends")];
  if (share !== undefined) {
    const edges = sections.map(({ beat }) => beat).filter((beat) => Math.abs(beat / beats - share) <= NEAR_MIDDLE);
    edges.sort((a, b) => Math.abs(a / beats - share) - Math.abs(b / beats - share));
    return from(edges[0] ?? length * Math.round((share * beats) / length));
  }
  const found = sections
    .filter(({ kind }) => kind === section)
    .map(({ beat, beats: long }): Span => [beat, beat + long]);
  if (nth === 0) return found;
  const one = nth === -1 ? found.at(-1) : found[nth - 1];
  return one === undefined ? [] : [one];
}
