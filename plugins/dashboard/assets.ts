/**
 * The stylesheet, the font, the icon and the scripts: files of this folder, read once, under addresses that change with
 * their content.
 */
import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { compressed, takesGzip } from "./compression.ts";

const TYPES = {
  "style.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
  "page.mjs": "text/javascript; charset=utf-8",
  "playground.mjs": "text/javascript; charset=utf-8",
  "progress.mjs": "text/javascript; charset=utf-8",
  "players.mjs": "text/javascript; charset=utf-8",
  "tabs.mjs": "text/javascript; charset=utf-8",
  "refresh.mjs": "text/javascript; charset=utf-8",
  "clock.mjs": "text/javascript; charset=utf-8",
  "magnify.mjs": "text/javascript; charset=utf-8",
  "marks.mjs": "text/javascript; charset=utf-8",
  "mixer.mjs": "text/javascript; charset=utf-8",
  "hear.mjs": "text/javascript; charset=utf-8",
  "rows.mjs": "text/javascript; charset=utf-8",
  "brought.mjs": "text/javascript; charset=utf-8",
  "inter-english-400.woff2": "font/woff2",
  "inter-english-600.woff2": "font/woff2",
  "inter-western-400.woff2": "font/woff2",
  "inter-western-600.woff2": "font/woff2",
  "inter-extended-400.woff2": "font/woff2",
  "inter-extended-600.woff2": "font/woff2",
} as const;

export type AssetName = keyof typeof TYPES;

export interface Assets {
  /** Path below the dashboard's root. */
  path(name: AssetName): string;
  /**
   * The file behind `/static/<version>/<name>`, undefined where there is none. An outdated version is answered with the
   * file of now.
   */
  answer(version: string, name: string, request: Request): Response | undefined;
}

export async function loadAssets(): Promise<Assets> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  const small = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const name of Object.keys(TYPES)) {
    const bytes = new Uint8Array(await readFile(new URL(`static/${name}`, import.meta.url)));
    files.set(name, bytes);
    // A font is compressed already.
    if (!name.endsWith(".woff2")) small.set(name, compressed(bytes, 9));
  }
  // One version for all: scripts import one another by name.
  const version = hash("sha256", Buffer.concat([...files.values()]), "hex").slice(0, 12);
  return {
    path: (name) => `/static/${version}/${name}`,
    answer(asked, name, request) {
      const shorter = takesGzip(request) ? small.get(name) : undefined;
      const bytes = shorter ?? files.get(name);
      if (bytes === undefined) return undefined;
      return new Response(bytes, {
        headers: {
          ...(shorter === undefined ? {} : { "content-encoding": "gzip" }),
          vary: "accept-encoding",
          "content-type": TYPES[name as AssetName],
          "cache-control": asked === version ? "public, max-age=31536000, immutable" : "no-cache",
          "x-content-type-options": "nosniff",
        },
      });
    },
  };
}
