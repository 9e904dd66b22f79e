/** The form that a prompt asks for: sections that must be there or must not, where they stand, how long and how loud they are. */
import type { Where } from "../../../language/mod.ts";
import type { Brief } from "../brief.ts";
import type { Cue, Players } from "../cues.ts";
import type { Instrument } from "../instruments.ts";
import type { SectionKind } from "../score.ts";
import type { Draft } from "./templates.ts";

/** Bars of a section that was asked for and whose bars nobody said. */
const BARS: Partial<Readonly<Record<SectionKind, number>>> = { break: 4, build: 4, prechorus: 4, intro: 4, outro: 4 };
const USUAL_BARS = 8;
const KINDS: ReadonlySet<string> = new Set<SectionKind>([
  "intro",
  "verse",
  "prechorus",
  "chorus",
  "bridge",
  "solo",
  "break",
  "build",
  "drop",
  "outro",
]);

/** A form with verses and choruses, for who speaks of them where the genre has none. */
const SONG: readonly (readonly [kind: SectionKind, bars: number])[] = [
  ["intro", 4],
  ["verse", 8],
  ["chorus", 8],
  ["verse", 8],
  ["chorus", 8],
  ["bridge", 8],
  ["chorus", 8],
  ["outro", 4],
];

/** Whether a form has every section that is spoken of. */
export function suits(slots: readonly Draft[], { cues = [] }: Pick<Brief, "cues">): boolean {
  return cues.every(({ where }) => {
    if (where?.section !== "verse" && where?.section !== "chorus") return true;
    return slots.filter(({ kind }) => kind === where.section).length >= Math.max(1, where.nth ?? 0);
  });
}

/** The form as the cues want it. Sections that lyrics name keep their order, and none of them goes. */
export function asCued(given: readonly Draft[], brief: Pick<Brief, "cues" | "wanted">, named = false): Draft[] {
  const { cues = [] } = brief;
  let slots = named || suits(given, { cues }) ? [...given] : songFor(cues);
  for (const { event, what, where, bars, players } of cues) {
    const [size, kind] = sectionOf(what);
    if (event === "lacks" && kind !== null && !named && slots.some((slot) => slot.kind !== kind))
      slots = slots.filter((slot) => slot.kind !== kind);
    // Who sings at once leaves no room for an introduction.
    if (event === "starts" && players.some(({ roles }) => roles.includes("vocal")) && !named)
      slots = slots.filter((slot) => slot.kind !== "intro");
    if (event === "ends" && what === "abrupt" && !named && slots.some((slot) => slot.kind !== "outro"))
      slots = slots.filter((slot) => slot.kind !== "outro");
    if (event !== "has" || kind === null) continue;
    const lead = kind === "solo" ? soloistIn(players, brief) : undefined;
    if (kind === "intro" || kind === "outro") slots = edged(slots, kind, size, bars);
    else if (lead !== undefined) slots = soloed(slots, lead, where);
    else if (where !== null) slots = inserted(slots, kind, where, named);
    else if (!slots.some((slot) => slot.kind === kind))
      slots = inserted(slots, kind, { edge: "at", share: 0.5 }, named);
  }
  return slots;
}

function soloistIn(players: readonly Players[], { wanted }: Pick<Brief, "wanted">): Instrument | undefined {
  const all = players.flatMap(({ instruments }) => instruments);
  return wanted.find((one) => all.includes(one)) ?? all[0];
}

/** With a solo of that instrument: there, else in one that is nobody's, after the solos of others or the second chorus. */
function soloed(slots: readonly Draft[], instrument: Instrument, where: Where | null): Draft[] {
  const lead = [instrument];
  const free = slots.findIndex((one) => one.kind === "solo" && one.lead === undefined);
  if (where === null && free >= 0) return slots.with(free, { ...slots[free]!, lead });
  const made: Draft = { ...slot("solo"), lead };
  if (where !== null) {
    const others = slots.filter((one) => one.kind !== "solo" || one.lead !== undefined);
    return others.toSpliced(placeIn(others, where), 0, made);
  }
  const last = slots.findLastIndex(({ kind }) => kind === "solo");
  const choruses = slots.filter(({ kind }) => kind === "chorus").length;
  const usual: Where = choruses > 1 ? { edge: "after", section: "chorus", nth: 2 } : { edge: "at", share: 0.6 };
  return slots.toSpliced(last >= 0 ? last + 1 : placeIn(slots, usual), 0, made);
}

function sectionOf(what: string | null): [size: string, kind: SectionKind | null] {
  const [size, kind] = what?.includes(" ") === true ? what.split(" ") : ["", what ?? ""];
  return [size!, KINDS.has(kind!) ? (kind as SectionKind) : null];
}

function slot(kind: SectionKind, bars = BARS[kind] ?? USUAL_BARS): Draft {
  return { kind, label: kind, bars, spare: 0 };
}

/** As many verses and choruses as are spoken of. */
function songFor(cues: readonly Cue[]): Draft[] {
  const most = Math.max(2, ...cues.map(({ where }) => where?.nth ?? 0));
  const slots = SONG.map(([kind, bars]) => slot(kind, bars));
  for (let n = 3; n <= most; n++) slots.splice(5, 0, slot("verse"), slot("chorus"));
  return slots;
}

/** The piece's first or last section of so many bars; a long one is never shorter than it was. */
function edged(slots: readonly Draft[], kind: "intro" | "outro", size: string, bars: number | null): Draft[] {
  const rest = slots.filter((one) => one.kind !== kind);
  const old = slots.find((one) => one.kind === kind) ?? slot(kind);
  const wanted =
    size === "long"
      ? Math.max(bars ?? 0, 2 * old.bars)
      : size === "short"
        ? Math.min(bars ?? 2, old.bars)
        : (bars ?? old.bars);
  const edge: Draft = { ...old, bars: wanted, spare: 0, fixed: true };
  return kind === "intro" ? [edge, ...rest] : [...rest, edge];
}

/** The form with the section there, and nowhere else. */
function inserted(slots: readonly Draft[], kind: SectionKind, where: Where, named: boolean): Draft[] {
  const keeps = named || kind === "verse" || kind === "chorus";
  const others = keeps ? [...slots] : slots.filter((one) => one.kind !== kind);
  const old = slots.find((one) => one.kind === kind);
  const made: Draft = { ...(old ?? slot(kind)), spare: 0, lines: 0 };
  const at = placeIn(others, where);
  // What lyrics have there already stays as it is.
  if (named && (others[at]?.kind === kind || others[at - 1]?.kind === kind)) return others;
  return others.toSpliced(at, 0, made);
}

/** Index before which something at such a place stands. */
function placeIn(slots: readonly Draft[], { edge, section, nth = 1, share, bar }: Where): number {
  const total = slots.reduce((sum, { bars }) => sum + bars, 0);
  if (section !== undefined) {
    const found = slots.flatMap(({ kind }, at) => (kind === section ? [at] : []));
    const at = nth === -1 ? found.at(-1) : found[Math.max(1, nth) - 1];
    if (at !== undefined) return edge === "after" ? at + 1 : at;
  }
  const bars = bar === undefined ? (share ?? 0.5) * total : bar - 1;
  let passed = 0;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at <= slots.length; at++) {
    // The end is before the last notes fade.
    if (Math.abs(passed - bars) < least && !(slots[at - 1]?.kind === "outro"))
      [best, least] = [at, Math.abs(passed - bars)];
    passed += slots[at]?.bars ?? 0;
  }
  return best;
}

/** What was asked of loudness, as energies of sections from 0 to 1; undefined where nothing was asked of this one. */
export function energyAsked(
  { dynamics = [] }: Brief,
  slots: readonly Draft[],
  at: number,
  own: number,
): number | undefined {
  let energy: number | undefined;
  const half = slots.reduce((sum, { bars }) => sum + bars, 0) / 2;
  const before = slots.slice(0, at).reduce((sum, { bars }) => sum + bars, 0);
  for (const { section, level, players } of dynamics) {
    if (players.length > 0) continue;
    const second = before + slots[at]!.bars / 2 > half;
    if (section === null) {
      if (level === "soft, then loud") energy = second ? 1 : 0.25;
      else if (level === "loud, then soft") energy = second ? 0.25 : 1;
      else if (level === "decrescendo") energy = 0.3 * own + 0.7 * (1 - at / slots.length);
      continue;
    }
    const here =
      section === "start" ? at === 0 : section === "end" ? at === slots.length - 1 : slots[at]!.kind === section;
    if (!here) continue;
    energy =
      level === "loud"
        ? 0.95
        : level === "soft"
          ? 0.22
          : Math.min(1, Math.max(0.15, own + (level === "louder" ? 0.25 : -0.3)));
  }
  return energy;
}
