/** A flame graph as one SVG file: each box a function as wide as its time, what it called above it. Titles tell the rest on hovering. */
import { escaped, short, svg } from "../../cli/bench/report/svg.ts";
import type { Frame } from "./cpuprofile.ts";

const WIDTH = 1_200;
const ROW = 16;
/** Boxes that are narrower than this are left out: they could not be seen. */
const NARROWEST = 1.2;
/** Units of a letter, about. */
const LETTER = 6.8;
const HEAD = 34;

export interface FlameOptions {
  readonly title: string;
  /** Rows that are drawn at most; deeper stacks are cut off there. */
  readonly rows_max?: number;
}

export function flameGraph(root: Frame, { title, rows_max = 48 }: FlameOptions): string {
  const boxes: { readonly frame: Frame; readonly x: number; readonly width: number; readonly row: number }[] = [];
  const place = (frame: Frame, x: number, row: number): void => {
    const width = (WIDTH * frame.total) / Math.max(1, root.total);
    if (width < NARROWEST || row >= rows_max) return;
    boxes.push({ frame, x, width, row });
    let at = x;
    // By name, not by time: the same code gives the same picture.
    for (const child of [...frame.children.values()].sort((one, other) => (one.name < other.name ? -1 : 1))) {
      place(child, at, row + 1);
      at += (WIDTH * child.total) / Math.max(1, root.total);
    }
  };
  place(root, 0, 0);
  const rows = 1 + Math.max(0, ...boxes.map(({ row }) => row));
  const height = HEAD + rows * ROW + 4;
  const drawn = boxes.map(({ frame, x, width, row }) => {
    const y = height - 4 - (row + 1) * ROW;
    const share = ((100 * frame.total) / Math.max(1, root.total)).toFixed(1);
    const letters = Math.floor((width - 4) / LETTER);
    const label =
      letters < 3 ? "" : `<text x="${short(x + 3)}" y="${y + 12}">${escaped(cut(frame.name, letters))}</text>`;
    return `<g><title>${escaped(frame.name)}, ${share} %</title><rect x="${short(x)}" y="${y}" width="${short(Math.max(0.5, width - 0.5))}" height="${ROW - 1}" fill="${colourOf(frame.name)}"/>${label}</g>`;
  });
  const head = `<text x="4" y="20" font-size="15" font-weight="600">${escaped(title)}</text>`;
  return svg(WIDTH, height, `${head}<g font-size="11">${drawn.join("\n")}</g>`);
}

const cut = (name: string, letters: number): string =>
  name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`;

/** By who wrote it: core blue, runners green, plugins and benchmarks violet, packages orange, the runtime grey. */
function colourOf(name: string): string {
  const place = name.split(" ").at(-1) ?? "";
  if (place.startsWith("core/")) return "#a9c9e8";
  if (place.startsWith("runners/")) return "#b5d9b0";
  if (place.startsWith("plugins/") || place.startsWith("bench/")) return "#d3c0e6";
  return place.includes("/") && !place.startsWith("ext:") ? "#f0cfa6" : "#dfe3e8";
}
