/** A composed piece as its players play it: the sampled instruments that General MIDI has too. */
import { readFileSync } from "node:fs";
import { clockOf, composer } from "../../runners/music/compose/mod.ts";
import { humanise } from "../../runners/music/play/humanise.ts";
import { type Performance, RATE } from "../../runners/music/play/performance.ts";
import { hash32 } from "../../runners/signal/dsp/random.ts";
import type { MidiPart } from "./midi.ts";

/** General MIDI programs by instrument; of a kit the program of channel 10. */
const PROGRAMS = JSON.parse(readFileSync(new URL("programs.json", import.meta.url), "utf8")) as Readonly<
  Record<"melodic" | "kits", Readonly<Record<string, number>>>
>;
const SEED = 9;
const PERCUSSION = 9;

export interface Played {
  readonly frames: number;
  readonly performances: readonly Performance[];
  readonly midi: readonly MidiPart[];
}

export async function played(prompt: string, seconds: number): Promise<Played> {
  const { understand, compose } = await composer.load();
  const score = compose(understand(prompt), { seconds }, SEED);
  const frames = Math.round((clockOf(score).seconds(score.beats) + 4) * RATE);
  const performances: Performance[] = [];
  const midi: MidiPart[] = [];
  for (const [index, part] of score.parts.entries()) {
    const kit = PROGRAMS.kits[part.instrument];
    const program = kit ?? PROGRAMS.melodic[part.instrument];
    if (program === undefined) continue;
    const seed = hash32(SEED, 16 + index);
    const performance = humanise(part, score, {
      ...{ frames, ring: 0, seed, ensemble: hash32(SEED, 2), machine: false },
    });
    performances.push({ ...performance, tonic: score.key.tonic, genre: score.mix.genre });
    const taken = midi.filter(({ channel }) => channel !== PERCUSSION).length;
    const channel = kit === undefined ? taken + (taken >= PERCUSSION ? 1 : 0) : PERCUSSION;
    midi.push({ channel, program, events: performance.events });
  }
  if (performances.length === 0) throw new Error(`Nothing in "${prompt}" is played by instruments of General MIDI`);
  return { frames, performances, midi };
}
