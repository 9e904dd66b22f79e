/**
 * What the words of a form will be heard as, in a dry run's `understood`: groups of short texts, whatever the action
 * calls its fields.
 */
import { decimal, humanName } from "../format.ts";
import { type Html, html } from "../html.ts";
import { badge, type Tone } from "../parts.ts";

export interface HeardGroup {
  readonly tone: Tone;
  readonly title: string;
  readonly texts: readonly string[];
}

type Understood = Readonly<Record<string, unknown>>;

/** Fields that say something of the others; all else was taken. */
const OF_WORDS: ReadonlySet<string> = new Set(["guessed", "not_understood"]);

/** @param told fields that every answer has; what else there is are details */
export function heardGroups(understood: Understood, told: readonly string[]): readonly HeardGroup[] {
  const guessed = listOf(understood.guessed);
  const free = new Set(guessed.map(({ field }) => field));
  // Of a list only some may be guessed.
  const isTaken = (field: string): boolean => !free.has(field) || Array.isArray(understood[field]);
  const taken = told.filter((field) => !OF_WORDS.has(field) && field !== "without" && isTaken(field));
  const groups: readonly HeardGroup[] = [
    { tone: "good", title: "Taken", texts: taken.flatMap((field) => textsOf(field, understood[field])) },
    { tone: "bad", title: "Without", texts: wordsOf(understood.without) },
    {
      tone: "plain",
      title: "Guessed",
      texts: guessed.map(({ field, value, from }) => {
        const why = from === null || from === undefined ? "" : ` (from ${String(from)})`;
        return `${label(String(field), String(value))}${why}`;
      }),
    },
    { tone: "wait", title: "Not understood", texts: wordsOf(understood.not_understood) },
  ];
  return groups.filter(({ texts }) => texts.length > 0).map((group) => ({ ...group, texts: shortened(group.texts) }));
}

/** Most of a group: "no drums" is every kit that there is. */
const TEXTS_MAX = 12;

function shortened(texts: readonly string[]): readonly string[] {
  return texts.length <= TEXTS_MAX ? texts : [...texts.slice(0, TEXTS_MAX - 1), `${texts.length - TEXTS_MAX + 1} more`];
}

/** The same without script. */
export function heardList(groups: readonly HeardGroup[]): Html {
  return html`<dl class="heard">${groups.map(({ tone, title, texts }) => html`<dt>${title}</dt><dd><ul>${texts.map((text) => html`<li dir="auto">${badge(tone, text)}</li>`)}</ul></dd>`)}</dl>`;
}

function textsOf(field: string, value: unknown): readonly string[] {
  if (value === null || value === undefined || value === "") return [];
  if (!Array.isArray(value)) return [typeof value === "object" ? describe(value as Understood) : label(field, value)];
  return value.map((one) => (typeof one === "object" && one !== null ? describe(one as Understood) : shown(one)));
}

/** "124 bpm", "Genre: jazz". */
function label(field: string, value: unknown): string {
  const [, name, unit] = /^(.*?)(?: \((.*)\))?$/u.exec(humanName(field))!;
  return unit === undefined ? `${name}: ${shown(value)}` : `${name}: ${shown(value)} ${unit}`;
}

/**
 * "knock, material wood, count 3": what it is called stands first and for itself; whose turn it is shows in the order.
 */
function describe(one: Understood): string {
  const [[, first] = ["", ""], ...others] = Object.entries(one).filter(
    ([name, value]) =>
      name !== "turn" && value !== null && value !== 0 && !(Array.isArray(value) && value.length === 0),
  );
  return [shown(first), ...others.map(([name, value]) => `${name.replaceAll("_", " ")} ${shown(value)}`)].join(", ");
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(" or ");
  return typeof value === "number" ? decimal(value) : String(value);
}

const wordsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const listOf = (value: unknown): readonly Understood[] =>
  Array.isArray(value) ? value.filter((one): one is Understood => typeof one === "object" && one !== null) : [];
