/** What the disk says, as the port's errors. */
import { StoreUnavailable } from "../../ports/mod.ts";

export const ABSENT = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"];
const UNAVAILABLE = ["ENOSPC", "EDQUOT", "EIO", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "ENODEV", "ENXIO", "ESTALE"];

/** Undefined where there is no such file. */
export async function orAbsent<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isCode(error, ...ABSENT)) return undefined;
    throw error;
  }
}

export async function guarded<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw unavailable(error);
  }
}

/** The error as it is, or a StoreUnavailable where the disk is at fault. */
export function unavailable(error: unknown): unknown {
  if (!isCode(error, ...UNAVAILABLE)) return error;
  return new StoreUnavailable(`The audio folder cannot be used now: ${(error as Error).message}`, { cause: error });
}

export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
