/** From the registry: what each action is measured with. An action that is added is measured without a line here. */
import type { Registered, Registry } from "../../core/actions/registered.ts";
import type { StoredRequest } from "../../core/actions/render.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { HERE } from "../measure.ts";
import { loudnorm, type Outside } from "../outside.ts";
import { admitted } from "./sources.ts";

export interface Plan {
  readonly registered: Registered;
  readonly request: StoredRequest;
  /** The sources that the example names, in the order of the declaration. */
  readonly sources: readonly { readonly name: string; readonly seconds: number }[];
}

/** Where there is an outside tool that does the whole of an action; they read `s16.wav`, the first source. */
export const WHOLE: Readonly<Record<string, Outside>> = { "adapt.normalise_loudness": loudnorm(-14, true) };

/** Every action that `TONWERK_PLUGINS` names, as a start of the service finds them. */
export function registry(): Promise<Registry> {
  return loadRegistry((process.env.TONWERK_PLUGINS ?? "./plugins").split(","), new URL(`file://${HERE}`).href);
}

/** The declaration's example at `index`, validated as a `PUT` is; undefined where there is none. `seconds`: of sources, where their limits admit it. */
export function planOf(registered: Registered, index: number, seconds: number): Plan | undefined {
  const { action, schema } = registered;
  const example = action.examples[index];
  if (example === undefined) return undefined;
  const checked = schema.validate(example, { dry_run: true });
  if (!checked.ok) throw new Error(`${action.name} refuses its own example: ${JSON.stringify(checked.issues)}`);
  const { fields, loudness, seed } = checked.value;
  return {
    registered,
    request: { fields, loudness, seed: seed ?? 1 },
    sources: Object.entries(action.sources).flatMap(([name, limits]) =>
      fields[name] === undefined ? [] : [{ name, seconds: admitted(seconds, limits) }],
    ),
  };
}
