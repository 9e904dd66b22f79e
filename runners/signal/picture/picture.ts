import type { Job } from "../../../contract/mod.ts";
import type { PictureInput, Pictures } from "../../../core/ports/mod.ts";
import { type Blocks, decodeTo } from "../../delivery.ts";
import { halveLevels, LevelMeter, type Levels } from "./levels.ts";
import { encodePngs } from "./png.ts";
import { drawSpectrogram, SPECTROGRAM_PALETTE, SpectrumMeter } from "./spectrogram.ts";
import { drawWaveform, type WaveformColours, waveformPalette } from "./waveform.ts";

/** Pixels at two a point; the widest place on a page is 1,100 points. */
export const WIDTH = 2200;
const WAVEFORM_HEIGHT = 240;
const SPECTROGRAM_HEIGHT = 320;
/** Hz of what is decoded. */
const SAMPLE_RATE = 44_100;
/** More than any output or upload lasts. */
const SECONDS_MAX = 3600;

/** On white and on nearly black, each at least 3 : 1 against its page. */
const LIGHT: WaveformColours = { peak: [125, 190, 178], body: [15, 118, 110] };
const DARK: WaveformColours = { peak: [38, 110, 102], body: [94, 214, 196] };

/** Memory does not grow with the audio: it is looked at as it is decoded. */
export async function makePictures({ path, seconds }: PictureInput, job: Job): Promise<Pictures> {
  const { levels, spectrum } = await lookAt(path, seconds, job.signal);
  const pictures: Record<string, Uint8Array> = {};
  for (const scale of [1, 2]) {
    const shown = scale === 1 ? halveLevels(levels) : levels;
    const waveform = drawWaveform(shown, (scale * WAVEFORM_HEIGHT) / 2);
    const [light, dark] = encodePngs(waveform, [LIGHT, DARK].map(waveformPalette));
    const [seen] = encodePngs(drawSpectrogram(spectrum, WIDTH, 2 / scale), [SPECTROGRAM_PALETTE]);
    pictures[`waveform-light-${scale}x`] = light!;
    pictures[`waveform-dark-${scale}x`] = dark!;
    pictures[`spectrogram-${scale}x`] = seen!;
  }
  return pictures;
}

interface Seen {
  readonly levels: Levels;
  readonly spectrum: Float32Array;
}

/** Columns lie where the length says, so the length has to be known: where what was said of it is wrong, the file is read once more. */
async function lookAt(path: string, seconds: number | undefined, signal: AbortSignal): Promise<Seen> {
  // A second more, so that a length that was wrong shows.
  const seconds_max = seconds === undefined ? SECONDS_MAX : seconds + 1;
  const limits = { seconds_min: 0, seconds_max, bytes_max: Number.MAX_SAFE_INTEGER };
  const said = seconds === undefined ? undefined : Math.round(seconds * SAMPLE_RATE);
  let look = new Look(said);
  const fresh = (frames: number | undefined) => () => {
    look = new Look(frames);
    return look;
  };
  await decodeTo(path, limits, signal, fresh(said));
  if (!look.is_right) await decodeTo(path, limits, signal, fresh(look.frames));
  return look.finish();
}

class Look implements Blocks {
  readonly #said: number | undefined;
  #expected = 0;
  #levels: LevelMeter | undefined;
  #spectrum: SpectrumMeter | undefined;
  /** Frames that came. */
  frames = 0;

  /** @param said frames that will come, where that is known better than from the file's head */
  constructor(said: number | undefined) {
    this.#said = said;
  }

  get is_right(): boolean {
    return this.frames === this.#expected;
  }

  begin(channels: number, expected: number): void {
    this.#expected = this.#said ?? expected;
    if (this.#expected === 0) return;
    this.#levels = new LevelMeter(this.#expected, WIDTH);
    const form = { frames: this.#expected, sample_rate: SAMPLE_RATE, channels };
    this.#spectrum = new SpectrumMeter(form, WIDTH, SPECTROGRAM_HEIGHT);
  }

  push(channels: readonly Float32Array[], frames: number): void {
    this.frames += frames;
    this.#levels?.push(channels, frames);
    this.#spectrum?.push(channels, frames);
  }

  finish(): Seen {
    const levels = this.#levels?.finish() ?? new LevelMeter(0, WIDTH).finish();
    return { levels, spectrum: this.#spectrum?.finish() ?? new Float32Array(WIDTH * SPECTROGRAM_HEIGHT) };
  }
}
