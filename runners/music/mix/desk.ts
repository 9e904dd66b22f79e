import type { Audio } from "../../../contract/mod.ts";
import { breathing, Pauses } from "../../breathe.ts";
import type { Part, Score } from "../compose/mod.ts";
import type { Stem } from "../play/mod.ts";
import { finishBus } from "./bus.ts";
import { Buses } from "./buses.ts";
import { channelOf, RATE } from "./channel.ts";
import { playDelay } from "./delay.ts";
import { playSpace, SPACES } from "./returns.ts";
import { Strip } from "./strip.ts";
import type { Desk, DeskOptions } from "./types.ts";

/**
 * A desk for one piece. It holds no stem, and of a long piece neither the mix, 0.35 MB a second, nor what was sent to
 * the spaces: they lie on the disk.
 */
export function createDesk(score: Score, options: DeskOptions): Desk {
  const frames = Math.max(1, Math.floor(options.frames));
  const sane = { ...score, ring: options.ring, mix: within(score.mix) };
  const buses = new Buses(frames, options.ring);
  const strip = new Strip(sane, buses);
  let finished = false;
  return {
    add: async (part: Part, stem: Stem, signal: AbortSignal, spent = false): Promise<void> => {
      if (finished) throw new TypeError(`Cannot add "${part.name}": the desk has finished`);
      await breathing(strip.add(part, stem, channelOf(part, sane), spent), signal);
    },
    finish: async (signal: AbortSignal, progress?: (fraction: number) => void): Promise<Audio> => {
      finished = true;
      strip.close();
      const pauses = new Pauses(signal);
      const stages = [
        ...SPACES.map((name) => () => playSpace(name, sane, buses)),
        () => playDelay(sane, buses),
        () => finishBus(sane, buses, options.seed),
      ];
      for (const [index, stage] of stages.entries()) {
        progress?.(index / stages.length);
        for (const _ of stage()) {
          const pause = pauses.due();
          if (pause !== undefined) await pause;
        }
      }
      progress?.(1);
      return { sample_rate: RATE, channels: [buses.left, buses.right] };
    },
  };
}

/** What is out of range, or no number, is brought to the nearest that makes sense. */
function within(mix: Score["mix"]): Score["mix"] {
  const unit = (value: number): number => (value >= 0 ? Math.min(1, value) : 0);
  return {
    genre: mix.genre,
    space: unit(mix.space),
    brightness: unit(mix.brightness),
    drive: unit(mix.drive),
    density: unit(mix.density),
    pump: unit(mix.pump),
    width: unit(mix.width),
    age: unit(mix.age),
  };
}
