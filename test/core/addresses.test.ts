import assert from "node:assert/strict";
import { isIPv4, isIPv6 } from "node:net";
import { test } from "node:test";
import { clientAddress, matches, matchesHost, normalAddress, normalRange } from "../../core/base/addresses.ts";

// Made with Python's ipaddress module.
const NORMAL = [
  ["5bc8:fbbc:bde5:0000:4164:d839:9f76:7c45", "5bc8:fbbc:bde5:0:4164:d839:9f76:7c45"],
  ["5F2D:0000:0000:0000:2827:688D:0000:6A3B", "5f2d::2827:688d:0:6a3b"],
  ["0000:0000:28db:0000:0000:29f1:0000:9545", "::28db:0:0:29f1:0:9545"],
  ["2A9E:BA0C:DF56:0000:2A75:9159:FB7F:0000", "2a9e:ba0c:df56:0:2a75:9159:fb7f:0"],
  ["0585:0000:4c7d:0000:0000:0000:0000:0000", "585:0:4c7d::"],
  ["0000:4E6B:0000:6727:10E6:0000:5680:68B9", "0:4e6b:0:6727:10e6:0:5680:68b9"],
  ["4bbd:0000:dc14:ed57:0000:0000:cc17:0000", "4bbd:0:dc14:ed57::cc17:0"],
  ["0000:0000:4FFC:BF42:0000:0000:0000:0000", "0:0:4ffc:bf42::"],
  ["ec71:0000:0000:787f:99c4:258b:0000:0000", "ec71::787f:99c4:258b:0:0"],
] as const;

/** Range as written, its canonical text, its first and last address, the one before and the one after. Made with Python's ipaddress. */
const RANGES = [
  [
    "63cd:591a:3d13:e9b6:7418:a947:980e:b273/118",
    "63cd:591a:3d13:e9b6:7418:a947:980e:b000/118",
    "63cd:591a:3d13:e9b6:7418:a947:980e:b000",
    "63cd:591a:3d13:e9b6:7418:a947:980e:b3ff",
    "63cd:591a:3d13:e9b6:7418:a947:980e:afff",
    "63cd:591a:3d13:e9b6:7418:a947:980e:b400",
  ],
  ["122.255.242.58/20", "122.255.240.0/20", "122.255.240.0", "122.255.255.255", "122.255.239.255", "123.0.0.0"],
  [
    "78a:c135:87dc:1f70:cbe5:995:1b89:f5a4/98",
    "78a:c135:87dc:1f70:cbe5:995::/98",
    "78a:c135:87dc:1f70:cbe5:995::",
    "78a:c135:87dc:1f70:cbe5:995:3fff:ffff",
    "78a:c135:87dc:1f70:cbe5:994:ffff:ffff",
    "78a:c135:87dc:1f70:cbe5:995:4000:0",
  ],
  ["13.188.155.193/9", "13.128.0.0/9", "13.128.0.0", "13.255.255.255", "13.127.255.255", "14.0.0.0"],
  [
    "ae5d:6477:6de8:e224:f3b8:fd46:f1d2:957b/57",
    "ae5d:6477:6de8:e200::/57",
    "ae5d:6477:6de8:e200::",
    "ae5d:6477:6de8:e27f:ffff:ffff:ffff:ffff",
    "ae5d:6477:6de8:e1ff:ffff:ffff:ffff:ffff",
    "ae5d:6477:6de8:e280::",
  ],
  ["191.230.71.167/7", "190.0.0.0/7", "190.0.0.0", "191.255.255.255", "189.255.255.255", "192.0.0.0"],
  [
    "aa41:8d7d:e952:ca2:f902:b366:1572:6ae7/125",
    "aa41:8d7d:e952:ca2:f902:b366:1572:6ae0/125",
    "aa41:8d7d:e952:ca2:f902:b366:1572:6ae0",
    "aa41:8d7d:e952:ca2:f902:b366:1572:6ae7",
    "aa41:8d7d:e952:ca2:f902:b366:1572:6adf",
    "aa41:8d7d:e952:ca2:f902:b366:1572:6ae8",
  ],
  ["210.18.151.100/13", "210.16.0.0/13", "210.16.0.0", "210.23.255.255", "210.15.255.255", "210.24.0.0"],
  ["203.201.96.43/24", "203.201.96.0/24", "203.201.96.0", "203.201.96.255", "203.201.95.255", "203.201.97.0"],
  ["132.122.77.246/2", "128.0.0.0/2", "128.0.0.0", "191.255.255.255", "127.255.255.255", "192.0.0.0"],
] as const;

const NO_ADDRESS = [
  "",
  " ",
  "localhost",
  "1.2.3",
  "1.2.3.4.5",
  "1.2.3.256",
  "01.2.3.4",
  "1.2.3.04",
  "0x7f.0.0.1",
  "2130706433",
  "127.1",
  "1.2.3.4 ",
  "1.2.3.4\n",
  "1.2.3.4:80",
  "１.2.3.4",
  "[::1]",
  "fe80::1%eth0",
  "fe80::1%25eth0",
  ":::",
  ":",
  ":1::",
  "1::2::3",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "1:2:3:4::5:6:7:8",
  "1:2:3:4:5:6:7:8:",
  ":1:2:3:4:5:6:7:8",
  "12345::",
  "g::",
  "::1.2.3",
  "::1.2.3.4.5",
  "1.2.3.4::",
  "::1.2.3.4:5",
  "::ffff:01.2.3.4",
  "1:2:3:4:5:6:7:1.2.3.4",
  "::-1",
  "unknown",
  "_hidden",
  "0".repeat(1_000_000),
  ":".repeat(1_000_000),
];

test("normalAddress() writes what Python's ipaddress writes", () => {
  for (const [text, normal] of NORMAL) {
    assert.equal(normalAddress(text), normal);
    assert.equal(normalAddress(normal), normal);
  }
});

test("normalAddress() reads every form of one address, mapped ones as IPv4", () => {
  for (const text of ["::", "0::0", "0:0:0:0:0:0:0:0", "::0.0.0.0"]) assert.equal(normalAddress(text), "::");
  for (const text of ["::1", "0:0:0:0:0:0:0:1", "::0.0.0.1"]) assert.equal(normalAddress(text), "::1");
  for (const text of ["127.0.0.1", "::ffff:127.0.0.1", "::FFFF:7f00:1", "0:0:0:0:0:ffff:127.0.0.1"]) {
    assert.equal(normalAddress(text), "127.0.0.1");
  }
  assert.equal(normalAddress("::127.0.0.1"), "::7f00:1");
  assert.equal(normalAddress("64:ff9b::127.0.0.1"), "64:ff9b::7f00:1");
  assert.equal(normalAddress("1:2:3:4:5:6:1.2.3.4"), "1:2:3:4:5:6:102:304");
  assert.equal(normalAddress("1:2:3:4:5:6:7::"), "1:2:3:4:5:6:7:0");
  assert.equal(normalAddress("255.255.255.255"), "255.255.255.255");
  assert.equal(normalAddress("0.0.0.0"), "0.0.0.0");
});

test("normalAddress() reads nothing else as an address", () => {
  for (const text of NO_ADDRESS) assert.equal(normalAddress(text), undefined, text.slice(0, 40));
});

test("normalAddress() agrees with node:net about random texts", () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (seed >> 8) % below;
  };
  const pieces = ["::", ":", ":", ":", "0", "1", "a", "ffff", "f0f0", "12345", "1.2.3.4", ".", "255", "256", "10"];
  let addresses = 0;
  for (let i = 0; i < 40_000; i++) {
    const length = 1 + random(16);
    const text = Array.from({ length }, () => pieces[random(pieces.length)]).join("");
    const is_address = isIPv4(text) || isIPv6(text);
    assert.equal(normalAddress(text) !== undefined, is_address, text);
    if (is_address) addresses++;
  }
  assert.ok(addresses > 100, `only ${addresses} addresses`);
});

test("normalRange() and matches() find the bounds that Python's ipaddress finds", () => {
  for (const [text, normal, first, last, before, after] of RANGES) {
    assert.equal(normalRange(text), normal);
    for (const inside of [first, last, text.slice(0, text.indexOf("/"))])
      assert.ok(matches([text], inside), `${inside} in ${text}`);
    for (const outside of [before, after]) assert.ok(!matches([text], outside), `${outside} not in ${text}`);
  }
});

test("normalRange() leaves a full prefix out and refuses what is no range", () => {
  assert.equal(normalRange("10.0.0.1"), "10.0.0.1");
  assert.equal(normalRange("10.0.0.1/32"), "10.0.0.1");
  assert.equal(normalRange("2001:DB8::1/128"), "2001:db8::1");
  assert.equal(normalRange("1.2.3.4/0"), "0.0.0.0/0");
  assert.equal(normalRange("::1/0"), "::/0");
  assert.equal(normalRange("::ffff:10.1.2.3/104"), "10.0.0.0/8");
  for (const text of NO_ADDRESS) assert.equal(normalRange(`${text}/8`), undefined, text.slice(0, 40));
  for (const bits of ["", "33", "-1", "08", "+8", "8.0", " 8", "8 ", "8/8", "255.0.0.0", "1e1", "999999999999"]) {
    assert.equal(normalRange(`10.0.0.0/${bits}`), undefined, bits);
  }
  assert.equal(normalRange("::/129"), undefined);
  assert.equal(normalRange("::ffff:10.0.0.0/95"), undefined);
});

test("matches() keeps the families apart, save for mapped addresses", () => {
  assert.ok(matches(["10.0.0.0/8"], "::ffff:10.1.2.3"));
  assert.ok(matches(["::ffff:10.0.0.0/104"], "10.1.2.3"));
  assert.ok(!matches(["::/0"], "10.1.2.3"));
  assert.ok(!matches(["::/0"], "::ffff:10.1.2.3"));
  assert.ok(!matches(["0.0.0.0/0"], "2001:db8::1"));
  assert.ok(!matches(["0.0.0.0/0"], "::10.1.2.3"));
  assert.ok(matches(["nonsense", "10.0.0.0/99", "2001:db8::/32"], "2001:db8::1"));
  assert.ok(!matches([], "10.1.2.3"));
  assert.ok(!matches(["0.0.0.0/0", "::/0", "nonsense"], "nonsense"));
});

test("clientAddress() believes the header only behind trusted proxies", () => {
  const trusted = ["10.0.0.0/8", "fd00::/8"];
  const cases: readonly [peer: string, forwarded: string | null, expected: string | undefined][] = [
    // Nobody in front, or somebody unknown: the header is the client's own invention.
    ["203.0.113.7", null, "203.0.113.7"],
    ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["203.0.113.7", "nonsense", "203.0.113.7"],
    ["::ffff:203.0.113.7", "10.0.0.1", "203.0.113.7"],
    // One proxy, then a chain of them.
    ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "203.0.113.7, 10.0.0.2", "203.0.113.7"],
    ["fd00::1", "203.0.113.7,10.0.0.2 ,\t10.0.0.3", "203.0.113.7"],
    ["10.0.0.1", "2001:DB8:0:0::7", "2001:db8::7"],
    // What the client put in front of the first untrusted address does not count.
    ["10.0.0.1", "198.51.100.1, 203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "nonsense, 203.0.113.7", "203.0.113.7"],
    ["10.0.0.1", "10.0.0.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"],
    // A request of a proxy's own, or from inside.
    ["10.0.0.1", null, "10.0.0.1"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    // An entry that counts and is no address.
    ["10.0.0.1", "unknown", undefined],
    ["10.0.0.1", "203.0.113.7:443", undefined],
    ["10.0.0.1", "[2001:db8::7]", undefined],
    ["10.0.0.1", "fe80::1%eth0", undefined],
    ["10.0.0.1", "203.0.113.7,", undefined],
    ["10.0.0.1", ",10.0.0.2", undefined],
    ["10.0.0.1", " ", undefined],
    ["10.0.0.1", "unknown, 10.0.0.2", undefined],
    ["", "203.0.113.7", undefined],
    ["fe80::1%eth0", null, undefined],
  ];
  for (const [peer, forwarded, expected] of cases) {
    assert.equal(clientAddress(peer, forwarded, trusted), expected, `${peer} | ${forwarded}`);
  }
  assert.equal(clientAddress("10.0.0.1", "203.0.113.7", []), "10.0.0.1");
});

test("clientAddress() walks a long header in linear steps", () => {
  const forwarded = `203.0.113.7${",10.0.0.2".repeat(5_000)}`;
  assert.equal(clientAddress("10.0.0.1", forwarded, ["10.0.0.0/8"]), "203.0.113.7");
});

test("matchesHost() knows names, addresses and ranges", () => {
  const hosts = ["Audio.internal", "192.168.0.0/16", "fd00::1"];
  for (const host of ["audio.internal", "AUDIO.INTERNAL", "192.168.7.7", "::ffff:192.168.7.7", "fd00:0::1"]) {
    assert.ok(matchesHost(hosts, host), host);
  }
  for (const host of ["internal", "x.audio.internal", "audio.internal.test", "192.169.0.1", "fd00::2", ""]) {
    assert.ok(!matchesHost(hosts, host), host);
  }
});
