/** Whether the genre that was chosen bears those who are to play. */
import { type Genre, genrePack, genres } from "../genres.ts";
import { type Instrument, instrumentOf } from "../instruments.ts";
import type { Chosen } from "./choose_genre.ts";
import type { Said } from "./gather.ts";

/** "Sad piano and cello" is no piano alone. */
export function accompanied({ named, denied, traits, moods, scenes }: Said, chosen: Chosen): Chosen {
  // A drummer alone is no ambience.
  const drums = named.length > 0 && named.every(({ roles }) => roles.includes("drums"));
  if (drums && !chosen.named && traits.has("solo") && moods.length + scenes.length === 0)
    return { ...chosen, genre: genres().find(drummed) ?? chosen.genre, second: null };
  // Without drums, and with players of another kind of music, that one leads.
  const beatless = denied.some(({ roles }) => roles.includes("drums"));
  if (beatless && !chosen.named && beaten(chosen.genre) && chosen.second !== null && !beaten(chosen.second))
    return { ...chosen, genre: chosen.second, second: chosen.second };
  const { solo } = genrePack(chosen.genre);
  if (solo === undefined) return chosen;
  const others = named.some(({ instruments: [first] }) => !first!.includes(solo.instrument) && !isTexture(first!));
  return others ? { ...chosen, genre: chosen.second ?? solo.with_others, second: chosen.genre } : chosen;
}

/** Hardly itself without drums. */
const beaten = (genre: Genre): boolean => genrePack(genre).nature?.needs_drums === true;

/** Drums alone bring it to mind. */
const drummed = (genre: Genre): boolean => genrePack(genre).suggested_by?.drums_alone === true;

function isTexture(instrument: Instrument): boolean {
  return instrumentOf(instrument).texture !== undefined;
}
