import type { Audio, Job, Streamed } from "../../../contract/mod.ts";
import { viewsOf } from "../../samples.ts";
import { roundTo } from "../dsp/numbers.ts";
import { release } from "../dsp/release.ts";
import { depthOf } from "./depth.ts";
import { type Corner, gainCorners } from "./gain.ts";
import { voiceToMusic } from "./level.ts";
import { addVoice, bedOf, fadeSeconds, held, placed } from "./mix.ts";
import { limitVoice, overAtRest } from "./peaks.ts";
import { ENGINE, findSpeech } from "./speech.ts";
import type { Ducked, DuckInput } from "./types.ts";

/** A voice whose peaks are taken down is softer. Of the 2 LU above what is promised this much may go; the duck makes up for the rest. */
const LOSS_LU_MAX = 1;

/** dB by which strokes of the music may be over the ceiling where nobody speaks before the music is lowered. */
const OVER_DB_MAX = 1.4;

const SETTLED_DB = 0.4;
const ROUNDS_MAX = 6;

/** A mix up to so long is in memory, 212 MB of stereo: it is read again and again. */
const HELD_SECONDS = 600;

/**
 * The sum of voice and ducked music, as long as the longer, stereo unless both are mono. Neither is halved or delayed; the sum may pass
 * full scale: mastering follows, by one gain and one limiter on the whole. Peaks of the voice that would make it work are taken down here.
 * Bed and mix of more than `held_seconds` are made each time that they are read.
 */
export async function run(
  { music, voice, duck_db, limit_for_lufs }: DuckInput,
  job: Job,
  held_seconds = HELD_SECONDS,
): Promise<Ducked> {
  job.progress(0, "listening for the voice");
  const { made: speech, engine, passed_over } = await findSpeech(voice, job);
  job.progress(0.6, "measuring voice and music");
  const sources = [viewsOf(music), viewsOf(voice)] as const;
  const sides = Math.max(...sources.map(({ channels }) => channels));
  const frames = Math.max(...sources.map((source) => source.frames));
  const voice_placed = placed(voice, sides === 2, true);
  const music_placed = placed(music, sides === 2, false);
  const before = await voiceToMusic(voice_placed, music_placed, speech, job.signal);
  const fade_seconds = fadeSeconds(...sources);
  const is_long = frames > held_seconds * music.sample_rate;
  job.progress(0.75, "mixing");
  const mixOf = async (loss_lu: number, ease_db: number) => {
    const voice_to_music_lu = before === null ? null : before - loss_lu;
    const { depth_db, music_db } = depthOf(voice_to_music_lu, duck_db, speech.length > 0, ease_db);
    const corners = gainCorners(speech, depth_db, music_db);
    const made = bedOf({ music: music_placed, corners, sides, frames, fade_seconds });
    const bed = is_long ? { ...made, peak: Number.MAX_VALUE } : await held(made, job.signal);
    const limited =
      limit_for_lufs === undefined
        ? undefined
        : await limitVoice(voice_placed, viewsOf(bed), speech, limit_for_lufs, job.signal);
    return { depth_db, music_db, corners, bed, limited };
  };
  let made = await mixOf(0, 0);
  let lost_lu = 0;
  let ease_db = 0;
  // A voice that is softer and music that is lower ask for more gain on the whole, and so for a little more of both.
  for (let round = 1; round <= ROUNDS_MAX && duck_db === undefined && limit_for_lufs !== undefined; round++) {
    if (made.limited === undefined || made.depth_db === 0) break;
    const { lufs, loss_lu } = made.limited;
    const more_lu = Math.max(0, loss_lu - LOSS_LU_MAX - lost_lu);
    const over_db = overAtRest(viewsOf(made.bed), made.corners, lufs, limit_for_lufs) - OVER_DB_MAX;
    const more_db = Math.max(0, over_db);
    if (more_lu + more_db < SETTLED_DB) break;
    release(made.limited.curve?.gains);
    lost_lu += more_lu;
    ease_db += more_db;
    const before_db = made.music_db;
    // No second bed stands beside it.
    if (!("samples" in made.bed)) release(...made.bed.channels);
    made = await mixOf(lost_lu, ease_db);
    if (more_lu === 0 && made.music_db === before_db) break;
  }
  const { depth_db, music_db, corners, bed, limited } = made;
  const audio = mixed(bed, (from, to, out) => addVoice(voice_placed, limited?.curve, from, to, out));
  job.progress(1, "mixing");
  return {
    audio,
    ...(engine === ENGINE ? {} : { engine: `${ENGINE}+${engine}` }),
    report: {
      ...(passed_over.length === 0 ? {} : { passed_over }),
      depth_db: roundTo(depth_db, 3),
      speech: speech.map(({ start, end }) => ({ start: roundTo(start, 3), end: roundTo(end, 3) })),
      gain: corners.map(({ time, db }: Corner) => ({ time: roundTo(time, 3), db: roundTo(db, 3) })),
      voice_to_music_lu: {
        before: before === null ? null : roundTo(before, 3),
        after: before === null ? null : roundTo(before - (limited?.loss_lu ?? 0) + depth_db - music_db, 3),
      },
      voice_peaks_db: roundTo(limited?.deepest_db ?? 0, 3),
      balance: { music_db: roundTo(music_db, 3), voice_db: 0 },
      music_fade_seconds: fade_seconds,
    },
  };
}

/** The bed with the voice on it: the same arrays, or made as it is read. */
function mixed(
  bed: Audio | Streamed,
  add: (from: number, to: number, out: readonly Float32Array[]) => void,
): Audio | Streamed {
  if (!("samples" in bed)) {
    add(0, bed.channels[0]!.length, bed.channels);
    return bed;
  }
  return {
    ...bed,
    samples(from, to, out) {
      bed.samples(from, to, out);
      add(from, to, out);
    },
  };
}

/** Three decimals; never minus zero, which JSON would drop. */
