/**
 * SoundFonts (SF2, SF3). Parsed once per thread, samples are read and decoded when they are first played. The Vorbis
 * decoder is WebAssembly without imports, so samples are the same everywhere.
 */
import type { BasicPreset, BasicSample, VoiceParameters } from "spessasynth_core";
import { BasicSoundBank, SoundBankLoader } from "spessasynth_core";
import { release } from "../../../signal/dsp/release.ts";
import type { Layer } from "../patches.ts";
import { zoneOf } from "../zone.ts";
import { type FontFile, readFontFile } from "./font_file.ts";
import type { Bank, Sound, Struck } from "./sound.ts";
import { type Wave, waveOf, waves } from "./wave.ts";

/** Answers of the parser kept; a few KB each. */
const ZONES_MAX = 4000;

/** @throws Error for what is no SoundFont */
export async function openSoundFont(path: string, name: string): Promise<SoundFont> {
  await BasicSoundBank.isSF3DecoderReady;
  const file = readFontFile(path);
  return new SoundFont(SoundBankLoader.fromArrayBuffer(file.bytes), name, file.recording);
}

export class SoundFont implements Bank {
  readonly #presets = new Map<string, BasicPreset>();
  readonly #zones = new Map<string, readonly VoiceParameters[]>();
  readonly #indices = new Map<BasicSample, number>();
  readonly #name: string;
  readonly #read: FontFile["recording"];

  /**
   * @param name unlike that of any other bank in this thread
   * @param read undefined: the samples of `bank` have their recordings
   */
  constructor(bank: BasicSoundBank, name: string, read: FontFile["recording"]) {
    this.#name = name;
    this.#read = read;
    for (const preset of bank.presets) {
      this.#presets.set(nameOf(preset.program, preset.bankMSB, preset.isGMGSDrum), preset);
    }
    for (const [index, sample] of bank.samples.entries()) {
      this.#indices.set(sample, index);
      if (read !== undefined) sample.setCompressedData(NOTHING);
    }
  }

  has({ program = 0, bank = 0, drum }: Layer): boolean {
    return this.#presets.has(nameOf(program, bank, drum === true));
  }

  sounds({ program = 0, bank = 0, drum }: Layer, { key, velocity }: Struck): readonly Sound[] {
    const zones = this.#zonesOf(nameOf(program, bank, drum === true), key, velocity);
    if (!zones.some(({ sample }) => sample.loopEnd > 1)) return [];
    return zones.map((parameters) => {
      const zone = zoneOf(parameters, key, velocity);
      const recording = `${this.#name} ${this.#indices.get(parameters.sample)} ${zone.looped}`;
      return { zone, recording, wave: () => this.#wave(recording, parameters.sample, zone.looped) };
    });
  }

  #wave(recording: string, sample: BasicSample, looped: boolean): Wave {
    const known = waves.get(recording);
    if (known !== undefined) return known;
    const decoded = this.#decode(sample);
    const loop = looped ? { from: sample.loopStart, to: sample.loopEnd } : undefined;
    const wave = waveOf(decoded, sample.sampleRate, loop);
    // Else the bank has it.
    if (this.#read !== undefined) release(decoded);
    return waves.add(recording, wave);
  }

  #decode(sample: BasicSample): Float32Array {
    const given = this.#read?.(this.#indices.get(sample)!);
    if (given?.compressed === false) return pcm16(given.bytes);
    if (given !== undefined) sample.setCompressedData(given.bytes);
    const decoded = sample.getAudioData();
    if (given !== undefined) sample.setCompressedData(NOTHING);
    else if (sample.isCompressed) sample.setCompressedData(sample.getRawData(true));
    return decoded;
  }

  #zonesOf(preset: string, key: number, velocity: number): readonly VoiceParameters[] {
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
}

/** A sample's recording while it is not being decoded: the bank must not keep a copy beside ours. */
const NOTHING = new Uint8Array(0);

/** As the parser does it. */
function pcm16(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length >> 1 }, (_, n) => view.getInt16(2 * n, true) / 32_768);
}

function nameOf(program: number, bank: number, drum: boolean): string {
  return drum ? `drum ${program}` : `${bank} ${program}`;
}
