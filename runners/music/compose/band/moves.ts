import { musicOf } from "../../../packs/mod.ts";
import { beatsIn } from "../clock.ts";
import type { Cast, Plan } from "../plan.ts";
import type { Move, Role } from "../score.ts";
import { stream } from "./frame.ts";

/** The longest that the whole mix is faded over. */
const FADE_SECONDS = 14;

/**
 * What the desk moves: fades that were asked for, filters that open through builds and introductions and close at the
 * end, a breath of silence before a drop, echoes thrown from the last notes of a tune. A silence is never longer than
 * half a second.
 */
export function moves(plan: Plan, cast: Cast): Move[] {
  const { scene } = musicOf(plan.brief.genre).styles;
  const { genre, second_genre } = plan.brief;
  const throws_echoes = [genre, second_genre].some((one) => one !== null && musicOf(one).styles.throws_echoes === true);
  const rng = stream(plan, "moves");
  const traits = new Set(plan.brief.traits.map((trait) => trait.toLowerCase().replaceAll("_", " ")));
  const named = (index: number, ...roles: readonly Role[]): string[] =>
    cast.seats.filter((seat) => roles.includes(seat.role) && seat.sections.includes(index)).map(({ name }) => name);
  const bar = plan.brief.metre.beats_per_bar;
  const electronic = scene === "dance" || scene === "beat" || scene === "floating";
  const found: Move[] = [];
  const push = (kind: Move["kind"], beat: number, beats: number, amount: number, parts: readonly string[]): void => {
    if (parts.length > 0 && beats > 0 && beat >= 0 && beat + beats <= plan.beats + 1e-6)
      found.push({ kind, beat, beats, amount, parts });
  };
  plan.sections.forEach((section, index) => {
    const next = plan.sections[index + 1];
    const end = section.beat + section.beats;
    if (section.kind === "build")
      push("filter_open", section.beat, section.beats, 0.85, named(index, "chords", "pad", "arpeggio", "lead"));
    else if (index === 0 && next && scene === "dance" && rng() < 0.7)
      push("filter_open", section.beat, section.beats, 0.6, named(index, "chords", "arpeggio", "pad", "bass"));
    else if (index === 0 && next && scene === "beat" && rng() < 0.35)
      push("filter_open", section.beat, section.beats, 0.7, named(index, "chords", "drums", "arpeggio"));
    else if (section.kind === "break" && electronic && rng() < 0.5)
      push("filter_open", section.beat, section.beats, 0.5, named(index, "chords", "arpeggio"));
    if (
      section.kind === "outro" &&
      !next &&
      !plan.ring &&
      (electronic || traits.has("fade out")) &&
      section.beats >= 2 * bar
    )
      push(
        "filter_close",
        section.beat + section.beats / 2,
        section.beats / 2,
        0.6,
        named(index, "chords", "arpeggio", "pad", "drums"),
      );
    if (next?.kind === "drop" && next.energy > section.energy - 0.05 && section.beats >= 2 * bar) {
      // Half a second at most, and at most a beat: what was struck before rings into it.
      const gap = Math.min(1, Math.floor(beatsIn(plan.bpm, 0.5) * 4) / 4);
      if (gap >= 0.25)
        push("mute", end - gap, gap, 1, named(index, "drums", "percussion", "bass", "chords", "arpeggio"));
    }
    const throws = electronic || scene === "band" ? 0.75 : 0.25;
    if (section.beats >= 4 * bar && rng() < throws) {
      const amount = next && next.energy < section.energy ? 0.7 : 0.5;
      push("delay_throw", end - Math.min(2, bar / 2), Math.min(2, bar / 2), amount, named(index, "lead"));
    }
    if (throws_echoes)
      for (let beat = section.beat + 2 * bar - 1; beat < end; beat += 4 * bar)
        push("delay_throw", beat, 1, 0.9, named(index, "chords", "drums"));
  });
  if (!plan.ring) {
    const [first, last] = [plan.sections[0]!, plan.sections.at(-1)!];
    const longest = plan.sections.length > 1 ? plan.beats / 3 : plan.beats / 2;
    const all = (kind: Move["kind"], beats: number, beat: number): void => {
      found.push({ kind, beat, beats, amount: 1, parts: [] });
    };
    const into = Math.min(longest, first.beats, beatsIn(plan.bpm, FADE_SECONDS));
    if (traits.has("fade in")) all("fade_in", into, 0);
    const usual = Math.min(longest, Math.max(last.beats, 4 * bar), beatsIn(plan.bpm, FADE_SECONDS));
    const { bars = null, seconds = null } = plan.brief.fade ?? {};
    const said = bars === null ? seconds && beatsIn(plan.bpm, seconds) : bars * bar;
    const out = Math.min(plan.beats, said ?? usual);
    if (traits.has("fade out")) all("fade_out", out, plan.beats - out);
  }
  return found.sort((a, b) => a.beat - b.beat);
}
