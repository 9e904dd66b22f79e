/** Plays a kit: every stroke is made once for its key, force and turn, and mixed in wherever it falls. */
import { cosine, sine } from "../../../../signal/dsp/exact.ts";
import { hash32, random } from "../../../../signal/dsp/random.ts";
import { release } from "../../../../signal/dsp/release.ts";
import { nearestDrum } from "../../drums.ts";
import { type Performance, RATE, type Stem } from "../../performance.ts";
import { type Kit, stroke } from "./kits.ts";
import { inTune } from "./tuning.ts";

/** Forces that sound different; between them only the level changes. */
const FORCES = 5;
/** Strokes of the same force that sound different. */
const TURNS = 4;
/** What is choked falls silent in 9 ms. */
const CHOKE = 400;
/** Strokes within 25 ms are one. */
const TOGETHER = 1100;
/** A stroke of velocity 0.8 on the kick peaks here. */
const LEVEL = 0.27;

export function* playKit(machine: Kit, { events, frames, seed, tonic }: Performance): Generator<undefined, Stem> {
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  const own = varied(machine, seed);
  const kit = tonic === undefined ? own : inTune(own, tonic);
  const made = new Map<number, Float32Array>();
  // The frame at which each key is next choked: from the end backwards.
  const ends = new Map<number, number>();
  for (let index = events.length - 1; index >= 0; index--) {
    const event = events[index]!;
    const frame = Math.max(0, Math.round(event.frame));
    if (frame >= frames || !(event.velocity > 0)) continue;
    const drum = nearestDrum(event.pitch);
    const { key } = drum;
    const velocity = Math.min(1, event.velocity);
    const force = Math.min(FORCES - 1, Math.floor(velocity * FORCES));
    const turn = Math.abs(Math.floor(event.turn)) % TURNS;
    const name = (key * FORCES + force) * TURNS + turn;
    let sound = made.get(name);
    if (sound === undefined) {
      sound = stroke(kit, drum, (force + 0.75) / FORCES, random(hash32(seed, key * TURNS + turn)));
      made.set(name, sound);
    }
    // What is struck together does not end one another.
    const next = ends.get(key) ?? frames;
    const end = next - frame < TOGETHER ? frames : next;
    const gain = LEVEL * levelOf(velocity) * (event.articulation === "mute" ? 0.7 : 1);
    const muted = event.articulation === "mute" ? frame + Math.round(0.04 * RATE) : frames;
    add(left, right, sound, frame, Math.min(end, muted), gain, drum.pan?.synthesised ?? 0);
    // Hats, triangles, cuícas, guiros and whistles end one another; a kick itself, whose tail must not beat against the next.
    for (const other of drum.chokes) ends.set(other, frame);
    yield undefined;
  }
  release(...made.values());
  return [left, right];
}

/** 1 at velocity 0.8. Drums are played over a smaller range than keys: ghost notes must be heard. */
function levelOf(velocity: number): number {
  const v = velocity / 0.8;
  return v * (0.45 + 0.55 * v);
}

/** Two pieces do not have the same drums: pitches within 4 %, lengths within 15 %. */
function varied(kit: Kit, seed: number): Kit {
  const next = random(hash32(seed, 909));
  const near = (range: number): number => 1 + range * (2 * next() - 1);
  return {
    ...kit,
    kick: {
      ...kit.kick,
      hertz: kit.kick.hertz * near(0.05),
      t60: kit.kick.t60 * near(0.15),
      click: kit.kick.click * near(0.25),
    },
    snare: {
      ...kit.snare,
      low: kit.snare.low * near(0.05),
      high: kit.snare.high * near(0.05),
      wires_t60: kit.snare.wires_t60 * near(0.18),
    },
    clap: { ...kit.clap, hertz: kit.clap.hertz * near(0.08), tail: kit.clap.tail * near(0.2) },
    hat: {
      ...kit.hat,
      tune: kit.hat.tune * near(0.06),
      closed: kit.hat.closed * near(0.2),
      open: kit.hat.open * near(0.2),
    },
    tom: { ...kit.tom, hertz: kit.tom.hertz * near(0.06), t60: kit.tom.t60 * near(0.12) },
  };
}

function add(
  left: Float32Array,
  right: Float32Array,
  sound: Float32Array,
  frame: number,
  end: number,
  gain: number,
  pan: number,
): void {
  const count = Math.min(sound.length, end + CHOKE - frame, left.length - frame);
  const fade = Math.min(count, end - frame);
  const turn = (pan + 1) / 8;
  const to_left = pan === 0 ? gain : gain * Math.SQRT2 * cosine(turn);
  const to_right = pan === 0 ? gain : gain * Math.SQRT2 * sine(turn);
  for (let n = 0; n < fade; n++) {
    const value = sound[n]!;
    left[frame + n] = left[frame + n]! + to_left * value;
    right[frame + n] = right[frame + n]! + to_right * value;
  }
  for (let n = Math.max(0, fade); n < count; n++) {
    const value = sound[n]! * (1 - (n - fade) / CHOKE);
    left[frame + n] = left[frame + n]! + to_left * value;
    right[frame + n] = right[frame + n]! + to_right * value;
  }
}
