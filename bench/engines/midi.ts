/** Performances as a Standard MIDI file, one tick a frame, so that another player plays exactly the notes that ours plays. */
import { type PlayedNote, RATE } from "../../runners/music/play/performance.ts";

export interface MidiPart {
  /** 0 to 15; 9 is percussion. */
  readonly channel: number;
  /** General MIDI, 0 to 127. */
  readonly program: number;
  readonly events: readonly PlayedNote[];
}

/** Half of the rate for a crotchet of half a second: 44,100 ticks a second. */
const DIVISION = RATE / 2;
/** At one tick: programs, then ends, or a note that is struck again would be silenced, then beginnings. */
const [PROGRAM, END, BEGIN] = [0xc0, 0x80, 0x90];
const ORDER = [PROGRAM, END, BEGIN];

interface Message {
  readonly tick: number;
  readonly kind: number;
  readonly bytes: readonly number[];
}

/** All parts, `times` times one after another, each time `frames` long. */
export function midiFile(parts: readonly MidiPart[], frames: number, times: number): Uint8Array {
  const messages: Message[] = [];
  for (const { channel, program, events } of parts) {
    messages.push({ tick: 0, kind: PROGRAM, bytes: [PROGRAM | channel, program] });
    for (let time = 0; time < times; time++) {
      for (const event of events) {
        const key = Math.round(event.pitch);
        const tick = time * frames + event.frame;
        const force = Math.max(1, Math.round(event.velocity * 127));
        messages.push({ tick, kind: BEGIN, bytes: [BEGIN | channel, key, force] });
        const end = Math.min(tick + event.frames, (time + 1) * frames);
        messages.push({ tick: end, kind: END, bytes: [END | channel, key, 0] });
      }
    }
  }
  messages.sort((one, other) => one.tick - other.tick || ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  const track: number[] = [0, 0xff, 0x51, 3, 0x07, 0xa1, 0x20];
  let now = 0;
  for (const { tick, bytes } of messages) {
    track.push(...variable(tick - now), ...bytes);
    now = tick;
  }
  track.push(...variable(times * frames - now), 0xff, 0x2f, 0);
  const head = [...ascii("MThd"), ...big(6, 4), ...big(0, 2), ...big(1, 2), ...big(DIVISION, 2)];
  return Uint8Array.from([...head, ...ascii("MTrk"), ...big(track.length, 4), ...track]);
}

function variable(value: number): readonly number[] {
  const bytes = [value & 127];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128);
  return bytes;
}

function big(value: number, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, n) => (value >> (8 * (bytes - 1 - n))) & 255);
}

function ascii(text: string): readonly number[] {
  return [...text].map((letter) => letter.charCodeAt(0));
}
