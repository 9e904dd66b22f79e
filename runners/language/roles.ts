/** What words of grammar there are, and what each does. */

/** The grammar of one language, each list in plain words; what a language lacks is left out. */
export interface Grammar {
  readonly language: string;
  /** "Not", "never", "nicht": what is denied comes after it. */
  readonly negation?: readonly string[];
  /** "No", "kein": what is denied is a thing. */
  readonly no?: readonly string[];
  /** What denies a whole list: "without drums, bass and vocals". */
  readonly without?: readonly string[];
  /** "Free" in "drum free", "なし": what is denied comes before it. */
  readonly negation_after?: readonly string[];
  /** "-less", "-los", "-siz": what stands before it in the same word is denied. */
  readonly without_suffix?: readonly string[];
  /** "Take" and "out" with something between. */
  readonly take?: readonly string[];
  readonly out?: readonly string[];
  readonly instead_of?: readonly string[];
  readonly except?: readonly string[];
  /** "以外" behind what alone is denied, or alone is wanted where a denial follows: "ギター以外は入れない". */
  readonly except_after?: readonly string[];
  readonly less?: readonly string[];
  /** "控えめ", "적게": behind what there is to be little of. */
  readonly less_after?: readonly string[];
  readonly very?: readonly string[];
  readonly slightly?: readonly string[];
  /** After a negation these soften it: "not too". */
  readonly too?: readonly string[];
  /** Behind these stands an amount of the thing itself: "too much reverb". */
  readonly much?: readonly string[];
  readonly but?: readonly string[];
  readonly and?: readonly string[];
  readonly or?: readonly string[];
  readonly with?: readonly string[];
  /** "Add", "plus": what comes next joins what is there. */
  readonly adding?: readonly string[];
  /** "Füge" and "hinzu": verbs that add where their other half stands behind. */
  readonly adding_apart?: readonly string[];
  readonly adding_end?: readonly string[];
  readonly then?: readonly string[];
  readonly only?: readonly string[];
  /** Behind what is alone: "guitar alone". */
  readonly only_after?: readonly string[];
  readonly until?: readonly string[];
  readonly than?: readonly string[];
  /** The second of two measures like "than": "as loud as the original". */
  readonly as?: readonly string[];
  /** What a remix is measured by: "the original", "before". */
  readonly original?: readonly string[];
  /** "I prefer flutes", and what stands before what is not preferred: "over" violins. */
  readonly prefer?: readonly string[];
  readonly over?: readonly string[];
  /** Verbs behind which stands how something is to be: "don't let the drums get loud". */
  readonly being?: readonly string[];
  /** What has nothing in it, but for what is excepted: "silence except for a clock". */
  readonly void?: readonly string[];
  /** Behind a quality these stand for what was named last: "clean guitars instead of distorted ones". */
  readonly pronouns?: readonly string[];
  readonly like?: readonly string[];
  readonly behind?: readonly string[];
  readonly while?: readonly string[];
  readonly after?: readonly string[];
  /** "The last few seconds": a place rather than a length. */
  readonly last?: readonly string[];
  /** "My", "our": before a person who is spoken of, and does not sing. */
  readonly possessives?: readonly string[];
  readonly second?: readonly string[];
  readonly minute?: readonly string[];
  /** Before whom a song is about, or for. */
  readonly about?: readonly string[];
  readonly starts_with?: readonly string[];
  readonly ends_with?: readonly string[];
  readonly numbers?: Readonly<Record<string, number>>;
  readonly times?: readonly string[];
  /** Articles that may be a number: "a knock". */
  readonly single?: readonly string[];
  /** Where something is, and what it is done on: "by the fire", "on gravel". */
  readonly at?: readonly string[];
  readonly on?: readonly string[];
  /** "Into": what comes next is where it leads. */
  readonly into?: readonly string[];
  /** "Another": what was named before. */
  readonly again?: readonly string[];
  /** "One more": as many again of what was named before. */
  readonly more?: readonly string[];
  readonly every?: readonly string[];
  /** Behind a time: "three seconds later". */
  readonly later?: readonly string[];
  /** "A pause of", "of silence". */
  readonly pause?: readonly string[];
  readonly half?: readonly string[];
  readonly millisecond?: readonly string[];
  readonly articles?: readonly string[];
  /** What may stand between a negation and the verb it belongs to: "must not be", "don't use". */
  readonly verbs?: readonly string[];
  /** Said of nothing: "no problem", "never mind". */
  readonly fillers?: readonly string[];
  /** Words that say nothing here, and which language it is. */
  readonly small_words?: readonly string[];
}

/** What a word or phrase does; a number is a number. */
export type Role = Exclude<keyof Grammar, "language" | "numbers" | "without_suffix"> | "number";
