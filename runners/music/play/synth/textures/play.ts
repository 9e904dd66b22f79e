/** Plays a texture: one bed for the whole part, let through while notes are held. */

import { hash32 } from "../../../../signal/dsp/random.ts";
import { release } from "../../../../signal/dsp/release.ts";
import { svf } from "../../../../signal/dsp/svf.ts";
import { type Performance, RATE, type Stem } from "../../performance.ts";
import { gateOf } from "../drone.ts";
import { levelOf } from "../patch.ts";
import { Bed, looped } from "./bed.ts";
import { TEXTURES, type Texture } from "./textures.ts";

/** Seconds of a bed where no ring asks for another length: longer than one remembers. */
const SECONDS = 37;

export function* playTexture(
  texture: Texture,
  { events, frames, ring, seed }: Performance,
): Generator<undefined, Stem> {
  const left = new Float32Array(frames);
  const right = new Float32Array(frames);
  if (events.length === 0) return [left, right];
  const length = ring > 0 ? ring : Math.min(frames, SECONDS * RATE);
  const extra = Math.max(32, Math.min(RATE, length >> 2));
  const bed = new Bed(length + extra, hash32(seed, 77));
  yield* TEXTURES[texture](bed);
  // Textures leave the bottom to the bass.
  for (const channel of [bed.left, bed.right]) {
    svf(channel, RATE, "high", 70, 0.7);
    yield undefined;
  }
  level(bed);
  yield undefined;
  const [one, other] = looped(bed, length);
  release(bed.left, bed.right);
  yield undefined;
  for (const event of events) {
    if (!(event.velocity > 0) || event.frame >= frames) continue;
    const gate = gateOf(event, frames, 0.9, ring);
    const gain = levelOf(Math.min(1, event.velocity));
    const first = Math.max(0, Math.round(event.frame)) % length;
    gate.add(left, one, gain, first);
    yield undefined;
    gate.add(right, other, gain, first);
    yield undefined;
  }
  release(one, other);
  return [left, right];
}

/** To a peak of 0.25, but where single grains stand far out of the rest, by its RMS: those are bent down. */
function level(bed: Bed): void {
  let peak = 0;
  let power = 0;
  for (const channel of [bed.left, bed.right])
    for (let n = 0; n < channel.length; n++) {
      const x = channel[n]!;
      peak = Math.max(peak, Math.abs(x));
      power += x * x;
    }
  const rms = Math.sqrt(power / (2 * bed.frames));
  if (!(rms > 0)) return;
  const gain = Math.max(0.25 / peak, Math.min(0.035 / rms, 0.6 / peak));
  for (const channel of [bed.left, bed.right])
    for (let n = 0; n < channel.length; n++) {
      const x = (gain * channel[n]!) / 0.3;
      const y = Math.min(3, Math.max(-3, x));
      channel[n] = (0.3 * (y * (27 + y * y))) / (27 + 9 * y * y);
    }
}
