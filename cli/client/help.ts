/** Help of the actions' commands. */
import type { Action, Document } from "./document.ts";
import { type Field, fieldsOf, headerFields, SHARED_FLAGS, SHARED_OPTIONS, wordFields } from "./fields.ts";

/** One line for each action. */
export function actionLines(actions: readonly Action[]): readonly string[] {
  return actions.map(({ command, summary }) => `  tonwerk ${command.padEnd(20)} ${summary}`);
}

function usageOf(document: Document, action: Action): string {
  const words = wordFields(fieldsOf(document, action), new Set()).map(({ option }) => `<${option}>`);
  return `Usage: tonwerk ${[action.command, ...words, ...(words.length > 0 ? ["…"] : []), "[options]"].join(" ")}`;
}

export function helpOf(document: Document, action: Action): readonly string[] {
  const fields = fieldsOf(document, action);
  const words = wordFields(fields, new Set());
  const sources = fields.some(({ kind }) => kind === "source");
  return [
    usageOf(document, action),
    "",
    `${action.summary}.`,
    ...(sources ? ["Sources are files, URLs, or - for standard input."] : []),
    ...(words.length > 0 ? ["Further words make further operations."] : []),
    "",
    ...row("Options:", ""),
    ...optionLines([...fields, ...headerFields(document, action)]),
    "",
    ...Object.entries(SHARED_OPTIONS).flatMap(([name, description]) =>
      row(`  --${name}${SHARED_FLAGS.has(name) ? "" : ` <${name === "output" ? "path" : "value"}>`}`, description),
    ),
  ];
}

export const optionLines = (fields: readonly Field[]): readonly string[] =>
  fields.flatMap((field) => row(`  --${field.option}${placeholder(field)}`, describe(field)));

function placeholder({ kind, words, many, is_time }: Field): string {
  if ((kind === "boolean" || kind === "block") && !many) return "";
  const choices = words.join("|");
  if (choices !== "" && choices.length <= CHOICES) return ` ${choices}`;
  if (choices !== "") return " <word>";
  if (is_time) return " <time>";
  const name = { text: "text", number: "number", source: "file or URL", pairs: "name=value", json: "json" };
  return ` <${name[kind as keyof typeof name] ?? "json"}>`;
}

function describe({ description, required, is_long, many, words }: Field): string {
  // Many words stand here, where lines are wrapped.
  const choices = words.join("|").length > CHOICES ? `: ${words.join(", ")}` : "";
  const notes = [...(required ? ["required"] : []), ...(many ? ["may be given again"] : [])];
  return `${description}${choices}${is_long ? " (or a file's name)" : ""}${notes.length > 0 ? ` (${notes.join(", ")})` : ""}`;
}

/** Characters of words that a value may be, beside the option. */
const CHOICES = 60;
const WIDTH = 34;
const ROOM = 84;

/** Two columns; the second one is wrapped. */
function row(left: string, right: string): readonly string[] {
  const lines: string[] = [""];
  for (const word of right.split(/\s+/u)) {
    if (lines.at(-1)!.length + word.length >= ROOM) lines.push("");
    lines[lines.length - 1] += `${word} `;
  }
  const texts = lines.map((line) => line.trimEnd());
  const first = left.length < WIDTH ? [left.padEnd(WIDTH) + texts[0]] : [left, " ".repeat(WIDTH) + texts[0]];
  return [...first, ...texts.slice(1).map((text) => " ".repeat(WIDTH) + text)].map((line) => line.trimEnd());
}
