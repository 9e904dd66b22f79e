/**
 * The forms of an output and where they lie: beside it, as `<object>.kept.<name>`, so that they live as long as it
 * does. A form follows from the output and its name alone, so whichever node makes it makes the same.
 */
import { audioOf, type DeliveredForm, type Facade, type StoredAudio, type StoredOutput } from "../../core/surface.ts";
import { tellingPart } from "./telling_part.ts";

/** An output of an operation that has ended well. */
export interface Output {
  readonly action: string;
  readonly audio: StoredAudio;
  readonly stored: StoredOutput;
  /** From 0 on. */
  readonly index: number;
}

/** Name of a form: `16.wav`, `preview-24.flac`, `lossy.mp3`, `levels`. */
const NAME = /^(?:(?<preview>preview-)?(?<bits>16|24|lossy)\.(?<format>flac|wav|mp3|opus)|levels)$/u;

export const LEVELS = "levels";

export function nameOf(format: DeliveredForm["format"], bits: 16 | 24, preview: boolean): string {
  const own = format === "flac" || format === "wav" ? bits : "lossy";
  return `${preview ? "preview-" : ""}${own}.${format}`;
}

export const placeOf = (key: string, name: string): string => `${key}.kept.${name}`;

/** The output's key and the form's name; undefined where it is no form's place. */
export function readPlace(place: string): { readonly key: string; readonly name: string } | undefined {
  const [, key, name] = /^(.+)\.kept\.([^/]+)$/u.exec(place) ?? [];
  return key === undefined || name === undefined || !NAME.test(name) ? undefined : { key, name };
}

/** What is to be made; stems are rounded and not dithered, so that they still sum. */
export function formOf({ stored }: Output, name: string): { readonly form: DeliveredForm; readonly dither: boolean } {
  const { preview, bits, format } = NAME.exec(name)?.groups ?? {};
  const dither = stored.gain_db === undefined;
  if (format === undefined) return { form: { format: LEVELS }, dither };
  const form: DeliveredForm = {
    format: format as DeliveredForm["format"],
    ...(bits === "lossy" ? {} : { bits: bits === "16" ? 16 : 24 }),
    ...(preview === undefined ? {} : { part: tellingPart(stored) }),
  };
  return { form, dither };
}

/** The operation's folder in the bucket, and the rest of a key. */
const KEY = /^op\/(op_[0-9a-z]{26})\/\d+\/([^/]+)$/u;

/** All outputs of the operation whose folder `key` is in. */
export async function findOutputs({ store }: Pick<Facade, "store">, key: string): Promise<readonly Output[]> {
  const [, id] = KEY.exec(key) ?? [];
  const made = id === undefined ? undefined : await store.snapshot(id);
  const outputs = audioOf(made?.outputs);
  return outputs.map((stored, index) => ({
    action: made!.action,
    audio: { key: stored.object, account_id: made!.account_id, seconds: stored.duration },
    ...{ stored, index },
  }));
}

export async function findOutput(facade: Pick<Facade, "store">, key: string): Promise<Output | undefined> {
  return (await findOutputs(facade, key)).find(({ audio }) => audio.key === key);
}
