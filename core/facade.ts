/** What surfaces get of a running service: its use cases by name, in place of the parts that do them. */
import type { TSchema } from "@sinclair/typebox";
import { countRequest } from "./accounts/limits.ts";
import { probeSeconds } from "./actions/long_sources.ts";
import { compileValidator } from "./actions/validator.ts";
import type { Administration } from "./administration.ts";
import { matchesHost } from "./base/addresses.ts";
import { refuse } from "./base/errors.ts";
import { checkReach } from "./base/web_address.ts";
import { serveObject } from "./http/download.ts";
import { createQueryReader } from "./http/requests.ts";
import { RUNNERS } from "./runners.ts";
import type { Facade, Uploads } from "./surface.ts";
import type { UseCases } from "./use_cases.ts";
import { deleteObjects } from "./work/upkeep.ts";
import { createWorkOn } from "./work/work_on.ts";

/** Finding out starts a program at most, and is no reason to keep a client waiting. */
const CODEC_MS = 5_000;

interface FacadeParts
  extends Pick<Facade, "shared" | "runs_jobs" | "runners" | "sounds" | "findModules" | "listRoutes"> {
  readonly administration: Administration;
  /** Of the surface that has them; undefined: none does. */
  findUploads(): Uploads | undefined;
}

export function createFacade(use_cases: UseCases, parts: FacadeParts): Facade {
  const { administration, findUploads, ...given } = parts;
  const uploads = (): Uploads => {
    const found = findUploads();
    if (found === undefined) throw refuse.notFound();
    return found;
  };
  const { config, bucket, queue, tallies, limits, free_work, registry, keyring, scratch } = use_cases;
  const { pool, tasks, engines, isDraining } = use_cases;
  const { submit, price, read, wait, list, cancel, redeliver, once, render, sign, actionOf } = use_cases.operations;
  return {
    ...administration,
    ...given,
    ...{ limits, free_work, bucket, queue, tallies, scratch, isDraining },
    workOn: createWorkOn(use_cases),
    actions: registry.actions,
    failed: registry.failed,
    ...{ engines, pool },
    askCodec: () =>
      pool.run(tasks.codec, { runners: RUNNERS }, { signal: new AbortController().signal, ms_max: CODEC_MS }),

    authenticate: (caller) => keyring.authenticate(caller),
    admitKey: (account_id, key_id, from) => keyring.admitKey(account_id, key_id, from),
    async admit(account, kind) {
      await countRequest({ limits, config }, account, kind);
    },

    ...{ submit, price, read, wait, list, cancel, redeliver, once, render, sign, actionOf },
    receiverProblem: (url) => checkReach(url, (host) => matchesHost(config.private_hosts, host)),

    upload: async (account, body, name) => uploads().upload(account, body, name),
    file: async (account, id) => uploads().file(account, id),
    probe: (account_id, path, limits, signal) =>
      pool.run(
        tasks.probe,
        { runners: RUNNERS, path, limits },
        {
          signal,
          ms_max: 1000 * probeSeconds(config.source_seconds),
          lane: "probe",
          fair_by: account_id,
          // Counted whatever comes of it: nobody pays for an upload.
          onCost: (ms) => free_work.spend(account_id, ms),
        },
      ),
    deleteObjects: (objects) => deleteObjects(bucket, objects),
    serve: (request, key, disposition, redirect_seconds) =>
      serveObject(request, use_cases, key, disposition, redirect_seconds),

    // One cast: schemas cross the border to surfaces as JSON Schema.
    queryReader: createQueryReader,
    validator: (schema) => compileValidator(schema as TSchema),
  };
}
