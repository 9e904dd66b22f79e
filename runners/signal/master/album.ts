import type { Job } from "../../../contract/mod.ts";
import { SourceError } from "../../source_error.ts";
import { gatedLoudness } from "../dsp/loudness.ts";
import { roomOf } from "./master.ts";
import { measure } from "./measure.ts";
import type { AlbumInput, AlbumLevel } from "./types.ts";

/**
 * The gain that brings tracks together to a loudness, as far as the loudest peak of all lets it. No limiter: it would
 * work on some tracks and not on others, and change how loud they are beside each other.
 *
 * @throws SourceError `source_silent` where no track has anything above -70 LUFS
 */
export async function levelAlbum({ tracks, target_lufs }: AlbumInput, job: Job): Promise<AlbumLevel> {
  const programmes: Float64Array[] = [];
  let true_peak_dbtp = Number.NEGATIVE_INFINITY;
  for (const [index, track] of tracks.entries()) {
    job.progress(index / tracks.length, "measuring");
    const measured = await measure(track, false, job.signal);
    programmes.push(measured.meter.blocks());
    true_peak_dbtp = Math.max(true_peak_dbtp, measured.true_peak_dbtp);
  }
  const lufs = gatedLoudness(programmes);
  if (lufs === Number.NEGATIVE_INFINITY)
    throw new SourceError("source_silent", "Cannot bring the album to a loudness: every track is silent");
  const gain_db = Math.min(target_lufs - lufs, roomOf({ true_peak_dbtp }));
  return { gain_db, lufs: lufs + gain_db, true_peak_dbtp: true_peak_dbtp + gain_db };
}
