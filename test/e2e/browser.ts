/** A real browser for end-to-end tests: Debian's Chromium, driven by playwright-core, on the runtime that runs the test. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { whenThere } from "../services/services.ts";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executable = process.env.TONWERK_TEST_CHROMIUM ?? PLACES.find((place) => existsSync(place));

/** Why there is no browser; undefined: there is. */
const BROWSER_MISSING: string | undefined =
  executable === undefined ? `no Chromium at ${PLACES.join(", ")} (Debian: apt-get install chromium)` : undefined;

/** Registers tests that need the browser; without one they show as skipped, or fail where `TONWERK_TEST_BROWSER=required`. */
export function withBrowser(title: string, register: () => void): void {
  whenThere(title, BROWSER_MISSING, register, "TONWERK_TEST_BROWSER");
}

export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  // Root in a container has no sandbox; a test plays without a finger on the screen.
  const args = ["--no-sandbox", "--autoplay-policy=no-user-gesture-required", "--mute-audio"];
  return chromium.launch({ executablePath: executable!, args });
}

const axe_source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What colours and widths can change; all else is the same page. */
export const LOOKS = [
  "color-contrast",
  "link-in-text-block",
  "scrollable-region-focusable",
  "target-size",
  "region",
] as const;

/** Violations of any level of the page as it is shown, one line each. `rules`: these alone. */
export async function violations(page: Page, rules: readonly string[] | null = null): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe_source);
  return page.evaluate(async (only) => {
    interface Found {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
    }
    interface Axe {
      run(context: Document, options: object): Promise<{ readonly violations: readonly Found[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const options = only === null ? {} : { runOnly: { type: "rule", values: only } };
    const { violations: found } = await axe.run(document, { resultTypes: ["violations"], ...options });
    return found.map(({ id, nodes }) => {
      const where = nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} (${failureSummary})`);
      return `${id}: ${where.join(" | ")}`;
    });
  }, rules);
}
