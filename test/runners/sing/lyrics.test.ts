import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "../../../runners/sing/lyrics/english.ts";
import { readLyrics } from "../../../runners/sing/lyrics/lyrics.ts";
import { wordsOfNumber } from "../../../runners/sing/lyrics/numbers.ts";
import { syllabify } from "../../../runners/sing/lyrics/syllables.ts";

const said = (word: string): string =>
  english(word)
    .map(({ phoneme }) => phoneme)
    .join(" ");
const linesOf = (text: string): string[] =>
  readLyrics(text).sections.flatMap(({ lines }) =>
    lines.map(({ words }) => words.map(({ text: word }) => word).join(" ")),
  );

test("words are said as the dictionary, their endings, or their spelling have it", () => {
  for (const [word, sounds] of [
    ["hello", "HH AX L OW"],
    ["walkin'", "W AO K IH N"],
    ["walkin", "W AO K IH N"],
    ["ain't", "EY N T"],
    ["sooooo", "S OW"],
    ["coooool", "K UW L"],
    ["seeee", "S IY"],
    ["yeahhh", "Y EH"],
    ["mmmm", "M"],
    ["ooooh", "UW"],
    ["ohhh", "OW"],
    ["heartstrings", "HH AA R T S T R IH NG Z"],
    ["kendrick's", "K EH N D R IH K S"],
    ["brightnesses", "B R AY T N AX S AX Z"],
    ["skrrt", "S K ER T"],
    // In no dictionary.
    ["bruh", "B R AH"],
    ["tonwerk", "T AH N W ER K"],
    ["blenting", "B L EH N T IH NG"],
  ] as const)
    assert.equal(said(word), sounds, word);
});

test("figures are said as people say them", () => {
  for (const [figures, words] of [
    ["0", "zero"],
    ["21", "twenty one"],
    ["1999", "nineteen ninety nine"],
    ["2005", "two thousand five"],
    ["1905", "nineteen oh five"],
    ["1980s", "nineteen eighties"],
    ["80s", "eighties"],
    ["1,234,567", "one million two hundred thirty four thousand five hundred sixty seven"],
    ["21st", "twenty first"],
    ["30th", "thirtieth"],
    ["$5.50", "five dollars fifty"],
    ["$1", "one dollar"],
    ["3.14", "three point one four"],
    ["50%", "fifty percent"],
    ["7:30", "seven thirty"],
    ["24/7", "twenty four seven"],
    ["007", "zero zero seven"],
    ["10k", "ten thousand"],
  ] as const)
    assert.equal(wordsOfNumber(figures).join(" "), words);
});

test("a consonant goes to the vowel after it where a word may begin so", () => {
  const parts = (word: string): string =>
    syllabify(english(word))
      .map(({ phonemes }) => phonemes.join(" "))
      .join(" . ");
  assert.equal(parts("extra"), "EH K . S T R AX");
  assert.equal(parts("singer"), "S IH NG . ER");
  assert.equal(parts("abstract"), "AE B . S T R AE K T");
  assert.equal(parts("mmm"), "M");
  assert.equal(parts("rhythm"), "R IH . DH AX M");
});

test("markers part sections, whatever stands beside the word", () => {
  const { sections } = readLyrics(
    "[Intro]\n[Verse 2]\none\n\ntwo\n[chorus: loud]\nthree\n[Instrumental]\n[BRIDGE]\nfour\n(Verse 3)\nfive\n[spoken by Anna]\nsix\n[Outro]",
  );
  assert.deepEqual(
    sections.map(({ kind, lines }) => [kind, lines.length]),
    [
      ["intro", 0],
      ["verse", 2],
      ["chorus", 1],
      ["solo", 0],
      ["bridge", 1],
      ["verse", 1],
      ["verse", 1],
      ["outro", 0],
    ],
  );
});

test("words on a marker's line are sung; brackets that mark nothing stay in the line", () => {
  assert.deepEqual(
    readLyrics("[Verse]Hello\n[Chorus] sing it\n[hm] yes").sections.map(({ label, lines }) => [
      label,
      lines.map(({ text }) => text),
    ]),
    [
      ["verse", ["Hello"]],
      ["chorus", ["sing it", "[hm] yes"]],
    ],
  );
});

test("without markers a stanza that returns is the chorus", () => {
  const { sections } = readLyrics("a b c\nd e\n\nla la la\nsing!\n\nf g\n\nLa, la, la\nSing");
  assert.deepEqual(
    sections.map(({ label }) => label),
    ["verse", "chorus", "verse", "chorus"],
  );
});

test("signs are silent, brackets are for backing voices, commas are places to breathe", () => {
  const { sections } = readLyrics("Hey 🎉, you (oh yeah)!\n🎶🎶\n...");
  assert.equal(sections.length, 1);
  assert.deepEqual(
    sections[0]!.lines[0]!.words.map(({ text, backing, pause }) => [text, backing, pause]),
    [
      ["Hey", false, true],
      ["you", false, false],
      ["oh", true, false],
      ["yeah", true, true],
    ],
  );
});

test("every word has a syllable, in 3,000 characters of anything", () => {
  let text = "";
  for (let n = 0; text.length < 3000; n++)
    text += `x${String.fromCharCode(97 + (n % 26))}q'zt-${n}% Ünïcødé $${n} ${"a".repeat(n % 9)} B.B. `;
  for (const { lines } of readLyrics(`${text}\n${"bcdf".repeat(700)}\n${"(".repeat(3000)}`).sections)
    for (const { words } of lines)
      for (const { syllables, text: word } of words)
        assert.ok(
          syllables.length > 0 && syllables.every(({ phonemes, nucleus }) => phonemes[nucleus] !== undefined),
          word,
        );
  assert.deepEqual(linesOf(""), []);
  assert.deepEqual(linesOf("\u0000\n[\n]"), []);
});

test("languages are told apart by their words and letters, and read by their own spelling", () => {
  const read = (text: string): string =>
    readLyrics(text)
      .sections[0]!.lines[0]!.words.map(({ syllables }) =>
        syllables.map(({ phonemes }) => phonemes.join(" ")).join(" . "),
      )
      .join(" | ");
  for (const [text, language, start] of [
    ["La noche me llama y yo quiero cantar mañana", "spanish", "L A | N AO . CH EH | M EH | Y A . M A"],
    ["Quando sei qui con me questa notte", "italian", "K W A N . D AO | S EH Y | K W IY | K AO N"],
    ["Je t'aime toujours dans la nuit", "french", "ZH OE | T EH M | T UW . ZH UW RX"],
    ["Ich liebe dich und die schöne Nacht", "german", "IH SH | L IY . B AX | D IH SH | UH N T | D IY | SH OE . N AX"],
    ["Meu coração não sabe o que fazer amanhã", "portuguese", "M EE W | K OO . RR A . S AN W | N AN W"],
    ["La la la, la la la", "english", "L AA | L AA"],
    ["Love me tender under the moon", "english", "L AH V | M IY"],
    ["Очи чёрные", "english", "AO . CH IY | CH AO RR"],
    ["Σ'αγαπώ πολύ", "english", "S A . G A . P AO | P AO . L IY"],
    ["さくら パーティー", "english", "S A . K UW . RR A | P A . T IY"],
    ["사랑해요", "english", "S A . RR A NG"],
    ["तुम मेरा", "english", "T UH M | M EE . RR A"],
  ] as const) {
    assert.equal(readLyrics(text).language, language, text);
    assert.ok(read(text).startsWith(start), `${text}: ${read(text)}`);
  }
});

test("scripts that cannot be read are sung on open syllables, one for each Han character", () => {
  const words = readLyrics("月亮代表我的心 สวัสดี").sections[0]!.lines[0]!.words;
  assert.equal(words.length, 8);
  for (const { syllables } of words)
    for (const { phonemes, nucleus } of syllables) assert.equal(nucleus, phonemes.length - 1);
  for (const text of ["شلال الحب", "שלום עולם"])
    for (const { syllables } of readLyrics(text).sections[0]!.lines[0]!.words) assert.ok(syllables.length >= 1);
});
