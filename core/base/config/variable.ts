/** A variable of the environment, and readers of the forms that many variables share. */

/** One row of the table in docs/operating.md. */
export interface ConfigRow {
  readonly name: string;
  /** Unit or form. */
  readonly unit: string;
  /** As it would be written; empty: absent. */
  readonly default: string;
  readonly sentence: string;
}

export interface Variable<Value> extends ConfigRow {
  /** Throws WrongValue. */
  read(given: string | undefined): Value;
}

type Reader<Value> = (given: string) => Value;

export function variable<Value>(
  name: string,
  unit: string,
  default_text: string,
  read: Reader<Value>,
  sentence: string,
): Variable<Value> {
  return { name, unit, default: default_text, sentence, read: (given) => read(given ?? default_text) };
}

/** A variable without a default: null where it is absent. */
export function optional<Value>(
  name: string,
  unit: string,
  read: Reader<Value>,
  sentence: string,
): Variable<Value | null> {
  return { name, unit, default: "", sentence, read: (given) => (given === undefined ? null : read(given)) };
}

/** Why a value cannot be; the message continues the variable's name. */
export class WrongValue extends Error {}

/** Reads what `parse` accepts; undefined: it does not. The message repeats the value. */
export function readAs<Value>(expected: string, parse: (given: string) => Value | undefined): Reader<Value> {
  return (given) => {
    const value = parse(given);
    if (value !== undefined) return value;
    throw new WrongValue(`must be ${expected}, not "${given}"`);
  };
}

/** As `readAs`, for values that may hold a password: the message does not repeat them. */
export function readSecretAs<Value>(expected: string, parse: (given: string) => Value | undefined): Reader<Value> {
  return (given) => {
    const value = parse(given);
    if (value !== undefined) return value;
    throw new WrongValue(`must be ${expected}`);
  };
}

export const readText: Reader<string> = (given) => given;

export function readWhole(min: number, max: number): Reader<number> {
  return readAs(`a whole number from ${min} to ${max}`, (given) => parseWhole(given, min, max));
}

/** Decimal digits without a leading zero, within the bounds. */
export function parseWhole(given: string, min: number, max: number): number | undefined {
  const value = /^(?:0|[1-9][0-9]{0,14})$/.test(given) ? Number(given) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
}

export function readOneOf<const Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return readAs(`one of ${choices.join(", ")}`, (given) => choices.find((choice) => choice === given));
}

/** Items with commas between them. Spaces around the commas and empty items do not count. */
export function readList<Item>(readItem: Reader<Item>): Reader<readonly Item[]> {
  return (given) => {
    const items = given.split(",").map((item) => item.trim());
    return Object.freeze(items.filter((item) => item !== "").map(readItem));
  };
}
