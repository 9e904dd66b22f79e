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

/** A request in one line: its files and texts first, then what else was chosen. */
export function gistText(
  { request, action }: Pick<Snapshot, "request" | "action">,
  actions: Facade["actions"],
  files: readonly string[] = [],
): string {
  const { fields } = JSON.parse(request) as StoredRequest;
  const sources = actions.get(action)?.action.sources ?? {};
  const texts = Object.values(fields).filter((value) => typeof value === "string");
  const others = Object.entries(fields).flatMap(([name, value]) =>
    !(name in sources) && ["number", "boolean"].includes(typeof value) ? [`${humanName(name)} ${value}`] : [],
  );
  const said = [...files, ...(texts.length > 0 ? texts.toReversed() : others)].join(" · ");
  return said.slice(0, 200) || Object.keys(fields).map(humanName).join(", ") || "no fields";
}

/** How their owner called the uploads that it was made of; the look of the URL is enough, for another's is not told. */
export async function fileNamesOf(
  store: Pick<Facade["store"], "file">,
  { request, account_id }: Pick<Snapshot, "request" | "account_id">,
): Promise<readonly string[]> {
  const { fields } = JSON.parse(request) as StoredRequest;
  const ids = Object.values(fields).flatMap((value) => {
    const url = (value as { readonly url?: unknown } | null)?.url;
    return typeof url === "string" ? (/\/files\/(file_[0-9a-z]{26})\./u.exec(url)?.[1] ?? []) : [];
  });
  const files = await Promise.all(ids.map((id) => store.file(id)));
  return files.flatMap((file) => (file?.account_id === account_id ? (file.name ?? []) : []));
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
