/** One line a piece of what the project's own ear hears in it, and what they come to. */
import type { Audio } from "../../contract/mod.ts";
import { understand } from "../../runners/music/compose/brief/understand.ts";
import type { Genre } from "../../runners/music/compose/genres.ts";
import { octaveTargets } from "../../runners/music/mix/targets.ts";
import type { ScoreReport } from "../../runners/music/studio/score_report.ts";
import { integratedLoudness } from "../../runners/signal/dsp/loudness.ts";
import { truePeak } from "../../runners/signal/dsp/true_peak.ts";
import { inScale, type Measured, measure, mirex, recall, sameTempo } from "./measure.ts";
import { strongShareOf } from "./strong.ts";

export interface Key {
  readonly tonic: number;
  readonly mode: string;
}

export interface Piece {
  readonly name: string;
  readonly prompt: string;
  readonly seed: number;
  /** What was asked outright. */
  readonly bpm?: number | undefined;
  readonly key?: Key | undefined;
  /** Mastered. */
  readonly audio: Audio;
  readonly report: ScoreReport;
  /** Processor time that it took to make, seconds. */
  readonly cpu: number;
}

const NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"];

/** "F# minor". */
export function keyOf(name: string): Key {
  const [note = "C", mode = "major"] = name.split(" ");
  const tonic = "C D EF G A B".indexOf(note[0]!) + (note[1] === "#" ? 1 : note[1] === "b" ? -1 : 0);
  return { tonic: (tonic + 12) % 12, mode };
}

export const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
export const share = (flags: readonly boolean[]): string => `${flags.filter(Boolean).length} of ${flags.length}`;
export const pad = (value: number, digits: number, width: number): string => value.toFixed(digits).padStart(width);

/**
 * Largest departure of an octave band from 63 Hz to 16 kHz from the target, both without their means; bands 40 dB and
 * more under the loudest do not count. What lies below is told by itself: few speakers play it, and few line-ups.
 */
function spectralMiss(
  measured: Measured,
  genre: Genre,
): { readonly worst: number; readonly band: number; readonly lowest: number } {
  const target = octaveTargets(genre);
  const loudest = Math.max(...measured.octaves_db);
  const bands = measured.octaves_db
    .map((_, band) => band)
    .filter((band) => band > 0 && measured.octaves_db[band]! > loudest - 40);
  const offset = mean(bands.map((band) => measured.octaves_db[band]! - target[band]!));
  let worst = 0;
  let at = 0;
  for (const band of bands) {
    const miss = measured.octaves_db[band]! - target[band]! - offset;
    if (Math.abs(miss) > Math.abs(worst)) [worst, at] = [miss, band];
  }
  return { worst, band: at, lowest: measured.octaves_db[0]! - target[0]! - offset };
}

export class Rows {
  readonly #tempos: boolean[] = [];
  readonly #keys: number[] = [];
  readonly #scales: number[] = [];
  readonly #bands: boolean[] = [];
  readonly #widths: boolean[] = [];
  readonly #recalls: number[] = [];
  readonly #strong: number[] = [];
  readonly #holes: boolean[] = [];
  readonly #levels: boolean[] = [];

  head(): void {
    console.log(
      "    x real | heard tempo, key (plan)             | scale | worst band, 31 Hz | L/R    low | boundaries | strong | hole  crest | LUFS   dBTP | prompt",
    );
  }

  async add({ name, prompt, seed, bpm, key, audio, report, cpu }: Piece): Promise<void> {
    const measured = await measure(audio);
    const planned = key ?? keyOf(report.key);
    const { worst, band, lowest } = spectralMiss(measured, understand(prompt).genre);
    const starts = report.sections.slice(1).map(({ start }) => start);
    const found = recall(starts, measured.boundaries, 2);
    const strong = await strongShareOf(prompt, seed);
    const lufs = integratedLoudness(audio.channels, audio.sample_rate);
    const peak = 20 * Math.log10(truePeak(audio.channels));
    if (bpm !== undefined) this.#tempos.push(sameTempo(measured.tempo, bpm));
    if (key !== undefined) this.#keys.push(mirex(measured, key));
    this.#scales.push(inScale(measured.chroma, planned));
    this.#bands.push(Math.abs(worst) <= 6);
    this.#widths.push(measured.correlation >= 0.2 && measured.correlation <= 0.95 && measured.correlation_low > 0.9);
    this.#recalls.push(found);
    if (strong !== null) this.#strong.push(strong);
    this.#holes.push(measured.hole <= 1.5);
    this.#levels.push(Math.abs(lufs + 14) < 0.05 && peak <= -0.99);
    const heard = `${pad(measured.tempo, 1, 5)} ${NAMES[measured.tonic]} ${measured.mode} (${report.tempo_bpm} ${report.key})`;
    console.log(
      `${name} ${pad(measured.seconds / cpu, 1, 6)} | ${heard.padEnd(35)} | ${pad(this.#scales.at(-1)!, 2, 5)} | ${pad(worst, 1, 5)} at ${String(band).padStart(2)} ${pad(lowest, 0, 4)} | ${pad(measured.correlation, 2, 5)} ${pad(measured.correlation_low, 2, 5)} | ${pad(found, 2, 5)}      | ${strong === null ? "  none" : pad(strong, 2, 6)} | ${pad(measured.hole, 2, 4)} ${pad(measured.crest_db, 1, 5)} | ${pad(lufs, 2, 6)} ${pad(peak, 2, 5)} | ${prompt}`,
    );
  }

  sum(): void {
    console.log(
      `tempo within 4 %: ${share(this.#tempos)}; key, MIREX: ${mean(this.#keys).toFixed(2)}; in scale: ${mean(this.#scales).toFixed(2)}`,
    );
    console.log(
      `octave bands within 6 dB: ${share(this.#bands)}; width in bounds: ${share(this.#widths)}; boundaries: ${mean(this.#recalls).toFixed(2)}`,
    );
    console.log(
      `chord tones on strong beats: ${mean(this.#strong).toFixed(2)}, least ${Math.min(...this.#strong).toFixed(2)} of ${this.#strong.length}; no hole over 1.5 s: ${share(this.#holes)}; level: ${share(this.#levels)}`,
    );
  }
}
