import { type Arena, arena } from "./arena.ts";
import { Octaves } from "./octaves.ts";
import { kaiser, kaiserBeta, kaiserTaps, sinc } from "./window.ts";

/** What images and aliases are held below, in dB. */
const ATTENUATION_DB = 110;

/** Flat to here and silent from half the rate on, as a fraction of half the lower rate: 20 kHz of 22.05 kHz. */
const PASSBAND = 20 / 22.05;

/** Rational ratios with more phases than this (odd rates such as 44,101 Hz) read a table of this many by linear interpolation: -118 dB. */
const PHASES_MAX = 1024;

/** Bytes of taps up to which the kernel takes a ratio in one step: 32, 48, 88.2, 96, 176.4 and 192 kHz need 0.3 MB at most. */
const TABLE_BYTES_MAX = 2 ** 20;

/**
 * Band-limited resampling with no delay: output frame m is the signal at m · from / to, and there are round(n · to / from) of them.
 *
 * Windowed sincs (Kaiser, 110 dB): flat to 20 kHz at 44.1 kHz, nothing above half the lower rate comes through or folds. Where the
 * kernels run, one polyphase filter does it for the usual ratios. Else the steep filter runs by transforms and leaves a rate of about
 * twice what is needed; from there few taps suffice for any ratio (none, where the ratio is a power of two). Either way works as a
 * stream; memory is a few blocks.
 *
 * @example
 * ```ts
 * const resampler = new Resampler(48_000, 44_100, 1);
 * const parts = [resampler.push([samples], samples.length), resampler.finish()];
 * ```
 */
export class Resampler {
  readonly #stages: readonly { push(channels: readonly Float32Array[]): Float32Array[] }[];
  readonly #from: number;
  readonly #to: number;
  readonly #empty: readonly Float32Array[];
  #taken = 0;
  #given = 0;

  /** @param kernel whether the kernels may be used, where they run */
  constructor(from: number, to: number, channels: number, kernel = true) {
    this.#from = from;
    this.#to = to;
    this.#empty = Array.from({ length: channels }, () => new Float32Array(0));
    const edge = Math.min(from, to) / 2;
    const divisor = greatestCommonDivisor(from, to);
    const steep = { pass: (PASSBAND * edge) / from, stop: edge / from };
    const bytes = 4 * (to / divisor) * kaiserTaps(ATTENUATION_DB, steep.stop - steep.pass);
    if (kernel && to / divisor <= PHASES_MAX && bytes <= TABLE_BYTES_MAX && arena(0) !== undefined) {
      this.#stages = [new KernelStage(to / divisor, from / divisor, steep.pass, steep.stop, channels)];
      return;
    }
    const octaves = Math.log2(to / from);
    let between = Number.isInteger(octaves) ? to : from * 2 ** Math.ceil(Math.log2((4 * edge) / from));
    // Halves of odd rates are no whole numbers, of which the ratio is made.
    while (!Number.isInteger(between)) between *= 2;
    const stages: { push(channels: readonly Float32Array[]): Float32Array[] }[] = [
      new Octaves(between / from, steep.pass, steep.stop, ATTENUATION_DB, channels),
    ];
    if (between !== to) {
      const common = greatestCommonDivisor(between, to);
      stages.push(new Stage(to / common, between / common, edge / between, 1 - edge / between, channels));
    }
    this.#stages = stages;
  }

  /** Takes `frames` of `channels` and returns the frames that are complete. They stay valid until the next call. */
  push(channels: readonly Float32Array[], frames: number): readonly Float32Array[] {
    this.#taken += frames;
    return this.#cut(this.#run(channels.map((channel) => channel.subarray(0, frames))));
  }

  /** The rest: what was waiting for samples that do not come. */
  finish(): readonly Float32Array[] {
    const parts = this.#empty.map((): Float32Array[] => []);
    const silence = this.#empty.map(() => new Float32Array(4096));
    const goal = Math.round((this.#taken * this.#to) / this.#from);
    while (this.#given < goal) {
      for (const [index, part] of this.#cut(this.#run(silence)).entries()) parts[index]!.push(part.slice());
    }
    return parts.map((list) => {
      const whole = new Float32Array(list.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of list) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    });
  }

  #run(channels: readonly Float32Array[]): readonly Float32Array[] {
    let block = channels;
    for (const stage of this.#stages) block = stage.push(block);
    return block;
  }

  #cut(channels: readonly Float32Array[]): readonly Float32Array[] {
    const goal = Math.round((this.#taken * this.#to) / this.#from);
    const count = Math.min(channels[0]?.length ?? 0, goal - this.#given);
    this.#given += count;
    return channels.map((channel) => channel.subarray(0, count));
  }
}

/** Resamples whole channels; see `Resampler`. */
export function resample(channels: readonly Float32Array[], from: number, to: number, kernel = true): Float32Array[] {
  if (from === to) return channels.map((channel) => channel.slice());
  const resampler = new Resampler(from, to, channels.length, kernel);
  const frames = channels[0]?.length ?? 0;
  const whole = channels.map(() => new Float32Array(Math.round((frames * to) / from)));
  let at = 0;
  const keep = (parts: readonly Float32Array[]): void => {
    for (const [index, part] of parts.entries()) whole[index]!.set(part, at);
    at += parts[0]?.length ?? 0;
  };
  const BLOCK = 16_384;
  for (let n = 0; n < frames; n += BLOCK) {
    const count = Math.min(BLOCK, frames - n);
    keep(
      resampler.push(
        channels.map((channel) => channel.subarray(n, n + count)),
        count,
      ),
    );
  }
  keep(resampler.finish());
  return whole;
}

/** These, or larger ones where `frames` do not fit. */
function withRoom(kept: readonly Float32Array[], frames: number): readonly Float32Array[] {
  return kept[0]!.length >= frames ? kept : kept.map(() => new Float32Array(frames));
}

/** One filter: `up` frames out for `down` frames in. */
class Stage {
  readonly #up: number;
  readonly #down: number;
  /** Taps on each side of the output's place. */
  readonly #reach: number;
  readonly #phases: number;
  readonly #taps: Float64Array;
  #buffers: Float32Array[];
  /** Valid until the next call, which fills them anew: 100 MB of them would wait for the collector. */
  #outputs: readonly Float32Array[];
  /** Frames in the buffers. */
  #length: number;
  /** Place of the next output in the buffers: whole frames, and `#part` / `up` of one. */
  #place: number;
  #part = 0;

  /** `pass` and `stop` in cycles per input frame. */
  constructor(up: number, down: number, pass: number, stop: number, channels: number) {
    this.#up = up;
    this.#down = down;
    this.#reach = Math.ceil(kaiserTaps(ATTENUATION_DB, stop - pass) / 2);
    this.#phases = Math.min(up, PHASES_MAX);
    this.#taps = taps(this.#phases, this.#reach, pass + stop, up > PHASES_MAX);
    this.#buffers = Array.from({ length: channels }, () => new Float32Array(0));
    this.#outputs = [...this.#buffers];
    // Silence before the first frame.
    this.#length = this.#reach;
    this.#place = this.#reach;
  }

  push(channels: readonly Float32Array[]): Float32Array[] {
    this.#append(channels);
    const step = this.#down / this.#up;
    // The taps of an output at `place` reach from place - reach + 1 to place + reach.
    const room = this.#length - this.#reach - this.#place - this.#part / this.#up;
    this.#outputs = withRoom(this.#outputs, Math.max(0, Math.ceil(room / step) + 1));
    const outputs = this.#outputs;
    const count = this.#fill(outputs);
    this.#discard();
    return outputs.map((output) => output.subarray(0, count));
  }

  /** Fills `outputs` as far as the buffers reach, between two rows of taps where the ratio has too many phases; returns how many frames. */
  #fill(outputs: readonly Float32Array[]): number {
    const width = 2 * this.#reach;
    let count = 0;
    for (; this.#place + this.#reach < this.#length; count++) {
      const start = this.#place - this.#reach + 1;
      const exact = this.#phases === this.#up ? this.#part : (this.#part / this.#up) * this.#phases;
      const phase = Math.floor(exact);
      const blend = exact - phase;
      for (const [channel, buffer] of this.#buffers.entries()) {
        const low = dot(this.#taps, phase * width, buffer, start, width);
        const high = blend === 0 ? low : dot(this.#taps, (phase + 1) * width, buffer, start, width);
        outputs[channel]![count] = low + blend * (high - low);
      }
      this.#part += this.#down;
      const whole = Math.floor(this.#part / this.#up);
      this.#part -= whole * this.#up;
      this.#place += whole;
    }
    return count;
  }

  #append(channels: readonly Float32Array[]): void {
    const added = channels[0]!.length;
    if (this.#length + added > this.#buffers[0]!.length) {
      this.#buffers = this.#buffers.map((buffer) => {
        const grown = new Float32Array(2 * (this.#length + added));
        grown.set(buffer);
        return grown;
      });
    }
    for (const [index, buffer] of this.#buffers.entries()) buffer.set(channels[index]!, this.#length);
    this.#length += added;
  }

  /** Drops what no output needs any more; a large step may lead beyond what has come. */
  #discard(): void {
    const dropped = Math.min(this.#length, this.#place - this.#reach + 1);
    if (dropped <= 0) return;
    for (const buffer of this.#buffers) buffer.copyWithin(0, dropped, this.#length);
    this.#length -= dropped;
    this.#place -= dropped;
  }
}

/** `Stage` by the kernel `polyphase`: float32 taps and sums, so its own noise is at about -140 dB. */
class KernelStage {
  readonly #up: number;
  readonly #down: number;
  readonly #reach: number;
  readonly #width: number;
  readonly #taps: Float32Array;
  readonly #buffers: readonly Float32Array[];
  /** Valid until the next call, which fills them anew: 100 MB of them would wait for the collector. */
  #outputs: readonly Float32Array[];
  /** Frames in the buffers, silence before the first one included. */
  #length: number;
  /** Place of the next output in the buffers: whole frames, and `#part` / `up` of one. */
  #place: number;
  #part = 0;

  /** `pass` and `stop` in cycles per input frame. */
  constructor(up: number, down: number, pass: number, stop: number, channels: number) {
    this.#up = up;
    this.#down = down;
    this.#reach = Math.ceil(kaiserTaps(ATTENUATION_DB, stop - pass) / 2);
    const width = 2 * this.#reach;
    // Rows in whole groups of four; what is added counts nothing.
    this.#width = Math.ceil(width / 4) * 4;
    this.#taps = new Float32Array(up * this.#width);
    const table = taps(up, this.#reach, pass + stop, false);
    for (let phase = 0; phase < up; phase++) {
      this.#taps.set(table.subarray(phase * width, (phase + 1) * width), phase * this.#width);
    }
    this.#buffers = Array.from({ length: channels }, () => new Float32Array(PIECE + width + 2 * down));
    this.#outputs = this.#buffers.map(() => new Float32Array(0));
    this.#length = this.#reach;
    this.#place = this.#reach;
  }

  push(channels: readonly Float32Array[]): Float32Array[] {
    const added = channels[0]!.length;
    const most = Math.ceil(((added + this.#buffers[0]!.length) * this.#up) / this.#down);
    this.#outputs = withRoom(this.#outputs, most);
    const outputs = this.#outputs;
    let given = 0;
    for (let at = 0; at < added; ) {
      const count = Math.min(added - at, this.#buffers[0]!.length - this.#length);
      for (const [index, buffer] of this.#buffers.entries()) {
        buffer.set(channels[index]!.subarray(at, at + count), this.#length);
      }
      this.#length += count;
      at += count;
      given += this.#filter(outputs, given);
    }
    return outputs.map((output) => output.subarray(0, given));
  }

  /** As many outputs as the buffers hold samples for; returns how many. */
  #filter(outputs: readonly Float32Array[], given: number): number {
    const up = this.#up;
    const down = this.#down;
    // Output i lies at place + floor((part + i · down) / up), and needs `reach` samples from there on.
    const room = this.#length - this.#reach - this.#place;
    if (room <= 0) return 0;
    const count = Math.ceil((room * up - this.#part) / down);
    const table = 4 * this.#taps.length;
    // The zeros of the widest row may lie on what follows the samples.
    const target = table + 4 * this.#length + 16;
    const memory = arena(target + 4 * count) as Arena;
    const { kernels, address } = memory;
    memory.floats(0, this.#taps.length).set(this.#taps);
    const start = address + table + 4 * (this.#place - this.#reach + 1);
    for (const [index, buffer] of this.#buffers.entries()) {
      memory.floats(table, this.#length).set(buffer.subarray(0, this.#length));
      memory.floats(table + 4 * this.#length, 4).fill(0);
      kernels.polyphase(start, address, this.#width, this.#part, up, down, count, address + target);
      outputs[index]!.set(memory.floats(target, count), given);
    }
    const reached = this.#part + count * down;
    this.#part = reached % up;
    this.#place += (reached - this.#part) / up;
    const dropped = Math.min(this.#length, this.#place - this.#reach + 1);
    if (dropped > 0) {
      for (const buffer of this.#buffers) buffer.copyWithin(0, dropped, this.#length);
      this.#length -= dropped;
      this.#place -= dropped;
    }
    return count;
  }
}

/** Frames that the kernel is given at once, about. */
const PIECE = 16_384;

/** Kaiser-windowed sinc with its -6 dB point at `band` / 2 cycles per input frame, one row of 2 · reach taps a phase. */
function taps(phases: number, reach: number, band: number, blended: boolean): Float64Array {
  const width = 2 * reach;
  const beta = kaiserBeta(ATTENUATION_DB);
  const rows = blended ? phases + 1 : phases;
  const table = new Float64Array(rows * width);
  for (let phase = 0; phase < rows; phase++) {
    const row = table.subarray(phase * width, (phase + 1) * width);
    let sum = 0;
    for (let k = 0; k < width; k++) {
      const distance = phase / phases - (k - reach + 1);
      row[k] = band * sinc(band * distance) * kaiser(distance / reach, beta);
      sum += row[k]!;
    }
    // Every phase passes a constant unchanged, so that none of them modulates it.
    for (let k = 0; k < width; k++) row[k]! /= sum;
  }
  return table;
}

/** Two running sums each: an addition has to wait for the one before it, a second chain fills the time. */
function dot(h: Float64Array, row: number, x: Float32Array, start: number, width: number): number {
  let even = 0;
  let odd = 0;
  for (let k = 0; k < width; k += 2) {
    even += h[row + k]! * x[start + k]!;
    odd += h[row + k + 1]! * x[start + k + 1]!;
  }
  return even + odd;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
