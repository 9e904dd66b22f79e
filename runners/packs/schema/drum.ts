/** A drum of a kit: its key, where it stands, and what a drum machine makes it of. Times are in seconds. */
import { type Static, Type } from "@sinclair/typebox";
import { section } from "./common.ts";
import { anyOf, Note } from "./instrument/note.ts";

const Amount = Type.Number();
const Place = Type.Number({ minimum: -1, maximum: 1 });

export type DrumPack = Static<typeof DrumPack>;
export const DrumPack = section({
  $schema: Type.Optional(Type.String()),
  /** On the General MIDI percussion map, as a note. */
  key: Note,
  /** Keys of larger maps that sound like it. */
  also: Type.Optional(Type.Array(Note)),
  /** Sounds for what lies below or above all maps. */
  beyond: Type.Optional(anyOf("below", "above")),
  /** For who listens, -1 left to 1 right, in a recorded kit and in a machine's; in the middle where absent. */
  pan: Type.Optional(section({ recorded: Place, synthesised: Place })),
  /** Drums of a machine that it ends. */
  chokes: Type.Optional(Type.Array(Note)),
  /** One of what follows. Each machine has its own of these ... */
  part: Type.Optional(
    anyOf(
      "kick",
      "second_kick",
      "snare",
      "second_snare",
      "clap",
      "rim",
      "closed_hat",
      "pedal_hat",
      "open_hat",
      "tambourine",
      "vibraslap",
    ),
  ),
  /** ... tunes its toms from the lowest, and its cymbals by a length and a pitch of its own ... */
  tom: Type.Optional(section({ ratio: Amount })),
  cymbal: Type.Optional(section({ t60: Amount, tune: Amount, low_hertz: Amount, bell: Amount, wash: Amount })),
  /** ... and has these as all others. */
  skin: Type.Optional(section({ hertz: Amount, t60: Amount, slap: Amount })),
  bell: Type.Optional(section({ hertz: Amount, ratio: Amount, t60: Amount })),
  snap: Type.Optional(section({ hertz: Amount, t60: Amount })),
  wood: Type.Optional(section({ hertz: Amount, t60: Amount })),
  rattle: Type.Optional(section({ low_hertz: Amount, rise: Amount, t60: Amount, grain: Amount })),
  guiro: Type.Optional(section({ seconds: Amount, strokes: Amount })),
  whistle: Type.Optional(section({ seconds: Amount })),
  cuica: Type.Optional(section({ hertz: Amount, t60: Amount, drop: Amount })),
  triangle: Type.Optional(section({ t60: Amount })),
});
