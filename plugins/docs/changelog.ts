/** `CHANGELOG.md` as data: what people read and what programs read is one text. */
import { Type } from "@sinclair/typebox";
import type { SurfaceRoute } from "../../core/surface.ts";

const KINDS = ["New", "Changed", "Deprecated", "Removed", "Fixed", "Security"] as const;

export interface Change {
  /** The day, `2026-11-23`. */
  readonly date: string;
  readonly kind: (typeof KINDS)[number];
  /** Markdown, on one line. */
  readonly text: string;
}

/**
 * In the text's order: the newest day first. An entry stands below the heading of its kind, or begins with it (`- New:
 * …`).
 */
export function readChangelog(markdown: string): readonly Change[] {
  const changes: Change[] = [];
  let date = "";
  let heading: string | undefined;
  // Headings and entries, each with the lines that go on with it.
  for (const block of markdown.split(/\n(?=- |#)/u)) {
    if (block.startsWith("#")) {
      date = /^### (\d{4}-\d{2}-\d{2})/u.exec(block)?.[1] ?? date;
      heading = /^#### (\w+)/u.exec(block)?.[1];
      continue;
    }
    const entry = block
      .slice(2)
      .replace(/\s*\n\s*/gu, " ")
      .trim();
    const [, said, rest] = /^(\w+): (.*)$/u.exec(entry) ?? [];
    const kind = KINDS.find((one) => one === (heading ?? said));
    if (!block.startsWith("- ") || date === "" || kind === undefined)
      throw new Error(`Cannot read the changelog at "${block.slice(0, 60)}": expected an entry with its day and kind`);
    changes.push({ date, kind, text: heading === undefined ? rest! : entry });
  }
  return changes;
}

export const describeChangelog: NonNullable<SurfaceRoute["detail"]> = {
  operationId: "changelog_read",
  tags: ["changelog"],
  summary: "What changed, day by day",
  description: "The newest day first. Needs no key; with `if-none-match` it costs next to nothing to look often.",
  security: [],
  responses: {
    "200": {
      description: "All changes",
      content: {
        "application/json": {
          schema: Type.Object(
            {
              changes: Type.Array(
                Type.Object({
                  date: Type.String({ format: "date", description: "The day" }),
                  kind: Type.Unsafe<string>({ type: "string", enum: [...KINDS], description: "Of the change" }),
                  text: Type.String({ description: "Markdown" }),
                }),
                { description: "The newest day first" },
              ),
            },
            { description: "What changed" },
          ),
          examples: {
            one: { value: { changes: [{ date: "2026-11-23", kind: "New", text: "`GET /v1/changelog`." }] } },
          },
        },
      },
    },
    "304": { description: "`if-none-match` names what there is" },
    "400": { $ref: "#/components/responses/MalformedRequest" },
  },
};
