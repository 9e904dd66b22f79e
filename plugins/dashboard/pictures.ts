/**
 * Pictures of an account's audio for its pages: those that were drawn, and, within bounds for each account, those that
 * are drawn now.
 */

import { type Facade, type Pictures, refuse, type StoredAudio } from "../../core/surface.ts";
import type { Draw } from "./drawings.ts";
import { readPicture } from "./drawings.ts";

export const PICTURE_NAME = /^(?:waveform-light|waveform-dark|spectrogram)-[12]x$/;

export interface PictureCache {
  /** The PNG file `name` of `audio`; undefined where there is no such audio. Refuses with 429 and 503. */
  find(audio: StoredAudio, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** Sets that are kept in memory: some pages' worth, about 350 KB each. */
const KEPT_MAX = 40;
/** Drawings of an account: ten full pages a minute, and one page at a time. */
const PER_MINUTE = 60;
const AT_ONCE = 8;
const TOO_MANY = "Too many pictures at a time";

export function createPictures({ bucket, limits }: Pick<Facade, "bucket" | "limits">, draw: Draw): PictureCache {
  /** In the order of their last use. */
  const kept = new Map<string, Promise<Pictures | undefined>>();
  /** Drawings under way, by account. */
  const under_way = new Map<string, number>();

  const drawOnce = async (audio: StoredAudio): Promise<Pictures | undefined> => {
    const { account_id } = audio;
    const others = under_way.get(account_id) ?? 0;
    if (others >= AT_ONCE) throw refuse.tooManyRequests(2, TOO_MANY);
    under_way.set(account_id, others + 1);
    try {
      const taken = await limits.take(account_id, "picture", PER_MINUTE);
      if (!taken.ok) throw refuse.tooManyRequests(taken.retry_seconds, TOO_MANY);
      return await draw(audio);
    } finally {
      const left = under_way.get(account_id)! - 1;
      if (left === 0) under_way.delete(account_id);
      else under_way.set(account_id, left);
    }
  };

  const all = (audio: StoredAudio): Promise<Pictures | undefined> => {
    const { key } = audio;
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const drawing = drawOnce(audio);
    kept.set(key, drawing);
    const forget = () => void (kept.get(key) === drawing && kept.delete(key));
    drawing.then((pictures) => pictures ?? forget(), forget);
    const oldest = kept.keys().next().value;
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return drawing;
  };

  return {
    async find(audio, name) {
      const stored = kept.has(audio.key) ? undefined : await readPicture(bucket, audio.key, name);
      if (stored !== undefined) return stored;
      const found = (await all(audio))?.[name];
      return found === undefined ? undefined : new Uint8Array(found);
    },
  };
}
