/**
 * Lyrics as a whole song: what songs repeat comes again, and the band has places of its own. Lyrics keep their order
 * and lose nothing, and what their markers say stands.
 */
import type { SongForm } from "../../packs/mod.ts";
import type { LyricSection, Lyrics } from "../sing/mod.ts";
import { interpreted } from "./refrains.ts";
import { Repeats, type RepeatTaste } from "./repeats.ts";
import { type Edges, formsOf, type Played } from "./song_forms.ts";
import tastes from "./tastes.json" with { type: "json" };

/** What a song is to be like. */
export interface SongWish {
  readonly form: SongForm;
  /** Bars of a line, where the genre has them. */
  readonly line_bars: number | undefined;
  /** Length to come near. */
  readonly seconds: number;
  /** From this on lyrics that nobody asked to be longer are a song by themselves; absent: the length was asked for, and is met. */
  readonly enough_s?: number;
  /** What nobody wants to have. */
  readonly without: Edges;
  /** Seconds that an intro has. */
  readonly intro_s: number;
  /** The band goes on for two bars before the last chorus. */
  readonly extends: boolean;
}

/** How much worse a form is, in bars of missing the length, where it lacks or has this. */
const NO_INTRO = 2.5;
const NO_OUTRO = 2.5;
/** What was sung does not come back after the last solo. */
const NO_RETURN = 2.5;
/** Nobody asked for a length that an edge would miss. */
const EDGES_UNASKED = 2.5;
/** Nobody plays alone between its words, though it is long enough for it. */
const NO_BREAK = 0.8;
const LONG_S = 100;
/** The same section three times in a row. */
const THRICE = 2.5;
/** One percent more of what is played than the form bears. */
const OVERPLAYED = 0.4;
/** A bar beside a length that nobody asked for. */
const UNASKED = 0.35;
/** The composer shrinks what is played to this. */
const PLAYED_BARS_MIN = 2;

/** Lyrics with two verses and two choruses: a verse that comes again costs so much more. */
const COMPLETE = 4;
/** Words of at most so many lines leave more of the song to the band. */
const FEW_LINES = 3;

interface Taste extends RepeatTaste {
  /** Share of a song that may be played, and of one of few words. */
  readonly played: number;
  readonly played_few: number;
}

/** What songs of a form bear. */
const TASTES: Readonly<Record<SongForm, Taste>> = tastes.forms;

/** Usual lengths of what the band plays alone, seconds; they become 2, 4, 8 or 16 bars. */
const PLAYED_S = tastes.played_s;

/**
 * The lyrics' sections, once where they fill the time by themselves, else in rounds that come again, with what the band
 * plays between: of all forms of the kind the one that comes nearest to the length, and of those the plainest.
 *
 * @param secondsOf what a section takes at the tempo of the piece
 * @param bar_seconds length of a bar
 */
export function wholeSong(
  lyrics: Lyrics,
  wish: SongWish,
  secondsOf: (section: LyricSection) => number,
  bar_seconds: number,
): Lyrics {
  const { form, seconds, enough_s } = wish;
  const lengths = new Map<LyricSection, number>();
  const lengthOf = (section: LyricSection): number => {
    const known = lengths.get(section);
    if (known !== undefined) return known;
    const length = secondsOf(section);
    lengths.set(section, length);
    return length;
  };
  const total = (sections: readonly LyricSection[]): number =>
    sections.reduce((sum, section) => sum + lengthOf(section), 0);
  const given = interpreted(lyrics.sections, form, wish.line_bars);
  const written = total(given);
  const rounds = enough_s !== undefined && written >= enough_s ? 1 : undefined;
  const own = TASTES[form];
  // Who wrote verses and choruses enough has told where the song goes.
  const taste = isComplete(given) ? { ...own, verse: COMPLETE * own.verse } : own;
  // Few words leave much to the band.
  const lines = new Set(given.flatMap((section) => section.lines.map(({ text }) => text))).size;
  const bears = lines <= FEW_LINES ? own.played_few : own.played;
  const repeats = new Repeats(given, taste);
  let best: { readonly sections: readonly LyricSection[]; readonly cost: number } = {
    sections: given,
    cost: Number.POSITIVE_INFINITY,
  };
  for (const sections of formsOf(
    given,
    form,
    playedFor(wish, bar_seconds, groundOf(given, lengthOf, bar_seconds)),
    wish.without,
    rounds,
  )) {
    const length = total(sections);
    if (enough_s === undefined) {
      // What is played gives way, though not all of it.
      const least = sections.reduce(
        (sum, section) => sum + (isElastic(section) ? PLAYED_BARS_MIN * bar_seconds : lengthOf(section)),
        0,
      );
      if (least > seconds + bar_seconds / 2) continue;
    }
    // Too long is worse than too short: what is played stretches, what is sung does not.
    const off = Math.abs(length - seconds) / bar_seconds;
    // Shorter than the shortest of the genre is worse than another length.
    const unasked = length < (enough_s ?? 0) ? 2 * UNASKED : UNASKED;
    const missed = enough_s !== undefined ? unasked * off : (length > seconds ? 2 : 1) * off;
    const played = total(sections.filter(isPlayedWithin));
    const so_far = missed + 100 * OVERPLAYED * Math.max(0, played / length - bears) + repeats.ofSections(sections);
    // What is still to be added is not less than nothing.
    if (so_far >= best.cost) continue;
    const cost =
      so_far +
      repeats.ofLines(sections) +
      (enough_s === undefined ? 1 : EDGES_UNASKED) * shapeOf(sections, length, wish.without);
    if (cost < best.cost) best = { sections, cost };
  }
  return { ...lyrics, sections: best.sections };
}

function isComplete(sections: readonly LyricSection[]): boolean {
  const count = (of: LyricSection["kind"]): number =>
    sections.filter(({ kind, lines }) => kind === of && lines.length > 0).length;
  return count("verse") > 1 && count("chorus") > 1;
}

/** The ways in and out are nobody's turn to play. */
function isPlayedWithin({ kind, lines }: LyricSection): boolean {
  return lines.length === 0 && kind !== "intro" && kind !== "outro";
}

function isElastic({ lines, bars }: LyricSection): boolean {
  return lines.length === 0 && bars === undefined;
}

function shapeOf(sections: readonly LyricSection[], length: number, without: Edges): number {
  const inner = sections.slice(1, -1);
  const breathes = inner.some(({ lines, kind }) => lines.length === 0 || kind === "bridge");
  let price = 0;
  if (!without.intro && sections[0]!.lines.length > 0 && sections[0]!.kind !== "intro") price += NO_INTRO;
  // What the band plays may end a song; a drop is where it is fullest.
  const last = sections.at(-1)!;
  const ends = last.kind === "outro" || (last.lines.length === 0 && last.kind !== "drop");
  if (!without.outro && !ends) price += NO_OUTRO;
  if (sections.findLast(({ kind }) => kind !== "outro")?.kind === "solo") price += NO_RETURN;
  if (length > LONG_S && !breathes) price += NO_BREAK;
  for (let at = 2; at < sections.length; at++)
    if (sections[at]!.lines.length > 0 && sections[at] === sections[at - 1] && sections[at] === sections[at - 2])
      price += THRICE;
  return price;
}

/** Bars of what is sung first. */
function groundOf(
  given: readonly LyricSection[],
  lengthOf: (section: LyricSection) => number,
  bar_seconds: number,
): number {
  const ground = given.find(({ lines }) => lines.length > 0);
  return ground === undefined ? 8 : Math.min(24, Math.max(8, Math.round(lengthOf(ground) / bar_seconds)));
}

/** What the band plays in this song, each in as many bars as phrases have. */
function playedFor({ form, intro_s, extends: longer }: SongWish, bar_seconds: number, ground: number): Played {
  const near = (seconds: number): number => {
    const options = [2, 4, 8, 16];
    const away = (bars: number): number =>
      Math.max(bars * bar_seconds, seconds) / Math.min(bars * bar_seconds, seconds);
    return options.reduce((best, bars) => (away(bars) < away(best) ? bars : best));
  };
  const section = (kind: LyricSection["kind"], label: string, seconds: number): LyricSection => ({
    kind,
    label,
    marker: null,
    lines: [],
    usual_bars: near(seconds),
  });
  return {
    intro: section("intro", "intro", intro_s),
    interlude: section("theme", "interlude", PLAYED_S.interlude),
    verse: { ...section("theme", "verse", 0), usual_bars: ground },
    solo: {
      ...section("solo", "solo", PLAYED_S.solo),
      // A solo goes once through the chords of what was sung.
      ...(form === "head_and_solos" ? { usual_bars: ground } : {}),
    },
    break: section("break", "break", PLAYED_S.break),
    build: section("build", "build", PLAYED_S.build),
    drop: section("drop", "drop", PLAYED_S.drop),
    theme: section("theme", "A", PLAYED_S.theme),
    // Of its own: nobody sings a verse in songs of a hook alone.
    ground: section("verse", "verse", PLAYED_S.ground),
    second_theme: section("theme", "B", PLAYED_S.theme),
    outro: section("outro", "outro", PLAYED_S.outro),
    extension: longer ? { kind: "break", label: "extension", marker: null, lines: [], usual_bars: 2 } : undefined,
  };
}
