/** What form measures: what comes back, and whether what is called alike is alike. */
import { pitchClass } from "../../../notes.ts";
import type { Role } from "../score.ts";
import { keyAt, meanOf, type Reading, slotOf, type Tone } from "./reading.ts";
import type { Measures } from "./terms.ts";

/** A bar with fewer notes is no figure to remember. */
const FIGURE_NOTES = 3;
const ROLES: readonly Role[] = ["drums", "percussion", "bass", "chords", "pad", "arpeggio", "lead", "counter"];

interface Figure {
  readonly section: number;
  /** Places in the bar. */
  readonly rhythm: string;
  /** Rising, falling or staying, from note to note. */
  readonly contour: string;
}

export function formTerms(reading: Reading): Measures {
  const figures = figuresOf(reading);
  return {
    self_similarity: repeated(figures),
    hook_recurrence: recurrence(reading, figures),
    labels: labelsOf(reading),
  };
}

/** The tune bar by bar. */
function figuresOf(reading: Reading): Figure[] {
  const { beats_per_bar } = reading.score.metre;
  const bars = new Map<number, Tone[]>();
  for (const tone of reading.tune) {
    const bar = Math.floor(tone.beat / beats_per_bar + 0.02);
    bars.set(bar, [...(bars.get(bar) ?? []), tone]);
  }
  return [...bars.values()]
    .filter((tones) => tones.length >= FIGURE_NOTES)
    .map((tones) => ({
      section: tones[0]!.section,
      rhythm: tones.map(({ beat }) => slotOf(reading, beat)).join(" "),
      contour: tones
        .slice(1)
        .map(({ pitch }, n) => Math.sign(Math.round(pitch - tones[n]!.pitch)))
        .join(" "),
    }));
}

/** Share of bars of the tune that were heard before: half for the rhythm, half for rhythm and contour. */
function repeated(figures: readonly Figure[]): number | undefined {
  if (figures.length < 8) return undefined;
  const rhythms = new Set<string>();
  const whole = new Set<string>();
  let sum = 0;
  for (const { rhythm, contour } of figures) {
    const both = `${rhythm}/${contour}`;
    sum += (rhythms.has(rhythm) ? 0.5 : 0) + (whole.has(both) ? 0.5 : 0);
    rhythms.add(rhythm);
    whole.add(both);
  }
  return sum / figures.length;
}

/** Share of sections with a tune in which the hook is heard: the figure that its climax, or else its theme, has most often. */
function recurrence({ score, tunes }: Reading, figures: readonly Figure[]): number | undefined {
  const { sections } = score;
  const peak =
    sections.find(({ kind }) => kind === "chorus" || kind === "drop") ??
    sections.find(({ kind }) => kind === "theme" || kind === "verse");
  const played = tunes.filter((tones) => tones.length > 0).length;
  if (peak === undefined || played < 3) return undefined;
  const counts = new Map<string, number>();
  for (const { section, rhythm, contour } of figures) {
    if (sections[section]!.label !== peak.label) continue;
    const figure = `${rhythm}/${contour}`;
    counts.set(figure, (counts.get(figure) ?? 0) + 1);
  }
  let [hook, most] = ["", 0];
  for (const [figure, count] of counts) if (count > most) [hook, most] = [figure, count];
  const heard = new Set(
    figures.flatMap(({ section, rhythm, contour }) => (`${rhythm}/${contour}` === hook ? [section] : [])),
  );
  return heard.size / played;
}

/**
 * How much more alike sections of one label are than others: correlation of their chroma, players and places of
 * strokes; means, -1 to 1 each.
 */
function labelsOf(reading: Reading): number | undefined {
  const { score, onsets } = reading;
  const { sections, parts } = score;
  const vectors = onsets.map((all, n) => {
    const chroma = new Float64Array(12);
    const roles = new Float64Array(ROLES.length);
    const places = new Float64Array(score.metre.beats_per_bar * reading.slots);
    const { tonic } = keyAt(score, sections[n]!.beat);
    for (const onset of all) {
      const { role } = parts[onset.part]!;
      const seat = ROLES.indexOf(role);
      if (seat >= 0) roles[seat]! += 1 / sections[n]!.beats;
      if (role !== "drums" && role !== "percussion") chroma[pitchClass(Math.round(onset.pitch) - tonic)]! += 1;
      places[slotOf(reading, onset.beat)]! += 1;
    }
    return [unit(chroma), unit(roles), unit(places)];
  });
  const alike: number[] = [];
  const unlike: number[] = [];
  for (let a = 0; a < sections.length; a++)
    for (let b = a + 1; b < sections.length; b++) {
      const product = meanOf(vectors[a]!.map((vector, k) => dot(vector, vectors[b]![k]!)));
      (sections[a]!.label === sections[b]!.label ? alike : unlike).push(product);
    }
  return alike.length === 0 || unlike.length === 0 ? undefined : meanOf(alike) - meanOf(unlike);
}

function unit(values: Float64Array): Float64Array {
  const power = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return power === 0 ? values : values.map((value) => value / power);
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += a[n]! * b[n]!;
  return sum;
}
