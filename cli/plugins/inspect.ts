/**
 * Loads plugins as a server does, in a process that whoever asks has limited: `inspect.ts <answer> <home> <folder>
 * <origin>…`. What it finds in `folder` is written to the file `answer`, as an `Inspected`: plugins may print what they
 * like.
 */

import { writeFile } from "node:fs/promises";
import type { Registered } from "../../core/actions/registered.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { args, exit } from "../../core/adapters/runtime/runtime.ts";
import { messageOf } from "../../core/base/log.ts";
import { checkAction } from "../../packages/plugin/testing.ts";

export interface Inspected {
  readonly actions: readonly Described[];
  /** Why a server would not take it; null: it would. */
  readonly problem: string | null;
}

export interface Described {
  readonly name: string;
  readonly summary: string;
  /** The declaration by key, each value as text: what two versions of it differ in. */
  readonly keys: Readonly<Record<string, string>>;
}

const [answer = "", home = "", folder = "", ...origins] = args;

async function inspect(): Promise<Inspected> {
  try {
    const others = await loadRegistry(origins, home);
    const { actions } = await loadRegistry([...origins, folder], home);
    const own = [...actions.values()].filter(({ action }) => !others.actions.has(action.name));
    for (const { action } of own) checkAction(action);
    return { actions: own.map(describe), problem: null };
  } catch (error) {
    return { actions: [], problem: messageOf(error) };
  }
}

function describe({ action }: Registered): Described {
  const keys = Object.entries(action).map(([key, value]) => [key, textOf(value)]);
  return { name: action.name, summary: action.summary, keys: Object.fromEntries(keys) };
}

/** JSON, with functions as their source. */
const textOf = (value: unknown): string =>
  typeof value === "function"
    ? String(value)
    : JSON.stringify(value, (_, inner) => (typeof inner === "function" ? String(inner) : inner));

await writeFile(answer, JSON.stringify(await inspect()));
exit(0);
