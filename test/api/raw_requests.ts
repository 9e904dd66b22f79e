/** Requests as bytes, mostly malformed, drawn from a grammar by a seed: what a client may write to the socket that no HTTP library would. */

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Known {
  /** Of an account, so that some requests get as far as their body. */
  readonly key: string;
  /** Paths that the service has. */
  readonly paths: readonly string[];
  /** A `Host` that the dashboard takes. */
  readonly host: string;
}

/** One connection's bytes, as latin1. */
export function drawRequests(random: () => number, known: Known): string {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const chance = (share: number): boolean => random() < share;
  const byte = (): string => String.fromCharCode(Math.floor(random() * 256));
  const bytes = (most: number): string => Array.from({ length: Math.floor(random() * most) }, byte).join("");

  const target = (): string => {
    const path = pick(known.paths);
    return pick([
      () => path,
      () => path,
      () => path,
      () => `${path}?${pick(["id=%zz", "wait=true&wait=false", "limit=1e9", "&&&==", "id=\xff", "dry_run=true"])}`,
      () => `http://evil.example${path}`,
      () => pick(["http://[", "http://", "https://a:b@c/", "http:///x", "://x", "http://a b/"]),
      () => pick(["*", "evil.example:443", "?", "#", "", " ", "//", "/..", "/.//..//", "\\", "/\\evil", "foo"]),
      () =>
        `/${pick(["%", "%zz", "%00", "%ff%fe", "%2e%2e%2f", "..%5c", "\xc3\x28", "\u00a0", "\0", "\t", "{}", "`"])}`,
      () => `${path}/${pick(["..", ".", "%2e%2e", "x", "\x80", "a".repeat(300)])}`,
      () => `/audio/${pick(["%00", "..", "x", "%2f", "a/b.flac?expires=1&signature=x", "?"])}`,
      () => `/dashboard/${pick(["%zz", "static/../x", "static/x/y", "link?token=%ff", "sign-in?to=//evil", ":"])}`,
      () => `${path}${"a".repeat(pick([1_000, 9_000, 70_000]))}`,
      () => `/${bytes(20)}`,
    ])();
  };
  const host = (): string[] => {
    if (chance(0.15)) return [];
    if (chance(0.1)) return [`Host: ${known.host}`, `Host: ${pick(ODD_HOSTS)}`];
    return [`${pick(["Host:", "Host: ", "host :", "HOST:\t"])}${chance(0.9) ? pick(ODD_HOSTS) : bytes(12)}`];
  };
  const header = (): string =>
    pick([
      () => `authorization: Bearer ${known.key}`,
      () => `authorization: ${pick(["", "Bearer", "Bearer \xff", "Basic eDp5", `Bearer ${"x".repeat(5_000)}`])}`,
      () => `cookie: ${pick(["", "=", ";;;", "tonwerk=%zz", "__Host-tonwerk=\xff", `a=${"b".repeat(4_000)}`])}`,
      () => `accept: ${pick(["text/html", "application/json", "*/*;q=x", ""])}`,
      () => `range: ${pick(["bytes=0-", "bytes=-0", "bytes=9-1", "bytes=99999999999999999999-", "x"])}`,
      () => `x-forwarded-for: ${pick(["", ",", "1.2.3.4, ::1", "\xff", "a".repeat(3_000)])}`,
      () => `origin: ${pick(["null", "http://", "http://[", "\xff", "http://evil.example"])}`,
      () => `traceparent: ${pick(["00-x", "", "\xff", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`])}`,
      () => `expect: ${pick(["100-continue", "200-ok", ""])}`,
      () =>
        `connection: ${pick(["upgrade", "close", "keep-alive", "x, y", ""])}\r\nupgrade: ${pick(["websocket", "h2c", ""])}`,
      () =>
        pick([
          "x: a\r\n folded",
          "x: a\0b",
          "x: a\nb",
          "x: a\rb",
          "no colon",
          ": no name",
          "sp ace: x",
          "x\0: y",
          " x: y",
        ]),
      () => Array.from({ length: pick([20, 120, 400]) }, (_, index) => `x-${index}: ${index}`).join("\r\n"),
      () => `x-long: ${"y".repeat(pick([1_000, 20_000]))}`,
      () => bytes(30),
    ])();
  const framed = (): { headers: string[]; body: string } => {
    const type = `content-type: ${pick(TYPES)}`;
    const content = chance(0.3) ? bytes(200) : pick(CONTENTS);
    return pick([
      () => ({ headers: [type, `content-length: ${content.length}`], body: content }),
      () => ({ headers: [type, `content-length: ${content.length + 9}`], body: content }),
      () => ({ headers: [type, `content-length: ${pick(ODD_LENGTHS)}`], body: content }),
      () => ({ headers: [type, "content-length: 1", `content-length: ${pick(ODD_LENGTHS)}`], body: content }),
      () => ({
        headers: [type, `content-length: ${content.length}`, "transfer-encoding: chunked"],
        body: chunked(content),
      }),
      () => ({ headers: [type, "transfer-encoding: chunked"], body: chunked(content) }),
      () => ({ headers: [type, "transfer-encoding: chunked"], body: chunked(content).slice(0, -pick([1, 2, 5])) }),
      () => ({ headers: [type, "transfer-encoding: chunked"], body: pick(ODD_CHUNKS) }),
      () => ({ headers: [type, `transfer-encoding: ${pick(ODD_CODINGS)}`], body: chunked(content) }),
    ])();
  };
  const chunked = (content: string): string => {
    const size = pick([1, 7, 1_000]);
    let text = "";
    for (let at = 0; at < content.length; at += size) {
      const chunk = content.slice(at, at + size);
      text += `${chunk.length.toString(16)}${chance(0.1) ? ";name=value" : ""}\r\n${chunk}\r\n`;
    }
    return `${text}0\r\n${chance(0.2) ? "trailer: x\r\n" : ""}\r\n`;
  };
  const request = (): string => {
    // Mostly one part is odd, so that the others carry it past the parser.
    const odd = pick(["method", "target", "version", "host", "headers", "body", "body", "all", "none"] as const);
    const isOdd = (part: typeof odd): boolean => odd === part || odd === "all";
    const { headers, body } = isOdd("body") ? framed() : chance(0.5) ? plain() : { headers: [], body: "" };
    const all = [
      ...(isOdd("host") ? host() : [`Host: ${known.host}`]),
      ...(chance(0.6) ? [`authorization: Bearer ${known.key}`] : []),
      ...(isOdd("headers") ? Array.from({ length: 1 + Math.floor(random() * 3) }, header) : []),
      ...headers,
    ];
    const line = [
      isOdd("method") ? pick(ODD_METHODS) : pick(["GET", "GET", "PUT", "PUT", "POST", "HEAD", "OPTIONS", "DELETE"]),
      isOdd("target") ? target() : pick(known.paths),
      isOdd("version") ? pick(ODD_VERSIONS) : "HTTP/1.1",
    ].join(" ");
    return [line, ...all, "", body].join(odd === "all" && chance(0.2) ? "\n" : "\r\n");
  };
  const plain = (): { headers: string[]; body: string } => {
    const content = pick(CONTENTS);
    return { headers: [`content-type: ${pick(TYPES)}`, `content-length: ${content.length}`], body: content };
  };

  if (chance(0.05)) return pick(NOT_HTTP);
  let text = request();
  // Pipelined.
  while (chance(0.15)) text += request();
  if (chance(0.1)) text = text.slice(0, Math.floor(random() * text.length));
  if (chance(0.1)) {
    const at = Math.floor(random() * text.length);
    text = text.slice(0, at) + bytes(4) + text.slice(at + 1);
  }
  return text;
}

const ODD_METHODS = ["CONNECT", "TRACE", "TRACK", "get", "FOO", "", "G\0T", "PRI", "PROPFIND", "M".repeat(300)];
const ODD_VERSIONS = [
  "HTTP/1.0",
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/1.2",
  "HTTP/11",
  "http/1.1",
  "HTCPCP/1.0",
  "",
  "\0",
];
const ODD_HOSTS = [
  "",
  " ",
  "a b",
  "a/b",
  "/",
  "a?b",
  "a#b",
  "#",
  "u:p@h",
  "@",
  "[",
  "[::1",
  "[::1]",
  "[::1]:x",
  "a:99999",
  "a:-1",
  ":80",
].concat([
  "<x>",
  "a%zz",
  "%",
  "a\\b",
  "\xff\xfe",
  "a\tb",
  "..",
  "a..b",
  "xn--",
  "1.2.3.4.5",
  "0x7f.1",
  "a,b",
  "h".repeat(2_000),
]);
const ODD_LENGTHS = [
  "",
  "-1",
  "+1",
  "abc",
  "1e3",
  "0x10",
  "1 2",
  "1,1",
  "99999999999999999999999",
  "18446744073709551616",
  "150000000",
];
const ODD_CODINGS = [
  "gzip",
  "chunked, chunked",
  "gzip, chunked",
  "chunked, gzip",
  "xchunked",
  "identity",
  "",
  " chunked ",
  "\0",
];
const ODD_CHUNKS = [
  "zz\r\nabc\r\n0\r\n\r\n",
  "-1\r\n\r\n",
  "3\r\nabcdef\r\n0\r\n\r\n",
  "ffffffffffffffffff\r\nx\r\n",
  "3\nabc\n0\n\n",
  "\r\n\r\n",
].concat([
  `${"0".repeat(500)}\r\n\r\n`,
  "3;=\r\nabc\r\n0\r\n\r\n",
  "0x3\r\nabc\r\n0\r\n\r\n",
  `3;${"e".repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
  "0\r\nx y\r\n\r\n",
]);
const TYPES = [
  "application/json",
  "application/json; charset=latin1",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
].concat(["multipart/form-data; boundary=x", "audio/flac", "", "\xff", "application/json;;;="]);
const CONTENTS = [
  "{}",
  "[",
  "null",
  '{"idempotency_key":',
  `${"[".repeat(3_000)}`,
  '{"a":1e999}',
  '"\ud800"',
  "csrf=%zz&a=%ff",
  "=&=&=",
].concat([
  "--x\r\n\r\n",
  '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
  "--x--",
  "fLaC\0\0\0\x22",
  "RIFF\xff\xff\xff\xffWAVE",
  "",
]);
const NOT_HTTP = [
  `\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03${"\0".repeat(100)}`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
  "GET /\r\n",
  "\r\n\r\n\r\n",
  "\0".repeat(64),
  "SSH-2.0-x\r\n",
  "EHLO a\r\n",
  "a".repeat(100_000),
  "",
];
