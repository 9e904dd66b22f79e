/** How loud the voice is against the band in finished songs: a song with and without those who sing, told apart by least squares. */
import type { Audio } from "../../contract/mod.ts";
import { clockOf, composer, type Score } from "../../runners/music/compose/mod.ts";
import { K_WEIGHTING } from "../../runners/music/mix/loudness.ts";
import { loadDesk } from "../../runners/music/mix/mod.ts";
import { orchestra, type Stem } from "../../runners/music/play/mod.ts";
import { loadSinger } from "../../runners/music/sing/mod.ts";
import type { Guest } from "../../runners/music/studio/record.ts";
import { singerFor } from "../../runners/music/studio/singer.ts";
import { vocals } from "../../runners/music/studio/song.ts";
import { Cascade } from "../../runners/signal/dsp/biquad.ts";

/** One or two for every family that is sung over. */
export const SONG_PROMPTS: readonly string[] = [
  "bright pop song, female vocals, 116 bpm",
  "indie folk ballad with acoustic guitar",
  "heavy metal anthem",
  "rock song with loud guitars",
  "soul ballad with horns and organ",
  "trap, dark bells and 808",
  "house with a diva vocal",
  "drum and bass, liquid, male vocals",
  "roots reggae, laid back",
  "jazz standard, brushed drums and piano",
  "country with steel guitar",
  "piano ballad, intimate",
];

const LYRICS = `[Verse]
Walking down the river in the morning light
Every little shadow has a place to hide
[Chorus]
Sing it out, we are alive
Carry me over to the other side`;

const RATE = 44_100;

interface SungSection {
  readonly kind: string;
  /** LU of the voices (harmonies, doubles and their space among them) above the band, while they sing. */
  readonly over: number;
  /** LU of the lead above all other voices; Infinity where nobody else sings. */
  readonly lead_over: number;
  readonly seconds: number;
}

export interface SongMeasured {
  readonly song: Audio;
  /** The same without those who sing, and what the lead sang, dry. */
  readonly band: Audio;
  readonly lead: Float32Array;
  /** As in the report: `line`, `start`, `end`, `syllables` and more. */
  readonly lines: readonly {
    readonly line: string;
    readonly start: number;
    readonly end: number;
    readonly syllables: number;
  }[];
  /** Syllables that the lead and those who answer have. */
  readonly notes: number;
  readonly sections: readonly SungSection[];
  readonly whole: SungSection;
}

/** Plays one song and mixes it thrice: all, the band with the lead, and the band alone, which makes way for the voice in each. */
export async function measureSong(prompt: string, seed: number, lyrics = LYRICS): Promise<SongMeasured> {
  const [{ compose, readPrompt, understand }, engine, { perform }, createDesk] = await Promise.all([
    composer.load(),
    loadSinger(),
    orchestra.load(),
    loadDesk(),
  ]);
  const { signal } = new AbortController();
  const ask = readPrompt(prompt);
  const brief = understand(ask);
  const words = engine.readLyrics(lyrics);
  const singer = singerFor(ask, brief, seed, engine);
  const score: Score = compose(brief, { sections: engine.outlineOf(words), singer: singer.voice }, seed);
  const { guests, lines } = vocals(words, score, singer, seed, engine);
  const setting = engine.setLyrics(words, score.voice ?? []);
  const clock = clockOf(score);
  const notes = (["lead", "backing"] as const)
    .flatMap((who) => engine.phrasesOf(setting, who, clock, RATE))
    .reduce((sum, phrase) => sum + phrase.length, 0);
  const length = Math.round(clock.seconds(score.beats) * RATE);
  const expected: Score = { ...score, parts: [...score.parts, ...guests.map(({ part }) => part)] };
  const desks = [0, 1, 2].map(() => createDesk(expected, { frames: length, ring: false, seed }));
  for (const [index, part] of score.parts.entries()) {
    const stem: Stem = await perform(part, score, { frames: length, ring: 0, seed: seed + index, signal });
    for (const desk of desks) await desk.add(part, stem, signal);
  }
  let sung = new Float32Array();
  for (const { part, perform: sing } of guests as readonly Guest[]) {
    const stem = await sing(length);
    if (part.role === "vocal") sung = stem[0]!.slice();
    await desks[0]!.add(part, stem, signal);
    if (part.role === "vocal") await desks[1]!.add(part, stem, signal);
  }
  const mixes: Audio[] = [];
  for (const desk of desks) mixes.push(await desk.finish(signal));
  const [all, led, band] = mixes.map(weighted) as [Float32Array[], Float32Array[], Float32Array[]];
  const spans = (lines as readonly { start: number; end: number }[]).map(({ start, end }) => ({ start, end }));
  const at = (beat: number): number => clock.seconds(beat);
  const within = (kind: string, from: number, to: number): SungSection => {
    const here = spans.filter(({ start, end }) => (start + end) / 2 >= from && (start + end) / 2 < to);
    const over = split(all, band, here);
    const lead = split(all, led, here);
    return {
      kind,
      over: level(over.rest, over.kept),
      // What is left without the lead's mix are the others; the lead is what is left of the voices.
      lead_over: level(over.rest - lead.rest, lead.rest),
      seconds: here.reduce((sum, { start, end }) => sum + end - start, 0),
    };
  };
  const sections = score.sections
    .filter(({ lines: sung }) => (sung ?? 0) > 0)
    .map(({ kind, beat, beats }) => within(kind, at(beat), at(beat + beats)));
  const whole = within("song", 0, Number.POSITIVE_INFINITY);
  return {
    song: mixes[0]!,
    band: mixes[2]!,
    lead: sung,
    lines: lines as SongMeasured["lines"],
    notes,
    sections,
    whole,
  };
}

function weighted({ channels }: Audio): Float32Array[] {
  const filter = new Cascade(K_WEIGHTING);
  const [left, right] = channels.map((channel) => Float64Array.from(channel)) as [Float64Array, Float64Array];
  filter.run(left, right, left.length);
  return [Float32Array.from(left), Float32Array.from(right)];
}

/** Powers of `with_all` over `spans`: what a gain on `without`, one for every line, explains, and what is left. */
function split(
  with_all: readonly Float32Array[],
  without: readonly Float32Array[],
  spans: readonly { readonly start: number; readonly end: number }[],
): { readonly kept: number; readonly rest: number } {
  let kept = 0;
  let rest = 0;
  for (const { start, end } of spans) {
    let [cross, own, whole] = [0, 0, 0];
    // The voice has nothing to do with the band, so over a line their product vanishes.
    for (let n = Math.floor(start * RATE); n < Math.min(with_all[0]!.length, end * RATE); n++) {
      for (const [channel, samples] of with_all.entries()) {
        const [a, b] = [samples[n]!, without[channel]![n]!];
        cross += a * b;
        own += b * b;
        whole += a * a;
      }
    }
    const gain = own > 0 ? cross / own : 0;
    kept += gain * gain * own;
    rest += Math.max(0, whole - gain * gain * own);
  }
  return { kept, rest };
}

const level = (one: number, other: number): number => 10 * Math.log10(Math.max(1e-12, one) / Math.max(1e-12, other));
