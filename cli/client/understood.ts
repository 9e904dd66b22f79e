/** What a dry run took the words for, in lines for people: whatever the action calls its fields. */

/** Empty where nothing was told. */
export function understoodLines(understood: object | null | undefined): readonly string[] {
  if (understood === null || understood === undefined) return [];
  const { guessed, not_understood, without, explicit: _, unknown_words: __, ...taken } = understood as Told;
  const guesses = (Array.isArray(guessed) ? guessed : []) as readonly Told[];
  const free = new Set(guesses.map(({ field }) => field));
  // Shares of 0 to 1 are for programs.
  const said = Object.entries(taken).filter(
    ([name, value]) => (!free.has(name) || Array.isArray(value)) && !isDetail(name, value),
  );
  const lines: readonly (readonly [title: string, texts: readonly string[]])[] = [
    ["taken", said.map(([name, value]) => `${spaced(name)} ${textOf(value)}`)],
    ["without", [textOf(without)].filter((text) => text !== "")],
    ["guessed", guesses.map(({ field, value, from }) => `${spaced(textOf(field))} ${textOf(value)}${because(from)}`)],
    ["not understood", [textOf(not_understood)].filter((text) => text !== "")],
  ];
  return lines.flatMap(([title, texts]) => (texts.length === 0 ? [] : [`  ${title}: ${texts.join("; ")}`]));
}

type Told = Readonly<Record<string, unknown>>;

const DETAILS = /^(?:swing|energy|valence|brightness|density|space|drive|age|traits)$/u;

const isDetail = (name: string, value: unknown): boolean => DETAILS.test(name) || textOf(value) === "";

const because = (from: unknown): string => (from === null || from === undefined ? "" : ` (from ${textOf(from)})`);

const spaced = (name: string): string => name.replaceAll("_", " ");

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).filter(([name, of]) => name !== "turn" && of !== 0 && textOf(of) !== "");
  const [[, first] = ["", ""], ...others] = entries;
  return [textOf(first), ...others.map(([name, of]) => `${spaced(name)} ${textOf(of)}`)].join(" ");
}
