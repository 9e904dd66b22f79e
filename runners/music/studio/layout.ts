/** From lyrics and a brief to what a song's composer is told: whole sections, who plays in them, how long it all is. */
import { type Brief, type composer, genreName, type Outline, type OutlineSection } from "../compose/mod.ts";
import type { Lyrics, SingEngine } from "../sing/mod.ts";
import { wholeSong } from "./whole_song.ts";
import type { Wish } from "./wish.ts";

export interface Layout {
  /** As sung. */
  readonly lyrics: Lyrics;
  readonly brief: Brief;
  readonly outline: Outline & { readonly sections: readonly OutlineSection[] };
  /** Seconds: what was asked for, else what the sections take before the composer stretches any. */
  readonly lasts: number;
}

type Composer = Awaited<ReturnType<typeof composer.load>>;

/** Length of a reference from which on it is a whole song. */
const HEARD_MIN_S = 90;
/** One in so many songs of verses and choruses has a band that goes on before the last chorus. */
const EXTENDS = 4;

/** @param seed any whole number; equal input gives an equal layout */
export function layoutOf(
  given: Lyrics,
  { brief: asked, seconds: duration, outline: { seconds: heard } }: Wish,
  seed: number,
  engine: SingEngine,
  { customsOf, endingOf, measured, understand }: Composer,
): Layout {
  const { cues = [] } = asked;
  const customs = customsOf(asked, seed);
  const { secondsOf, bar_seconds } = measured(asked, seed);
  const lacks = (what: string): boolean => cues.some((cue) => cue.event === "lacks" && cue.what === what);
  // A reference that is a song by itself is like it in its length too.
  const seconds = duration ?? asked.seconds ?? (heard !== undefined && heard >= HEARD_MIN_S ? heard : undefined);
  const lyrics = wholeSong(
    given,
    {
      form: customs.song,
      line_bars: customs.line_bars,
      ...(seconds === undefined ? { seconds: lengthFor(given, customs), enough_s: customs.shortest_s } : { seconds }),
      without: {
        // Who sings at once leaves no room for an introduction.
        intro: lacks("intro") || cues.some(({ event, players }) => event === "starts" && players.some(isSinger)),
        outro: lacks("outro") || cues.some(({ event, what }) => event === "ends" && what === "abrupt"),
        solo: lacks("solo"),
      },
      intro_s: customs.intro_s,
      extends: customs.song === "verse_chorus" && seed % EXTENDS === 0,
    },
    (section) => secondsOf(engine.outlineOf({ ...given, sections: [section] })[0]!),
    bar_seconds,
  );
  // A chorus may come early the second time; where a length was asked for, bars are as they were counted.
  const elides = seconds === undefined && customs.song === "verse_chorus" && (seed >>> 3) % 2 === 0;
  const [first, last] = [lyrics.sections[0], lyrics.sections.at(-1)];
  const added = [
    ...(last?.fades === true || (customs.fades && last?.marker == null) ? ["fade out"] : []),
    ...(first?.fades === true && first !== last ? ["fade in"] : []),
  ].filter((trait) => !asked.traits.includes(trait));
  const brief = added.length === 0 ? asked : { ...asked, traits: [...asked.traits, ...added] };
  const ending = endingOf(brief, seed);
  const sections = engine.outlineOf(lyrics).map((section, at, all): OutlineSection => {
    // The way out that nobody wrote is as the genre ends.
    if (at > 0 && at === all.length - 1 && section.kind === "outro" && lyrics.sections[at]!.marker === null)
      return {
        ...section,
        ...(ending.bars === undefined ? {} : { usual_bars: ending.bars }),
        ...(ending.energy === undefined ? {} : { energy: ending.energy }),
      };
    if (elides && isElided(section, at, all)) return { ...section, elides: true };
    const { players, lines } = lyrics.sections[at]!;
    if (players === undefined || lines.length > 0) return section;
    // "Guitar" is another one in folk than in rock.
    const { wanted, explicit } = understand(`${genreName(asked.genre)}, ${players}`);
    return explicit.includes("wanted") || wanted.length > 0 ? { ...section, lead: wanted } : section;
  });
  return {
    lyrics,
    brief,
    outline: { sections, ...(seconds === undefined ? {} : { seconds }) },
    lasts: seconds ?? sections.reduce((sum, section) => sum + secondsOf(section), 0),
  };
}

/**
 * Different lines from which on a song is as long as any of its genre, and the share of its length over the shortest
 * that the fewest have.
 */
const [LINES_ENOUGH, LEAST] = [8, 0.25];

/** Few words make a short song, among those of the genre. */
function lengthFor({ sections }: Lyrics, { seconds, shortest_s }: ReturnType<Composer["customsOf"]>): number {
  const lines = new Set(sections.flatMap((section) => section.lines.map(({ text }) => text))).size;
  return shortest_s + (seconds - shortest_s) * Math.min(1, Math.max(LEAST, lines / LINES_ENOUGH));
}

/** A verse that comes again and leads to a chorus. */
function isElided({ kind, label, lines }: OutlineSection, at: number, all: readonly OutlineSection[]): boolean {
  const [before, next] = [all.slice(0, at), all[at + 1]];
  return (
    kind === "verse" &&
    lines > 0 &&
    (next?.kind === "chorus" || next?.kind === "prechorus") &&
    before.some((section) => section.label === label && section.lines > 0)
  );
}

function isSinger({ roles }: { readonly roles: readonly string[] }): boolean {
  return roles.includes("vocal");
}
