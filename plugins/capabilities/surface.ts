/** `GET /v1/capabilities`: what this installation can do, and with what. */
import { basename } from "node:path";
import {
  API_VERSION,
  CLIENT_REASONS,
  type Codec,
  type Facade,
  priceOf,
  resourceOf,
  type Surface,
  shapeOf,
} from "../../core/surface.ts";

export default function capabilities(facade: Facade): Surface {
  const describe = createDescription(facade);
  return {
    name: "capabilities",
    account_routes: [{ method: "GET", path: "/v1/capabilities", answer: () => describe() }],
  };
}

/** Asks a pool thread once for the codec; where that fails, the next call asks again and this one answers null. */
function createDescription({ actions, failed, engines, sounds, askCodec }: Facade): () => Promise<object> {
  const listed = [...actions.values()].map(({ action, schema, package: shipped_by, version }) => {
    const variations = action.output === "variations" ? { n_variations: 1 } : {};
    const checked = schema.validate({ ...action.examples[0], ...variations }, { dry_run: true });
    // The registry took the action, so its examples are valid.
    const fields = checked.ok ? checked.value.fields : {};
    return {
      name: action.name,
      summary: action.summary,
      wrapper: action.wrapper,
      resource: resourceOf(action),
      // Of one variation, as the declaration's first example asks for it.
      cost: priceOf(action, fields),
      output: shapeOf(action),
      plugin: shipped_by === null ? null : { name: shipped_by, version },
      task: action.task,
      engine: action.engine,
    };
  });
  /** A model that failed last is tried again by every job, but the built-in engine is who will most likely serve. */
  const served = (task: string | readonly string[] = [], builtIn: string): object => {
    const models = [task].flat().flatMap((one) => engines.models(one));
    const first = models.find(({ state }) => state !== "failed");
    return {
      engine: first?.id ?? builtIn,
      // A node that runs no jobs does not know what those that do run them on.
      device: first?.state === "elsewhere" ? null : (first?.device ?? "cpu"),
      models: models.map(({ id, state, reason }) => ({
        id,
        state,
        ...(reason === null ? {} : { reason: CLIENT_REASONS.model }),
      })),
    };
  };
  let known: Promise<Codec> | undefined;
  const ask = (): Promise<Codec> => {
    const asked = askCodec();
    asked.catch(() => {
      known = undefined;
    });
    return asked;
  };
  return async () => {
    known ??= ask();
    return {
      version: API_VERSION,
      actions: listed.map(({ task, engine, ...action }) => ({ ...action, ...served(task, engine) })),
      codec: await known.catch(() => null),
      sounds: sounds.map(({ instruments, ...rest }) => ({ ...rest, instruments: Object.keys(instruments) })),
      ...(failed.length > 0
        ? { failed: failed.map(({ origin }) => ({ origin: basename(origin), reason: CLIENT_REASONS.plugin })) }
        : {}),
    };
  };
}
