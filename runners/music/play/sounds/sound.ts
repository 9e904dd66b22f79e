/** What a bank of recorded sounds answers the player. */
import type { Layer } from "../patches.ts";
import type { Zone } from "../zone.ts";
import type { Wave } from "./wave.ts";

/** A recording, and how it is played for one stroke. */
export interface Sound {
  readonly zone: Zone;
  /** Which recording it is, in any bank of this thread. */
  readonly recording: string;
  /**
   * Decodes it at its first use.
   *
   * @param seconds of the recording that are heard at most; all where absent. A loop is whole in any case
   */
  wave(seconds?: number): Wave | Promise<Wave>;
  /** It is heard when the key is let go, by so many dB a second softer as the key was held. */
  readonly release?: { readonly db_a_second: number };
}

export interface Struck {
  readonly key: number;
  /** 1 to 127. */
  readonly velocity: number;
  /** How often this key was struck before. */
  readonly turn: number;
  /** 0 to 1, for what differs by chance. */
  readonly chance: number;
}

export interface Bank {
  /** What sounds; empty where nothing does. */
  sounds(layer: Layer, struck: Struck): readonly Sound[];
}
