/** How an operator's command is declared: how it is called, what it does where the store is, and how its answer is printed. */

import type { OperatorCall, OperatorServices } from "./call.ts";

export interface OperatorCommand {
  /** What follows the command's name. Words in <> are required, in [] optional. */
  readonly usage: string;
  readonly sentence: string;
  /** Names of its options beside --account and --json; `account`: whether it takes that one. */
  readonly options: readonly string[];
  readonly account: boolean;
  /** How many words it takes. */
  readonly words_min: number;
  readonly words_max: number;
  run(services: OperatorServices, call: OperatorCall): Promise<unknown>;
  /** What is printed without --json. */
  lines(value: never): readonly string[];
}

/** Ties what `run` answers to what `lines` prints. */
export function command<Value>(
  of: Omit<OperatorCommand, "run" | "lines"> & {
    run(services: OperatorServices, call: OperatorCall): Promise<Value>;
    lines(value: Value): readonly string[];
  },
): OperatorCommand {
  return of;
}

export const none = { options: [], account: true, words_min: 0, words_max: 0 } as const;
export const one = { ...none, words_min: 1, words_max: 1 } as const;
