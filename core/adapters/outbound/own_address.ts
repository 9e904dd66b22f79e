/** Where this service itself listens, so that no source and no callback leads back into it. */
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { normalAddress } from "../../base/addresses.ts";

/** Whether `address` and `port` are those of a service that listens on `host` (address or name) and `own_port`. */
export function listensOn(host: string, own_port: number): (address: string, port: number) => boolean {
  const fixed = isIP(host) !== 0 && !EVERY_INTERFACE.has(host) ? normalAddress(host) : undefined;
  return (address, port) => {
    if (port !== own_port) return false;
    const normal = normalAddress(address);
    if (fixed !== undefined) return normal === fixed;
    // Asked each time: addresses come and go with the machine's networks.
    return Object.values(networkInterfaces()).some((found) =>
      found?.some(({ address: own }) => normal !== undefined && normalAddress(own) === normal),
    );
  };
}

const EVERY_INTERFACE: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);
