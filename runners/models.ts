/** Models as the process that owns the pool sees them: what there is, what state each is in, what a check of them says. */
import type { EngineLog, Engines, ModelHealth, ModelSettings, Pool } from "../core/ports/mod.ts";
import type { ModelCheck } from "./model_figures.ts";
import { type Entries, type Entry, type EntryMember, firstOfEach, isSidecar, readEntries } from "./models/entries.ts";
import type { Manifest } from "./models/fields.ts";
import { sessionsOf } from "./models/mod.ts";
import { OPEN_MS_MAX, startMsMax } from "./models/model.ts";
import { specFor } from "./models/open.ts";
import { ownerOf, type Place, placesOf } from "./models/places.ts";
import { findRuntime } from "./models/runtime.ts";
import { addressOf } from "./models/sidecars/manifest.ts";
import { type SidecarFacts, type SidecarManifest, sidecarRunner } from "./models/sidecars/mod.ts";
import { speakOwn } from "./models/sidecars/own.ts";
import { sidecarSpec } from "./models/sidecars/sidecar.ts";
import { SHIPPED } from "./shipped.ts";

/** After a crash a model is loaded anew this much later, so that the next job finds it ready. */
const RELOAD_MS = 1000;
/** Servers of sidecars come and go without a word: they are looked at this often, so that health and the next job know. */
const LOOK_MS = 30_000;
const BEST_FIRST = ["ready", "busy", "starting", "failed"] as const;
/** Of a kit that makes some pieces, on whatever there is. */
const CHECK_MS_MAX = 3_600_000;

/**
 * Reads the manifests and begins to load every model of the operator's; does not wait for them. What Tonwerk brings
 * along is loaded when the first job asks for it: most services would start a process for nothing.
 *
 * @param pool undefined: this node runs no jobs, so that its models are loaded elsewhere
 */
export async function createEngines(pool: Pool | undefined, settings: ModelSettings, log: EngineLog): Promise<Engines> {
  const { entries: own, refused } = await entriesIn(settings);
  for (const { file, reason } of refused) log("model.refused", { file, reason });
  const devices = new Map<string, string>();
  /** Of sidecars. */
  const servers_mb = new Map<string, number>();
  const stop = new AbortController();

  const load = async ({ id, members }: Pick<Entry, "id" | "members">): Promise<void> => {
    if (pool === undefined) return;
    for (const { manifest } of members) {
      if (isSidecar(manifest)) continue;
      await Promise.all(placesOf(manifest, settings, id).map((place) => loadOne(manifest, place, pool)));
    }
  };
  const loadOne = async (manifest: Manifest, place: Place, serving: Pool): Promise<void> => {
    const began = performance.now();
    try {
      const { device, skipped, pid } = await open(manifest, settings, serving, stop.signal, place);
      devices.set(place.resident, device);
      const passed = skipped.map(({ provider, reason }) => `${provider}: ${reason}`).join("; ");
      log("model.ready", {
        id: manifest.id,
        device,
        pid,
        ms: Math.round(performance.now() - began),
        ...(passed === "" ? {} : { skipped: passed }),
      });
    } catch {
      // The pool tells the resident's failure to whoever listens.
    }
  };
  const beside = sidecarsIn(own);
  /** `open` has it loaded; `look` does not. */
  const lookAt = async (manifest: SidecarManifest, type: "open" | "look"): Promise<void> => {
    const { id } = manifest;
    const before = pool?.residents().find(({ name }) => name === id);
    // Whoever works is known to live; a look would only wait behind its job.
    if (pool === undefined || before?.state === "busy") return;
    try {
      const facts = await askSidecar(manifest, settings, pool, stop.signal, type);
      if (facts.device !== null) devices.set(id, facts.device);
      if (facts.memory_mb !== null) servers_mb.set(id, facts.memory_mb);
      if (type === "open" || before?.state === "failed")
        log("model.ready", { id, device: facts.device, name: facts.name, version: facts.version });
    } catch {
      // As above.
    }
  };
  for (const entry of firstOfEach(own)) void load(entry);
  for (const manifest of beside) void lookAt(manifest, "open");
  const looking = setInterval(() => {
    for (const manifest of beside) void lookAt(manifest, "look");
  }, LOOK_MS);
  looking.unref();
  const shipped = (await shippedModels(settings)).map(({ entry }) => entry);
  // Whether the package is there; that its binary loads shows when it does.
  const missing = shipped.length === 0 ? undefined : findRuntime();
  if (missing !== undefined) for (const { id } of shipped) log("model.failed", { id, reason: missing });

  const health = (entry: Entry): ModelHealth => {
    const { id, task } = entry;
    const names = residentsOf(entry, settings);
    const residents = (pool?.residents() ?? []).filter(({ name }) => names.includes(name));
    // The best of several: a model serves while one of its processes can.
    const resident = BEST_FIRST.map((state) => residents.find((one) => one.state === state)).find(Boolean);
    const served = new Set(names.flatMap((name) => devices.get(name) ?? []));
    if (resident === undefined && pool !== undefined && shipped.includes(entry)) {
      const state = missing === undefined ? "ready" : "failed";
      return { id, task, state, reason: missing ?? null, device: null };
    }
    return {
      id,
      task,
      state: pool === undefined ? "elsewhere" : (resident?.state ?? "starting"),
      reason: resident?.reason ?? null,
      device: served.size === 0 ? null : [...served].join(", "),
      ...(servers_mb.has(id) ? { server_mb: servers_mb.get(id)! } : {}),
    };
  };
  return {
    models: (task) => [...own, ...shipped].filter((entry) => entry.task === task).map(health),
    // One that was killed is loaded anew before anybody asks.
    reload(resident) {
      const id = ownerOf(resident);
      const entry = own.find((one) => one.id === id);
      const sidecar = beside.find((one) => one.id === id);
      if (entry === undefined && sidecar === undefined) return;
      const timer = setTimeout(() => {
        if (stop.signal.aborted) return;
        if (sidecar !== undefined) void lookAt(sidecar, "open");
        else if (entry !== undefined) void load(entry);
      }, RELOAD_MS);
      timer.unref();
    },
    close() {
      clearInterval(looking);
      stop.abort();
    },
  };
}

/** Each once, whatever it serves. */
function sidecarsIn(entries: readonly Entry[]): readonly SidecarManifest[] {
  const all = entries.flatMap(({ members }) =>
    members.flatMap(({ manifest }) => (isSidecar(manifest) ? [manifest] : [])),
  );
  return [...new Map(all.map((manifest) => [manifest.id, manifest])).values()];
}

/** The processes that serve it: one on each device for all models of an ensemble, one for each sidecar. */
function residentsOf({ id, members }: Entry, settings: ModelSettings): readonly string[] {
  const own = ({ manifest }: EntryMember): readonly string[] =>
    isSidecar(manifest) ? [manifest.id] : placesOf(manifest, settings, id).map(({ resident }) => resident);
  return [...new Set(members.flatMap(own))];
}

async function askSidecar(
  manifest: SidecarManifest,
  settings: ModelSettings,
  pool: Pool,
  signal: AbortSignal,
  type: "open" | "look",
): Promise<SidecarFacts> {
  const spec = sidecarSpec(manifest, settings);
  const answer = await pool.run(
    sidecarRunner(manifest.id),
    { type, spec },
    { signal, ms_max: manifest.start_ms_max ?? OPEN_MS_MAX },
  );
  if (answer.type !== "opened") throw new Error(`its process answered "${answer.type}" to "${type}"`);
  return answer.facts;
}

/** What Tonwerk brings along, each with settings that lead to its files. */
async function shippedModels(
  settings: ModelSettings,
): Promise<readonly { readonly entry: Entry; readonly settings: ModelSettings }[]> {
  if (!settings.shipped) return [];
  const found = await Promise.all(
    Object.values(SHIPPED).map(async (folder) =>
      (await readEntries(folder, settings.families)).entries.map((entry) => ({
        entry,
        settings: { ...settings, models: folder },
      })),
    ),
  );
  return found.flat();
}

/**
 * One for each model, those of an ensemble after its name, and each file that describes none; with `id` for that model
 * or ensemble alone. A sidecar may also be given as `TONWERK_SIDECARS` has it, or by its address; one that is named is
 * tried by its protocol's test kit.
 */
export async function checkModels(
  settings: ModelSettings,
  pool: Pool | undefined,
  id?: string,
): Promise<readonly ModelCheck[]> {
  if (id !== undefined && (addressOf(id.split("=")[0]!) !== undefined || /^(?:cog|ace-step)\+|\.json$/u.test(id)))
    return checkItem(id, settings, pool);
  const { entries, refused } = await entriesIn(settings);
  const all = [
    ...firstOfEach(entries).map((entry) => ({ entry, settings })),
    ...(await shippedModels(settings)),
  ].flatMap(({ entry, settings: own }) => entry.members.map(({ manifest }) => ({ entry, manifest, own })));
  const nothing = { device: null, seconds: null, reason: null, skipped: [], draws: [], half: null } as const;
  const checks: ModelCheck[] = (id === undefined ? refused : []).map(({ file, reason }) => ({
    ...nothing,
    name: file,
    family: null,
    task: null,
    licence: null,
    reason,
  }));
  const done = new Set<string>();
  for (const { entry, manifest, own } of all) {
    if (isSidecar(manifest)) {
      if (done.has(manifest.id) || (id !== undefined && entry.id !== id && manifest.id !== id)) continue;
      done.add(manifest.id);
      checks.push({ ...nothing, ...(await checkSidecar(manifest, own, pool, id !== undefined)) });
      continue;
    }
    const { family, licence } = manifest;
    const name = entry.id === manifest.id ? entry.id : `${entry.id}/${manifest.id}`;
    if (id !== undefined && entry.id !== id && manifest.id !== id) continue;
    const served = entries.filter((one) => one.id === entry.id).map(({ task }) => task);
    const plain = { ...nothing, name, family, task: served.join(", ") || entry.task, licence };
    if (pool === undefined) {
      checks.push(plain);
      continue;
    }
    for (const place of placesOf(manifest, own, entry.id)) {
      const began = performance.now();
      const one = { ...plain, name: place.resident === entry.id ? name : `${name} on device ${place.device}` };
      try {
        const { device, skipped, draws, half } = await open(manifest, own, pool, new AbortController().signal, place);
        checks.push({ ...one, device, skipped, draws, half, seconds: (performance.now() - began) / 1000 });
      } catch (error) {
        checks.push({ ...one, reason: messageOf(error) });
      }
    }
  }
  return checks;
}

/** Of a sidecar that no setting has yet. */
async function checkItem(
  item: string,
  settings: ModelSettings,
  pool: Pool | undefined,
): Promise<readonly ModelCheck[]> {
  const nothing = {
    family: "sidecar",
    task: null,
    licence: null,
    device: null,
    seconds: null,
    skipped: [],
    draws: [],
    half: null,
  };
  try {
    const given = addressOf(item) === undefined ? item : `${item}=${await tasksAt(item)}`;
    const alone = await readEntries(null, [], [given]);
    const [refused] = alone.refused;
    if (refused !== undefined) throw new Error(refused.reason);
    const [manifest] = sidecarsIn(alone.entries);
    return [{ ...nothing, reason: null, ...(await checkSidecar(manifest!, settings, pool, true)) }];
  } catch (error) {
    return [{ ...nothing, name: item, reason: messageOf(error) }];
  }
}

/** What a server of our protocol says that it does. */
async function tasksAt(url: string): Promise<string> {
  const { facts } = await speakOwn({ url }, { silence_ms: LOOK_MS }).look(AbortSignal.timeout(LOOK_MS));
  return Object.keys(facts?.tasks ?? {})
    .sort()
    .join("+");
}

async function checkSidecar(
  manifest: SidecarManifest,
  settings: ModelSettings,
  pool: Pool | undefined,
  is_named: boolean,
) {
  const plain = {
    name: manifest.id,
    family: `sidecar (${manifest.protocol})`,
    task: manifest.serves.join(" and "),
    licence: manifest.licence ?? null,
  };
  if (pool === undefined) return plain;
  const began = performance.now();
  try {
    const { signal } = new AbortController();
    const { device, licence } = await askSidecar(manifest, settings, pool, signal, "open");
    const told = { ...plain, licence, device: device ?? "its server", seconds: (performance.now() - began) / 1000 };
    if (!is_named) return told;
    const runner = sidecarRunner(manifest.id, 1);
    const spec = sidecarSpec(manifest, settings);
    const answer = await pool.run(runner, { type: "check", spec }, { signal, ms_max: CHECK_MS_MAX });
    if (answer.type !== "checked") throw new Error(`its process answered "${answer.type}" to "check"`);
    const wrong = answer.checks.filter(({ fault }) => fault !== null).length;
    const reason = wrong === 0 ? null : `${wrong} of ${answer.checks.length} checks went wrong`;
    return { ...told, reason, checks: answer.checks };
  } catch (error) {
    return { ...plain, reason: messageOf(error) };
  }
}

function entriesIn({ models, families, sidecars: beside }: ModelSettings): Promise<Entries> {
  return readEntries(models, families, beside);
}

async function open(manifest: Manifest, settings: ModelSettings, pool: Pool, signal: AbortSignal, place: Place) {
  const spec = await specFor(manifest, settings, place);
  const ms_max = startMsMax(manifest, settings);
  const answer = await pool.run(sessionsOf(spec), { type: "open", spec }, { signal, ms_max });
  if (answer.type !== "opened") throw new Error(`its process answered "${answer.type}" to being opened`);
  return answer.opened;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
