import type { Job } from "../../../contract/mod.ts";
import type { ConvertInput } from "../../../core/ports/mod.ts";
import { encodeFlac } from "./encode.ts";
import { writeLevels } from "./levels.ts";
import { deliverable, writeLossy } from "./lossy.ts";
import { StoredPiece } from "./stored_piece.ts";
import { readComments, tagsAmong } from "./tags.ts";
import { writeWav } from "./wav_writer.ts";

/** Writes an output of ours in another form. Resolves to false where this machine cannot make it. */
export async function convertOutput({ path, to, form, dither }: ConvertInput, { signal }: Job): Promise<boolean> {
  const { format, bits, part } = form;
  if (format !== "levels" && !(await deliverable()).includes(format)) return false;
  const piece = new StoredPiece(path, { dither, ...(bits && { bits }), ...(part && { part }) });
  const { sample_rate } = piece.info;
  try {
    if (format === "levels") await writeLevels(piece, to, signal);
    else if (format === "flac") await encodeFlac(piece, sample_rate, to, await readComments(path), signal);
    else {
      const tags = tagsAmong(Object.entries(await readComments(path)));
      if (format === "wav") await writeWav(piece, sample_rate, to, tags, signal);
      else await writeLossy(piece, sample_rate, format, to, tags, signal);
    }
    return true;
  } finally {
    piece.close();
  }
}
