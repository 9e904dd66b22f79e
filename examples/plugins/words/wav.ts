import type { Audio } from "@tonwerk/plugin";

const HEAD = 44;

/** One channel in 16 bits: RIFF WAVE. */
export function wavOf({ sample_rate, channels }: Audio): Uint8Array {
  const frames = channels[0]!.length;
  const view = new DataView(new ArrayBuffer(HEAD + 2 * frames));
  const write = (at: number, text: string): void => {
    for (const [index, letter] of [...text].entries()) view.setUint8(at + index, letter.charCodeAt(0));
  };
  write(0, "RIFF");
  view.setUint32(4, HEAD - 8 + 2 * frames, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sample_rate, true);
  view.setUint32(28, 2 * sample_rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  write(36, "data");
  view.setUint32(40, 2 * frames, true);
  for (let at = 0; at < frames; at++) {
    const sum = channels.reduce((all, channel) => all + channel[at]!, 0);
    const sample = Math.max(-1, Math.min(1, sum / channels.length));
    view.setInt16(HEAD + 2 * at, Math.round(32_767 * sample), true);
  }
  return new Uint8Array(view.buffer);
}
