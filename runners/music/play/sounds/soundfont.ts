/**
 * SoundFonts (SF2, SF3). Parsed once per thread, samples are decoded when they are first played. The Vorbis decoder is WebAssembly without
 * imports, so samples are the same everywhere.
 */
import type { BasicPreset, BasicSample, VoiceParameters } from "spessasynth_core";
import { BasicSoundBank, SoundBankLoader } from "spessasynth_core";
import type { Layer } from "../patches.ts";
import { zoneOf } from "../zone.ts";
import type { Bank, Sound, Struck } from "./sound.ts";
import { type Wave, waveOf, waves } from "./wave.ts";

/** Answers of the parser kept; a few KB each. */
const ZONES_MAX = 4000;

/** @throws Error for what is no SoundFont */
export async function openSoundFont(bytes: Buffer, name: string): Promise<SoundFont> {
  await BasicSoundBank.isSF3DecoderReady;
  const whole = bytes.byteOffset === 0 && bytes.length === bytes.buffer.byteLength;
  const file = whole ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return new SoundFont(SoundBankLoader.fromArrayBuffer(file as ArrayBuffer), name);
}

export class SoundFont implements Bank {
  readonly #presets = new Map<string, BasicPreset>();
  readonly #zones = new Map<string, readonly VoiceParameters[]>();
  readonly #names = new Map<BasicSample, string>();

  /** @param name unlike that of any other bank in this thread */
  constructor(bank: BasicSoundBank, name: string) {
    for (const preset of bank.presets) {
      this.#presets.set(nameOf(preset.program, preset.bankMSB, preset.isGMGSDrum), preset);
    }
    for (const [index, sample] of bank.samples.entries()) this.#names.set(sample, `${name} ${index}`);
  }

  has({ program = 0, bank = 0, drum }: Layer): boolean {
    return this.#presets.has(nameOf(program, bank, drum === true));
  }

  sounds({ program = 0, bank = 0, drum }: Layer, { key, velocity }: Struck): readonly Sound[] {
    const zones = this.#zonesOf(nameOf(program, bank, drum === true), key, velocity);
    if (!zones.some(({ sample }) => sample.loopEnd > 1)) return [];
    return zones.map((parameters) => {
      const zone = zoneOf(parameters, key, velocity);
      const recording = `${this.#names.get(parameters.sample)} ${zone.looped}`;
      return { zone, recording, wave: () => waveOfSample(recording, parameters.sample, zone.looped) };
    });
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

function waveOfSample(recording: string, sample: BasicSample, looped: boolean): Wave {
  const known = waves.get(recording);
  if (known !== undefined) return known;
  const decoded = sample.getAudioData();
  // The bank must not keep its own copy beside ours.
  if (sample.isCompressed) sample.setCompressedData(sample.getRawData(true));
  const loop = looped ? { from: sample.loopStart, to: sample.loopEnd } : undefined;
  return waves.add(recording, waveOf(decoded, sample.sampleRate, loop));
}

function nameOf(program: number, bank: number, drum: boolean): string {
  return drum ? `drum ${program}` : `${bank} ${program}`;
}
