/** What a client wrote behind the signature of a download: `format=wav&bits=16&preview=true`, or `peaks=800`. */
import { type Delivered, type Issue, issue, refuse } from "../../core/surface.ts";

export type Asked =
  | { readonly format: Delivered; readonly bits: 16 | 24 | undefined; readonly preview: boolean }
  | { readonly peaks: number };

export const FORMATS: readonly Delivered[] = ["flac", "wav", "mp3", "opus"];
export const PEAKS_MAX = 8_000;
const ALLOWED: Readonly<Record<string, readonly string[] | undefined>> = {
  format: FORMATS,
  bits: ["16", "24"],
  preview: ["true", "false"],
};

/** Names within the signed part: behind it, they would change what was signed. */
const SIGNED = ["expires", "signature", "disposition"];

/** Refuses with 422: unknown and doubled names, wrong values, and what does not go together; with 403 a changed URL. */
export function readAsked(query: string): Asked {
  const given = new URLSearchParams(query);
  if (SIGNED.some((name) => given.has(name))) throw refuse.urlRefused("The URL is not valid");
  const issues: Issue[] = [];
  for (const name of new Set(given.keys())) {
    const [value = "", ...others] = given.getAll(name);
    const allowed = ALLOWED[name];
    if (others.length > 0) issues.push(issue(["query", name], "value_error", "Must be sent once"));
    else if (allowed !== undefined && !allowed.includes(value))
      issues.push(issue(["query", name], "enum", `Must be ${allowed.join(" or ")}`));
    else if (name === "peaks" && !(/^[1-9]\d{0,4}$/u.test(value) && Number(value) <= PEAKS_MAX))
      issues.push(issue(["query", name], "value_error", `Must be a whole number of 1 to ${PEAKS_MAX}`));
    else if (allowed === undefined && name !== "peaks")
      issues.push(issue(["query", name], "extra_forbidden", "Is not known: format, bits, preview and peaks are"));
  }
  const format = (given.get("format") ?? "flac") as Delivered;
  const bits = given.get("bits");
  if (given.has("peaks") && given.size > 1)
    issues.push(issue(["query", "peaks"], "value_error", "Comes alone: peaks are of the whole output"));
  if (bits !== null && (format === "mp3" || format === "opus"))
    issues.push(issue(["query", "bits"], "value_error", `Goes with flac and wav: ${format} has none`));
  if (issues.length > 0) throw refuse.invalid(issues);
  if (given.has("peaks")) return { peaks: Number(given.get("peaks")) };
  return {
    format,
    bits: bits === null ? undefined : bits === "16" ? 16 : 24,
    preview: given.get("preview") === "true",
  };
}
