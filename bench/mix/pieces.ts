/** Composed, played and sung pieces whose stems are kept, so that several desks mix the very same sound. */
import type { Audio } from "../../contract/mod.ts";
import { clockOf, composer, type Part, type Score } from "../../runners/music/compose/mod.ts";
import type { Desk, DeskOptions } from "../../runners/music/mix/mod.ts";
import { orchestra, RATE, type Stem } from "../../runners/music/play/mod.ts";
import { loadSinger } from "../../runners/music/sing/mod.ts";
import { singerFor } from "../../runners/music/studio/singer.ts";
import { vocals } from "../../runners/music/studio/song.ts";

/** One for every family of mixes, by the genre that it should be taken for. */
export const PROMPTS: Readonly<Record<string, string>> = {
  pop: "bright pop, 116 bpm",
  synthpop: "eighties synthpop",
  folk: "indie folk with acoustic guitar",
  country: "country with steel guitar",
  rock: "rock with loud guitars",
  metal: "heavy metal anthem",
  punk: "punk, fast and raw",
  soul: "soul ballad with horns and organ",
  funk: "funk with slap bass and horns",
  hip_hop: "hip hop, head-nodding beat",
  trap: "trap, dark bells and 808",
  house: "house with piano stabs",
  techno: "techno, driving",
  drum_and_bass: "liquid drum and bass",
  reggae: "roots reggae, laid back",
  jazz: "jazz standard, brushed drums and piano",
  latin_pop: "latin pop with nylon guitar",
  lofi: "lofi beat, dusty",
  ambient: "ambient, slow pads",
  classical: "classical, string orchestra",
};

const LYRICS = `[Verse]
Walking down the river in the morning light
Every little shadow has a place to hide
Something in the silence says it's still all right
[Chorus]
Sing it out, we are alive
Carry me over to the other side`;

export interface Piece {
  /** With those who sing among its parts. */
  readonly score: Score;
  readonly frames: number;
  readonly stems: readonly { readonly part: Part; readonly stem: Stem }[];
  /** When lines are sung, seconds. */
  readonly lines: readonly { readonly start: number; readonly end: number }[];
  /** Seconds of a beat of the score. */
  secondsAt(beat: number): number;
}

const { signal } = new AbortController();

/** @param seed of all that is left open */
export async function pieceOf(prompt: string, sung: boolean, seconds: number, seed: number): Promise<Piece> {
  const [{ compose, readPrompt, understand }, { perform }] = await Promise.all([composer.load(), orchestra.load()]);
  const ask = readPrompt(prompt);
  const brief = understand(ask);
  const engine = await loadSinger();
  const words = engine.readLyrics(LYRICS);
  const singer = singerFor(ask, brief, seed, engine);
  const outline = sung ? { sections: engine.outlineOf(words), singer: singer.voice, seconds } : { seconds };
  const score = compose(brief, outline, seed);
  const { guests, lines } = sung ? vocals(words, score, singer, seed, engine) : { guests: [], lines: [] };
  const secondsAt = (beat: number): number => clockOf(score).seconds(beat);
  const frames = Math.round((secondsAt(score.beats) + 2) * RATE);
  const stems = [];
  for (const [index, part] of score.parts.entries())
    stems.push({ part, stem: await perform(part, score, { frames, ring: 0, seed: seed + index, signal }) });
  for (const { part, perform: sing } of guests) {
    const stem = await sing(frames);
    // The double is made of the lead's very take, whose memory it gives back.
    stems.push({ part, stem: stem.map((channel) => channel.slice()) as unknown as Stem });
  }
  return {
    score: { ...score, parts: stems.map(({ part }) => part) },
    frames,
    stems,
    lines: lines as Piece["lines"],
    secondsAt,
  };
}

export type CreateDesk = (score: Score, options: DeskOptions) => Desk;

/** The mix of those parts that `plays`, and the processor seconds that it took. */
export async function mixOf(
  { score, frames, stems }: Piece,
  createDesk: CreateDesk,
  plays: (part: Part) => boolean = () => true,
): Promise<{ readonly audio: Audio; readonly cpu: number }> {
  const before = process.cpuUsage();
  const desk = createDesk(score, { frames, ring: false, seed: 1 });
  for (const { part, stem } of stems) if (plays(part)) await desk.add(part, stem, signal);
  const audio = await desk.finish(signal);
  const { user, system } = process.cpuUsage(before);
  return { audio, cpu: (user + system) / 1e6 };
}

export const isSung = ({ role }: Part): boolean => role === "vocal" || role === "backing";
