import { musicOf } from "../../packs/mod.ts";
import { Echo } from "../../signal/dsp/echo.ts";
import { beatSeconds, clockOf, type Score } from "../compose/mod.ts";
import type { Buses } from "./buses.ts";
import { RATE } from "./channel.ts";
import { play, SEND_BLOCK } from "./returns.ts";

/** Where tempo has moved by this share the delay is set anew: less is within how far players are apart. */
const MOVED = 0.02;
/** Echoes of earlier tempi that ring on at once; in a ritardando the eldest give way. */
const RINGING = 3;

/**
 * The delay of the whole desk: a dotted quaver from side to side, a crotchet where that is quicker than a quarter
 * second, at the tempo of the place where it is sent. What was sent before keeps its time. Yields after every block.
 */
export function* playDelay(score: Score, buses: Buses): Generator<undefined> {
  const bus = buses.take("delay");
  if (bus === undefined) return;
  const rate = RATE / buses.factor;
  const clock = clockOf(score);
  const tempoAt = (at: number): number => clock.bpm(clock.beat(Math.max(0, at) / rate));
  const made = (bpm: number): Echo => {
    const { seconds, feedback } = echoes(score, bpm);
    return new Echo(rate, seconds, feedback, 350, 2200 + 2600 * score.mix.brightness);
  };
  let bpm = tempoAt(0);
  let echo = made(bpm);
  const ringing: { readonly echo: Echo; left: number }[] = [];
  const one = new Float64Array(SEND_BLOCK);
  const two = new Float64Array(SEND_BLOCK);
  const settles = Math.ceil(rate * (LONGEST * echo.seconds_heard + 0.2));
  yield* play(bus, buses, settles, (left, right, count, at) => {
    const here = tempoAt(at);
    if (Math.abs(here / bpm - 1) > MOVED) {
      ringing.push({ echo, left: echo.seconds_heard * rate });
      if (ringing.length > RINGING) ringing.shift();
      bpm = here;
      echo = made(bpm);
    }
    echo.run(left, right, count);
    for (const before of ringing) {
      one.fill(0, 0, count);
      two.fill(0, 0, count);
      before.echo.run(one, two, count);
      before.left -= count;
      for (let n = 0; n < count; n++) {
        left[n] = left[n]! + one[n]!;
        right[n] = right[n]! + two[n]!;
      }
    }
    while (ringing.length > 0 && ringing[0]!.left < 0) ringing.shift();
  });
}

/** How much longer than at the beginning echoes of the slowest tempo may ring. */
const LONGEST = 1.5;

function echoes(score: Score, bpm: number): { readonly seconds: number; readonly feedback: number } {
  const beat = beatSeconds(Math.min(400, Math.max(20, bpm)));
  const { echo } = musicOf(score.mix.genre).mix;
  if (echo === "slap") return { seconds: 0.115, feedback: 0.15 };
  // What counts as slow is the piece's tempo: the same note value throughout.
  const usual = beatSeconds(Math.min(400, Math.max(20, score.bpm)));
  const beats = 0.75 * usual > 0.62 ? 0.5 : 0.75 * usual < 0.24 ? 1 : 0.75;
  return { seconds: Math.min(0.9, beats * beat), feedback: echo === "long" ? 0.52 : 0.22 + 0.2 * score.mix.space };
}
