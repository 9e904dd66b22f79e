/** A song of a length that was asked for: what songs repeat comes again, and the band has places of its own. Lyrics keep their order and lose nothing. */
import type { OutlineSection } from "../compose/mod.ts";
import type { LyricSection, Lyrics } from "../sing/mod.ts";

/** How much worse a form is, in bars of missing the length, where it lacks or has this. */
const NO_INTRO = 1.5;
const NO_OUTRO = 1.5;
/** Something that was sung comes again; a chorus may, once more than what is around it. */
const VERSE_AGAIN = 0.8;
const CHORUS_AGAIN = 0.5;
/** The composer shrinks what is played to this. */
const PLAYED_BARS_MIN = 2;
/** Times that all of the lyrics may be gone through. */
const ROUNDS_MAX = 12;

type Section = Pick<LyricSection, "kind" | "label" | "lines">;

const played = (kind: Section["kind"], label: string): LyricSection => ({ kind, label, marker: null, lines: [] });
const INTRO = played("intro", "intro");
const INTERLUDE = played("theme", "interlude");
const SOLO = played("solo", "solo");
const OUTRO = played("outro", "outro");

/**
 * The lyrics' sections, once where they fill `seconds` by themselves, else with an intro, rounds that come again, interludes, a solo before the
 * last chorus, that chorus once more, and an outro: of all such forms the one that comes nearest, and of those the plainest.
 *
 * @param secondsOf what a section takes at the tempo of the piece
 * @param bar_seconds length of a bar
 */
export function wholeSong(
  lyrics: Lyrics,
  seconds: number,
  secondsOf: (section: OutlineSection) => number,
  bar_seconds: number,
): Lyrics {
  const lengths = new Map<Section, number>();
  const lengthOf = (section: Section): number => {
    const known = lengths.get(section);
    if (known !== undefined) return known;
    const length = secondsOf({ ...section, lines: section.lines.length });
    lengths.set(section, length);
    return length;
  };
  let best: { readonly sections: readonly LyricSection[]; readonly cost: number } = {
    sections: lyrics.sections,
    cost: Number.POSITIVE_INFINITY,
  };
  for (const { sections, price } of formsOf(lyrics.sections)) {
    const length = sections.reduce((sum, section) => sum + lengthOf(section), 0);
    // What is played gives way, though not all of it.
    const least = sections.reduce(
      (sum, section) => sum + (section.lines.length > 0 ? lengthOf(section) : PLAYED_BARS_MIN * bar_seconds),
      0,
    );
    if (least > seconds + bar_seconds / 2) continue;
    // Too long is worse than too short: what is played stretches, what is sung does not.
    const missed = (length > seconds ? 2 : 1) * (Math.abs(length - seconds) / bar_seconds);
    const cost = missed + price;
    if (cost < best.cost) best = { sections, cost };
  }
  return { ...lyrics, sections: best.sections };
}

interface Form {
  readonly sections: readonly LyricSection[];
  readonly price: number;
}

function* formsOf(given: readonly LyricSection[]): Generator<Form> {
  const opens = given[0] !== undefined && (given[0].kind === "intro" || given[0].lines.length === 0);
  const closes = given.length > 1 && (given.at(-1)!.kind === "outro" || given.at(-1)!.lines.length === 0);
  const head = opens ? given.slice(0, 1) : [];
  const tail = closes ? given.slice(-1) : [];
  const body = given.slice(head.length, given.length - tail.length);
  if (body.length === 0) {
    yield { sections: given, price: 0 };
    return;
  }
  const chorus = body.findLast(({ kind, lines }) => kind === "chorus" && lines.length > 0);
  const sung = body.filter(({ lines }) => lines.length > 0);
  const round = sung.reduce((sum, { kind }) => sum + (kind === "chorus" ? CHORUS_AGAIN : VERSE_AGAIN), 0);
  const codas = chorus === undefined ? [0] : [0, 1, 2];
  for (let rounds = 1; rounds <= ROUNDS_MAX; rounds++)
    for (const breaks of rounds === 1 ? [0] : [0, 1])
      for (const coda of codas)
        for (const solo of rounds === 1 && coda === 0 ? [0] : [0, 1])
          for (const intro of opens ? [0] : [1, 0])
            for (const outro of closes ? [0] : [1, 0])
              yield {
                sections: [
                  ...head,
                  ...(intro === 1 ? [INTRO] : []),
                  ...roundsOf(body, rounds, breaks === 1, solo === 1 && coda === 0),
                  ...(solo === 1 && coda > 0 ? [SOLO] : []),
                  ...Array.from({ length: coda }, () => chorus!),
                  ...tail,
                  ...(outro === 1 ? [OUTRO] : []),
                ],
                price:
                  (opens ? 0 : NO_INTRO * (1 - intro)) +
                  (closes ? 0 : NO_OUTRO * (1 - outro)) +
                  (rounds - 1) * round +
                  coda * CHORUS_AGAIN * coda,
              };
}

/** The body again and again; `solo` stands before the last section of the last round. */
function roundsOf(body: readonly LyricSection[], rounds: number, breaks: boolean, solo: boolean): LyricSection[] {
  return Array.from({ length: rounds }, (_, round) => {
    const last = round === rounds - 1;
    const sections =
      last && solo ? (body.length > 1 ? [...body.slice(0, -1), SOLO, body.at(-1)!] : [SOLO, ...body]) : body;
    return round > 0 && breaks && !(last && solo && body.length === 1) ? [INTERLUDE, ...sections] : sections;
  }).flat();
}
