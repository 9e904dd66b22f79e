import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson, type ParsedJson, parseJson } from "../../core/base/json.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): ParsedJson => parseJson(encode(text));

function refusal(parsed: ParsedJson): { loc: readonly (string | number)[]; type: string; msg: string } {
  if (parsed.ok) return assert.fail(`accepted as ${JSON.stringify(parsed.value)}`);
  return parsed;
}

test("parseJson() accepts what JSON.parse accepts", () => {
  for (const text of [
    "null",
    "true",
    "0",
    "-0",
    "1e3",
    "0.1",
    '""',
    "[]",
    "{}",
    ' \t\r\n{ "a" : [ 1 , { "b" : null } ] } \n',
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1}]',
    '{"a":":,{}[]","b":"\\"a\\":1"}',
    '{"":1," ":2,"a b":3}',
    '"\\u0041\\n\\t\\\\\\"\\/\\b\\f\\r"',
    '"😀 \\ud83d\\ude00 é \u2028 \ufeff \uffff"',
    '{"\\ud83d\\ude00":1}',
    '"\\\\u0000 \\\\ud800"',
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    '{"1":1,"0":2,"-1":3}',
  ]) {
    assert.deepEqual(parse(text), { ok: true, value: JSON.parse(text) }, text);
  }
});

test("parseJson() keeps __proto__ as an ordinary member", () => {
  const parsed = parse('{"__proto__":{"admin":true},"a":1}');
  assert.ok(parsed.ok);
  const value = parsed.value as Record<string, unknown>;
  assert.deepEqual(Object.keys(value), ["__proto__", "a"]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(value.admin, undefined);
  assert.deepEqual(refusal(parse('{"__proto__":1,"__proto__":2}')).loc, ["__proto__"]);
});

test("parseJson() refuses what is not JSON", () => {
  for (const text of [
    "",
    " ",
    "{",
    "}",
    "[1,]",
    '{"a":1,}',
    "{a:1}",
    "{'a':1}",
    '{"a" 1}',
    "[1 2]",
    "nul",
    "NaN",
    "Infinity",
    "01",
    "1.",
    ".5",
    "+1",
    '"a',
    '"a\nb"',
    '"a\0b"',
    '"\\x41"',
    '"\\u12"',
    "// a\n1",
    "1 1",
    "\u00a01",
    "[]]",
    '{"a":1}:',
    "undefined",
  ]) {
    const { loc, type } = refusal(parse(text));
    assert.equal(type, "json_invalid", text);
    assert.deepEqual(loc, []);
  }
});

test("parseJson() refuses bytes that are not UTF-8, and a byte order mark", () => {
  const quoted = (...bytes: number[]): Uint8Array => Uint8Array.from([0x22, ...bytes, 0x22]);
  for (const bytes of [
    quoted(0xff),
    quoted(0x80),
    quoted(0xc3),
    quoted(0xc0, 0xaf),
    quoted(0xe0, 0x80, 0xaf),
    quoted(0xf5, 0x80, 0x80, 0x80),
    // A surrogate written as UTF-8.
    quoted(0xed, 0xa0, 0x80),
    Uint8Array.from([0xff, 0xfe, 0x31, 0x00]),
  ]) {
    assert.match(refusal(parseJson(bytes)).msg, /UTF-8/, bytes.join(" "));
  }
  assert.match(refusal(parse("\ufeff{}")).msg, /byte order mark/);
  assert.equal(refusal(parse(" \ufeff{}")).type, "json_invalid");
});

test("parseJson() accepts 16 levels of nesting and refuses 17", () => {
  const arrays = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
  const objects = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  for (const nested of [arrays, objects]) {
    assert.equal(parse(nested(16)).ok, true);
    assert.match(refusal(parse(nested(17))).msg, /16 levels/);
    assert.equal(parse(`[${nested(15)},${nested(15)}]`).ok, true);
    assert.equal(parse(`[${nested(2)},${nested(16)}]`).ok, false);
  }
  assert.equal(parse(`["${"[".repeat(100)}"]`).ok, true);
  assert.equal(parse(`["\\"${"[".repeat(100)}"]`).ok, true);
});

test("parseJson() refuses a key that occurs twice in one object and says where", () => {
  const cases: readonly [text: string, loc: readonly (string | number)[]][] = [
    ['{"a":1,"a":1}', ["a"]],
    ['{"a":1,"b":2,"a":3}', ["a"]],
    ['{"a":1,"\\u0061":2}', ["a"]],
    ['{"\\n":1,"\\u000a":2}', ["\n"]],
    ['{"":1,"":2}', [""]],
    ['{"x":{"a":1,"a":2}}', ["x", "a"]],
    ['[0,[{"b":1},{"a":[],"c":",","a":{}}]]', [1, 1, "a"]],
    ['{"a" \n:1,"a"\t:2}', ["a"]],
    ['{"a\\"":1,"a\\"":2}', ['a"']],
    ['{"x":"\\\\","a":{},"x":[]}', ["x"]],
    // Gone from the value, because a later member replaced it.
    ['{"x":{"a":1,"a":2},"x":3}', ["x", "a"]],
    ['{"😀":1,"\\ud83d\\ude00":2}', ["😀"]],
    ['{"1":1,"1":2}', ["1"]],
  ];
  for (const [text, loc] of cases) {
    const refused = refusal(parse(text));
    assert.deepEqual({ loc: refused.loc, type: refused.type }, { loc, type: "json_invalid" }, text);
    assert.match(refused.msg, /twice/);
  }
});

test("parseJson() refuses NUL and lone surrogates in strings and keys and says where", () => {
  const cases: readonly [text: string, loc: readonly (string | number)[]][] = [
    ['"\\u0000"', []],
    ['"\\ud800"', []],
    ['"\\udc00"', []],
    ['"\\ude00\\ud83d"', []],
    ['"\\ud83d😀"', []],
    ['"\\uD83D\\u0041"', []],
    ['{"a":["ok",{"b":"x\\u0000y"}]}', ["a", 1, "b"]],
    ['{"a":{"x\\ud800":1}}', ["a", "x\ufffd"]],
    ['{"\\u0000":{"a":1}}', ["\ufffd"]],
    ['{"a":"\\u0000","a":1}', ["a"]],
    ['["\\u0041","\\ud83d\\ude00","\\ud83d"]', [2]],
  ];
  for (const [text, loc] of cases) {
    const refused = refusal(parse(text));
    assert.deepEqual({ loc: refused.loc, type: refused.type }, { loc, type: "string_text" }, text);
  }
});

test("parseJson() survives hostile bodies of 64 KiB", () => {
  const size = 65_536;
  const refused = [
    "[".repeat(size),
    '{"a":'.repeat(size / 5),
    '"'.repeat(size + 1),
    `"${"\\".repeat(size - 3)}"`,
    ":".repeat(size),
    " ".repeat(size),
    `{${Array.from({ length: 9_000 }, () => '"a":1').join()}}`,
    `{${Array.from({ length: 6_500 }, (_, i) => `"k${i}":1`).join()},"k6499":1}`,
    `{"${"\\\\".repeat(30_000)}":1,"a":1,"a":1}`,
    `{"a":1,"b":[${'"x" ,'.repeat(12_000)}1],"a":2}`,
    `["${"\\u0041".repeat(10_000)}","\\u0000"]`,
  ];
  for (const text of refused) assert.equal(parse(text).ok, false, text.slice(0, 20));
  const accepted = [
    `[${"[],".repeat(21_000)}1]`,
    `{${Array.from({ length: 7_000 }, (_, i) => `"${i}":1`).join()}}`,
    `"${"\\".repeat(size - 2)}"`,
    `"${"\\u0041".repeat(10_000)}"`,
  ];
  for (const text of accepted) assert.equal(parse(text).ok, true, text.slice(0, 20));
});

test("parseJson() reads escaped keys whatever was read before them", () => {
  // On V8, JSON.parse takes the second key of the second text for a backslash, having seen one there in the first.
  const pairs = [
    ['{"a":1,"\\\\":1}', '{"a":1,"\\n":1}', "\n"],
    ['{"b":1,"\\\\u0070":1}', '{"b":1,"\\u0070rompt":1}', "prompt"],
    ['{"c":1,"\\\\":1}', '{"c":1,"\\"":1}', '"'],
  ] as const;
  for (const [first, second, key] of pairs) {
    assert.equal(parse(first).ok, true);
    const parsed = parse(second);
    assert.ok(parsed.ok);
    assert.deepEqual(Object.keys(parsed.value as object)[1], key);
  }
  assert.equal(parse('{"d":1,"\\\\":1}').ok, true);
  assert.equal(refusal(parse('{"d":1,"\\u0000":1}')).type, "string_text");
  assert.deepEqual(refusal(parse('{"\\n":1,"a":"\\u0000"}')).loc, ["a"]);
});

/** A second reader, written in another way, of a text that is JSON: its value, its nesting, and whether it has what we refuse. */
function inspect(text: string): { value: unknown; nesting: number; twice: boolean; bad: boolean } {
  let at = 0;
  const found = { value: undefined as unknown, nesting: 0, twice: false, bad: false };
  const space = (): void => {
    while (" \t\r\n".includes(text[at] ?? "x")) at++;
  };
  const string = (): string => {
    const start = at++;
    while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
    at++;
    const value = JSON.parse(text.slice(start, at)) as string;
    const lone = [...value].some((point) => point.length === 1 && point >= "\ud800" && point <= "\udfff");
    if (lone || value.includes("\0")) found.bad = true;
    return value;
  };
  const read = (depth: number): unknown => {
    space();
    const first = text[at];
    if (first === '"') return string();
    if (first !== "{" && first !== "[") {
      const start = at;
      while (at < text.length && !",]} \t\r\n".includes(text[at]!)) at++;
      return JSON.parse(text.slice(start, at)) as unknown;
    }
    found.nesting = Math.max(found.nesting, depth);
    const members: [key: string, value: unknown][] = [];
    at++;
    space();
    while (text[at] !== "}" && text[at] !== "]") {
      space();
      let key = "";
      if (first === "{") {
        key = string();
        if (members.some(([other]) => other === key)) found.twice = true;
        space();
        at++;
      }
      members.push([key, read(depth + 1)]);
      space();
      if (text[at] === ",") at++;
    }
    at++;
    return first === "[" ? members.map(([, value]) => value) : Object.fromEntries(members);
  };
  found.value = read(1);
  return found;
}

test("parseJson() accepts random texts exactly when JSON.parse does and nothing that is refused occurs", () => {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const strings = [
    '"a"',
    '"b"',
    '"\\u0061"',
    '""',
    '"\\\\"',
    '"\\""',
    '"{"',
    '":"',
    '"é"',
    '"\\ud83d\\ude00"',
    '"c"',
    '"d"',
  ];
  const bad = ['"\\u0000"', '"\\ud83d"', '"\\ude00x"'];
  const aString = (): string => (random(40) === 0 ? pick(bad) : pick(strings));
  const space = (): string => pick(["", "", "", " ", "\n", "\t "]);
  const make = (depth: number): string => {
    const kind = depth > 19 ? 0 : random(depth < 3 ? 8 : 5);
    if (kind === 0) return pick(["1", "-2.5e3", "true", "null", aString(), "{}", "[]"]);
    if (kind === 1) return aString();
    if (kind === 2) return `[${space()}${make(depth + 1)}${space()}]`;
    if (kind === 3) return `{${space()}${aString()}${space()}:${space()}${make(depth + 1)}${space()}}`;
    const items = Array.from({ length: random(4) }, () => make(depth + 1));
    if (kind === 4 || kind === 5) return `[${items.join(`${space()},${space()}`)}]`;
    return `{${items.map((item) => `${aString()}:${item}`).join(",")}}`;
  };
  const pieces = ["{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "0", " ", "a", "\0", "😀"];
  const seen = { accepted: 0, syntax: 0, nesting: 0, twice: 0, bad: 0 };
  for (let i = 0; i < 30_000; i++) {
    let text = make(1);
    if (random(30) === 0) text = "[".repeat(12) + text + "]".repeat(12);
    if (random(3) === 0) {
      const at = random(text.length + 1);
      text = text.slice(0, at) + (random(2) === 0 ? pick(pieces) : "") + text.slice(at + random(2));
    }
    // Half a pair, cut from a character, is replaced on encoding.
    text = text.toWellFormed();
    const parsed = parse(text);
    try {
      JSON.parse(text);
    } catch {
      assert.equal(refusal(parsed).type, "json_invalid", text);
      seen.syntax++;
      continue;
    }
    const { value, nesting, twice, bad } = inspect(text);
    if (nesting > 16) assert.match(refusal(parsed).msg, /levels/, text);
    else if (twice && bad) assert.match(refusal(parsed).msg, /this key twice|NUL/, text);
    else if (twice) assert.match(refusal(parsed).msg, /this key twice/, text);
    else if (bad) assert.equal(refusal(parsed).type, "string_text", text);
    else assert.deepEqual(parsed, { ok: true, value }, text);
    seen[nesting > 16 ? "nesting" : twice ? "twice" : bad ? "bad" : "accepted"]++;
  }
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 50, `${what} occurred ${count} times only`);
});

test("canonicalJson() sorts keys at every level, numbers first, and leaves arrays in order", () => {
  const text = '{"b":[3,1,{"z":null,"a":"é"}],"a":{"d":true,"c":-1.5},"B":0,"10":1,"9":2,"":{}}';
  const canonical = '{"9":2,"10":1,"":{},"B":0,"a":{"c":-1.5,"d":true},"b":[3,1,{"a":"é","z":null}]}';
  assert.equal(canonicalJson(JSON.parse(text)), canonical);
  assert.equal(canonicalJson(JSON.parse(canonical)), canonical);
});

test("canonicalJson() writes equal values equally and others otherwise", () => {
  assert.equal(canonicalJson({ a: 1, b: undefined }), canonicalJson({ a: 1 }));
  assert.equal(canonicalJson([undefined, null]), "[null,null]");
  assert.equal(canonicalJson(-0), "0");
  assert.equal(canonicalJson(JSON.parse("[1.0,1e2]")), "[1,100]");
  assert.notEqual(canonicalJson({ a: null }), canonicalJson({}));
  assert.notEqual(canonicalJson(["1"]), canonicalJson([1]));
  assert.notEqual(canonicalJson({ a: "b" }), canonicalJson(['a":"b']));
  const proto = JSON.parse('{"__proto__":{"b":1,"a":2}}') as unknown;
  assert.equal(canonicalJson(proto), '{"__proto__":{"a":2,"b":1}}');
  assert.equal(canonicalJson(Object.assign(Object.create(null), { b: 1, a: 2 })), '{"a":2,"b":1}');
});

test("canonicalJson() writes any value as a plain account of its parts does", () => {
  const keys = ["a", "b", "B", "10", "9", "", "__proto__", "toJSON", "é", "\u{1F600}", "\uffff"];
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state % below;
  };
  const any = (depth: number): unknown => {
    const kind = random(depth === 0 ? 4 : 6);
    if (kind === 0) return null;
    if (kind === 1) return random(2) === 0;
    if (kind === 2) return random(1_000) / 8 - 20;
    if (kind === 3) return `text "${random(100)}" \u2028 \ud800`;
    if (kind === 4) return Array.from({ length: random(4) }, () => any(depth - 1));
    return Object.fromEntries(Array.from({ length: random(5) }, () => [keys[random(keys.length)], any(depth - 1)]));
  };
  const plainly = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(plainly).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const rank = (key: string): number => (/^(?:9|10)$/.test(key) ? Number(key) : Number.POSITIVE_INFINITY);
    const members = Object.entries(value).sort(([one], [other]) =>
      rank(one) === rank(other) ? (one < other ? -1 : 1) : rank(one) - rank(other),
    );
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${plainly(member)}`).join(",")}}`;
  };
  for (let i = 0; i < 3_000; i++) {
    const value = any(4);
    const before = JSON.stringify(value);
    assert.equal(canonicalJson(value), plainly(value));
    assert.equal(JSON.stringify(value), before);
  }
});

test("canonicalJson() refuses what JSON cannot say", () => {
  for (const value of [
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1n,
    () => 1,
    Symbol("a"),
    new Date(0),
    new Map(),
    [{ a: Number.NaN }],
  ]) {
    assert.throws(() => canonicalJson(value), TypeError);
  }
});
