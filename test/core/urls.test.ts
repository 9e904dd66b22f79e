import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { createUrlSigner, type UrlSigner } from "../../core/operations/urls.ts";

const NOW = 1_700_000_000_000;
const KEY = "op_1/1/0.flac";
const current = Uint8Array.from({ length: 32 }, (_, i) => i);
const previous = new Uint8Array(32).fill(9);

function at(
  now: number,
  options: {
    base_url?: string;
    origins?: readonly string[];
    keys?: { current: Uint8Array; previous?: Uint8Array };
  } = {},
): UrlSigner {
  return createUrlSigner({
    base_url: options.base_url ?? "https://audio.example.com",
    keys: options.keys ?? { current },
    clock: { now: () => now },
    ...(options.origins === undefined ? {} : { origins: options.origins }),
  });
}

const signed = at(NOW).sign({ key: KEY, seconds: 3600 }).url;
const signed_path = signed.slice("https://audio.example.com".length);

test("sign() makes the URLs that Python's hmac makes", () => {
  assert.equal(
    signed,
    "https://audio.example.com/audio/op_1/1/0.flac?expires=1700003600&signature=ef4ELU0OY9MxkyTQcQ2ZxLL_4QaqM_yuzKt7QXQpjtM",
  );
  assert.equal(
    at(NOW).sign({ key: KEY, seconds: 3600, disposition: 'attachment; filename="a.flac"' }).url,
    "https://audio.example.com/audio/op_1/1/0.flac?expires=1700003600&disposition=attachment%3B%20filename%3D%22a.flac%22" +
      "&signature=dphepyb_N_69-AIJhIcBQMxNRJo2UpR1RHuwA7RO5-A",
  );
});

test("verify() gives back key, expiry and disposition of what sign() made", () => {
  for (const disposition of [
    "inline",
    "attachment",
    'attachment; filename="song-1_v2.flac"',
    'inline; filename="a.wav"',
  ]) {
    const url = at(NOW).sign({ key: KEY, seconds: 60, disposition }).url;
    const verdict = { ok: true, key: KEY, expires_at: NOW + 60_000, disposition };
    assert.deepEqual(at(NOW).verify(url), verdict);
    assert.deepEqual(at(NOW).verify(url.slice("https://audio.example.com".length)), verdict);
    assert.deepEqual(at(NOW).verify(url.replace("https://audio.example.com", "http://internal:1")), verdict);
  }
});

test("verify() expires at the second and not before", () => {
  assert.equal(at(NOW + 3_599_999).verify(signed).ok, true);
  assert.deepEqual(at(NOW + 3_600_000).verify(signed), { ok: false, why: "expired" });
  assert.deepEqual(at(NOW + 3_600_001).verify(signed), { ok: false, why: "expired" });
});

test("verify() calls a tampered URL invalid, also when it has expired", () => {
  const tampered = signed.replace("op_1", "op_2");
  assert.deepEqual(at(NOW + 9_999_999).verify(tampered), { ok: false, why: "invalid" });
});

test("verify() fails every change of one character, every one left out and every one added", () => {
  const signer = at(NOW);
  const urls = [
    signed_path,
    at(NOW).sign({ key: KEY, seconds: 60, disposition: 'attachment; filename="a.flac"' }).url.slice(25),
  ];
  for (const url of urls) {
    assert.equal(signer.verify(url).ok, true);
    for (let i = 0; i < url.length; i++) {
      const head = url.slice(0, i);
      const tail = url.slice(i + 1);
      assert.deepEqual(signer.verify(head + tail), { ok: false, why: "invalid" }, `without character ${i}`);
      // Every single-bit change, and characters that parsers treat alike or drop.
      const others = [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => String.fromCharCode(url.charCodeAt(i) ^ (1 << bit)));
      for (const other of [...others, "0", "%", "+", "/", "\\", "\t", "é"]) {
        if (other === url[i]) continue;
        assert.deepEqual(
          signer.verify(head + other + tail),
          { ok: false, why: "invalid" },
          `character ${i} as "${other}"`,
        );
      }
      for (const other of ["/", "a", "\n", "."]) {
        if (signer.verify(head + other + url.slice(i)).ok) assert.fail(`"${other}" before character ${i}`);
      }
    }
  }
});

test("verify() takes one spelling only", () => {
  const query = signed_path.slice(signed_path.indexOf("?") + 1);
  const [expires = "", signature = ""] = query.split("&");
  const path = `/audio/${KEY}`;
  const named = at(NOW).sign({ key: KEY, seconds: 60, disposition: 'attachment; filename="a.flac"' }).url;
  for (const url of [
    `${path}?${signature}&${expires}`,
    `${path}?${expires}&${expires}&${signature}`,
    `${path}?${expires}&${signature}&${signature}`,
    `${path}?${expires}&disposition=inline&${signature}`,
    `${path}?${expires}&disposition=attachment&${signature}`,
    `${path}?expires=0${expires.slice(8)}&${signature}`,
    `${path}?expires=%31${expires.slice(9)}&${signature}`,
    `${path}?${expires}.0&${signature}`,
    `${path}?${expires}&${signature}=`,
    `${path}?${expires}&${signature}&x=1`,
    `${path}?${expires}&${signature}#x`,
    `${path}?&${expires}&${signature}`,
    `${path}?${expires}`,
    path,
    "",
    "/",
    named.replace("%3B", "%3b"),
    named.replace("%3B%20", ";+"),
    named.replace("%22", '"'),
  ]) {
    assert.deepEqual(at(NOW).verify(url), { ok: false, why: "invalid" }, url);
  }
});

test("verify() refuses paths that lead elsewhere, even rightly signed", () => {
  const rightlySigned = (key: string): string => {
    const text = `/audio/${key}?expires=1700003600`;
    const signature = createHmac("sha256", current).update(`tonwerk download 1\n${text}`).digest("base64url");
    return `${text}&signature=${signature}`;
  };
  assert.equal(at(NOW).verify(rightlySigned(KEY)).ok, true);
  for (const key of [
    "../secret",
    "a/../b",
    "..",
    "%2e%2e/b",
    "a/%2E%2E/b",
    "a%00",
    "a\0b",
    "/etc/passwd",
    "a//b",
    "a/",
  ]) {
    assert.deepEqual(at(NOW).verify(rightlySigned(key)), { ok: false, why: "invalid" }, key);
    assert.throws(() => at(NOW).sign({ key, seconds: 60 }), RangeError, key);
  }
  for (const key of [".hidden", "a/.hidden", "a\\b", "a/./b", "", "ä", "a b", `${"a/".repeat(8)}a`]) {
    assert.deepEqual(at(NOW).verify(rightlySigned(key)), { ok: false, why: "invalid" }, key);
    assert.throws(() => at(NOW).sign({ key, seconds: 60 }), RangeError, key);
  }
});

test("verify() accepts the previous key during a rotation and no third one", () => {
  const old = at(NOW, { keys: { current: previous } }).sign({ key: KEY, seconds: 60 }).url;
  assert.equal(at(NOW, { keys: { current, previous } }).verify(old).ok, true);
  assert.equal(at(NOW, { keys: { current, previous } }).verify(signed).ok, true);
  assert.deepEqual(at(NOW, { keys: { current } }).verify(old), { ok: false, why: "invalid" });
  assert.notEqual(at(NOW, { keys: { current, previous } }).sign({ key: KEY, seconds: 60 }).url, old);
});

test("sign() and verify() hold to 2,083 characters", () => {
  const room = 2083 - signed.length + KEY.length;
  const longest = at(NOW).sign({ key: "k".repeat(room), seconds: 3600 }).url;
  assert.equal(longest.length, 2083);
  assert.equal(at(NOW).verify(longest).ok, true);
  assert.throws(() => at(NOW).sign({ key: "k".repeat(room + 1), seconds: 3600 }), RangeError);
  assert.deepEqual(at(NOW).verify(`${"x".repeat(1_000_000)}`), { ok: false, why: "invalid" });
});

test("sign() with `since` keeps its URL until half of the time has gone by", () => {
  const expiries = new Map<string, number>();
  for (let ms = NOW; ms < NOW + 3 * 3_600_000; ms += 100_000) {
    const { url, expires_at } = at(ms).sign({ key: KEY, seconds: 3600, since: NOW });
    const verdict = at(ms).verify(url);
    assert.ok(verdict.ok);
    assert.equal(verdict.expires_at, expires_at);
    const left_ms = expires_at - ms;
    assert.ok(left_ms >= 1_800_000 && left_ms <= 3_600_000, `${left_ms} ms left`);
    expiries.set(url, expires_at);
  }
  assert.deepEqual(
    [...expiries.values()],
    [2, 3, 4, 5, 6, 7].map((half) => NOW + half * 1_800_000),
  );
});

test("sign() with `since` copes with one second, odd times and a clock that stepped back", () => {
  const cases = [
    [NOW + 400, 1],
    [NOW + 1_999, 1],
    [NOW + 123_456, 301],
    [NOW - 5_000, 60],
  ] as const;
  for (const [ms, seconds] of cases) {
    const { url, expires_at } = at(ms).sign({ key: KEY, seconds, since: NOW + 321 });
    assert.equal(at(ms).verify(url).ok, true, `${ms} ${seconds}`);
    assert.equal(at(ms).sign({ key: KEY, seconds, since: NOW + 321 }).url, url);
    assert.ok(expires_at > ms && expires_at % 1000 === 0);
  }
});

test("sign() refuses times and dispositions that cannot go into a URL or header", () => {
  for (const seconds of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e12]) {
    assert.throws(() => at(NOW).sign({ key: KEY, seconds }), RangeError);
  }
  assert.throws(() => at(NOW).sign({ key: KEY, seconds: 60, since: Number.NaN }), RangeError);
  for (const disposition of [
    "",
    "form-data",
    'attachment; filename="a\r\nb"',
    'attachment; filename="../a"',
    'attachment; filename="ä"',
    "attachment\n",
  ]) {
    assert.throws(() => at(NOW).sign({ key: KEY, seconds: 60, disposition }), RangeError, disposition);
  }
});

test("recognise() knows our URLs under every origin of ours, whatever the scheme", () => {
  const signer = at(NOW, { origins: ["http://127.0.0.1:8787", "http://localhost:8787", "http://[::1]:8787"] });
  for (const origin of [
    "https://audio.example.com",
    "http://audio.example.com",
    "HTTPS://AUDIO.Example.Com",
    "https://audio.example.com:443",
    "http://audio.example.com:80",
    "http://127.0.0.1:8787",
    "https://127.0.0.1:8787",
    "http://localhost:8787",
    "http://[::1]:8787",
    "http://[0:0:0:0:0:0:0:1]:8787",
  ]) {
    assert.equal(signer.recognise(origin + signed_path)?.ok, true, origin);
    assert.deepEqual(signer.recognise(origin + signed_path), at(NOW).verify(signed), origin);
  }
});

test("recognise() leaves other origins and other paths alone", () => {
  const signer = at(NOW, { origins: ["http://127.0.0.1:8787"] });
  for (const url of [
    `https://example.com${signed_path}`,
    `https://audio.example.com:8443${signed_path}`,
    `https://audio.example.com.evil.test${signed_path}`,
    `https://user@audio.example.com${signed_path}`,
    `https://audio.example.com@evil.test${signed_path}`,
    `https://audio.example.com\\@evil.test${signed_path}`,
    `https://audio.example.com\t${signed_path}`,
    `http://127.0.0.1:8788${signed_path}`,
    `http://localhost:8787${signed_path}`,
    "https://audio.example.com/docs",
    "https://audio.example.com",
    "https://audio.example.com/",
    "https:///audio/x",
    "https://[/audio/x",
    signed_path,
    "",
    "not a url",
  ]) {
    assert.equal(signer.recognise(url), undefined, url);
  }
});

test("recognise() tells a URL of ours that does not work", () => {
  assert.deepEqual(at(NOW + 3_600_000).recognise(signed), { ok: false, why: "expired" });
  for (const url of [signed.replace("op_1", "op_2"), signed.replace("/audio/", "/audio/../audio/"), `${signed}#t=10`]) {
    assert.deepEqual(at(NOW).recognise(url), { ok: false, why: "invalid" }, url);
  }
});

test("createUrlSigner() signs, verifies and recognises under a base URL with a path", () => {
  const signer = at(NOW, { base_url: "https://example.com/tonwerk/" });
  const { url } = signer.sign({ key: KEY, seconds: 3600 });
  assert.equal(url, `https://example.com/tonwerk${signed_path}`);
  for (const same of [url, `/tonwerk${signed_path}`, signed_path]) assert.equal(signer.verify(same).ok, true, same);
  assert.equal(signer.recognise(url)?.ok, true);
  assert.equal(signer.recognise(`http://example.com${signed_path}`)?.ok, true);
  assert.equal(signer.recognise("https://example.com/other/audio/x"), undefined);
  assert.deepEqual(signer.verify(`/tonwerk/tonwerk${signed_path}`), { ok: false, why: "invalid" });
});
