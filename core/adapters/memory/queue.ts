import { createWakeLanes } from "../../base/wake_ups.ts";
import type { Clock, Queue } from "../../ports/mod.ts";

/** The queue of a single process: waiters in memory. */
export const createLocalQueue = ({ clock }: { readonly clock: Clock }): Queue => createWakeLanes(clock);
