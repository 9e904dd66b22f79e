/** A runner that separates as a job does, and a piece of known parts. */
import { type Audio, type Runner, STEMS } from "../../../../contract/mod.ts";
import type { ModelSettings } from "../../../../core/ports/mod.ts";
import { useModels } from "../../../../runners/engines.ts";
import { random } from "../../../../runners/signal/dsp/random.ts";
import { separate } from "../../../../runners/signal/separate/separate.ts";

const RATE = 44_100;

export type Part = (typeof STEMS)[number];

export interface Separated {
  readonly stems: Readonly<Record<Part, { readonly engine: string; readonly channels: Float32Array[] }>>;
  readonly passed_over: readonly { readonly model: string; readonly reason: string }[];
}

export const stems: Runner<{ readonly settings: ModelSettings; readonly audio: Audio }, Separated> = {
  name: "stems",
  from: import.meta.url,
  isolation: "thread",
  load: async () => ({
    async run({ settings, audio }, job) {
      useModels(settings);
      const made = await separate(audio, job);
      const frames = audio.channels[0]!.length;
      const report = made.vocals.report as { passed_over?: Separated["passed_over"] } | undefined;
      const read = (kind: Part) => {
        const { audio: stem, engine } = made[kind];
        const channels = audio.channels.map(() => new Float32Array(frames));
        if (!("samples" in stem)) throw new Error(`"${kind}" is not streamed`);
        stem.samples(0, frames, channels);
        return [kind, { engine: engine ?? "none", channels }] as const;
      };
      const all = Object.fromEntries(STEMS.map(read)) as Separated["stems"];
      return { stems: all, passed_over: report?.passed_over ?? [] };
    },
  }),
};

/** Bass, drums, a chord on the left and a line with vibrato in the middle, 110 beats a minute. */
export function pieceOf(seconds: number): {
  readonly mix: Audio;
  readonly parts: Readonly<Record<"bass" | "drums" | "other" | "vocals", Audio>>;
} {
  const next = random(7);
  const frames = Math.round(seconds * RATE);
  const part = (): Audio => ({ sample_rate: RATE, channels: [new Float32Array(frames), new Float32Array(frames)] });
  const parts = { bass: part(), drums: part(), other: part(), vocals: part() };
  const beat = (60 / 110) * RATE;
  for (let n = 0; n < frames; n++) {
    const t = n / RATE;
    const bar = Math.floor(n / (4 * beat));
    const since = (n % beat) / RATE;
    const half = (n % (beat / 2)) / RATE;
    const root = [55, 65.4, 73.4, 49][bar % 4]!;
    const note = (hertz: number, partials: number): number => {
      let sum = 0;
      for (let k = 1; k <= partials; k++) sum += Math.sin(2 * Math.PI * hertz * k * t) / (k * k);
      return sum;
    };
    const bass = 0.2 * note(root, 4) * Math.exp(-half * 3);
    const drums =
      0.25 * (2 * next() - 1) * Math.exp(-since * 30) +
      0.3 * Math.sin(2 * Math.PI * 60 * since) * Math.exp(-since * 18);
    const chord = 0.05 * (note(root * 4, 6) + note(root * 5, 6) + note(root * 6, 6));
    const vibrato = 0.6 * Math.sin(2 * Math.PI * 5.5 * t);
    let voice = 0;
    for (let k = 1; k < 14; k++)
      voice += Math.sin(k * (2 * Math.PI * root * 6 * t + vibrato)) * Math.exp(-(((k - 3) / 3) ** 2));
    const levels = {
      bass: [bass, bass],
      drums: [drums, drums],
      other: [chord, 0.3 * chord],
      vocals: [0.04 * voice, 0.04 * voice],
    };
    for (const [name, [left, right]] of Object.entries(levels) as [keyof typeof parts, number[]][]) {
      parts[name].channels[0]![n] = left!;
      parts[name].channels[1]![n] = right!;
    }
  }
  const mix = part();
  for (const { channels } of Object.values(parts))
    for (const [c, channel] of channels.entries()) for (let n = 0; n < frames; n++) mix.channels[c]![n]! += channel[n]!;
  return { mix, parts };
}
