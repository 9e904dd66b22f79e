/** What was read of the course up to a place, and what the words there say: the common ground of the rules of form, place and loudness. */
import type { DynamicsAsked, FormAsked, Mention, PaceAsked, PlaceAsked, Polarity, Span } from "../ask.ts";
import type { Unit } from "./units.ts";

const PLAYER = /^(?:instrument|drum|voice|sound):|^trait:(?:vocal|orchestral|live_band)$/u;
const MANNER = /^(?:mood|tempo|dynamics|manner|material|trait):/u;
const SECTIONS: ReadonlySet<string> = new Set(
  "verse prechorus chorus bridge intro outro solo break build drop".split(" "),
);
/** What may stand between a denial and what it denies. */
const AFTER_DENIAL = [
  ...["articles", "very", "too", "or", "verbs"],
  ...["form:long", "form:short", "form:big", "form:build"],
];

/** What is said of a level besides the level itself; by default of all that is heard. */
type OfLevel = Partial<Omit<DynamicsAsked, "level">>;

export class CourseReading {
  readonly units: readonly Unit[];
  readonly mentions: readonly Mention[];
  readonly form: FormAsked[] = [];
  readonly dynamics: DynamicsAsked[] = [];
  readonly turned = new Map<number, Polarity>();
  readonly spans: Span[] = [];
  /** Places of levels that are of a beginning or an end. */
  readonly at_edges = new Set<number>();
  pace: PaceAsked | null = null;
  place: PlaceAsked | null = null;
  era: number | null = null;

  constructor(units: readonly Unit[], mentions: readonly Mention[]) {
    this.units = units;
    this.mentions = mentions;
  }

  is(at: number, ...roles: readonly string[]): boolean {
    return this.units[at]?.signs.some(({ role }) => roles.includes(role)) === true;
  }

  /** The first place that says one of these; -1 where none does. */
  find(from: number, end: number, ...roles: readonly string[]): number {
    for (let n = from; n < end; n++) if (this.is(n, ...roles)) return n;
    return -1;
  }

  has(from: number, end: number, ...roles: readonly string[]): boolean {
    return this.find(from, end, ...roles) >= 0;
  }

  numberAt(at: number, role: "numbers" | "ordinals" = "numbers"): number | null {
    return this.units[at]?.signs.find((sign) => sign.role === role)?.value ?? null;
  }

  /** "verse" of "form:verse". */
  nameAt(at: number, kind: string): string | null {
    return this.units[at]?.signs.find(({ role }) => role.startsWith(kind))?.role.slice(kind.length) ?? null;
  }

  sectionAt(at: number): string | null {
    const name = this.nameAt(at, "form:");
    return name !== null && SECTIONS.has(name) ? name : null;
  }

  mentionAt(at: number): Mention | undefined {
    return this.mentions[this.units[at]?.mention ?? -1];
  }

  isPlayer(at: number): boolean {
    return this.mentionAt(at)?.concepts.some((concept) => PLAYER.test(concept)) === true;
  }

  /** Whether somebody is named who could play along. */
  isPlaying(mention: number): boolean {
    return this.mentions[mention]!.concepts.some((concept) => /^(?:instrument|drum|voice):/u.test(concept));
  }

  isTempo(at: number): boolean {
    return this.mentionAt(at)?.concepts.some((concept) => concept.startsWith("tempo:")) === true;
  }

  /** Whether a mention says how something is, or what `also` matches, and nothing else. */
  isManner({ concepts }: Mention, also?: RegExp): boolean {
    return concepts.every((one) => MANNER.test(one) || also?.test(one) === true);
  }

  /** Players that are wanted, each once. */
  playersIn(from: number, end: number): number[] {
    return this.allIn(from, end).filter((one) => this.mentions[one]!.polarity !== "unwanted");
  }

  /** The same with those that are denied. */
  allIn(from: number, end: number): number[] {
    const out = new Set<number>();
    for (let n = from; n < end; n++) if (this.isPlayer(n)) out.add(this.units[n]!.mention);
    return [...out];
  }

  /** Whether a clause begins there. */
  begins(at: number): boolean {
    return at >= this.units.length || this.units[at]!.begins;
  }

  denies(at: number): boolean {
    return this.is(at, "negation", "no", "without");
  }

  isDenied(at: number): boolean {
    return this.mentionAt(at)?.polarity === "unwanted" || this.isNegated(at);
  }

  /** By a denial right before. */
  isNegated(at: number): boolean {
    for (let n = at - 1; n >= 0 && n >= at - 3 && !this.units[n + 1]!.begins; n--) {
      if (this.denies(n) || this.is(n, "instead_of")) return true;
      if (!this.is(n, ...AFTER_DENIAL)) return false;
    }
    return false;
  }

  hasBefore(at: number, from: number, role: string): boolean {
    return this.has(Math.max(from, at - 3), at + 1, role);
  }

  tell(event: FormAsked["event"], said: Partial<Omit<FormAsked, "event">>, from: number, end: number): void {
    const { who = [], what = null, where = null, bars = null } = said;
    this.form.push({ event, who, what, where, bars });
    this.mark(Math.max(0, from), Math.min(this.units.length, end));
  }

  tellLevel(level: DynamicsAsked["level"], { who = [], section = null, than = [] }: OfLevel = {}): void {
    this.dynamics.push({ who, section, level, than });
  }

  /** What stands there was read, and is thereby known. */
  mark(from: number, end: number): void {
    for (let n = from; n < end; n++) if (this.units[n]!.signs.length > 0) this.spans.push(this.units[n]!);
  }

  /** What is said of a stretch of the music alone colours nothing else. */
  keepWithin(from: number, end: number): void {
    for (let n = from; n < end; n++) {
      const { mention } = this.units[n]!;
      const colours = mention >= 0 && !this.isPlayer(n) && !this.isOfSource(mention);
      if (colours && this.mentions[mention]!.polarity !== "unwanted") this.turned.set(mention, "compared");
    }
  }

  /** "Twice as slow" as the source: who remixes it asks for that. */
  isOfSource(mention: number): boolean {
    const { concepts } = this.mentions[mention]!;
    return concepts.some((one) => one.startsWith("source:")) && !concepts.some((one) => one.startsWith("tempo:"));
  }
}
