// Where the FLAC kernels keep what they work on: one workspace a thread, void between two calls unless said otherwise.

/** Most samples of a block that is written. */
export const BLOCK: i32 = 4096;
/** Highest order of a linear predictor that is tried. */
export const ORDER_MAX: i32 = 8;
/** Most bytes that are looked at to read a frame. */
export const WINDOW_BYTES: i32 = 1 << 19;
/** Most samples of a block that is read here, and most channels. */
export const READ_MAX: i32 = 16_384;
export const CHANNELS_MAX: i32 = 8;

/** Elements beside an array that may be read or written and mean nothing: loops go by four, and look back. */
const MARGIN: i32 = 32;
const LONG: i32 = BLOCK + 2 * MARGIN;

let base: usize = 0;

/** float32 as they come: two channels of one block. */
export function floatsAt(channel: i32): usize {
  return base + <usize>(channel * 4 * (BLOCK + MARGIN));
}
const INTS: i32 = 2 * 4 * (BLOCK + MARGIN);
/** The same as whole numbers. */
export function intsAt(channel: i32): usize {
  return base + <usize>(INTS + 4 * MARGIN + channel * 4 * LONG);
}
const PACKED: i32 = INTS + 2 * 4 * LONG;
/** The same as bytes for the MD5. */
export function packedAt(): usize {
  return base + PACKED;
}
const ROWS: i32 = PACKED + 2 * 3 * BLOCK + 64;
/** int32 of one block: 0 side, 1 middle, 2 without wasted bits, 3 and 4 lower and upper halves in pairs. */
export function rowAt(row: i32): usize {
  return base + <usize>(ROWS + 4 * MARGIN + row * 4 * LONG);
}
const WINDOWED: i32 = ROWS + 5 * 4 * LONG;
/** float64 of one block, or float32, with zeros before. */
export function windowedAt(): usize {
  return base + <usize>(WINDOWED + 8 * MARGIN);
}
const TAPER: i32 = WINDOWED + 8 * LONG;
/** float32: the window for blocks of the last length. */
export function taperAt(): usize {
  return base + TAPER;
}
const DRAFTS: i32 = TAPER + 4 * LONG;
const DRAFT_BYTES: i32 = 320 + 4 * LONG;
/** Two drafts of each of two subframes: see flac_draft.ts. */
export function draftAt(which: i32): usize {
  return base + <usize>(DRAFTS + which * DRAFT_BYTES);
}
const NUMBERS: i32 = DRAFTS + 4 * DRAFT_BYTES;
/**
 * float64: 9 of the autocorrelation, 8 of the recursion, 8 errors, 8 rows of 8, from 128 on 64 sums of partitions, from
 * 192 on 5 of differences.
 */
export function numbersAt(): usize {
  return base + NUMBERS;
}
const TRIED: i32 = NUMBERS + 8 * 200;
/** int32: parameters of 64 partitions. */
export function triedAt(): usize {
  return base + TRIED;
}
const CRC: i32 = TRIED + 4 * 64;
/** uint16: eight tables of 256. Stays. */
export function tablesAt(): usize {
  return base + CRC;
}
const FRAME: i32 = CRC + 2 * 8 * 256;
const FRAME_BYTES: i32 = 2 * 4 * BLOCK + 256;
/** A frame as it is written: its head comes from outside. */
export function frameAt(): usize {
  return base + FRAME;
}
const FOLDS: i32 = FRAME + FRAME_BYTES;
/** What a frame leaves when it is divided by the check's polynomial. */
export function foldsAt(): usize {
  return base + FOLDS;
}
const INPUT: i32 = FOLDS + WINDOW_BYTES + 64;
/** Bytes of a file that is read. Stays, until other bytes are put there. */
export function inputAt(): usize {
  return base + INPUT;
}
const WORDS: i32 = INPUT + WINDOW_BYTES + 64;
/** The same as 32-bit words in the order of this machine. */
export function wordsAt(): usize {
  return base + WORDS;
}
const OUTPUT: i32 = WORDS + WINDOW_BYTES + 64;
/** int32 of one block that was read; residuals before. */
export function outputAt(channel: i32): usize {
  return base + <usize>(OUTPUT + 4 * MARGIN + channel * 4 * (READ_MAX + 2 * MARGIN));
}
const PLAIN: i32 = OUTPUT + CHANNELS_MAX * 4 * (READ_MAX + 2 * MARGIN);
/** A block that was read as bytes for the MD5, up to two channels. */
export function plainAt(): usize {
  return base + PLAIN;
}
const END: i32 = PLAIN + 2 * 3 * READ_MAX + 64;

/** Bytes of a workspace. */
export function flacBytes(): i32 {
  return END;
}

/** Takes the zeroed workspace at `at` into use. */
export function settle(at: usize): void {
  base = at;
}
