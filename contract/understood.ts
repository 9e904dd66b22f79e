/**
 * What the words of a request are taken to ask for: one shape for everything that is made of words, in reports of
 * outputs and in dry runs. `./mod.ts` hands it on.
 */
import { type Static, Type } from "@sinclair/typebox";

const text = (description: string) => Type.String({ description });
const texts = (description: string) => Type.Array(Type.String(), { description });
const number = (description: string) => Type.Number({ description });
const share = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }));
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const numberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const Sound = Type.Object(
  {
    sound: text("What is heard"),
    material: textOrNull("What it is of; null where nothing was said"),
    count: Type.Union([Type.Integer(), Type.Null()], { description: "How often; null where nothing was said" }),
    distance: number("0 at hand to 1 far away"),
    motion: textOrNull("approaching, receding, passing, rising or descending; null where nothing was said"),
    intensity: numberOrNull("0 soft to 1 violent; null where nothing was said"),
    level_db: number("How much louder than what sounds beside it"),
    turn: Type.Union([Type.Integer(), Type.Null()], {
      description: "From 1 on; sounds of one turn are heard at once, and null is under all of it",
    }),
    said: Type.Optional(text("The words that it was taken from")),
    manner: Type.Optional(texts("How it is: soft, huge, louder than wind")),
    after_seconds: Type.Optional(number("From the beginning of what is before it")),
    every_seconds: Type.Optional(number("From one time to the next")),
    direction: Type.Optional(text("Where it stands or which way it crosses, where each has a place of its own")),
  },
  { description: "One sound of an effect" },
);

const Guess = Type.Object(
  {
    field: text("Which field of what was understood"),
    value: text("What it was taken to be"),
    from: textOrNull("Words that it was guessed from, or other fields; null: it was free"),
  },
  { description: "What no word said outright" },
);

const Taken = Type.Object(
  {
    words: text("As they were written: kora"),
    field: text("Which field of what was understood: instruments"),
    value: text("What they are there: harp"),
  },
  { description: "Words that name something that stands there by another name" },
);

const Voice = Type.Object(
  {
    singers: texts("Who may sing: baritone, tenor, alto, soprano; empty where only the manner was said"),
    manner: texts("How: breathy, raspy, whispered, rap"),
    who: Type.Optional(texts("As the words call them: woman, old man, child")),
    ensemble: Type.Optional(textOrNull("duet, choir, backing vocals; null for one singer")),
  },
  { description: "What the words say of a voice" },
);

const Source = Type.Object(
  {
    keep: texts("What of it stays: vocals, drums"),
    tempo: textOrNull("slower, faster, half, double, same; null where nothing was said or a number was"),
    semitones: numberOrNull("How far up, or down where negative; null where nothing was said"),
  },
  { description: "What a remix does with its source" },
);

/** Keys of music alone are absent where something else is made. */
export const Understood = Type.Object(
  {
    genre: textOrNull("As people write it: drum and bass; null where it is no music, or a source says"),
    tempo_bpm: numberOrNull("Beats a minute; null as for genre"),
    key: textOrNull("As A minor or Eb major; null as for genre"),
    metre: textOrNull("As 4/4; null as for genre"),
    instruments: texts("Asked for by name"),
    without: texts("What must not be heard, in the words of the prompt"),
    moods: texts("Strongest first"),
    voice: Type.Union([Voice, Type.Null()], { description: "Who sings and how; null where nothing was said" }),
    form: texts("What was asked of the course: starts with piano, drums from the second half, ends: fade out"),
    seconds: numberOrNull("Length that the words ask for; null where they ask for none"),
    sounds: Type.Array(Sound, { description: "Of an effect, in order; empty where music is made" }),
    place: textOrNull("Where it is heard: church, dry; null where nothing was said"),
    clip: textOrNull(
      "What kind of clip a sample is: stroke, note, chord, roll, drum pattern, phrase, sound; null elsewhere",
    ),
    clip_of: Type.Optional(texts("Of a single sound or a drum pattern: F#2, Cm7, snare")),
    motion: Type.Optional(textOrNull("Where the pitch of a clip goes: rising, falling; null where it stays")),
    times: Type.Optional(numberOrNull("How often a single drum is struck; null where it was not said")),
    articulation: Type.Optional(texts("How a clip is played: short, let ring, staccato")),
    direction: Type.Optional(textOrNull("Where an effect stands or which way it crosses: left to right")),
    taken: Type.Optional(
      Type.Array(Taken, {
        description: "What was asked in other words than those above",
      }),
    ),
    bars: Type.Optional(numberOrNull("Bars that the words ask for; null where they ask for none")),
    progression: Type.Optional(texts("Chords that the words ask for, a bar each: Am, F, C, G")),
    dynamics: Type.Optional(texts("What is louder or softer: piano soft, bass softer than piano, crescendo")),
    tempo: Type.Optional(textOrNull("The tempo in words: slow, getting faster, same; null where no word said any")),
    guessed: Type.Array(Guess, { description: "What of the above no word said outright" }),
    not_understood: texts("Words that steer nothing by what they mean"),
    second_genre: Type.Optional(textOrNull("A genre that colours it")),
    swing: Type.Optional(number("Place of the off-beat: 0.5 straight, 0.67 triplets")),
    energy: share("Calm to wild"),
    valence: share("Sad to glad"),
    brightness: share("Dark to bright"),
    density: share("Sparse to full"),
    space: share("Dry to wide"),
    drive: share("Clean to driven"),
    age: share("Modern to worn"),
    era: Type.Optional(textOrNull("Decade such as 1980s")),
    source: Type.Optional(Source),
    scene: Type.Optional(texts("Textures that a scene calls for")),
    traits: Type.Optional(texts("Asked of the arrangement by name")),
    explicit: Type.Optional(texts("Fields that the words said outright")),
    unknown_words: Type.Optional(texts("The same as not_understood")),
  },
  {
    title: "Understood",
    description: "What the words were taken to ask for, what was guessed, and what was not understood",
    examples: [
      {
        genre: "jazz",
        tempo_bpm: 124,
        key: "F major",
        metre: "4/4",
        instruments: ["piano", "upright bass"],
        without: ["drums"],
        moods: ["calm"],
        voice: null,
        form: ["fade out"],
        seconds: null,
        sounds: [],
        place: null,
        clip: null,
        guessed: [
          { field: "tempo_bpm", value: "124", from: "genre" },
          { field: "key", value: "F major", from: "genre, moods" },
        ],
        not_understood: ["zorble"],
      },
    ],
  },
);

export type Understood = Static<typeof Understood>;
