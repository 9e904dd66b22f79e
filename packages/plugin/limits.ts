/** Limits of sources that many actions share. */
import type { Limits } from "../../contract/mod.ts";

/** A whole piece: 0.5 s to 10 min, 50 MB (50,000,000 bytes). */
export const WHOLE_TRACK = { seconds_min: 0.5, seconds_max: 600, bytes_max: 50_000_000 } as const satisfies Limits;

/** The same where it may be longer by configuration. */
export const LONG_TRACK = { ...WHOLE_TRACK, long: true } as const satisfies Limits;

/** Tracks that belong together, each as `WHOLE_TRACK`: 30 of them keep 6.4 GB on the disk of the job. */
export const TRACKS = { ...WHOLE_TRACK, repeated: 30, optional: true } as const satisfies Limits;
