/** The time limits of one outbound request: one on the whole, one on the step it is at. */
import { OutboundError } from "../../ports/outbound.ts";

export interface Watch {
  /** Aborts with an OutboundError: `timeout`, or `aborted` where the caller's signal did. */
  readonly signal: AbortSignal;
  /** Starts the next step, which may take `ms`. `doing` continues "no answer in time: ". */
  step(doing: string, ms: number): void;
  /** Waits for `work`, but not for longer than the signal lets it; what is left then is not waited for. */
  wait<Value>(work: Promise<Value>): Promise<Value>;
  /** Must be called at the end: the timers keep the process alive. */
  stop(): void;
}

export function startWatch(total_ms: number, given: AbortSignal): Watch {
  const controller = new AbortController();
  const { signal } = controller;
  const late = (doing: string, ms: number) => () =>
    controller.abort(new OutboundError("timeout", `${doing} took longer than ${ms / 1000} s`));
  const cancel = () => controller.abort(new OutboundError("aborted", "the request was given up"));
  const total = setTimeout(late("the whole request", total_ms), total_ms);
  let step: ReturnType<typeof setTimeout> | undefined;
  if (given.aborted) cancel();
  else given.addEventListener("abort", cancel, { once: true });

  return {
    signal,
    step(doing, ms) {
      clearTimeout(step);
      step = setTimeout(late(doing, ms), ms);
    },
    wait(work) {
      return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason as Error);
        if (signal.aborted) abort();
        else signal.addEventListener("abort", abort, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
      });
    },
    stop() {
      clearTimeout(total);
      clearTimeout(step);
      given.removeEventListener("abort", cancel);
    },
  };
}
