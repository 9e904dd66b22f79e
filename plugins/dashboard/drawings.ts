/**
 * Drawn pictures lie in the bucket beside what they show, under keys that nothing names: the sweep takes them away
 * after a day, and they are drawn again when wanted. Drawing is heavy, so it is done where jobs run; a node that only
 * answers requests wishes for a picture, and finds it in the bucket once another one has drawn it.
 */
import {
  audioOf,
  type Bucket,
  describeError,
  type Facade,
  type Pictures,
  refuse,
  type StoredAudio,
} from "../../core/surface.ts";
import { startGranting, wish } from "../administration/wishes.ts";

const NAMES = ["waveform-light", "waveform-dark", "spectrogram"].flatMap((name) => [`${name}-1x`, `${name}-2x`]);
/** Written last: where it is, all are. */
const LAST = NAMES.at(-1)!;

/** Key of a picture of the audio at `key`. */
const pictureKey = (key: string, name: string): string => `${key}.${name}.png`;

/** Upload or output that an object is; undefined where it is neither, or is gone. */
export async function findAudio(
  { store }: { readonly store: Pick<Facade["store"], "file" | "snapshot"> },
  key: string,
): Promise<StoredAudio | undefined> {
  const [, file_id] = /^files\/(file_[0-9a-z]{26})\./u.exec(key) ?? [];
  if (file_id !== undefined) {
    const file = await store.file(file_id);
    return file && { key, account_id: file.account_id, seconds: file.seconds };
  }
  const [, operation_id] = /^op\/(op_[0-9a-z]{26})\//u.exec(key) ?? [];
  const made = operation_id === undefined ? undefined : await store.snapshot(operation_id);
  const output = audioOf(made?.outputs).find(({ object }) => object === key);
  return made && output && { key, account_id: made.account_id, seconds: output.duration };
}

/** A picture that was drawn before. */
export async function readPicture(
  bucket: Bucket,
  key: string,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const stored = await bucket.open(pictureKey(key, name));
  return stored && new Uint8Array(await new Response(stored.stream).arrayBuffer());
}

/** Undefined where there is no such audio. Refuses with 503 where it could not be drawn now. */
export type Draw = (audio: StoredAudio) => Promise<Pictures | undefined>;

/**
 * Decoding ten minutes and drawing takes some seconds, what lasts longer more; what takes longer than this is a busy
 * machine.
 */
const DRAW_MS = 60_000;
const USUAL_SECONDS = 600;

/** Draws here where this node does such work, else has another one draw. */
export function createDrawing(
  facade: Pick<Facade, "runs_jobs" | "workOn" | "runners" | "bucket" | "queue" | "clock" | "log">,
): Draw {
  return facade.runs_jobs ? createKeepingDraw(facade) : createWishes(facade);
}

/** Draws, and keeps what was drawn for other nodes and the next start. What cannot be kept is drawn again. */
function createKeepingDraw({
  workOn,
  runners,
  bucket,
  log,
}: Pick<Facade, "workOn" | "runners" | "bucket" | "log">): Draw {
  return async (audio) => {
    const { account_id: fair_by, seconds } = audio;
    const ms_max = DRAW_MS * Math.max(1, seconds / USUAL_SECONDS);
    const pictures = await workOn(audio, (path, _folder, run) =>
      run(runners.picture, { path, seconds }, { fair_by, ms_max, what: "picture" }),
    );
    if (pictures === undefined) return undefined;
    for (const name of NAMES) {
      const place = pictureKey(audio.key, name);
      try {
        if ((await bucket.stat(place)) === undefined) await bucket.put(place, pictures[name]!, "image/png");
      } catch (error) {
        // Another node was faster, or the disk is full: neither keeps the picture from being seen.
        log("picture.not_kept", { object: place, error: describeError(error) });
        break;
      }
    }
    return pictures;
  };
}

/** How long a node waits for another one's picture. */
const WISH_MS = 8_000;

function createWishes(facade: Pick<Facade, "bucket" | "queue" | "clock">): Draw {
  const { bucket } = facade;
  return async ({ key }) => {
    if ((await bucket.stat(key)) === undefined) return undefined;
    const isDrawn = async (): Promise<boolean> => (await bucket.stat(pictureKey(key, LAST))) !== undefined;
    if (await wish(facade, "picture", key, isDrawn, WISH_MS)) return await readAll(bucket, key);
    throw refuse.unavailable("The picture is being drawn, try again", 5);
  };
}

async function readAll(bucket: Bucket, key: string): Promise<Pictures | undefined> {
  const found: Record<string, Uint8Array> = {};
  for (const name of NAMES) {
    const bytes = await readPicture(bucket, key, name);
    if (bytes === undefined) return undefined;
    found[name] = bytes;
  }
  return found;
}

/** Draws what other nodes wish for, until the returned function is called or the node goes away. */
export function startDrawingForOthers(
  services: Pick<Facade, "bucket" | "queue" | "store" | "clock" | "log" | "isDraining">,
  draw: Draw,
): () => void {
  return startGranting(services, "picture", async (key, claim) => {
    const audio = await findAudio(services, key);
    if (audio === undefined || (await services.bucket.stat(pictureKey(key, LAST))) !== undefined) return;
    const giveUp = await claim();
    if (giveUp === undefined) return;
    try {
      await draw(audio);
    } finally {
      await giveUp();
    }
  });
}
