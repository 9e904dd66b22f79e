/** What a page sounds like: its own audio graph, rendered faster than it plays, sample by sample. */
import type { Page } from "playwright-core";

const RATE = 44_100;

interface Recording {
  recording: OfflineAudioContext;
}

/** From the next page on, an `AudioContext` is one that renders `seconds` at once when `difference` is asked for. */
export async function recordPages(page: Page, seconds: number): Promise<void> {
  await page.addInitScript(
    ([length, rate]) => {
      class Recorded extends OfflineAudioContext {
        constructor() {
          super(2, length!, rate!);
          (globalThis as unknown as Recording).recording = this;
        }
        override resume(): Promise<void> {
          return Promise.resolve();
        }
      }
      globalThis.AudioContext = Recorded as unknown as typeof AudioContext;
    },
    [Math.ceil(seconds * RATE), RATE],
  );
}

/**
 * Renders what was played, and compares it with the audio at `address`, after `skipped` seconds: how large the difference is at most, and in
 * dB of the audio's power.
 */
export function difference(
  page: Page,
  address: string,
  skipped = 0,
): Promise<{ readonly most: number; readonly db: number }> {
  return page.evaluate(
    async ([url, skip]) => {
      const { recording } = globalThis as unknown as Recording;
      const heard = await recording.startRendering();
      const file = await (await fetch(url)).arrayBuffer();
      const wanted = await new OfflineAudioContext(2, 1, 44_100).decodeAudioData(file);
      // Players begin a moment ahead, so that no track is late.
      const lead = Math.round(0.05 * 44_100);
      let [most, error, power] = [0, 0, 0];
      for (let channel = 0; channel < 2; channel++) {
        const one = heard.getChannelData(channel).subarray(lead);
        const other = wanted.getChannelData(Math.min(channel, wanted.numberOfChannels - 1));
        for (let index = Math.round(skip * 44_100); index < other.length; index++) {
          const off = one[index]! - other[index]!;
          most = Math.max(most, Math.abs(off));
          error += off * off;
          power += other[index]! ** 2;
        }
      }
      return { most, db: 10 * Math.log10((error + 1e-30) / power) };
    },
    [address, skipped] as const,
  );
}
