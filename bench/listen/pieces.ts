/** The fixed set of pieces, each made as the service makes it, up to the mastering. */
import type { Output } from "../../contract/mod.ts";
import type { Level } from "../../core/ports/mod.ts";
import { run as makeEffect } from "../../runners/effects/effect.ts";
import { clockOf, composer } from "../../runners/music/compose/mod.ts";
import { remix } from "../../runners/music/remix/remix.ts";
import { remixSong } from "../../runners/music/remix/song.ts";
import { readLyrics } from "../../runners/music/sing/lyrics/lyrics.ts";
import { outlineOf, phrasesOf, timingsOf } from "../../runners/music/sing/setting/phrases.ts";
import { setLyrics } from "../../runners/music/sing/setting/setting.ts";
import { RATE, sing } from "../../runners/music/sing/voice/singer.ts";
import { VOICES, type VoiceName } from "../../runners/music/sing/voice/voices.ts";
import { makeInstrumentals } from "../../runners/music/studio/instrumental.ts";
import { makeSample } from "../../runners/music/studio/sample.ts";
import { makeSongs } from "../../runners/music/studio/song.ts";
import { makeAll } from "../../test/audio.ts";

export const job = { signal: new AbortController().signal, progress: () => undefined };
export interface Piece {
  readonly group: string;
  readonly prompt: string;
  readonly level: Level;
  make(seed: number): Promise<Output>;
}

const loud: Level = { kind: "loudness", target_lufs: -14, allow_compression: true };

const instrumental = (prompt: string): Piece => ({
  group: "Instrumentals",
  prompt,
  level: loud,
  make: async (seed) => (await makeAll(await makeInstrumentals({ prompt, seeds: [seed] }, job)))[0]!,
});
const LYRICS = `[Intro]
[Verse]
Morning on the river, silver on the stone
Every road I wander leads me back to home
Paper boats and promises drifting out to sea
All the doors are open and the air is free
[Chorus]
Carry me over, carry me on
Sing till the night is gone
[Verse]
Lanterns in the harbour, letters in the rain
Every word you gave me I would give again
[Chorus]
Carry me over, carry me on
Sing till the night is gone
[Outro]`;
const song = (prompt: string): Piece => ({
  group: "Songs",
  prompt,
  level: loud,
  make: async (seed) =>
    (await makeAll(await makeSongs({ lyrics: LYRICS, prompt, seconds: 45, seeds: [seed] }, job)))[0]!,
});
/** Two lines without a band, a space or a second voice: what a spectrogram of the voice is looked at on. */
const voice = (name: VoiceName): Piece => ({
  group: "Voices",
  prompt: `${name}, dry: two lines, 96 bpm`,
  level: loud,
  make: async (seed) => {
    const { compose, understand } = await composer.load();
    const words = readLyrics(LYRICS.split("\n").slice(1, 4).join("\n"));
    const outline = { sections: outlineOf(words), singer: VOICES[name] };
    const score = compose(understand("pop, C major, 96 bpm"), outline, seed);
    const setting = setLyrics(words, score.voice ?? []);
    const clock = clockOf(score);
    const phrases = phrasesOf(setting, "lead", clock, RATE);
    const samples = sing(phrases, Math.round(clock.seconds(score.beats) * RATE), { voice: VOICES[name], seed });
    return {
      audio: { sample_rate: RATE, channels: [samples, samples.slice()] },
      engine: "sing",
      report: { lines: timingsOf(setting, clock) },
    };
  },
});
/** Of a piece that the studio makes first. */
const remixed = (source: string, prompt: string, lyrics?: string): Piece => ({
  group: "Remixes",
  prompt: `${source} → ${prompt}${lyrics === undefined ? "" : ", sung"}`,
  level: loud,
  make: async (seed) => {
    const [original] = await makeAll(await makeInstrumentals({ prompt: source, seeds: [seed] }, job));
    const given = { source: original!.audio, prompt, seeds: [seed] };
    const made = lyrics === undefined ? await remix(given, job) : await remixSong({ ...given, lyrics }, job);
    return (await makeAll(made))[0]!;
  },
});
const sample = (prompt: string, seconds: number, loop: boolean): Piece => ({
  group: loop ? "Loops" : "Samples",
  prompt: `${prompt} (${seconds} s)`,
  level: { kind: "peak" },
  make: (seed) => makeSample({ prompt, seconds, loop, seed }, job),
});
const effect = (prompt: string): Piece => ({
  group: "Effects",
  prompt,
  level: { kind: "peak" },
  make: (seed) => makeEffect({ prompt, seed }, job),
});

export const PIECES: readonly Piece[] = [
  instrumental("bright indie pop with jangly guitars, handclaps and glockenspiel, 120 bpm, in D major"),
  instrumental("lo-fi hip hop, rainy night, mellow rhodes, vinyl crackle"),
  instrumental("epic orchestral trailer with taiko and brass, D minor"),
  instrumental("deep house, warm pads, groovy bass, 122 bpm"),
  instrumental("solo piano, melancholic and slow"),
  instrumental("smooth jazz with saxophone, brushed drums and upright bass"),
  instrumental("bossa nova with nylon guitar and flute"),
  instrumental("heavy metal with double bass drums, E minor, 160 bpm"),
  instrumental("80s synthwave night drive"),
  instrumental("liquid drum and bass, airy pads"),
  instrumental("dark trap with 808s and bells"),
  instrumental("funk with slap bass, clavinet and horns"),
  instrumental("roots reggae, laid back"),
  instrumental("celtic jig with fiddle and whistle"),
  instrumental("a Viennese waltz for strings"),
  instrumental("ambient soundscape, warm drones, no drums"),
  instrumental("8-bit boss battle"),
  instrumental("baroque harpsichord and strings, allegro"),
  instrumental("salsa with piano montuno, congas and trumpets"),
  instrumental("corporate motivational background with piano and muted guitar"),
  song("indie folk, warm, acoustic guitar, female voice, 96 bpm"),
  song("80s synthpop, bright, male voice"),
  song("soul ballad with organ and horns, powerful female voice"),
  song("boom bap, deep male voice"),
  ...(Object.keys(VOICES) as VoiceName[]).map(voice),
  remixed("bossa nova guitar in D major, 120 bpm", "driving synthwave"),
  remixed("solo piano waltz in A minor", "string quartet"),
  remixed("indie rock in G major, 120 bpm", "warm soul, female voice", LYRICS),
  sample("funky drum break, 104 bpm", 9.23, true),
  sample("house drums, bass and piano stabs", 7.68, true),
  sample("lo-fi chords with vinyl crackle", 12, true),
  sample("808 bass one-shot in F", 2, false),
  sample("Em7 rhodes chord", 3, false),
  sample("orchestral hit in D minor", 2, false),
  sample("trap hi-hat roll, 140 bpm", 3.43, false),
  sample("tom fill, 110 bpm", 2.5, false),
  sample("hi-hats and claps, 124 bpm", 7.74, true),
  sample("soft piano chords, dreamy", 6, false),
  sample("cinematic riser with strings", 8, false),
  effect("three knocks on a wooden door, then it creaks open"),
  effect("heavy rain on a tin roof with distant thunder"),
  effect("laser gun, then a big explosion"),
  effect("magic spell shimmer"),
];
