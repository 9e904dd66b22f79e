/**
 * Services and browsers that tests start for real. Where a program is missing, its tests are skipped with the reason, unless
 * TONWERK_TEST_SERVICES=required (as in CI; TONWERK_TEST_BROWSER for a browser), which makes them fail.
 */
import { test } from "node:test";

/**
 * Registers the tests of `register` when the service is there (`missing` undefined). Otherwise one test stands for them, visibly
 * skipped, or failing where `variable` says "required".
 */
export function whenThere<Registered extends void | Promise<void>>(
  title: string,
  missing: string | undefined,
  register: () => Registered,
  variable: "TONWERK_TEST_SERVICES" | "TONWERK_TEST_BROWSER" | "TONWERK_TEST_FIREFOX" = "TONWERK_TEST_SERVICES",
): Registered | undefined {
  if (missing === undefined) {
    // Servers and our own timers keep no process awake, and Deno gives a test up when nothing else does. Never cleared: both runners end
    // the process when their tests are done, and Deno may run hooks of the end while the last test still waits.
    setInterval(() => undefined, 1_000);
    return register();
  }
  if (process.env[variable] === "required") {
    test(title, () => {
      throw new Error(`${missing} (${variable}=required)`);
    });
    return undefined;
  }
  test(title, { skip: missing }, () => undefined);
  return undefined;
}
