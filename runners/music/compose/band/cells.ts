import { swung } from "../swing.ts";

/** A sign at its place: `at` and `length` in beats from the beginning of the pattern. */
export interface Mark {
  readonly sign: string;
  readonly at: number;
  readonly length: number;
  /** Second and fourth semiquavers, which swing at that level moves. */
  readonly odd16: boolean;
}

/** Signs of each beat of a pattern, read once and kept. */
const READ = new Map<string, readonly string[]>();

function beatsOf(pattern: string): readonly string[] {
  let cells = READ.get(pattern);
  if (!cells) {
    cells = pattern.split("|");
    READ.set(pattern, cells);
  }
  return cells;
}

/**
 * What a pattern of plain 4/4 (or of three beats) says in one bar of any metre: whole beats are taken in the order in
 * which the bar's groups of two and three ask for them (strong, weak; a group of three is strong, strong, weak), and in
 * compound metre four steps of a beat become three.
 *
 * @param bar counts the bars, for patterns of more than one
 * @param rate 2 plays the pattern twice as fast, 0.5 half as fast
 * @param swing bends cells of an even number of steps
 * @param keeps the pattern keeps time, as a hi-hat does
 */
export function marksOf(
  pattern: string,
  bar: number,
  beats_per_bar: number,
  division: 2 | 3,
  rate: number,
  swing: number,
  keeps = false,
): Mark[] {
  const cells = beatsOf(pattern);
  const marks: Mark[] = [];
  const order = orderOf(cells.length, bar, beats_per_bar, rate);
  const beats = rate === 1 ? 1 : 1 / rate;
  for (let n = 0; n < order.length; n++) {
    const { cell: at, start, from, to } = order[n]!;
    const cell = compound(cells[at]!, division, keeps);
    const steps = cell.length;
    for (let k = 0; k < steps; k++) {
      const inside = k / steps;
      if (inside < from - 1e-9 || inside >= to - 1e-9) continue;
      const sign = cell[k]!;
      if (sign === ".") continue;
      const straight = start + (inside - from) * beats;
      const bends = rate === 1 && steps % 3 !== 0;
      const place = bends ? swung(straight, swing) : straight;
      const end = straight + beats / steps;
      marks.push({
        sign,
        at: place,
        length: (bends ? swung(end, swing) : end) - place,
        odd16: steps % 4 === 0 && rate === 1 ? Math.floor((k * 4) / steps) % 2 === 1 : false,
      });
    }
  }
  return marks;
}

interface Turn {
  readonly cell: number;
  /** In the bar, beats. */
  readonly start: number;
  /** The part of the cell that is played. */
  readonly from: number;
  readonly to: number;
}

function orderOf(cells: number, bar: number, beats_per_bar: number, rate: number): Turn[] {
  const turns: Turn[] = [];
  if (rate === 0.5) {
    // A cell lasts two beats; what the bar cuts goes on in the next.
    for (let beat = 0; beat < beats_per_bar; beat++) {
      const position = bar * beats_per_bar + beat;
      const half = position % 2;
      turns.push({ cell: (position >> 1) % cells, start: beat, from: half / 2, to: half / 2 + 0.5 });
    }
    return turns;
  }
  if (rate === 2) {
    for (let half = 0; half < beats_per_bar * 2; half++)
      turns.push({ cell: (bar * beats_per_bar * 2 + half) % cells, start: half / 2, from: 0, to: 1 });
    return turns;
  }
  // Patterns of three beats in a bar of three, of four in a bar of four or two, as they stand.
  if (cells % beats_per_bar === 0 || (beats_per_bar === 2 && cells % 2 === 0)) {
    for (let beat = 0; beat < beats_per_bar; beat++)
      turns.push({ cell: (bar * beats_per_bar + beat) % cells, start: beat, from: 0, to: 1 });
    return turns;
  }
  if (cells === 3 && beats_per_bar % 4 === 0) {
    // Three-beat patterns in common time: the last beat twice.
    for (let beat = 0; beat < beats_per_bar; beat++)
      turns.push({ cell: Math.min(2, beat % 4), start: beat, from: 0, to: 1 });
    return turns;
  }
  const base = cells >= 8 ? (bar % Math.floor(cells / 4)) * 4 : 0;
  let beat = 0;
  for (const [n, size] of groupsOf(beats_per_bar).entries()) {
    const half = cells >= 4 ? (n % 2) * 2 : 0;
    const cell = (k: number): number => (base + half + k) % cells;
    const wanted =
      size === 3
        ? [cell(0), cells >= 4 ? (base + 2) % cells : cell(1), cells >= 4 ? (base + 3) % cells : cell(2)]
        : size === 2
          ? [cell(0), cell(1)]
          : [cell(0)];
    for (const index of wanted) turns.push({ cell: index, start: beat++, from: 0, to: 1 });
  }
  return turns;
}

/** How the beats of a bar gather: 3, 2+2, 3+2, 3+3, 2+2+3, 3+3+2, … */
function groupsOf(beats: number): number[] {
  if (beats <= 3) return [Math.max(1, beats)];
  if (beats === 7) return [2, 2, 3];
  if (beats % 2 === 0 && beats % 3 !== 0) return Array.from({ length: beats / 2 }, () => 2);
  if (beats % 3 === 0) return Array.from({ length: beats / 3 }, () => 3);
  const groups: number[] = [];
  let left = beats;
  while (left > 4) {
    groups.push(3);
    left -= 3;
  }
  groups.push(...(left === 4 ? [2, 2] : [left]));
  return groups;
}

/** Four steps in the room of three: the first, the second or third, the fourth. A time-keeper in quavers keeps time in three. */
export function compound(cell: string, division: 2 | 3, keeps: boolean): string {
  if (division === 2 || cell.length % 3 === 0) return cell;
  if (cell.length === 8) return compound([0, 2, 4, 6].map((k) => cell[k]!).join(""), division, keeps);
  if (cell.length === 1) return `${cell}${cell === "-" ? "--" : ".."}`;
  const step = cell.length / 4;
  const [a, b, c, d] =
    cell.length === 2
      ? [cell[0]!, cell[1] === "-" ? "-" : ".", cell[1]!, "."]
      : [cell[0]!, cell[step]!, cell[step * 2]!, cell[step * 3]!];
  const silent = (sign: string): boolean => sign === "." || sign === "-";
  // Two notes of a broken chord in a beat become three, going on as they began.
  if (isDigit(a) && isDigit(c) && silent(b) && silent(d))
    return `${a}${c}${Math.min(7, Math.max(0, 2 * Number(c) - Number(a)))}`;
  const middle = keeps && !silent(a) && silent(b) && !silent(c) && silent(d) ? softer(c) : b;
  return `${a}${middle}${silent(d) ? c : d}`;
}

function softer(sign: string): string {
  return sign === "X" || sign === "x" ? "o" : "s";
}

function isDigit(sign: string): boolean {
  return sign >= "0" && sign <= "9";
}
