import type { Job, Making, Output } from "../../../contract/mod.ts";
import type { Ask } from "../../language/mod.ts";
import { hash32 } from "../../signal/dsp/random.ts";
import { type Brief, beatSeconds } from "../compose/mod.ts";
import { type Lyrics, loadSinger, type SingEngine } from "../sing/mod.ts";
import { type LayoutOf, recorder, scoreReport, share, vocalists, within } from "../studio/mod.ts";
import type { Returning } from "./apart.ts";
import { byModels } from "./by_models.ts";
import { ENGINE } from "./engine.ts";
import { Transposition } from "./harmony.ts";
import type { RemixSongInput } from "./input.ts";
import { rebarred, withEnding } from "./metre.ts";
import { type Facts, FOLLOWED, hear, heardOf, isSilent, keptOf, returned, silent, takes } from "./remix.ts";
import { readSource, remixedAs } from "./source.ts";
import { endedWithin, type Laid, sungForm } from "./sung.ts";
import { calmer, quiet, unlike } from "./unlike.ts";
import { afresh, wishesFor } from "./wishes.ts";

/** Where a source has no chord that is sure, its tune says little too. Below this mean confidence the lines are set freely. */
const TUNE_SURE = 0.35;

/**
 * One song for each seed: new lyrics on the source's chords, tempo, key and, where syllables fit, its tune, played by
 * another band. Stereo, not mastered.
 */
export async function remixSong(input: RemixSongInput, job: Job): Promise<readonly (Output | Making)[]> {
  if (isSilent(input.source)) return silent(input);
  const report = async () => {
    const { language } = (await loadSinger()).readLyrics(input.lyrics);
    const unknown = { heard: null, understood: null, composed: null, tune: null, returned: null };
    return { ...unknown, voice: null, language, lines: null };
  };
  return byModels("remix_song", input, report, job, () => singAnew(input, job));
}

async function singAnew(
  { source, lyrics, prompt, seconds, seeds }: RemixSongInput,
  job: Job,
): Promise<readonly Making[]> {
  const { facts, own, analysis, grid, writer } = await hear(source, job);
  const ask = writer.readPrompt(prompt);
  const wishes = wishesFor(own, ask, grid, analysis, seeds, writer, keptOf(facts));
  const width = (1 - FOLLOWED) / seeds.length;
  return unlike(source, seeds.length, 3, (index, again) => {
    const seed = again > 1 ? hash32(seeds[index]!, again) : seeds[index]!;
    const wish = afresh(wishes[index]!, []);
    const { brief } = again > 0 ? calmer(wish, seed) : wish;
    const kinds = again > 0 ? [] : takes(index, readSource(ask), brief);
    const own_job = again > 0 ? quiet(job) : share(job, FOLLOWED + index * width, width);
    return one(facts, brief, kinds, { lyrics, ask, seconds }, seed, writer, own_job);
  });
}

async function one(
  facts: Facts,
  brief: Brief,
  kinds: readonly Returning[],
  {
    lyrics,
    ask,
    seconds: duration,
  }: { readonly lyrics: string; readonly ask: Ask; readonly seconds: number | undefined },
  seed: number,
  writer: Awaited<ReturnType<typeof hear>>["writer"],
  job: Job,
): Promise<Output> {
  const { analysis, tune } = facts;
  const [engine, { vocals, singerFor, sungAs, vocalist, layoutOf }, record] = await Promise.all([
    loadSinger(),
    vocalists.load(),
    recorder.load(),
  ]);
  job.progress(0, "composing");
  const words = engine.readLyrics(lyrics);
  const singer = singerFor(ask, brief, seed, engine);
  const { form, given, layout } = sungOn(facts, brief, words, seed, engine, writer, layoutOf, duration);
  const { score, choice } = writer.chooseBest(seed, (candidate) => ({
    score: writer.compose(layout.brief, { given, singer: singer.voice }, candidate),
  }));
  const who = vocalist(engine, job);
  const { guests, lines } = vocals(layout.lyrics, score, singer, seed, engine, who);
  const { guests: old, seconds } = returned(facts, form.bars, score, brief, kinds, seed, job);
  const lasting = within(duration ?? analysis.seconds);
  const audio = await record(score, seed, share(job, 0.02, 0.98), { guests: [...old, ...guests], ...lasting });
  return {
    audio,
    engine: who.engine(ENGINE),
    report: {
      ...who.report(),
      heard: heardOf(analysis),
      understood: remixedAs(sungAs(writer.reportOf(brief), ask), ask, true),
      composed: scoreReport(score, choice),
      voice: singer.name,
      language: words.language,
      lines,
      tune: { notes: tune.notes.length, confidence: Math.round(100 * tune.confidence) / 100 },
      returned: seconds,
    },
  };
}

/** The new lyrics in a form as long as the source, or as was asked, on what of the source suits each section. */
export function sungOn(
  { analysis, grid, key, chords, sections, tune }: Facts,
  brief: Brief,
  words: Lyrics,
  seed: number,
  engine: SingEngine,
  writer: Awaited<ReturnType<typeof hear>>["writer"],
  layoutOf: LayoutOf,
  duration: number = analysis.seconds,
) {
  const moved = new Transposition(key, brief.key);
  const count = grid.metre.beats_per_bar;
  const layout = layoutOf(words, { brief, outline: {}, seconds: duration }, seed, engine, writer);
  const bar_seconds = brief.metre.beats_per_bar * beatSeconds(brief.bpm);
  const { line_bars } = writer.customsOf(brief, seed);
  const origin = {
    sections,
    chords: chords?.map((chord) => moved.chord(chord)),
    tune: tune.confidence >= TUNE_SURE ? tune.notes.map((note) => ({ ...note, pitch: moved.pitch(note.pitch) })) : [],
    beats_per_bar: count,
  };
  const formOf = (bars: number): Laid =>
    sungForm(
      writer.draftsWithin(
        layout.outline.sections,
        { seconds: bar_seconds, beats: brief.metre.beats_per_bar },
        bars,
        line_bars,
      ),
      origin,
    );
  const ended = (form: Laid) => withEnding(rebarred(form, count, brief.metre.beats_per_bar), brief);
  const form = endedWithin(duration / bar_seconds, formOf, ended);
  return { layout, form, given: ended(form) };
}
