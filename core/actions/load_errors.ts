/** Why a module did not load, in one line with the place: runtimes say it in many, each in another way. */
import { fileURLToPath } from "node:url";

/** What Bun's errors of parsing and resolving have. */
interface Placed {
  readonly position?: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** Deno colours its messages: what begins and ends a colour. */
const COLOURS = /\u001b\[[0-9;]*m/gu;
const PLACE = /((?:file:\/\/)?\/[^\s()]+):(\d+):(\d+)/u;

/**
 * `SyntaxError: Expected ',', got 'b' at /srv/actions/acme.pitch/action.ts:4:3`. `module`: the URL of what was loaded,
 * where there is one.
 */
export function describeLoadError(thrown: unknown, module?: string): string {
  // Of several faults of one file the first explains the others.
  const error: unknown = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  if (typeof error !== "object" || error === null) return `it threw ${String(error)}`;
  const { name, message, stack } = error as Partial<Error>;
  const text = (message ?? String(error)).replace(COLOURS, "");
  const fact = text.split("\n")[0]!.trim();
  const kind = name === "BuildMessage" ? "SyntaxError" : name;
  // Deno wraps a SyntaxError's text in a TypeError; Bun calls a missing import a ResolveMessage.
  const told = /^\w*Error: /u.test(fact) || kind === undefined || kind === "ResolveMessage" ? fact : `${kind}: ${fact}`;
  const { position } = error as Placed;
  const place = position
    ? `${position.file}:${position.line}:${position.column}`
    : (findPlace(text) ?? findPlace(stack ?? "", module ?? ""));
  return place === undefined || told.includes(place) ? told : `${told} at ${place}`;
}

/**
 * The first place that the text names; below the folder of `module` where that is given, for a stack has our own frames
 * as well.
 */
function findPlace(text: string, module?: string): string | undefined {
  const below = module?.startsWith("file:") ? fileURLToPath(new URL("./", module)) : "/";
  if (text === "" || (module !== undefined && below === "/")) return undefined;
  for (const line of text.split("\n")) {
    const [, file, row, column] = PLACE.exec(line) ?? [];
    if (file === undefined) continue;
    const path = file.startsWith("file:") ? fileURLToPath(file) : file;
    if (path.startsWith(below)) return `${path}:${row}:${column}`;
  }
  return undefined;
}
