/** Steps of an action's own work: several engines, each with its share of the progress. */
import type { Job, Step } from "../../../contract/mod.ts";

/** Does work as a step, whose progress is a share of the action's. */
export type During = <Made>(step: Step | undefined, work: (job: Job) => Promise<Made>) => Promise<Made>;

/** Steps with shares add up, one after another or side by side. One without a share tells the progress of the whole. */
export function createSteps({ signal, progress }: Job): During {
  let done = 0;
  /** How much of the action's work each open step has done. */
  const open = new Map<symbol, number>();
  return async ({ share, stage } = {}, work) => {
    if (share === undefined) return work({ signal, progress: (fraction, own) => progress(fraction, stage ?? own) });
    if (!(share > 0 && share <= 1)) throw new TypeError(`Cannot take a share of ${share}, expected above 0, to 1`);
    const key = Symbol("step");
    let last = stage ?? "processing";
    const tell = (): void => {
      const sum = [...open.values()].reduce((all, one) => all + one, done);
      progress(Math.min(1, sum), last);
    };
    open.set(key, 0);
    const made = await work({
      signal,
      progress(fraction, own) {
        if (!open.has(key)) return;
        open.set(key, share * Math.min(1, Math.max(open.get(key)! / share, fraction)));
        last = stage ?? own;
        tell();
      },
    });
    open.delete(key);
    done += share;
    tell();
    return made;
  };
}
