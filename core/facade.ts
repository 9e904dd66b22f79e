/** What surfaces get of a running service: its use cases by name, in place of the parts that do them. */
import type { TSchema } from "@sinclair/typebox";
import { type CommandServices, type CommandsModule, runCommand } from "./accounts/commands.ts";
import type { Keyring } from "./accounts/keyring.ts";
import { countRequest } from "./accounts/limits.ts";
import { compileValidator } from "./actions/validator.ts";
import { refuse } from "./base/errors.ts";
import { serveObject } from "./http/download.ts";
import { type FileServices, readFile, UPLOAD_BYTES_MAX, upload } from "./http/files.ts";
import type { Operations } from "./operations/operations.ts";
import { ownSources } from "./operations/sources.ts";
import type { Facade } from "./surface.ts";

export interface FacadeParts
  extends Pick<Facade, "queue" | "tallies" | "shared" | "runs_jobs" | "draw" | "isDraining"> {
  readonly administration: CommandServices;
  readonly files: FileServices;
  readonly operations: Operations;
  readonly keyring: Keyring;
  /** Those of all surfaces. */
  readonly loadCommands: () => Promise<CommandsModule>;
}

export function createFacade(parts: FacadeParts): Facade {
  const { administration, files, operations, keyring, loadCommands: load, ...given } = parts;
  const { store } = administration;
  const { config, bucket, limits, free_work, registry } = files;
  const { submit, price, read, cancel, redeliver, render, sign } = operations;
  let loading: Promise<CommandsModule> | undefined;
  return {
    ...administration,
    ...given,
    actions: registry.actions,
    limits,
    bucket,
    upload_bytes_max: UPLOAD_BYTES_MAX,

    authenticate: (caller) => keyring.authenticate(caller),
    async admit(account, kind) {
      await countRequest({ limits, config }, account, kind);
    },

    submit,
    price,
    read,
    async wait(account, action, id, signal) {
      const leave = await limits.enter(account.id, account.long_polls ?? config.long_polls);
      if (leave === undefined) throw refuse.tooManyRequests(1, "Too many open long-polls");
      try {
        return await operations.wait(account, action, id, signal);
      } finally {
        leave();
      }
    },
    cancel,
    redeliver,
    list: ({ id }, filter) => store.list(id, filter),
    render,
    sign,

    async upload(account, body) {
      if (given.isDraining()) throw refuse.draining();
      return upload(files, account, body);
    },
    file: (account, id) => readFile(files, account, id),
    sourcesOf: (operation) => ownSources(store, operation),
    serve: (request, key, disposition) => serveObject(request, bucket, key, disposition),
    freeWorkOf: (account) => free_work.of(account),

    async command(call) {
      // With the first one: most starts see none.
      loading ??= load();
      return runCommand(administration, (await loading).commands, call);
    },
    // One cast: schemas cross the border to surfaces as JSON Schema.
    validator: (schema) => compileValidator(schema as TSchema),
  };
}
