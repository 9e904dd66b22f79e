import assert from "node:assert/strict";
import { test } from "node:test";
import type { NamedChord } from "../../../../runners/language/mod.ts";
import { english } from "../../../../runners/music/sing/lyrics/english.ts";
import { readLyrics } from "../../../../runners/music/sing/lyrics/lyrics.ts";
import { wordsOfNumber } from "../../../../runners/music/sing/lyrics/numbers.ts";
import { syllabify } from "../../../../runners/music/sing/lyrics/syllables.ts";

const said = (word: string): string =>
  english(word)
    .map(({ phoneme }) => phoneme)
    .join(" ");
const nameOf = (chords: readonly NamedChord[]): string =>
  chords
    .map((one) =>
      "degree" in one ? one.degree : `${one.root}${one.suffix}${one.bass === one.root ? "" : `/${one.bass}`}`,
    )
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

test("a chorus that is only named is sung again, unless it is said to be played", () => {
  const sung = (text: string): string[] =>
    readLyrics(text).sections.map(({ lines }) => lines.map((line) => line.text).join("/"));
  const chorus = "[Verse]\none\n[Pre-Chorus]\nrise\n[Chorus]\ntwo\nthree\n[Verse 2]\nfour";
  assert.deepEqual(sung(`${chorus}\n[Pre-Chorus]\n[Chorus]\n[Bridge]\n[Final Chorus x2 (loud)]\n[Outro]`), [
    "one",
    "rise",
    "two/three",
    "four",
    "rise",
    "two/three",
    "",
    "two/three",
    "two/three",
    "",
  ]);
  assert.deepEqual(
    sung("[Chorus]\n[Verse]\none\n[Chorus]\ntwo\n[Chorus: instrumental]\n[Post-Chorus]\n[Chorus (guitar solo)]"),
    [..."|one|two|||".split("|")],
  );
  // Sections of other kinds have words of their own each time.
  assert.deepEqual(sung("[Verse]\none\n[Verse]\n[Bridge]\ntwo\n[Bridge]"), ["one", "", "two", ""]);
  // The last words stand where a chorus has changed.
  assert.deepEqual(sung("[Chorus]\none\n[Chorus]\ntwo\n[Chorus]"), ["one", "two", "two"]);
});

test("a sign of repetition is done, not sung", () => {
  const sung = (text: string): string[] =>
    readLyrics(text).sections.map(({ lines }) => lines.map((line) => line.text).join("/"));
  assert.deepEqual(sung("[Chorus x2]\none\ntwo\n[Verse]\nthree (x3)\nfour x2\nfive [x2]\nChorus (2x)"), [
    "one/two",
    "one/two",
    "three/three/three/four/four/five/five",
    "one/two",
    "one/two",
  ]);
  assert.deepEqual(sung("one\ntwo\n(x2)\n\nthree"), ["one/two", "one/two", "three"]);
  // In square brackets it is no marker, behind a blank line it is no stanza, and a chorus that is only named may have one.
  assert.deepEqual(sung("one\ntwo\n\n[x2]\n\nthree"), ["one/two", "one/two", "three"]);
  assert.deepEqual(sung("[Chorus]\none\n(x3)\n[Verse]\ntwo\n[Chorus]\n(x2)"), [
    "one",
    "one",
    "one",
    "two",
    "one",
    "one",
  ]);
  // Nothing to repeat, and what is no sign.
  assert.deepEqual(sung("[Instrumental x2]\n[Verse]\nfor x 2 days\nsix 6x9\nfoxx2"), [
    "",
    "for x 2 days/six 6x9/foxx2",
  ]);
  const line = "a line that goes on and on and on and on";
  const most = readLyrics(`[Chorus x4]\n${`${line} (x4)\n`.repeat(40)}`).sections.flatMap(({ lines }) => lines);
  assert.ok(most.length * line.length <= 3000 && most.length * line.length > 2700, String(most.length));
});

test("no more is sung again than a request's lyrics may have", () => {
  const line = "a line of the chorus that goes on and on";
  const { sections } = readLyrics(`[Chorus]\n${`${line}\n`.repeat(25)}${"[Chorus]\n".repeat(100)}`);
  assert.equal(sections.length, 101);
  assert.equal(sections.filter(({ lines }) => lines.length === 25).length, 3);
  assert.equal(sections.filter(({ lines }) => lines.length === 0).length, 98);
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

test("a break that is sung is a bridge, one without lines is played", () => {
  const { sections } = readLyrics("[Verse]\nrise again\n[Breakdown]\nrise and rise\n[Break]\n[Outro]");
  assert.deepEqual(
    sections.map(({ kind }) => kind),
    ["verse", "bridge", "break", "outro"],
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

test("markers are read in the languages that are sung", () => {
  const kinds = (text: string): string[] =>
    readLyrics(text).sections.map(({ kind, lines }) => `${kind} ${lines.length}`);
  const song = ["verse 1", "chorus 2", "verse 1", "chorus 2"];
  assert.deepEqual(kinds("Куплет 1:\nя иду домой\nПрипев:\nпой\nпой\nКуплет 2:\nночь\nПрипев:"), song);
  assert.deepEqual(kinds("[Zwrotka]\nidę\n[Refren]\nśpiewaj\nze mną\n[Zwrotka]\nnoc\n[Refren]"), song);
  assert.deepEqual(kinds("主歌\n我爱你\n副歌：\n月亮\n代表我的心\n主歌\n夜\n副歌"), song);
  assert.deepEqual(kinds("【Aメロ】\n夜\n【サビ】\n歌\n歌う\n【Aメロ】\n星\n【サビ】"), song);
  assert.deepEqual(kinds("Vers 1:\ntanke\nRefräng:\nsjung\nmed mig\nVers 2:\nnatt\nRefräng:"), song);
  assert.deepEqual(kinds("[Bメロ]\n夜\n[Köprü]\ngece\n[間奏]"), ["prechorus 1", "bridge 1", "solo 0"]);
  assert.deepEqual(kinds("Friends of mine\nMostly true\nVersions of me"), ["verse 3"]);
});

test("chords, times and tags of lyric sheets are not sung", () => {
  const sheet = [
    ...["{title: My song}", "[ar:Somebody]", "[Verse]", "Am        F", "Hello darkness [C]my old friend"],
    ...["[Am] [F] | G |", "[G]Once more a[D/F#]gain", "[00:15.30]<00:15.30>Line <00:16.1>two"],
    ...["[Chorus]", "A B C D", "Am I the one", "Em7", "[A]", "Add a little"],
  ];
  assert.deepEqual(
    readLyrics(sheet.join("\n")).sections.map(({ marker, lines }) => [marker, ...lines.map(({ text }) => text)]),
    [
      ["Verse", "Hello darkness my old friend", "Once more again", "Line two"],
      ["Chorus", "A B C D", "Am I the one"],
      ["A", "Add a little"],
    ],
  );
  assert.deepEqual(linesOf("Am  F"), ["Am F"], "nothing else is to be sung");
});

test("chords of a sheet belong to the words that they stand above or within, or to what is played", () => {
  const sheet = [
    ...["[Intro]", "| Am | F |", "", "[Verse]", "Am        F", "Hello darkness [C]my old friend", "no chords here"],
    ...["[G]Once more a[D/F#]gain (x2)", "[Chorus]", "F#m7", "", "Sing", "[Chorus]"],
  ];
  const told = readLyrics(sheet.join("\n")).sections.map(({ marker, lines, chords = [] }) => [
    marker,
    nameOf(chords),
    ...lines.map((line) => `${line.text}: ${nameOf(line.chords ?? [])}`),
  ]);
  const again = "Once more again: 7 2/6";
  assert.deepEqual(told, [
    ["Intro", "9m 5"],
    ["Verse", "", "Hello darkness my old friend: 9m 5 0", "no chords here: ", again, again],
    ["Chorus", "", "Sing: 6m7"],
    ["Chorus", "", "Sing: 6m7"],
  ]);
});

test("without markers a stanza that returns is the chorus", () => {
  const { sections } = readLyrics("a b c\nd e\n\nla la la\nsing!\n\nf g\n\nLa, la, la\nSing");
  assert.deepEqual(
    sections.map(({ label }) => label),
    ["verse", "chorus", "verse", "chorus"],
  );
});

test("without markers a short stanza that returns and leads to another that does is a pre-chorus", () => {
  const [one, two] = [
    "A river runs\nand nobody knows\nwherever it goes",
    "A mountain stands\nand nobody climbs\nat times",
  ];
  const [lift, refrain] = ["I feel it coming\nI hear it calling", "Carry me over\ncarry me home\nnever alone"];
  const kinds = (...stanzas: readonly (string | undefined)[]) =>
    readLyrics(stanzas.join("\n\n")).sections.map(({ kind }) => kind);
  const song = ["verse", "prechorus", "chorus", "verse", "prechorus", "chorus"];
  assert.deepEqual(kinds(one, lift, refrain, two, lift, refrain), song);
  // What follows a chorus is part of it.
  assert.deepEqual(
    kinds(one, refrain, lift, two, refrain, lift),
    song.map((kind) => kind.replace("pre", "")),
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
    ["Очи чёрные", "russian", "AO . CH IY | CH AO RR"],
    ["Σ'αγαπώ πολύ", "greek", "S A . G A . P AO | P AO . L IY"],
    ["さくら パーティー", "japanese", "S A . K UW . RR A | P A . T IY"],
    ["사랑해요", "korean", "S A . RR A NG"],
    ["तुम मेरा", "hindi", "T UH M | M EE . RR A"],
    ["أنا أحبك والقمر", "arabic", "A . N A | A . HH A . B A K | W A . L A . K A . M A RR"],
    ["月亮代表我的心", "chinese", "Y EH | L Y A NG | D AY | B Y AW | W AO"],
    ["夢の中で君を見た", "japanese", "Y UW . M EH | N AO | N A . K A | D EH | K IY . M IY"],
    ["yume no naka de anata wo mita", "japanese", "Y UW . M EH | N AO | N A . K A | D EH | A . N A . T A | AO"],
    ["Gdzie jesteś, moja miłość w nocy", "polish", "G JH EH | Y EH . S T EH SH | M AO . Y A"],
    ["Yö on pitkä ja minä laulan sinulle", "finnish", "Y OE | AO N | P IY T . K AE"],
    ["Jag älskar dig och natten är lång", "swedish", "Y A | EH L . S K A RR | D EY | AO K"],
    ["Ik hou van jou en jij van mij", "dutch", "IH K | HH AW | V A N | Y AW"],
    ["Seni çok seviyorum bu gece", "turkish", "S EH . N IY | CH AO K"],
    ["Miluji tě, když je noc a ty jsi můj", "czech", "M IY . L UW . Y IY | T Y EH"],
    ["Szeretlek téged mindörökké az éjszaka hosszú", "other", "S EH . RR EH T . L EH K"],
    ["Ich seh dich gehn, es geht vorbei, wir geben nicht auf", "german", "IH SH | Z EE | D IH SH | G EE N | EH S"],
    ["Sous la pluie dans la rue avec toi, je suis", "french", "S UW | L A | P L W IY | D AN | L A | RX UE"],
  ] as const) {
    assert.equal(readLyrics(text).language, language, text);
    assert.ok(read(text).startsWith(start), `${text}: ${read(text)}`);
  }
});

test("scripts that cannot be read are sung on open syllables, one for each Han character", () => {
  const words = readLyrics("鑫龘 สวัสดี").sections[0]!.lines[0]!.words;
  assert.equal(words.length, 3);
  for (const { syllables } of words)
    for (const { phonemes, nucleus } of syllables) assert.equal(nucleus, phonemes.length - 1);
  for (const text of ["شلال الحب", "שלום עולם"])
    for (const { syllables } of readLyrics(text).sections[0]!.lines[0]!.words) assert.ok(syllables.length >= 1);
});

test("a line in another language is read as that, and English words in it as English", () => {
  const said = (text: string): string[] =>
    readLyrics(text).sections[0]!.lines.map(({ words }) =>
      words.map(({ syllables }) => syllables.map(({ phonemes }) => phonemes.join(" ")).join(" . ")).join(" | "),
    );
  assert.equal(
    said("You are the one that I love tonight\nte quiero, mi amor")[1],
    "T EH | K Y EH . RR AO | M IY | A . M AO RR",
  );
  assert.match(said("Ich liebe dich, oh baby, du bist mein")[0]!, /B EY . B IY/u);
  // No line by itself has enough of the language.
  const chorus = readLyrics(
    "[Verse]\nI saw you dancing in the yellow light\nYou took my hand and all was right\n[Coro]\nBaila conmigo hasta el amanecer\nNo quiero perderte otra vez",
  ).sections[1]!;
  assert.deepEqual(
    chorus.lines.map(({ words }) => words[0]!.syllables[0]!.phonemes.join(" ")),
    ["B A Y", "N AO"],
  );
  assert.deepEqual(chorus.lines[1]!.words[1]!.syllables[0]!.phonemes, ["K", "Y", "EH"]);
});

test("numbers of stanzas are not sung, and numbers in lines are", () => {
  const first = (text: string): string[] => readLyrics(text).sections.map(({ lines }) => lines[0]!.text);
  assert.deepEqual(first("1. Come, light of morning\nand lead our feet\n\n2. Come, voice of quiet\n\nAmen."), [
    "Come, light of morning",
    "Come, voice of quiet",
    "Amen.",
  ]);
  assert.deepEqual(first("1)\nCome, light\n\n2)\nCome, night"), ["Come, light", "Come, night"]);
  assert.deepEqual(first("10 little birds\n\n9 little birds"), ["10 little birds", "9 little birds"]);
  assert.deepEqual(first("99. Street is cold\n\nI walk alone"), ["99. Street is cold", "I walk alone"]);
  assert.deepEqual(first("1. Avenue is long tonight"), ["1. Avenue is long tonight"]);
});

test("words of one spelling are said as the words beside them want it", () => {
  const at = (text: string, word: string): string =>
    readLyrics(`${text}\nthe night is young`)
      .sections[0]!.lines[0]!.words.find((one) => one.text === word)!
      .syllables.flatMap(({ phonemes }) => phonemes)
      .join(" ");
  for (const [word, one, other] of [
    ["close", ["hold me close", "K L OW S"], ["close your eyes", "K L OW Z"]],
    ["tear", ["a tear in my eye", "T IH R"], ["tear it down", "T EH R"]],
    ["tears", ["tears on my pillow", "T IH R Z"], ["it tears us apart", "T EH R Z"]],
    ["wind", ["the wind at my back", "W IH N D"], ["we wind down", "W AY N D"]],
    ["lives", ["she lives for this", "L IH V Z"], ["all of our lives", "L AY V Z"]],
    ["live", ["I live for this", "L IH V"], ["live music tonight", "L AY V"]],
    ["use", ["use your heart", "Y UW Z"], ["it's no use", "Y UW S"]],
    ["used", ["the words you used", "Y UW Z D"], ["we used to dance", "Y UW S T"]],
    ["bow", ["a bow and arrow", "B OW"], ["take a bow", "B AW"]],
    ["read", ["read my mind", "R IY D"], ["I've read it all", "R EH D"]],
    ["record", ["an old record", "R EH K ER D"], ["we record it", "R AX K AO R D"]],
    ["excuse", ["excuse me", "IH K S K Y UW Z"], ["no excuse", "IH K S K Y UW S"]],
  ] as const)
    for (const [text, said] of [one, other]) assert.equal(at(text, word), said, text);
});

test("figures, addresses and consonants by themselves are said as people say them", () => {
  const texts = (text: string): string[] => readLyrics(text).sections[0]!.lines[0]!.words.map((word) => word.text);
  assert.deepEqual(texts("Ich habe 99 Luftballons und du nicht").slice(2, 5), ["neun", "und", "neunzig"]);
  assert.deepEqual(texts("j'ai 71 raisons pour toi et moi").slice(1, 4), ["soixante", "et", "onze"]);
  assert.deepEqual(texts("tengo 1.999 noches para ti y mi amor").slice(1, 5), ["mil", "novecientos", "noventa", "y"]);
  assert.deepEqual(texts("我有21个梦").slice(2, 5), ["二", "十", "一"]);
  assert.deepEqual(texts("call 867-5309"), "call eight six seven five three zero nine".split(" "));
  assert.deepEqual(texts("go https://www.example.com/a?b=1 now"), ["go", "example", "dot", "com", "now"]);
  assert.deepEqual(texts("joe.b@mail.org #blessed @friend"), "joe dot b at mail dot org blessed friend".split(" "));
  assert.deepEqual(texts("jestem w nocy tu i nie wiem"), ["jestem", "w nocy", "tu", "i", "nie", "wiem"]);
  const sounds = (text: string): string[] =>
    readLyrics(text).sections[0]!.lines[0]!.words.map(({ syllables }) =>
      syllables.flatMap(({ phonemes }) => phonemes).join(" "),
    );
  assert.deepEqual(sounds("Dr. Smith has an AI").toSpliced(1, 3), ["D AA K T ER", "EY AY"]);
  assert.deepEqual(sounds("A B C, a bee").slice(0, 4), ["EY", "B IY", "S IY", "AX"]);
  assert.deepEqual(sounds("up at 7am").slice(3), ["EY", "EH M"]);
  assert.deepEqual(
    texts("run 10km at 60mph for 50¢"),
    "run ten kilometers at sixty miles an hour for fifty cents".split(" "),
  );
  const [psst, pfft] = readLyrics("psst pfft").sections[0]!.lines[0]!.words.map(({ syllables }) => syllables[0]!);
  assert.equal(psst!.phonemes[psst!.nucleus], "S");
  assert.equal(pfft!.phonemes[pfft!.nucleus], "F");
});
