/** Fragments that several actions share. */
import { type Limits, Type } from "../core/plugin.ts";

/** Sources of stems, loudness and ducking: 0.5 s to 10 min, 50 MB (50,000,000 bytes). */
export const WHOLE_TRACK = { seconds_min: 0.5, seconds_max: 600, bytes_max: 50_000_000 } as const satisfies Limits;

/** What is to be made, in words. Lengths count code points. */
export const Prompt = Type.String({ minLength: 1, maxLength: 1024 });
