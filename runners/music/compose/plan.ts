import type { NamedChord } from "../../language/mod.ts";
import type { Brief } from "./brief.ts";
import type { Instrument } from "./instruments.ts";
import type { Role, ScoreChord, ScoreSection, VoiceLine } from "./score.ts";

/** Form and harmony of a piece, before anyone plays: what melody, accompaniment and transitions are written on. */
export interface Plan {
  readonly brief: Brief;
  /** Streams for what follows are drawn from it by `hash32(seed, purpose)`. */
  readonly seed: number;
  /** As played: the brief's, or what a loop's length demands. */
  readonly bpm: number;
  /** A loop. */
  readonly ring: boolean;
  /** Of the whole piece; a whole number of bars. */
  readonly beats: number;
  readonly sections: readonly PlanSection[];
  /** In order, without gaps. No chord crosses the edge of a section. */
  readonly chords: readonly ScoreChord[];
  /** The chords are those of a piece that exists: they are to be recognised. */
  readonly known_chords?: true;
  /** A tune that is known already, written straight: leads play it where it sounds, and what is composed elsewhere. */
  readonly tune?: readonly GivenNote[];
  /** Who sings the words of the sections; absent where nobody does. */
  readonly singer?: Singer;
  /** What is sung, once that is composed. */
  readonly voice?: readonly VoiceLine[];
}

/** What tunes know of who sings them. */
export interface Singer {
  /** MIDI numbers that are sung with ease, inclusive. */
  readonly range: readonly [low: number, high: number];
}

/** A line of words, sung in one breath, as who writes a tune for it sees it. */
export interface WordLine {
  /** Lines of equal text and label are sung alike. */
  readonly text: string;
  /** At least one. */
  readonly syllables: readonly WordSyllable[];
}

export interface WordSyllable {
  /** 0 none, 1 primary, 2 secondary; of short words what they carry in a sentence. */
  readonly stress: 0 | 1 | 2;
  /** First of its word. */
  readonly begins: boolean;
  /** A comma or the like before it. */
  readonly pause: boolean;
  /** How well its vowel is held: 1 open, 0 murmured, or short and closed. */
  readonly carries: number;
  /** For backing voices. */
  readonly backing: boolean;
}

export interface PlanSection extends ScoreSection {
  /** Counted from 0 over the whole piece. */
  readonly bar: number;
  readonly bars: number;
  /**
   * Bars of a phrase: 2 or 4; all of a loop whose bars are odd. Phrases fill the section, save that a piece may end on
   * one bar more, its last chord held.
   */
  readonly phrase_bars: number;
  /** How many sections of the same label come before. */
  readonly turn: number;
  /** How the next section is reached: by what builds up, by what falls away, or by going on. */
  readonly leaves_by: "lift" | "fall" | "on" | "end";
  /** Lines to be sung; 0 where nobody sings. Their number decides the bars. */
  readonly lines: number;
  /** The lines, in order, where they are known. */
  readonly words?: readonly WordLine[];
  /** See `OutlineSection`. */
  readonly chords?: readonly (readonly NamedChord[])[];
  /** Who plays the tune here, alone of all that could; absent: whom the arrangement has. */
  readonly lead?: readonly Instrument[];
  /** They play it in turn, four bars each. */
  readonly trades?: true;
}

/** Who plays, and when. */
export interface Cast {
  readonly seats: readonly Seat[];
}

export interface Seat {
  /** Unique: "bass", "lead 2". */
  readonly name: string;
  readonly role: Role;
  readonly instrument: Instrument;
  readonly pan: number;
  readonly level_db: number;
  /** Indices into `Plan.sections`, ascending. */
  readonly sections: readonly number[];
  /** MIDI numbers within which it plays, inclusive. Of no meaning for kits. */
  readonly range: readonly [low: number, high: number];
}

/** What must be so whatever the brief says. */
export interface Outline {
  /**
   * Of the whole piece; absent: what the genre is used to, 90 to 180. The composer comes as near as whole bars let it,
   * save on a ring, where tempo gives way.
   */
  readonly seconds?: number;
  /** A loop of exactly `seconds`: whole bars, the tempo solved from the length within what the genre bears. */
  readonly ring?: true;
  /** A clip that begins and stops: one idea, no intro, exactly `seconds` long, its last sound ending before that. */
  readonly clip?: true;
  /** Sections as lyrics (or a piece to be like) have them, in order. Absent: the genre's own form. */
  readonly sections?: readonly OutlineSection[];
  /** Who sings the words of `sections`; absent: nobody. */
  readonly singer?: Singer;
  /**
   * A piece that exists, to be orchestrated anew: its sections, chords and tune stand, and tempo, key, metre and swing
   * are the brief's. The rest of the outline counts for nothing.
   */
  readonly given?: Given;
}

export interface Given {
  /** In order; together they are the whole piece. At least one. */
  readonly sections: readonly GivenSection[];
  /** In order, without gaps, over all beats of the sections; absent: composed. */
  readonly chords?: readonly GivenChord[];
  /** One voice, in order, written straight; empty where none is known. */
  readonly tune: readonly GivenNote[];
}

export interface GivenSection {
  readonly kind: ScoreSection["kind"];
  readonly label: string;
  /** At least 1. */
  readonly bars: number;
  /** 0 to 1. */
  readonly energy: number;
  /** Lines to be sung, and bars of each; absent for none. */
  readonly lines?: number;
  readonly words?: readonly WordLine[];
  /** Who plays the tune; absent: whom the arrangement has. */
  readonly lead?: readonly Instrument[];
  readonly line_bars?: number;
}

export interface GivenChord {
  readonly beat: number;
  readonly beats: number;
  /** Pitch class. */
  readonly root: number;
  /** Suffix of the symbol: "", "m", "m7", "sus4" …; one that is not known counts as "". */
  readonly suffix: string;
}

export interface GivenNote {
  readonly beat: number;
  /** Where the section begins that a pick-up leads into; absent: it belongs to the section that it begins in. */
  readonly into?: number;
  readonly beats: number;
  /** MIDI number. */
  readonly pitch: number;
}

export interface OutlineSection {
  readonly kind: ScoreSection["kind"];
  /** Sections of equal label share their material. */
  readonly label: string;
  /** Lines to be sung; 0 for none. */
  readonly lines: number;
  /** The lines, in order, where they are known. */
  readonly words?: readonly WordLine[];
  /** That are written with each of the lines, or in a single list where there are none. Absent: none are. */
  readonly chords?: readonly (readonly NamedChord[])[];
  /** Absent: what the lines, or the genre, need. */
  readonly bars?: number;
  /** `bars` is kept, odd or not, as long as the lines can be sung in it. */
  readonly exact?: true;
  /** The next section begins where the last line ends, without bars of the band's own. */
  readonly elides?: true;
  /** Bars where neither `bars` nor lines decide, and the piece's length does not either. */
  readonly usual_bars?: number;
  /** Who plays the tune here, alone of all that could; absent: whom the arrangement has. */
  readonly lead?: readonly Instrument[];
  /** 0 to 1; absent: by kind. */
  readonly energy?: number;
}
