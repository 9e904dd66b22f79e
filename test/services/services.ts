/**
 * Services that tests start for real. Where a program is missing, its tests are skipped with the reason, unless
 * TONWERK_TEST_SERVICES=required (as in CI), which makes them fail.
 */
import { test } from "node:test";

export const SERVICES_REQUIRED = process.env.TONWERK_TEST_SERVICES === "required";

/**
 * Registers the tests of `register` when the service is there (`missing` undefined). Otherwise one test stands for them, visibly
 * skipped, or failing where services are required.
 */
export function whenThere<Registered extends void | Promise<void>>(
  title: string,
  missing: string | undefined,
  register: () => Registered,
): Registered | undefined {
  if (missing === undefined) return register();
  if (SERVICES_REQUIRED) {
    test(title, () => {
      throw new Error(`${missing} (TONWERK_TEST_SERVICES=required)`);
    });
    return undefined;
  }
  test(title, { skip: missing }, () => undefined);
  return undefined;
}
