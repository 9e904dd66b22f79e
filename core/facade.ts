/** What surfaces get of a running service: its use cases by name, in place of the parts that do them. */
import type { TSchema } from "@sinclair/typebox";
import { countRequest } from "./accounts/limits.ts";
import { compileValidator } from "./actions/validator.ts";
import type { Administration } from "./administration.ts";
import { matchesHost } from "./base/addresses.ts";
import { checkReach } from "./base/web_address.ts";
import { serveObject } from "./http/download.ts";
import { upload } from "./http/files.ts";
import { readFile } from "./http/kept_files.ts";
import type { Facade } from "./surface.ts";
import type { UseCases } from "./use_cases.ts";
import { createWorkOn } from "./work/work_on.ts";

export interface FacadeParts extends Pick<Facade, "shared" | "runs_jobs" | "runners" | "findModules" | "listRoutes"> {
  readonly administration: Administration;
}

export function createFacade(use_cases: UseCases, parts: FacadeParts): Facade {
  const { administration, ...given } = parts;
  const { config, bucket, queue, tallies, limits, free_work, registry, keyring, isDraining } = use_cases;
  const { submit, price, read, wait, list, cancel, redeliver, once, render, sign } = use_cases.operations;
  return {
    ...administration,
    ...given,
    ...{ limits, bucket, queue, tallies, isDraining },
    workOn: createWorkOn(use_cases),
    actions: registry.actions,
    upload_bytes_max: config.source_bytes,

    authenticate: (caller) => keyring.authenticate(caller),
    async admit(account, kind) {
      await countRequest({ limits, config }, account, kind);
    },

    ...{ submit, price, read, wait, list, cancel, redeliver, once, render, sign },
    receiverProblem: (url) => checkReach(url, (host) => matchesHost(config.private_hosts, host)),

    upload: (account, body) => upload(use_cases, account, body),
    file: (account, id) => readFile(use_cases, account, id),
    serve: (request, key, disposition, redirect_seconds) =>
      serveObject(request, use_cases, key, disposition, redirect_seconds),
    freeWorkOf: (account) => free_work.of(account),

    // One cast: schemas cross the border to surfaces as JSON Schema.
    validator: (schema) => compileValidator(schema as TSchema),
  };
}
