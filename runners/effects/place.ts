/** Where a sound is heard: distance and environment, in place on stereo samples. */
import { saturate } from "../signal/dsp/envelope.ts";
import { type Room, reverberate } from "../signal/dsp/reverb.ts";
import { svf } from "../signal/dsp/svf.ts";
import type { Environment } from "./brief.ts";
import { RATE } from "./voice.ts";

const ROOMS: Readonly<Partial<Record<Environment, Room>>> = {
  room: { t60: 0.45, size: 0.5, damping: 0.35, dry: 1, early: 0.35, tail: 0.22 },
  bathroom: { t60: 0.9, size: 0.4, damping: 0.1, dry: 0.9, early: 0.5, tail: 0.4 },
  hall: { t60: 1.8, size: 1.3, damping: 0.3, dry: 0.8, early: 0.4, tail: 0.45 },
  church: { t60: 4.2, size: 2.2, damping: 0.3, dry: 0.6, early: 0.35, tail: 0.6 },
  cave: { t60: 3, size: 2, damping: 0.5, dry: 0.6, early: 0.6, tail: 0.65 },
  canyon: { t60: 2.8, size: 7, damping: 0.6, dry: 1, early: 0.45, tail: 0.4 },
  street: { t60: 0.8, size: 1.6, damping: 0.5, dry: 1, early: 0.3, tail: 0.15 },
  outdoors: { t60: 0.5, size: 2.2, damping: 0.7, dry: 1, early: 0.12, tail: 0.06 },
  underwater: { t60: 1.4, size: 1.2, damping: 0.7, dry: 0.8, early: 0.3, tail: 0.5 },
  wall: { t60: 0.5, size: 0.6, damping: 0.6, dry: 0.8, early: 0.3, tail: 0.2 },
  space: { t60: 5, size: 3, damping: 0.4, dry: 0.6, early: 0.2, tail: 0.7 },
};

/** Air and ground take the highs of what is far; the field around it stays. */
const FAR: Room = { t60: 1.3, size: 2.4, damping: 0.6, dry: 0.75, early: 0.35, tail: 0.35 };

/** Where nothing was said: a floor and a wall nearby, just enough that a struck thing stands somewhere. */
const SOMEWHERE: Room = { t60: 0.4, size: 0.6, damping: 0.45, dry: 1, early: 0.14, tail: 0.1 };

/** For sounds of the world; interfaces, signals and textures that fill their own space stay as they are. */
export function placeSomewhere(left: Float32Array, right: Float32Array): void {
  reverberate(left, right, RATE, SOMEWHERE);
}

export function placeIn(left: Float32Array, right: Float32Array, environment: Environment | null, far: number): void {
  if (far > 0) {
    for (const channel of [left, right]) {
      svf(channel, RATE, "low", 9000 - 7200 * far, 0.6);
    }
    reverberate(left, right, RATE, { ...FAR, early: FAR.early * far, tail: FAR.tail * far });
    narrow(left, right, 1 - 0.5 * far);
  }
  if (environment === null) return;
  if (environment === "underwater") {
    for (const channel of [left, right]) svf(svf(channel, RATE, "low", 620, 0.9), RATE, "low", 900, 0.7);
  }
  if (environment === "wall") {
    for (const channel of [left, right]) svf(svf(channel, RATE, "low", 420, 0.7), RATE, "low", 700, 0.6);
  }
  if (environment === "radio") {
    narrow(left, right, 0);
    for (const channel of [left, right]) {
      svf(svf(channel, RATE, "high", 420, 0.8), RATE, "low", 2900, 0.9);
      saturate(channel, 3);
      svf(svf(channel, RATE, "high", 350, 0.7), RATE, "low", 3300, 0.8);
    }
  }
  const room = ROOMS[environment];
  if (room !== undefined) reverberate(left, right, RATE, room);
}

function narrow(left: Float32Array, right: Float32Array, width: number): void {
  for (let n = 0; n < left.length; n++) {
    const middle = 0.5 * (left[n]! + right[n]!);
    const side = 0.5 * (left[n]! - right[n]!) * width;
    left[n] = middle + side;
    right[n] = middle - side;
  }
}
