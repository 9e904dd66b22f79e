import type { Job } from "../../core/plugin.ts";
import type { PictureInput, Pictures } from "../../core/ports.ts";
import { studio } from "../delivery.ts";
import { runNested } from "../pool/mod.ts";
import type { Drawing } from "./drawing.ts";
import { encoder } from "./encoder.ts";
import { levelsOf } from "./levels.ts";
import { drawSpectrogram, spectrogramOf } from "./spectrogram.ts";
import { drawWaveform, type WaveformColours } from "./waveform.ts";

/** Pixels at two a point; the widest place on a page is 1,100 points. */
export const WIDTH = 2200;
const WAVEFORM_HEIGHT = 240;
const SPECTROGRAM_HEIGHT = 320;
/** More than any output or upload lasts. */
const LIMITS = { seconds_min: 0, seconds_max: 3600, bytes_max: Number.MAX_SAFE_INTEGER };

/** On white and on nearly black, each at least 3 : 1 against its page. */
const LIGHT: WaveformColours = { peak: [125, 190, 178], body: [15, 118, 110] };
const DARK: WaveformColours = { peak: [38, 110, 102], body: [94, 214, 196] };

export async function makePictures({ path }: PictureInput, job: Job): Promise<Pictures> {
  const { audio } = await studio.decode(path, LIMITS, job.signal);
  const levels = levelsOf(audio, WIDTH);
  const waveform = (name: string, colours: WaveformColours): Drawing => ({
    name,
    width: WIDTH,
    height: WAVEFORM_HEIGHT,
    rgba: drawWaveform(levels, WAVEFORM_HEIGHT, colours),
    kind: "lossless",
  });
  const spectrogram: Drawing = {
    name: "spectrogram",
    width: WIDTH,
    height: SPECTROGRAM_HEIGHT,
    rgba: drawSpectrogram(spectrogramOf(audio, WIDTH, SPECTROGRAM_HEIGHT)),
    kind: "smooth",
  };
  const drawings = [waveform("waveform-light", LIGHT), waveform("waveform-dark", DARK), spectrogram];
  const encoded = await runNested(encoder, drawings, job);
  return Object.fromEntries(encoded.map(({ name, bytes }) => [name, bytes]));
}
