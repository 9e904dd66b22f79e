/**
 * A page on which each piece is heard twice, as A and as B in an order that chance draws, and one says which is better. What A and B are
 * lies apart from the page, in `key.json` for the server and the tally and in `key/<piece>.js`, which the page loads when one has chosen.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attributes, type Html, html } from "../../plugins/dashboard/html.ts";
import { hash32 } from "../../runners/signal/dsp/random.ts";
import { pageOf } from "./page.ts";
import { type Seen, writeTrack } from "./view.ts";

export interface Side extends Pick<Seen, "file" | "played" | "seconds" | "report"> {
  /** LUFS: the louder side is turned down to the other. */
  readonly lufs: number | null;
  /** Shown when one has chosen. */
  readonly facts: readonly string[];
}

export interface Pair {
  readonly prompt: string;
  readonly lyrics?: string | undefined;
  /** In the order of the page's `sides`. */
  readonly sides: readonly [Side, Side];
  /** What one can name; shown when one has chosen. */
  readonly differs?: string;
}

interface KeyEntry {
  readonly prompt: string;
  /** Which side each letter is. */
  readonly a: string;
  readonly b: string;
  readonly facts: { readonly a: readonly string[]; readonly b: readonly string[] };
  readonly differs?: string;
}

export interface Key {
  /** Names the page. */
  readonly page: string;
  readonly sides: readonly [string, string];
  readonly pieces: Readonly<Record<string, KeyEntry>>;
}

/** For each of `count` pieces whether the second side is A: of half of them, drawn by chance. */
export function drawOrder(count: number, seed: number): readonly boolean[] {
  const drawn = Array.from({ length: count }, (_, index) => index).sort((a, b) => hash32(seed, a) - hash32(seed, b));
  // Which of both is A once more where the number is odd.
  const half = count % 2 === 0 ? count / 2 : (count + (hash32(seed, count) & 1 ? 1 : -1)) / 2;
  const swapped = new Set(drawn.slice(0, half));
  return drawn.map((_, index) => swapped.has(index));
}

/** Writes the page of `count` pairs, which come one after another, for they are large. Resolves to the page's path. */
export async function writeBlindPage(
  folder: string,
  { title, sides, seed, count }: { title: string; sides: Key["sides"]; seed: number; count: number },
  pairs: AsyncIterable<Pair> | Iterable<Pair>,
): Promise<string> {
  const order = drawOrder(count, seed);
  const pieces: Record<string, KeyEntry> = {};
  const articles: Html[] = [];
  for await (const { prompt, lyrics, sides: both, differs } of pairs) {
    const piece = String(articles.length + 1).padStart(2, "0");
    const [a, b] = order[articles.length] === true ? ([1, 0] as const) : ([0, 1] as const);
    const least = Math.min(...both.map(({ lufs }) => lufs ?? 0));
    const track = ({ file, played, seconds, report, lufs }: Side, letter: "A" | "B"): Promise<Html> =>
      writeTrack(folder, {
        ...{ title: letter, name: `${piece}-${letter.toLowerCase()}`, file, seconds, report },
        ...(played === undefined ? {} : { played }),
        volume: lufs === null ? 1 : Math.round(1000 * 10 ** ((least - lufs) / 20)) / 1000,
      });
    articles.push(article(piece, prompt, lyrics, [await track(both[a], "A"), await track(both[b], "B")]));
    pieces[piece] = {
      ...{ prompt, a: sides[a], b: sides[b], facts: { a: both[a].facts, b: both[b].facts } },
      ...(differs === undefined ? {} : { differs }),
    };
  }
  const key: Key = { page: crypto.randomUUID(), sides, pieces };
  await writeFile(join(folder, "key.json"), `${JSON.stringify(key, null, 1)}\n`);
  await mkdir(join(folder, "key"), { recursive: true });
  for (const [piece, entry] of Object.entries(pieces)) {
    const told = `dispatchEvent(new CustomEvent("told", { detail: ${JSON.stringify({ piece, ...entry })} }));\n`;
    await writeFile(join(folder, "key", `${piece}.js`), told);
  }
  const lead = html`${articles.length} pieces, each twice. Hear both, then say which one you would keep. What they are is shown when you have chosen. Keys: <kbd>a</kbd> and <kbd>b</kbd> play a side from the same place, <kbd>space</kbd> pauses, <kbd>1</kbd> keeps A, <kbd>2</kbd> keeps B, <kbd>=</kbd> finds no difference, <kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous piece, <kbd>c</kbd> to the comment.`;
  const path = join(folder, "index.html");
  await writeFile(path, await pageOf({ title, lead, id: key.page, body: [...articles, BAR] }));
  return path;
}

function article(piece: string, prompt: string, lyrics: string | undefined, tracks: readonly Html[]): Html {
  const words =
    lyrics === undefined ? null : html`<details><summary>Lyrics</summary><p class="user-text">${lyrics}</p></details>`;
  return html`<article ${attributes({ class: "panel piece", "data-piece": piece, "aria-label": `Piece ${piece}` })}>
<div class="panel-head"><h2><span class="soft">${piece}</span> ${prompt}</h2></div>${words}
<div class="sides">${tracks}</div>
<div class="choose"><div class="row" role="group" aria-label="Which one is better">
<button type="button" data-choose="a">A is better</button><button type="button" data-choose="same">No difference</button><button type="button" data-choose="b">B is better</button></div>
<input type="text" maxlength="2000" placeholder="Comment" aria-label="Comment on piece ${piece}"></div>
<div class="told" aria-live="polite"></div></article>`;
}

const BAR = html`<div class="listen-bar"><span data-now>Nothing plays</span><span data-done aria-live="polite"></span><span class="soft" data-kept aria-live="polite"></span><button type="button" class="small" data-download>Download choices</button></div>`;
