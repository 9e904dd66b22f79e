import type { Audio } from "../../../contract/mod.ts";
import { cosine } from "../../signal/dsp/exact.ts";

/** What rings on after the last bar may last so long, seconds, and this share of the piece before it. */
const [SECONDS_MAX, SHARE] = [4, 0.25];
/** The end of it is faded over this share. */
const FADED = 0.6;

/** With at most a few seconds after what was written: a remix is about as long as its source. In the memory of what was given. */
export function withTail({ sample_rate, channels }: Audio, written_seconds: number): Audio {
  const tail = Math.min(SECONDS_MAX, 1 + SHARE * written_seconds);
  const length = Math.round((written_seconds + tail) * sample_rate);
  if (channels[0]!.length <= length) return { sample_rate, channels };
  const fade = Math.round(FADED * tail * sample_rate);
  return {
    sample_rate,
    channels: channels.map((channel) => {
      const kept = channel.subarray(0, length);
      for (let n = 0; n < fade; n++) kept[length - fade + n]! *= 0.5 + 0.5 * cosine((n + 0.5) / (2 * fade));
      return kept;
    }),
  };
}
