/** The processes that a model is loaded in: one, or one for each device that it is wanted on. */
import type { ModelSettings } from "../../core/ports/mod.ts";
import type { Manifest } from "./fields.ts";

export interface Place {
  /** Name of the process. */
  readonly resident: string;
  /** Undefined: the provider's own choice. */
  readonly device: number | undefined;
  readonly providers: readonly string[];
}

/** Those that the runtime's binding takes a device id for. */
export const WITH_DEVICES: readonly string[] = ["cuda", "tensorrt", "directml"];

/** At least one. */
export function placesOf(
  manifest: Pick<Manifest, "devices" | "providers">,
  settings: Pick<ModelSettings, "devices" | "providers">,
  resident: string,
): readonly Place[] {
  const providers = manifest.providers ?? settings.providers;
  const devices = [...new Set(manifest.devices ?? settings.devices)];
  // Where none has devices, the operator wants as many processes.
  const able = providers.filter((provider) => WITH_DEVICES.includes(provider));
  if (devices.length === 0) return [{ resident, device: undefined, providers }];
  return devices.map((device, index) => ({
    resident: index === 0 ? resident : `${resident}@${device}`,
    device,
    // Only the first may fall back to the CPU: a second device that is missing would be a second process there.
    providers: index === 0 || able.length === 0 ? providers : able,
  }));
}

/** The model or ensemble that a process is of. */
export function ownerOf(resident: string): string {
  return resident.split("@")[0]!;
}
