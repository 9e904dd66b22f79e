/** Runners of a pool's thread that ask a sidecar as an action's runner does. */
import type { Audio, Job, Runner } from "../../../../contract/mod.ts";
import type { ModelSettings } from "../../../../core/ports/mod.ts";
import { type Separator, separateWhole } from "../../../../runners/models/separator.ts";
import { parseSidecar, type SidecarManifest } from "../../../../runners/models/sidecars/manifest.ts";
import { openSidecar } from "../../../../runners/models/sidecars/sidecar.ts";
import { type GenerateRequest, taskOf } from "../../../../runners/models/sidecars/types.ts";
import type { Generator } from "../../../../runners/models/tasks.ts";
import { SETTINGS } from "../fixtures.ts";

interface Given<Request> {
  readonly manifest: SidecarManifest;
  readonly settings: ModelSettings;
  readonly request: Request;
}

function runner<Request, Output>(
  name: string,
  run: (given: Given<Request>, job: Job) => Promise<Output>,
): Runner<Given<Request>, Output> {
  return { name, from: import.meta.url, isolation: "thread", load: async () => ({ run }) };
}

export const generated = runner<GenerateRequest, Audio>("generated", async ({ manifest, settings, request }, job) =>
  ((await openSidecar(manifest, taskOf(request), settings, job)) as Generator<GenerateRequest>).generate(request, job),
);

export const separated = runner<Audio, Float32Array[][]>("separated", async ({ manifest, settings, request }, job) =>
  separateWhole((await openSidecar(manifest, "separate", settings, job)) as Separator, request, job),
);

export const settings: ModelSettings = { ...SETTINGS, models: null };

export function manifestOf(url: string, fields: object = {}): SidecarManifest {
  return parseSidecar({ id: "side", url, serves: ["generate", "separate"], ...fields }, "/");
}
