/** One static page: it stands on its own, with style and script inside and audio and pictures beside it. */
import { readFile } from "node:fs/promises";
import { attributes, type Html, html, type Value } from "../../plugins/dashboard/html.ts";

export interface Page {
  readonly title: string;
  /** Under the title. */
  readonly lead: Value;
  readonly body: Value;
  /** Names the page's choices in the browser; only of pages on which one chooses. */
  readonly id?: string;
}

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8");

/** Its fonts are files of the dashboard, which nobody serves beside this page. */
const FONT_FACES = /@font-face \{[^}]*\}\n/gu;

/** The style is the dashboard's, and what only this page has. */
export async function pageOf({ title, lead, body, id }: Page): Promise<string> {
  const style = await Promise.all(["../../plugins/dashboard/static/style.css", "static/listen.css"].map(read));
  const script = await read("static/listen.mjs");
  const main = html`<main ${attributes({ "data-page": id })}><header class="listen-head"><h1>${title}</h1><p class="lead">${lead}</p></header>${body}</main>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>${html`${title}`.text}</title><style>${style.join("\n").replaceAll(FONT_FACES, "")}</style></head>
<body class="listen">${main.text}<script type="module">${script}</script></body></html>
`;
}

/** Facts side by side, nothing where there are none. */
export function factsOf(facts: readonly string[]): Html | null {
  const there = facts.filter((fact) => fact !== "");
  return there.length === 0 ? null : html`<p class="facts">${there.join(" · ")}</p>`;
}
