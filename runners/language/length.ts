/** How long a piece is to be, where a prompt says so: "30 seconds of …", "a two minute track", "1:30 long". */

/** Between these, seconds, a time of the clock beside "long" is a length. */
const CLOCK_MIN = 10;
const CLOCK_MAX = 300;

const NUMBERS: Readonly<Record<string, number>> = {
  "one and a half": 1.5,
  "two and a half": 2.5,
  half: 0.5,
  one: 1,
  a: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  "forty five": 45,
  sixty: 60,
  ninety: 90,
};

const FIGURE = `\\d+(?:\\.\\d+)?|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join("|")}`;
const MINUTES = "minutes?|minuten?|mins?|minutos?|minuti|minuty?";
const SECONDS = "seconds?|secondes?|secs?|sekunden?|segundos?|secondi";
/** What is timed is then a place in the piece, or a part of it. */
const PLACE_BEFORE =
  /\b(?:at|after|before|every|until|till|by|first|last|from|within|around the|each|nach|après|apres|después|despues)[ -]+(?:the[ -]+)?(?:first[ -]+)?$/u;
const PLACE_AFTER =
  /^[ -]*(?:in\b|intro|outro|fade|build|before|into|mark|drop|silence|pause|break|solo|attack|release|decay|reverb|delay|tail|later|apart|from the end)/u;
const TIMED = new RegExp(
  `(?<![\\w.:])(?:(${FIGURE})[ -]*(?:an?[ -]+)?(?:${MINUTES})(?:[ -]*(?:and[ -]+)?(${FIGURE})[ -]*(?:${SECONDS})?)?|(${FIGURE})[ -]*(?:${SECONDS}))(?![\\w])`,
  "gu",
);
/** An item of a list by itself: "calm piano, 1:30". */
const ITEM_BEFORE = /(?:^|[,;.|(\n])\s*$/u;
const ITEM_AFTER = /^\s*(?:$|[,;.|)\n])/u;
const CLOCK = /(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])/gu;

/** @param cleaned as `clean` leaves it */
export function readLength(cleaned: string): number | null {
  const text = cleaned.toLowerCase();
  for (const found of text.matchAll(TIMED)) {
    const [all, minutes, more, alone] = found;
    if (isPlace(text, found.index, all.length)) continue;
    return alone === undefined ? 60 * figureOf(minutes!) + (more === undefined ? 0 : figureOf(more)) : figureOf(alone);
  }
  for (const found of text.matchAll(CLOCK)) {
    const [all, minutes, seconds] = found;
    // Amid other words a clock time may be a place, or a time of day.
    const near = text.slice(Math.max(0, found.index - 24), found.index + all.length + 24);
    const item = ITEM_BEFORE.test(text.slice(0, found.index)) && ITEM_AFTER.test(text.slice(found.index + all.length));
    const said = item || /\b(?:long|length|duration|minutes?|mins?|total)\b/u.test(near);
    if (!said || isPlace(text, found.index, all.length)) continue;
    const length = 60 * Number(minutes) + Number(seconds);
    if (length >= CLOCK_MIN && length <= CLOCK_MAX) return length;
  }
  return null;
}

function isPlace(text: string, at: number, length: number): boolean {
  return PLACE_BEFORE.test(text.slice(Math.max(0, at - 24), at)) || PLACE_AFTER.test(text.slice(at + length));
}

const BARS = new RegExp(`(?<![\\w.:])(${FIGURE})[ -]+(?:an?[ -]+)?(?:bars?|measures?)(?![\\w])`, "u");

/** "16 bars", "a two-bar loop". */
export function readBars(cleaned: string): number | null {
  const text = cleaned.toLowerCase();
  const found = BARS.exec(text);
  // "In a bar" is where people drink.
  if (found === null || found[1] === "a" || isPlace(text, found.index, found[0].length)) return null;
  return figureOf(found[1]!);
}

function figureOf(figure: string): number {
  return NUMBERS[figure] ?? Number(figure);
}
