/** Numbers of a singing model's phonemes, from the file that comes with it. */

import { readFile } from "node:fs/promises";
import nearest from "./nearest_phonemes.json" with { type: "json" };

/**
 * @returns number by name
 * @throws Error where the file is neither a list of names (JSON or one a line) nor an object of numbers by name
 */
export async function readPhonemes(path: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(path, "utf8");
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    given = text
      .split(/\r?\n/u)
      .map((line) => line.trim())
      .filter((line) => line !== "");
  }
  const pairs = Array.isArray(given)
    ? given.map((name, number) => [name, number] as const)
    : typeof given === "object" && given !== null
      ? Object.entries(given)
      : [];
  const sound = pairs.every(
    ([name, number]) => typeof name === "string" && Number.isInteger(number) && (number as number) >= 0,
  );
  if (pairs.length === 0 || !sound) throw new Error("its phonemes are neither a list of names nor numbers by name");
  return new Map(pairs as [string, number][]);
}

/**
 * What models that sing English call the sounds that lyrics are made of: ARPAbet in small letters, and for sounds of other languages what
 * comes nearest in it. A manifest's `symbols` say otherwise.
 */
export function usualSymbols(sound: string): readonly string[] {
  return NEAREST[sound] ?? [sound.toLowerCase()];
}

const NEAREST: Readonly<Record<string, readonly string[]>> = nearest;
