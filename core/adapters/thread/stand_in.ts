/**
 * What test keys get in an action's place: the shape that it declares, made at once by no engine, and mastered and
 * encoded as everything is.
 */

import { type AnyAction, type Audio, type Output, SAMPLE_RATE, STEMS, type Stem } from "../../../contract/mod.ts";
import { countOutputs } from "../../actions/render.ts";

const SECONDS = 2;
/** Of one tone at its begin, full scale being 1: five together clip nowhere. */
const LEVEL = 0.15;

/** The action with another `process`: no source is asked for, nor any runner, nor is anything set up. */
export function standInFor(action: AnyAction): AnyAction {
  const { setup: _, dispose: __, ...declared } = action;
  return { ...declared, sources: {}, process: ({ request, seeds }: Asked) => makeOutputs(action, request, seeds) };
}

interface Asked {
  readonly request: Readonly<Record<string, unknown>>;
  readonly seeds: readonly number[];
}

function makeOutputs(action: AnyAction, request: Asked["request"], seeds: readonly number[]): unknown {
  const { output, report } = action;
  if (output === "report") return { engine: "test", report: report?.examples?.[0] ?? { test: true } };
  if (countOutputs(action, request) !== undefined) return seeds.map((_, index) => outputOf(toneOf(index)));
  if (output === "single") return outputOf(toneOf(seeds[0]!));
  if (output === "variations") return seeds.map((seed) => outputOf(toneOf(seed)));
  if (typeof output !== "string")
    return Object.fromEntries(
      Object.keys(output).map((name, index) => [name, outputOf(toneOf(seeds[0]! + index * 5))]),
    );
  // By the name that the field has wherever stems can be chosen.
  const wanted = Array.isArray(request.stems) ? (request.stems as unknown[]) : STEMS;
  const stems = new Map<Stem, Float32Array>(STEMS.map((stem, index) => [stem, toneOf(index * 5)]));
  const [drums, bass, other] = [stems.get("drums")!, stems.get("bass")!, stems.get("other")!];
  stems.set(
    "instrumental",
    drums.map((sample, index) => sample + bass[index]! + other[index]!),
  );
  return Object.fromEntries(
    STEMS.map((stem) => [stem, wanted.includes(stem) ? outputOf(stems.get(stem)!) : undefined]),
  );
}

function outputOf(channel: Float32Array): Output {
  const audio: Audio = { sample_rate: SAMPLE_RATE, channels: [channel, channel] };
  return { audio, engine: "test", report: { test: true } };
}

/** A note that dies away, another one for another seed. */
function toneOf(seed: number): Float32Array {
  const hz = 220 * 2 ** ((seed % 24) / 12);
  const step = (2 * Math.PI * hz) / SAMPLE_RATE;
  const frames = SECONDS * SAMPLE_RATE;
  return Float32Array.from({ length: frames }, (_, at) => LEVEL * Math.sin(step * at) * (1 - at / frames) ** 2);
}
