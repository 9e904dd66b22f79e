/**
 * Actions that are no longer served here, as far as what they made is to be shown: what decides that is told by the
 * first response of each of their operations. So whoever uninstalls a plugin keeps what it made, for as long as
 * anything is kept.
 */

import { type AnyAction, BRAND, CONTRACT } from "../../contract/mod.ts";
import type { Registry } from "../actions/registered.ts";
import type { StoredRequest } from "../actions/render.ts";
import { RESERVED_FIELDS } from "../actions/schema.ts";
import type { OperationsStore, Snapshot } from "../ports/mod.ts";

export interface Relics {
  /**
   * The declaration that an operation is rendered by: of an action that is served here, or what was learnt of this
   * operation.
   */
  actionOf(operation: Pick<Snapshot, "id" | "action">): AnyAction | undefined;
  /** Looks at first responses, where actions are not served here. */
  learn(operations: readonly (Snapshot | undefined)[]): Promise<void>;
}

/** More than are shown at a time. */
const KEPT_MAX = 1_000;

export interface RelicServices {
  readonly registry: Pick<Registry, "actions">;
  readonly store: Pick<OperationsStore, "firstResponse">;
}

export function createRelics({ registry: { actions }, store }: RelicServices): Relics {
  /** By operation, the latest last: what was sent decides what is answered. */
  const relics = new Map<string, AnyAction>();
  const actionOf: Relics["actionOf"] = ({ id, action }) => actions.get(action)?.action ?? relics.get(id);
  return {
    actionOf,
    async learn(operations) {
      for (const operation of operations) {
        if (operation === undefined || actionOf(operation) !== undefined) continue;
        const first = await store.firstResponse(operation.id);
        if (first === undefined) continue;
        relics.set(operation.id, relicOf(operation, first));
        if (relics.size > KEPT_MAX) relics.delete(relics.keys().next().value!);
      }
    },
  };
}

/** A declaration that renders as the action did, and does nothing else. */
function relicOf({ action: name, request }: Snapshot, first: string): AnyAction {
  const [[wrapper, told] = ["operation", {}]] = Object.entries(JSON.parse(first) as Record<string, object>);
  const has = (key: string): boolean => Object.hasOwn(told, key);
  const { fields } = JSON.parse(request) as StoredRequest;
  // A list of sources, where there is an output of each.
  const listed =
    has("output") && has("outputs") ? Object.keys(fields).find((key) => Array.isArray(fields[key])) : undefined;
  const gone = (): never => {
    throw new Error(`The action "${name}" is not served here`);
  };
  return {
    [BRAND]: CONTRACT,
    ...{ name: name as AnyAction["name"], wrapper, summary: `${name}, which is no longer served here` },
    ...{
      request: undefined as never,
      sources: {},
      failures: [],
      examples: [],
      engine: "",
      work: "dsp",
      level: "source",
    },
    // What is not core's own in a first response is the action's.
    echo: Object.keys(told).filter((key) => !RESERVED_FIELDS.has(key)),
    output:
      !has("output") && !has("outputs")
        ? "report"
        : has("archive")
          ? "stems"
          : has("n_variations")
            ? "variations"
            : "single",
    ...(listed === undefined ? {} : { outputs_of: listed }),
    seeded: has("seed"),
    loudness: has("loudness") ? "optional" : "never",
    ...{ cost: gone, process: gone },
  } as AnyAction;
}
