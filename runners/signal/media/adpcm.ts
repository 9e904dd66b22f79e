/** ADPCM of 4 bits in blocks that stand for themselves: IMA (DVI) and Microsoft's, as in "Multimedia Data Standards Update", 1994. */

/** Frames that a block of `bytes` holds; 0 where it is too short for any. */
export function blockFrames(coding: "ima_adpcm" | "ms_adpcm", bytes: number, channels: number): number {
  if (coding === "ms_adpcm") return bytes < 7 * channels ? 0 : Math.floor(((bytes - 6 * channels) * 2) / channels);
  // The first sample is in the head; the others come in words of eight a channel.
  return bytes < 4 * channels ? 0 : 1 + 8 * Math.floor((bytes - 4 * channels) / (4 * channels));
}

/** Writes `frames` into `out` from index `from` on; false, and nothing of use there, where the head is damaged. */
export function imaBlock(
  block: Uint8Array,
  channels: number,
  frames: number,
  out: readonly Float32Array[],
  from: number,
): boolean {
  for (let channel = 0; channel < channels; channel++) {
    const samples = out[channel]!;
    const head = 4 * channel;
    let predictor = signed16(block, head);
    let index = signed16(block, head + 2);
    if (index < 0 || index > 88) return false;
    samples[from] = predictor / 32_768;
    for (let n = 1; n < frames; n++) {
      const word = Math.floor((n - 1) / 8);
      const place = (n - 1) % 8;
      const byte = block[4 * channels + 4 * (word * channels + channel) + (place >> 1)]!;
      const code = place & 1 ? byte >> 4 : byte & 15;
      const step = IMA_STEPS[index]!;
      const difference = ((2 * (code & 7) + 1) * step) >> 3;
      predictor = clip16(code & 8 ? predictor - difference : predictor + difference);
      index = Math.max(0, Math.min(88, index + IMA_INDEX[code & 7]!));
      samples[from + n] = predictor / 32_768;
    }
  }
  return true;
}

/**
 * How blocks of Microsoft's ADPCM hold more than two channels, which their definition leaves open:
 * - `turns`: heads field by field, then codes that take turns, as one and two channels have it; what SoX writes
 * - `apart`: each channel for itself, one behind the other; what ffmpeg reads
 */
export type MsOrder = "turns" | "apart";

/** What the heads of a block say; undefined where they say nothing, or neither can be. */
export function msOrderOf(block: Uint8Array, channels: number): MsOrder | undefined {
  if (channels <= 2) return "turns";
  const size = Math.floor(block.length / channels);
  const every = (stride: number): boolean =>
    Array.from({ length: channels }, (_, channel) => block[channel * stride]!).every((byte) => byte < MS_FIRST.length);
  const [turns, apart] = [every(1), every(size)];
  if (turns === apart) return undefined;
  return turns ? "turns" : "apart";
}

/** As `imaBlock`. Codes of channels that take turns go through all of them, the higher four bits first. */
export function msBlock(
  block: Uint8Array,
  channels: number,
  frames: number,
  out: readonly Float32Array[],
  from: number,
  order: MsOrder = "turns",
): boolean {
  for (let channel = 0; channel < channels; channel++) {
    const alone = order === "apart";
    const right = alone
      ? msChannel(block, channel * Math.floor(block.length / channels), 0, 1, frames, out[channel]!, from)
      : msChannel(block, 0, channel, channels, frames, out[channel]!, from);
    if (!right) return false;
  }
  return true;
}

/** Channel `channel` of the `channels` that share what begins at `at`. */
function msChannel(
  block: Uint8Array,
  at: number,
  channel: number,
  channels: number,
  frames: number,
  samples: Float32Array,
  from: number,
): boolean {
  const predictor = block[at + channel]!;
  const first = MS_FIRST[predictor];
  const second = MS_SECOND[predictor];
  if (first === undefined || second === undefined) return false;
  let delta = signed16(block, at + channels + 2 * channel);
  let newer = signed16(block, at + 3 * channels + 2 * channel);
  let older = signed16(block, at + 5 * channels + 2 * channel);
  samples[from] = older / 32_768;
  samples[from + 1] = newer / 32_768;
  for (let n = 2; n < frames; n++) {
    const nibble = (n - 2) * channels + channel;
    const byte = block[at + 7 * channels + (nibble >> 1)]!;
    const code = nibble & 1 ? byte & 15 : byte >> 4;
    const predicted = Math.trunc((newer * first + older * second) / 256);
    older = newer;
    newer = clip16(predicted + (code & 8 ? code - 16 : code) * delta);
    delta = Math.max(16, Math.min(DELTA_MAX, (MS_ADAPTATION[code]! * delta) >> 8));
    samples[from + n] = newer / 32_768;
  }
  return true;
}

/** Steps stay within 32 bits when they are adapted. */
const DELTA_MAX = Math.floor((2 ** 31 - 1) / 768);

const IMA_INDEX = [-1, -1, -1, -1, 2, 4, 6, 8] as const;

// biome-ignore format: a table
const IMA_STEPS = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
  130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
  1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132,
  7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
] as const;

const MS_FIRST = [256, 512, 0, 192, 240, 460, 392] as const;
const MS_SECOND = [0, -256, 0, 64, 0, -208, -232] as const;
const MS_ADAPTATION = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230] as const;

function signed16(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! | (bytes[at + 1]! << 8)) << 16) >> 16;
}

function clip16(value: number): number {
  return Math.max(-32_768, Math.min(32_767, value));
}
