import type { Clock, Queue } from "../../ports/mod.ts";
import { createWakeLanes } from "../shared/wake_ups.ts";

/** The queue of a single process: waiters in memory. */
export const createLocalQueue = ({ clock }: { readonly clock: Clock }): Queue => createWakeLanes(clock);
