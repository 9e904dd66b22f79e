/** Finds the surfaces in the folders that also hold the actions, and starts them. */
import { existsSync } from "node:fs";
import { importInTime, RegistrationError } from "./actions/imports.ts";
import { splitOrigin, subfolders } from "./adapters/plugins/folders.ts";
import { messageOf } from "./base/log.ts";
import type { Facade, PluginModule, Surface, SurfaceFactory } from "./surface.ts";

/** The folder that the code lives in: relative origins start here. */
export const HOME = new URL("../", import.meta.url).href;

interface Found extends PluginModule {
  readonly name: string;
  readonly origin: string;
  readonly module: URL;
}

/** Starts every surface, in order. What stops the start leaves none of them running. */
export async function startSurfaces(
  facade: Facade,
  origins: readonly string[],
): Promise<{ readonly surfaces: readonly Surface[]; stop(): Promise<void> }> {
  const surfaces: Surface[] = [];
  const stop = async (): Promise<void> => {
    for (const surface of surfaces.splice(0).reverse()) await surface.stop?.();
  };
  try {
    for (const found of await findModules("surface.ts", origins)) {
      try {
        surfaces.push(await startSurface(found, facade, surfaces));
      } catch (error) {
        if (!found.tolerated) throw error;
        facade.log("plugin.failed", { origin: found.origin, reason: messageOf(error) });
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { surfaces: [...surfaces], stop };
}

async function startSurface(found: Found, facade: Facade, others: readonly Surface[]): Promise<Surface> {
  const { name, module, load } = found;
  const cannot = (why: string) =>
    new RegistrationError(`Cannot start the surface "${name}" from "${module.href}": ${why}`);
  if (others.some((other) => other.name === name)) throw cannot("the name is taken by one of an earlier folder");
  let factory: unknown;
  try {
    factory = ((await load()) as { default?: unknown }).default;
  } catch (error) {
    throw cannot(messageOf(error));
  }
  if (typeof factory !== "function") throw cannot("expected a default export that is a function");
  const surface = await (factory as SurfaceFactory)(facade);
  if (surface.name === name) return surface;
  await surface.stop?.();
  throw cannot(`its name is "${surface.name}", expected that of its folder`);
}

/** The modules of this name in the folders of surfaces. */
export async function findModules(file: string, origins: readonly string[]): Promise<readonly Found[]> {
  // By module: a folder that is listed twice, or linked to, is one.
  const found = new Map<string, Found>();
  for (const listed of origins) {
    const { origin, tolerated } = splitOrigin(listed);
    // One that cannot be read stopped the start when the actions were looked for, or is tolerated.
    for (const { name, url } of await subfolders(origin, HOME).catch(() => [])) {
      const module = new URL(file, url);
      if (name.includes(".") || found.has(module.href) || !existsSync(module)) continue;
      found.set(module.href, { name, origin, module, tolerated, load: () => importInTime(module.href) });
    }
  }
  return [...found.values()];
}
