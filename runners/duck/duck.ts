import type { Audio, Job } from "../../core/plugin.ts";
import { voiceActivity } from "../analyse/mod.ts";
import { depthOf } from "./depth.ts";
import { type Corner, gainCorners } from "./gain.ts";
import { voiceToMusic } from "./level.ts";
import { fadeSeconds, mix, placed } from "./mix.ts";
import type { Ducked, DuckInput } from "./mod.ts";

/**
 * The sum of voice and ducked music, as long as the longer, stereo unless both are mono. Neither is halved, delayed or compressed; the sum may pass
 * full scale: mastering follows, by one gain and one limiter on the whole, which leaves the duck as it is.
 */
export async function run({ music, voice, duck_db }: DuckInput, job: Job): Promise<Ducked> {
  job.progress(0, "listening for the voice");
  const { speech } = await voiceActivity(voice, job.signal);
  job.progress(0.6, "measuring voice and music");
  const stereo = Math.max(music.channels.length, voice.channels.length) === 2;
  const voice_placed = placed(voice, stereo, true);
  const music_placed = placed(music, stereo, false);
  const before = await voiceToMusic(voice_placed, music_placed, speech, music.sample_rate, job.signal);
  const { depth_db, music_db } = depthOf(before, duck_db, speech.length > 0);
  const corners = gainCorners(speech, depth_db, music_db);
  job.progress(0.75, "mixing");
  const fade_seconds = fadeSeconds(music, voice);
  const channels = await mix(voice_placed, music_placed, corners, music.sample_rate, fade_seconds, job.signal);
  job.progress(1, "mixing");
  const audio: Audio = { sample_rate: music.sample_rate, channels };
  return {
    audio,
    engine: "duck",
    report: {
      depth_db: rounded(depth_db),
      speech: speech.map(({ start, end }) => ({ start: rounded(start), end: rounded(end) })),
      gain: corners.map(({ time, db }: Corner) => ({ time: rounded(time), db: rounded(db) })),
      voice_to_music_lu: {
        before: before === null ? null : rounded(before),
        after: before === null ? null : rounded(before + depth_db - music_db),
      },
      balance: { music_db: rounded(music_db), voice_db: 0 },
      music_fade_seconds: fade_seconds,
    },
  };
}

/** Three decimals; never minus zero, which JSON would drop. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
