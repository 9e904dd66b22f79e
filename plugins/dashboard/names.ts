/** What people call actions and their results: titles of pages, and names of files that are downloaded. */
import type { Facade, Snapshot, StoredOutput, StoredRequest } from "../../core/surface.ts";
import { humanName } from "./format.ts";
import names from "./names.json" with { type: "json" };

interface Names {
  readonly title: string;
  /** Behind a source's name, in the name of what was made of it. */
  readonly file?: string;
}

const NAMES: Readonly<Record<string, Names>> = names;

/** `Sound effect`; of an action that a plugin brings, what follows the dot in its name. */
export const titleOfAction = (action: string): string =>
  NAMES[action]?.title ?? humanName(action.slice(action.indexOf(".") + 1));

/** `Drums`, `Variation 2`, `Result`. */
export function titleOfOutput({ kind }: StoredOutput, index: number, count: number): string {
  if (kind !== undefined) return humanName(kind);
  return count > 1 ? `Variation ${index + 1}` : "Result";
}

/** A request in one line: its texts first, then what else was chosen. */
export function gistText(
  { request, action }: Pick<Snapshot, "request" | "action">,
  actions: Facade["actions"],
): string {
  const { fields } = JSON.parse(request) as StoredRequest;
  const sources = actions.get(action)?.action.sources ?? {};
  const texts = Object.values(fields).filter((value) => typeof value === "string");
  if (texts.length > 0) return texts.toReversed().join(" · ").slice(0, 200);
  const others = Object.entries(fields).filter(
    ([name, value]) => !(name in sources) && ["number", "boolean"].includes(typeof value),
  );
  if (others.length > 0) return others.map(([name, value]) => `${humanName(name)} ${value}`).join(" · ");
  return Object.keys(fields).map(humanName).join(", ") || "no fields";
}

const WORDS_MAX = 40;

/** `lamps-go-out_drums.flac`: by the source's own name, or else by the request's words. */
export function fileNameOf(
  { action, request }: Pick<Snapshot, "action" | "request">,
  { kind }: StoredOutput,
  index: number,
  count: number,
  source: string | null,
): string {
  const { fields } = JSON.parse(request) as StoredRequest;
  const words = [fields.prompt, fields.lyrics].find((text) => typeof text === "string");
  const base =
    slug(source?.replace(/\.\w{1,5}$/u, "") ?? (words as string | undefined) ?? "") || slug(titleOfAction(action));
  const made = source === null ? undefined : NAMES[action]?.file;
  const which = kind ?? (count > 1 ? String(index + 1) : undefined);
  return `${[base, made, which].filter((part) => part !== undefined).join("_")}.flac`;
}

/** Whole words, as far as they fit. Markers such as `[Verse]` are no words. */
function slug(text: string): string {
  const plain = text
    .replaceAll(/\[[^\]]*\]/gu, " ")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/gu, "");
  if (plain.length <= WORDS_MAX) return plain;
  const cut = plain.slice(0, WORDS_MAX + 1);
  return cut.includes("-") ? cut.slice(0, cut.lastIndexOf("-")) : cut.slice(0, WORDS_MAX);
}

/** A file's name as an upload may have it: cut to what is kept. */
export function uploadNameOf(name: string | null): string | undefined {
  const plain = (name ?? "").replaceAll(/\p{Cc}/gu, "").trim();
  return plain === "" ? undefined : [...plain].slice(0, 200).join("");
}

/** For `Content-Disposition`, by RFC 6266. */
export function attachmentOf(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/[^\x20-\x7e]|["\\]/gu, "") || "audio.flac";
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/gu, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
