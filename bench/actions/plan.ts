/** From the registry: what each action is measured with. An action that is added is measured without a line here. */
import { join } from "node:path";
import type { Registered, Registry } from "../../core/actions/registered.ts";
import type { StoredRequest } from "../../core/actions/render.ts";
import type { JobInput } from "../../core/actions/tasks.ts";
import { loadRegistry } from "../../core/adapters/plugins/registry.ts";
import { HERE } from "../measure.ts";
import { loudnorm, type Outside } from "../outside.ts";
import { admitted, BYTES_A_SECOND } from "./sources.ts";

export interface Plan {
  readonly registered: Registered;
  readonly request: StoredRequest;
  /** The sources that the example names, in the order of the declaration. */
  readonly sources: readonly { readonly name: string; readonly seconds: number }[];
}

/** Where there is an outside tool that does the whole of an action; they read `s16.wav`, the first source. */
export const WHOLE: Readonly<Record<string, Outside>> = { "adapt.normalise_loudness": loudnorm(-14, true) };

/** Of a source as FLAC of 16 bits, no more than this: ten minutes are 48 MB. */
export const FLAC_BYTES_A_SECOND = 80_000;

/** Every action that `TONWERK_PLUGINS` names, as a start of the service finds them. */
export function registry(): Promise<Registry> {
  return loadRegistry((process.env.TONWERK_PLUGINS ?? "./plugins").split(","), new URL(`file://${HERE}`).href);
}

/**
 * The declaration's example at `index`, validated as a `PUT` is; undefined where there is none. `seconds`: of sources,
 * where their limits admit it.
 */
export function planOf(registered: Registered, index: number, seconds: number): Plan | undefined {
  const example = registered.action.examples[index];
  return example === undefined ? undefined : planFor(registered, example, seconds);
}

/** The same of any request. `bytes_a_second`: of a source's file. */
export function planFor(
  registered: Registered,
  asked: object,
  seconds: number,
  bytes_a_second: number = BYTES_A_SECOND,
): Plan {
  const { action, schema } = registered;
  const checked = schema.validate(asked, { dry_run: true });
  if (!checked.ok) throw new Error(`${action.name} refuses what is asked: ${JSON.stringify(checked.issues)}`);
  const { fields, loudness, seed } = checked.value;
  return {
    registered,
    request: { fields, loudness, seed: seed ?? 1 },
    sources: Object.entries(action.sources).flatMap(([name, limits]) =>
      fields[name] === undefined ? [] : [{ name, seconds: admitted(seconds, limits, bytes_a_second) }],
    ),
  };
}

/** What a thread is told of the job, as the service has it without a model of the operator's. */
export function jobOf({ registered, request, sources }: Plan, folder: string, type: "wav" | "flac"): JobInput {
  return {
    origin: registered.origin,
    runners: new URL("../../runners/mod.ts", import.meta.url).href,
    request,
    sources: sources.map(({ name }) => ({
      name,
      path: join(folder, `${name}.${type}`),
      limits: registered.action.sources[name]!,
    })),
    folder,
    bits: 24,
    models: {
      models: null,
      providers: ["cpu"],
      devices: [],
      model_mb: 8_000,
      model_seconds: 3_600,
      shipped: true,
      families: [],
      sidecars: [],
    },
    packs: [],
    sounds: [],
  };
}
