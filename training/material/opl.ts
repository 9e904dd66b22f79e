/**
 * Plays parts on an emulated OPL3, the FM chip of sound cards (libADLMIDI by way of `libadlmidi-js`, LGPL, for material only), with the patches of
 * a WOPL bank. Stands for music from such cards better than `chips.ts`, whose sounds nobody has chosen.
 */
import { readFile } from "node:fs/promises";
import { AdlMidiCore } from "libadlmidi-js/dosbox/slim";
import type { Part } from "./compose.ts";
import { eventsOf } from "./events.ts";

const RATE = 44_100;
/** Eighteen voices of two operators each; as many as a busy part with long releases takes. */
const CHIPS = 4;
/** libADLMIDI tells some players' loudness curves apart; one of them, so that velocity matters in each bank alike. */
const VOLUME_MODEL = 1;

/** Adds the parts to `left` and `right` [frames], 44.1 kHz. Throws where the file is no WOPL bank. */
export async function playOpl(
  parts: readonly Part[],
  path: string,
  [left, right]: readonly [Float32Array, Float32Array],
): Promise<void> {
  const synth = await AdlMidiCore.create();
  synth.init(RATE);
  try {
    synth.setNumChips(CHIPS);
    if (!synth.loadBankData(new Uint8Array(await readFile(path))))
      throw new Error(`Cannot play "${path}": ${synth.getErrorInfo()}`);
    synth.setVolumeRangeModel(VOLUME_MODEL);
    synth.setSoftPanEnabled(true);
    const { events, channels } = eventsOf(parts, RATE);
    for (const { channel, program, level, pan } of channels) {
      if (program >= 0) synth.programChange(channel, program);
      synth.controllerChange(channel, 7, level);
      synth.controllerChange(channel, 10, pan);
    }
    let due = 0;
    for (let from = 0; from < left.length; ) {
      for (; due < events.length && events[due]!.frame <= from; due++) {
        const { channel, key, velocity } = events[due]!;
        if (velocity > 0) synth.noteOn(channel, key, velocity);
        else synth.noteOff(channel, key);
      }
      const until = Math.min(left.length, events[due]?.frame ?? left.length);
      for (; from < until; ) {
        const samples = synth.generate(Math.min(4096, until - from));
        for (let n = 0; n < samples.length / 2; n++) {
          left[from + n]! += samples[2 * n]!;
          right[from + n]! += samples[2 * n + 1]!;
        }
        from += samples.length / 2;
      }
    }
  } finally {
    synth.close();
  }
}
