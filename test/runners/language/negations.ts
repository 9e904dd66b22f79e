/** Prompts that deny something, with what any reader would say is denied and what is wanted. Written before the rules were tried on them. */

export interface Denial {
  readonly prompt: string;
  /** Words that must not be heard. */
  readonly denied: string;
  /** Words that must. */
  readonly wanted: string;
  /** Words of which little is wanted. */
  readonly softened?: string;
}

const rows: readonly (readonly [prompt: string, denied: string, wanted: string, softened?: string])[] = [
  ["Don't use drums, calm piano and cello", "drums", "calm piano cello"],
  ["no drums just a single piano chord", "drums", "piano"],
  ["thunder without lightning or rain", "lightning rain", "thunder"],
  ["not too loud footsteps", "", "footsteps", "loud"],
  ["jazz without piano, drums or bass", "piano drums bass", "jazz"],
  ["ambient, no drums", "drums", "ambient"],
  ["rock but no guitar", "guitar", "rock"],
  ["instead of drums use violin", "drums", "violin"],
  ["violin instead of drums", "drums", "violin"],
  ["flute rather than violin, please", "violin", "flute"],
  ["never any rain, only thunder", "rain", "thunder"],
  ["avoid drums and bass; piano, slow", "drums bass", "piano slow"],
  ["anything but jazz, with a flute", "jazz", "flute"],
  ["nothing but cello", "", "cello"],
  ["free of drums, dark cello", "drums", "dark cello"],
  ["drum-free house", "drum", "house"],
  ["no loud, heavy drums but a soft flute", "drums", "soft flute"],
  ["The drums should not be there, only piano", "drums", "piano"],
  ["no violin and no flute, cello", "violin flute", "cello"],
  ["neither violin nor flute; a cello", "violin flute", "cello"],
  ["not dark but happy", "dark", "happy"],
  ["it must not sound sad: harp, dreamy", "sad", "harp dreamy"],
  ["dark, not sad, piano", "sad", "dark piano"],
  ["please leave out the trumpet. A swing band, fast", "trumpet", "swing fast"],
  ["birds yet no rain and no wind", "rain wind", "birds"],
  ["do not add rain to the thunder", "rain", ""],
  ["don't forget the drums, house", "", "drums house"],
  ["not without drums", "", "drums"],
  ["everything except drums, funk", "drums", "funk"],
  ["no instruments except piano", "", "piano"],
  ["techno, not dark", "dark", "techno"],
  ["minus drums, folk guitar", "drums", "folk guitar"],
  ["I hate violin. Give me a harp.", "violin", "harp"],
  ["A harp. No violin. A flute.", "violin", "harp flute"],
  ["without: drums, bass, violin", "drums bass violin", ""],
  ["avoid: drums, bass. piano", "drums bass", "piano"],
  ["ambient, no drums, piano and violin", "drums", "ambient piano violin"],
  ["calm ambient without drums, bass and violin", "drums bass violin", "calm ambient"],
  ["no drums piano", "drums", "piano"],
  ["not only piano but also violin", "", "piano violin"],
  ["no drums and soft piano", "drums", "soft piano"],
  ["no drums and bass, piano", "drums bass", "piano"],
  ["not sad and slow, but with a flute", "sad slow", "flute"],
  ["guitar, not piano, please", "piano", "guitar"],
  ["I don't want any drums in this folk song", "drums", "folk"],
  ["we can't have violin here; trumpet is fine", "violin", "trumpet"],
  ["No synth at all, please. Only violin and timpani", "synth", "violin timpani"],
  ["less rain, more thunder", "", "thunder"],
  ["rain, but not too much wind", "", "rain", "wind"],
  ["not so fast piano", "", "piano", "fast"],
  ["piano that isn't sad", "sad", "piano"],
  ["drums aren't needed, soft flute", "drums", "soft flute"],
  ["skip the drums and go straight to the piano", "drums", "piano"],
  ["wind with no rain in it, then thunder", "rain", "wind thunder"],
  ["no more than two violins, dark", "", "dark"],
  ["no doubt a jazz piano", "", "jazz piano"],
  ["thunder, not rain, followed by wind", "rain", "thunder wind"],
  ["trumpet without drums or bass but with a flute", "drums bass", "trumpet flute"],
  ["a sad violin without the usual piano", "piano", "sad violin"],
  ["no guitar solo, funk", "", "funk"],
];

export const DENIALS: readonly Denial[] = rows.map(([prompt, denied, wanted, softened]) => ({
  ...{ prompt, denied, wanted },
  ...(softened === undefined ? {} : { softened }),
}));
