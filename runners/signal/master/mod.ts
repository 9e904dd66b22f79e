/** One gain for tracks that belong together. Light; the engine loads inside the pool. */
import type { Runner } from "../../../contract/mod.ts";
import type { AlbumInput, AlbumLevel } from "./types.ts";

export type { AlbumInput, AlbumLevel } from "./types.ts";

export const album: Runner<AlbumInput, AlbumLevel> = {
  name: "album",
  from: import.meta.url,
  isolation: "thread",
  load: async () => {
    const { levelAlbum } = await import("./album.ts");
    return { run: levelAlbum };
  },
};
