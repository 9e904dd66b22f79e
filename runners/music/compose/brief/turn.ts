/** What is asked of the music before it turns into another kind, and after: "starts as calm jazz, becomes techno at 130". */
import { type Ask, type FormAsked, type Mention, readAsk, type TurnAsked } from "../../../language/mod.ts";
import { profileOf } from "../genres.ts";
import { lexicon } from "./lexicon.ts";

/** How far outside of what a genre is used to a tempo may lie that was said before the turn, and still hold after it. */
const STRAY = 1.1;

/** Players, moods and sounds are of the half that they are said in; what must not be heard is heard in neither. */
export function halves(ask: Ask, { at, where }: TurnAsked): readonly [before: Ask, after: Ask] {
  const [first, second] = [ask.text.slice(0, at), ask.text.slice(at)].map((text) => readAsk(text, lexicon())) as [
    Ask,
    Ask,
  ];
  const isLater = ({ from }: Mention): boolean => from >= at;
  const half = (is_later: boolean, own: Ask, other: Ask): Ask => {
    const mentions = ask.mentions.map((one) =>
      isLater(one) === is_later || one.polarity === "unwanted" ? one : { ...one, polarity: "compared" as const },
    );
    return {
      ...ask,
      turn: null,
      mentions,
      tempo: own.tempo ?? (other.tempo !== null && suits(other.tempo.bpm, mentions) ? other.tempo : null),
      key: own.key ?? other.key,
      metre: own.metre ?? other.metre,
      metre_name: own.metre_name ?? other.metre_name,
      era: own.era ?? (is_later ? null : ask.era),
      // "On celesta, and halfway through it becomes metal": what stands before the place is not said of it.
      form: ask.form
        .filter((cue) => isOfHalf(cue, ask.mentions, is_later, isLater))
        .filter((cue) => is_later || where === null || JSON.stringify(cue.where) !== JSON.stringify(where)),
    };
  };
  return [half(false, first, second), half(true, second, first)];
}

/** Whether a number of beats a minute is near to what the genre of a half is used to. */
function suits(bpm: number, mentions: readonly Mention[]): boolean {
  const genre = mentions.flatMap(({ polarity, phrase }) => {
    return polarity === "wanted" ? (lexicon().exact.get(phrase.replaceAll(" ", ""))?.genre?.genre ?? []) : [];
  })[0];
  if (genre === undefined) return true;
  const { low, high } = profileOf(genre).bpm;
  return bpm >= low / STRAY && bpm <= high * STRAY;
}

/** Who begins does so in the first half, and who ends in the second. */
function isOfHalf(
  { event, who }: FormAsked,
  mentions: readonly Mention[],
  is_later: boolean,
  isLater: (one: Mention) => boolean,
): boolean {
  if (event === "starts") return !is_later;
  if (event === "ends") return is_later;
  return who.length === 0 || who.some((one) => isLater(mentions[one]!) === is_later);
}
