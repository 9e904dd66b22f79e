/** Forms that songs of a kind may have, made of the sections of lyrics and of what a band plays. */
import type { SongForm } from "../../packs/mod.ts";
import type { LyricSection } from "../sing/mod.ts";

/** Which edges nobody wants. */
export interface Edges {
  readonly intro: boolean;
  readonly outro: boolean;
  readonly solo: boolean;
}

/** What a band plays alone. */
export interface Played {
  readonly intro: LyricSection;
  readonly interlude: LyricSection;
  /** As long as what is sung first. */
  readonly verse: LyricSection;
  readonly solo: LyricSection;
  readonly break: LyricSection;
  readonly build: LyricSection;
  readonly drop: LyricSection;
  readonly theme: LyricSection;
  readonly second_theme: LyricSection;
  /** In place of a verse, where a hook is all that is sung. */
  readonly ground: LyricSection;
  readonly outro: LyricSection;
  /** Before the last chorus; absent where none is wanted. */
  readonly extension: LyricSection | undefined;
}

/** Times that all of the lyrics may be gone through. */
const ROUNDS_MAX = 12;
/** Players who have a solo each. */
const SOLOS_MAX = 6;
/** Verses of the band's that lead to a hook. */
const HOOKS_MAX = 6;
/** A chorus of fewer lines may be sung several times in a row, until it has these. */
const CHORUS_LINES = 4;

type Sections = readonly LyricSection[];

/**
 * @param given at least one section
 * @param rounds times that the lyrics are gone through; absent: as many as it takes
 */
export function* formsOf(
  given: Sections,
  form: SongForm,
  played: Played,
  without: Edges,
  rounds?: number,
): Generator<Sections> {
  const opens = given[0] !== undefined && (given[0].kind === "intro" || given[0].lines.length === 0);
  const closes = given.length > 1 && (given.at(-1)!.kind === "outro" || given.at(-1)!.lines.length === 0);
  const head = opens ? given.slice(0, 1) : [];
  const tail = closes ? given.slice(-1) : [];
  const body = given.slice(head.length, given.length - tail.length);
  if (!body.some(({ lines }) => lines.length > 0)) {
    yield given;
    return;
  }
  const intros = opens || without.intro ? [[]] : [[played.intro], []];
  const outros = closes || without.outro ? [[]] : [[played.outro], []];
  for (const middle of bodiesOf(body, form, played, without, rounds ?? ROUNDS_MAX))
    for (const intro of intros) for (const outro of outros) yield [...head, ...intro, ...middle, ...tail, ...outro];
}

function* bodiesOf(body: Sections, form: SongForm, played: Played, without: Edges, most: number): Generator<Sections> {
  yield body;
  const chorus = body.findLast(({ kind, lines }) => kind === "chorus" && lines.length > 0);
  const most_times = chorus === undefined ? 1 : Math.floor(CHORUS_LINES / chorus.lines.length);
  const fuller = [2, CHORUS_LINES]
    .filter((times) => times <= most_times)
    .map((times) => body.map((one) => (isSame(one, chorus!) ? sungAgain(one, times) : one)));
  yield* fuller;
  if (most === 1) return;
  for (const sung of [body, ...fuller])
    switch (form) {
      case "build_drop":
        yield* dropped(sung, played, most);
        break;
      case "head_and_solos":
        yield* soloed(sung, played, without, most);
        break;
      case "spans":
        yield* spanned(sung, played, most);
        break;
      default:
        yield* rounded(sung, played, without, most);
        yield* hooked(sung, played, without, most);
    }
}

/** Rounds with interludes, a solo before the last chorus or strophe, and that chorus once or twice more. */
function* rounded(body: Sections, played: Played, without: Edges, most: number): Generator<Sections> {
  const chorus = body.findLast(({ kind, lines }) => kind === "chorus" && lines.length > 0);
  const last_verse = chorus === undefined ? 0 : lastVerseOf(body);
  // A bridge is heard once; the way back to the chorus may begin at the last verse.
  const whole = body.filter(({ kind, lines }) => kind !== "bridge" && lines.length > 0);
  const shorter = body.slice(last_verse).filter(({ kind, lines }) => kind !== "bridge" && lines.length > 0);
  const backs = shorter.length < whole.length && shorter.length > 0 ? [whole, shorter] : [whole];
  const solos = without.solo || body.some(({ kind }) => kind === "solo") ? [undefined] : [played.solo, undefined];
  const codas = chorus === undefined ? [0] : [0, 1, 2];
  const ground = whole.find(({ kind }) => kind === "verse");
  // A verse that the band plays, with the chorus that it leads to.
  const instrumental: LyricSection | undefined =
    ground === undefined ? undefined : { ...played.verse, label: ground.label };
  const played_verse: Sections =
    instrumental === undefined ? [] : [instrumental, ...(chorus === undefined ? [] : [chorus])];
  for (let rounds = 1; rounds <= most; rounds++)
    for (const back of rounds === 1 ? backs.slice(0, 1) : backs)
      for (const [between, verses] of rounds === 1
        ? ([
            [[], []],
            [[], played_verse],
          ] as const)
        : ([
            [[], []],
            [[played.interlude], []],
            [[], played_verse],
            [[played.interlude], played_verse],
          ] as const))
        for (const coda of codas)
          for (const solo of rounds === 1 && coda === 0 ? [undefined] : solos) {
            const first = [...opened(body, played, rounds > 1 || coda > 0), ...verses];
            const later = Array.from({ length: rounds - 1 }, (_, at) => {
              const last = at === rounds - 2 && coda === 0;
              return last && solo !== undefined
                ? [...back.slice(0, -1), solo, ...extended(played, chorus), ...back.slice(-1)]
                : [...between, ...back];
            }).flat();
            const close = [
              ...(solo !== undefined && coda > 0 ? [solo, ...extended(played, chorus)] : []),
              ...Array.from({ length: coda }, () => chorus!),
            ];
            yield [...first, ...later, ...close];
          }
}

/** A hook and nothing else: the band has verses of its own that lead to it, a solo or a break, and the hook once or twice more. */
function* hooked(body: Sections, played: Played, without: Edges, most: number): Generator<Sections> {
  const hook = body.filter(({ lines }) => lines.length > 0);
  if (hook.some(({ kind }) => kind !== "chorus")) return;
  // Every third time the band plays the hook where else it would lead to it.
  const { ground } = played;
  const { usual_bars } = ground;
  const instead = { ...played.second_theme, ...(usual_bars === undefined ? {} : { usual_bars }) };
  const turn = (at: number): Sections => [at % 3 === 2 ? instead : ground, ...hook];
  const middles: readonly Sections[] = [
    [],
    ...(without.solo ? [] : [[played.solo]]),
    [played.break],
    ...(without.solo ? [] : [[played.break, played.solo]]),
  ];
  for (let rounds = 1; rounds <= Math.min(most, HOOKS_MAX); rounds++)
    for (const opening of [[], hook])
      for (const middle of middles)
        for (const coda of [0, 1])
          yield [
            ...opening,
            ...Array.from({ length: rounds }, (_, at) => turn(at)).flat(),
            ...(middle.length > 0 ? [...middle, ...hook] : []),
            ...(coda === 0 ? [] : hook),
          ];
}

/** The body as written; where a verse follows a chorus, and the song has room, the band may play a little before it. */
function opened(body: Sections, { interlude }: Played, roomy: boolean): Sections {
  if (!roomy) return body;
  return body.flatMap((section, at) =>
    at > 0 && section.kind === "verse" && body[at - 1]!.kind === "chorus" ? [interlude, section] : [section],
  );
}

function extended({ extension }: Played, chorus: LyricSection | undefined): Sections {
  return extension === undefined || chorus === undefined ? [] : [extension];
}

/** Sung, played over the same chords, sung again. */
function* soloed(body: Sections, played: Played, without: Edges, most: number): Generator<Sections> {
  const ground = body.find(({ lines }) => lines.length > 0)!;
  const sung = body.filter(({ lines }) => lines.length > 0);
  // A solo goes over the chords of what was sung.
  const over: LyricSection = { ...played.solo, label: ground.label };
  const longest = without.solo ? 0 : SOLOS_MAX;
  const all = (solos: number): Sections => Array.from({ length: solos }, () => over);
  // Sung once: the solos stand before the last verse, and what was sung comes back after them.
  const turn = lastVerseOf(body) || (body.length > 1 ? body.length - 1 : 1);
  for (let solos = 0; solos <= longest; solos++) yield [...body.slice(0, turn), ...all(solos), ...body.slice(turn)];
  for (let before = 1; before < most; before++)
    for (let after = 1; after <= before; after++)
      for (let solos = 0; solos <= longest; solos++) {
        const heads = Array.from({ length: before - 1 }, () => sung).flat();
        yield [...body, ...heads, ...all(solos), ...Array.from({ length: after }, () => sung).flat()];
      }
}

/** Each time that a chorus, or else the whole, was sung, it builds up to what is played. */
function* dropped(body: Sections, { build, drop, break: calm }: Played, most: number): Generator<Sections> {
  const sung = body.filter(({ lines }) => lines.length > 0);
  const has_chorus = body.some(({ kind }) => kind === "chorus");
  const lifted = (some: Sections): Sections =>
    has_chorus
      ? some.flatMap((section) => (section.kind === "chorus" ? [section, build, drop] : [section]))
      : [...some, build, drop];
  const back = has_chorus ? sung.slice(lastVerseOf(sung)) : sung;
  for (let rounds = 1; rounds <= most; rounds++)
    for (const rests of rounds === 1 ? [[]] : [[calm], []])
      for (const longer of [[], [drop]])
        yield [
          ...lifted(body),
          ...Array.from({ length: rounds - 1 }, () => [...rests, ...lifted(back)]).flat(),
          ...longer,
        ];
}

/** Words once or twice in a long piece. */
function* spanned(body: Sections, { theme, second_theme }: Played, most: number): Generator<Sections> {
  const sung = body.filter(({ lines }) => lines.length > 0);
  for (let before = 0; before <= 2; before++)
    for (let rounds = 1; rounds <= most; rounds++)
      for (let between = rounds === 1 ? 0 : 1; between <= (rounds === 1 ? 0 : 2); between++)
        for (let after = 0; after <= 3; after++) {
          const spans = (count: number): Sections =>
            Array.from({ length: count }, (_, at) => (at % 2 === 0 ? theme : second_theme));
          yield [
            ...spans(before),
            ...body,
            ...Array.from({ length: rounds - 1 }, () => [...spans(between), ...sung]).flat(),
            ...spans(after),
          ];
        }
}

/** Where the last verse before the last chorus begins; 0 where there is none. */
function lastVerseOf(body: Sections): number {
  const chorus = body.findLastIndex(({ kind, lines }) => kind === "chorus" && lines.length > 0);
  return Math.max(
    0,
    body.findLastIndex(({ kind, lines }, at) => at < chorus && kind === "verse" && lines.length > 0),
  );
}

const doubles = new WeakMap<LyricSection, Map<number, LyricSection>>();

function sungAgain(section: LyricSection, times: number): LyricSection {
  const known = doubles.get(section) ?? new Map<number, LyricSection>();
  doubles.set(section, known);
  const made = known.get(times) ?? {
    ...section,
    lines: Array.from({ length: times }, () => section.lines).flat(),
  };
  known.set(times, made);
  return made;
}

function isSame(one: LyricSection, other: LyricSection): boolean {
  return (
    one.kind === other.kind &&
    one.lines.length === other.lines.length &&
    one.lines.every(({ text }, at) => text === other.lines[at]!.text)
  );
}
