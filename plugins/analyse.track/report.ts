/** What `analyse.track` reports. Times are seconds from the first sample of the source. */
import { Type } from "../../packages/plugin/mod.ts";

const number = (description: string) => Type.Number({ description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const text = (description: string) => Type.String({ description });
const numberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const times = (description: string) => Type.Array(Type.Number(), { description });
const start = number("Seconds");
const end = number("Seconds");
const curve = (description: string) =>
  Type.Object(
    { hop_seconds: number("Between two values"), values: Type.Array(Type.Number(), { description: "From 0 s on" }) },
    { description },
  );

export const TrackReport = Type.Object(
  {
    loudness: Type.Object(
      {
        integrated_lufs: numberOrNull("BS.1770-4; null when silent"),
        range_lu: numberOrNull("Loudness range, EBU Tech 3342; null where there are less than 3 s"),
        momentary_lufs_max: numberOrNull("Loudest 400 ms, EBU Tech 3341"),
        short_term_lufs_max: numberOrNull("Loudest 3 s, EBU Tech 3341"),
        true_peak_dbtp: numberOrNull("BS.1770-4; null when silent"),
      },
      { description: "Measured on the source as it was sent" },
    ),
    seconds: number("Length of the source"),
    tempo_bpm: number("Beats a minute; 0 where there is no beat to rely on"),
    beat_confidence: share("How sure the beat is"),
    metre: textOrNull("4/4, 3/4, 6/8 and the like; null where there is no beat to rely on"),
    beats: times("Seconds"),
    downbeats: times("Seconds; the first beat of each bar"),
    key: textOrNull("As A minor or Eb major; null where nothing sounds"),
    key_confidence: share("How sure the key is"),
    tuning_hz: number("Of the A above middle C"),
    chords: Type.Array(Type.Object({ start, end, label: text("As C, Am7, Bdim; N for none") }), {
      description: "One after the other",
    }),
    sections: Type.Array(
      Type.Object({
        start,
        end,
        label: text("Sections of equal label repeat one another"),
        level_db: number("Mean loudness against the whole piece's"),
      }),
      { description: "One after the other" },
    ),
    speech: Type.Array(Type.Object({ start, end }), { description: "Where somebody speaks or sings" }),
    curves: Type.Object(
      { energy: curve("Perceived energy, 0 to 1"), momentary_lufs: curve("Loudness of 400 ms, LUFS") },
      { description: "Twice a second" },
    ),
  },
  {
    description: "What was measured and heard",
    examples: [
      {
        loudness: {
          integrated_lufs: -14.21,
          range_lu: 5.3,
          momentary_lufs_max: -9.87,
          short_term_lufs_max: -11.4,
          true_peak_dbtp: -0.64,
        },
        seconds: 8.5,
        tempo_bpm: 120,
        beat_confidence: 0.97,
        metre: "4/4",
        beats: [0.25, 0.75, 1.25, 1.75, 2.25],
        downbeats: [0.25, 2.25],
        key: "A minor",
        key_confidence: 0.71,
        tuning_hz: 440,
        chords: [{ start: 0.25, end: 2.25, label: "Am" }],
        sections: [{ start: 0, end: 8.5, label: "A", level_db: 0 }],
        speech: [{ start: 2.11, end: 4.87 }],
        curves: {
          energy: { hop_seconds: 0.5, values: [0.2, 0.7] },
          momentary_lufs: { hop_seconds: 0.5, values: [-18.2, -13.9] },
        },
      },
    ],
  },
);
