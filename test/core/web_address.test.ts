import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReach, checkUrl, hostOf, isForbiddenAddress, isForbiddenHost } from "../../core/base/web_address.ts";

test("isForbiddenAddress() knows every special range by its first and last address, and its neighbours", () => {
  // First, last, the address before, the address after; the neighbours are global unless another range begins there.
  const ranges: readonly (readonly [first: string, last: string, before: string | null, after: string | null])[] = [
    ["0.0.0.0", "0.255.255.255", null, "1.0.0.0"],
    ["10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
    ["100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
    ["127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
    ["169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
    ["172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
    ["192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
    ["192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
    ["192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
    ["192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
    ["198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
    ["198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
    ["203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
    ["224.0.0.0", "239.255.255.255", "223.255.255.255", null],
    ["240.0.0.0", "255.255.255.255", null, null],
    ["::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", null, "2000::"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", "2001:200::"],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db7:ffff::", "2001:db9::"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:ffff::", "2003::"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3ffe:ffff::", "3fff:1000::"],
    ["4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:ffff::", null],
  ];
  for (const [first, last, before, after] of ranges) {
    for (const address of [first, last]) assert.equal(isForbiddenAddress(address), true, address);
    for (const address of [before, after])
      if (address !== null) assert.equal(isForbiddenAddress(address), false, address);
  }
});

test("isForbiddenAddress() refuses IPv4 inside IPv6, zones, and what is no address", () => {
  const forbidden = [
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "64:ff9b::127.0.0.1",
    "64:ff9b:1::10.0.0.1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "100::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456:789a::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
    "",
    "localhost",
    "8.8.8",
    "08.8.8.8",
    "8.8.8.8 ",
    "[2606:4700::1111]",
  ];
  for (const address of forbidden) assert.equal(isForbiddenAddress(address), true, address);
  for (const address of ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450:4001:81b::200e"])
    assert.equal(isForbiddenAddress(address), false, address);
});

test("isForbiddenHost() refuses literals and localhost names, and leaves other names to the resolver", () => {
  for (const host of ["127.0.0.1", "::1", "localhost", "a.localhost", "a.b.localhost"])
    assert.equal(isForbiddenHost(host), true, host);
  for (const host of ["8.8.8.8", "example.com", "localhost.example.com", "notlocalhost", "metadata.google.internal"])
    assert.equal(isForbiddenHost(host), false, host);
});

test("hostOf() takes off brackets and the last dot", () => {
  for (const [url, host] of [
    ["https://[::1]:8443/", "::1"],
    ["https://Example.COM./", "example.com"],
    ["https://0x7f.1/", "127.0.0.1"],
  ] as const)
    assert.equal(hostOf(new URL(url)), host);
});

test("checkUrl() judges the text before a parser changes it", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["https://example.com/a\tb", "url_invalid"],
    ["https://exa\nmple.com/", "url_invalid"],
    ["https://example.com/ ", "url_invalid"],
    [" https://example.com/", "url_invalid"],
    ["https://example.com/\u0000", "url_invalid"],
    ["https://example.com/\u0085", "url_invalid"],
    ["https:\\\\example.com/", "url_invalid"],
    ["https://example.com\\@127.0.0.1/", "url_invalid"],
    ["example.com/a.wav", "url_invalid"],
    ["//example.com/a.wav", "url_invalid"],
    ["https://", "url_invalid"],
    ["https://user@example.com/", "url_invalid"],
    ["https://:password@example.com/", "url_invalid"],
    ["https://example.com:65536/", "url_invalid"],
    ["https://256.1.1.1/", "url_invalid"],
    ["https:///example.com/", "url_invalid"],
    ["https:////example.com/", "url_invalid"],
    ["https:example.com/", "url_invalid"],
    ["https:/example.com/", "url_invalid"],
    ["HTTPS:///example.com/", "url_invalid"],
    ["https://example.com:0/", "url_invalid"],
    [`https://${"a.".repeat(125)}example/`, "url_invalid"],
    ["https://example.com:00/", "url_invalid"],
    ["ftp://example.com/a.wav", "url_scheme"],
    ["file:///etc/passwd", "url_scheme"],
    ["data:audio/wav;base64,UklGRg==", "url_scheme"],
    ["gopher://example.com/", "url_scheme"],
    ["blob:https://example.com/1", "url_scheme"],
    ["javascript:alert(1)", "url_scheme"],
  ];
  for (const [url, type] of wrong) assert.equal(checkUrl(url)?.type, type, JSON.stringify(url));
  for (const url of ["https://example.com", "http://example.com/a.wav", "https://пример.рф/ä?ö#ü"])
    assert.equal(checkUrl(url), undefined, url);
});

test("checkReach() wants HTTPS and no private literal, unless the host is allowed", () => {
  const allowed = (host: string) => host === "10.1.2.3" || host === "receiver.internal";
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["https://example.com/", undefined],
    ["http://example.com/", "url_scheme"],
    ["https://10.1.2.4/", "url_forbidden_address"],
    ["http://10.1.2.4/", "url_scheme"],
    ["https://localhost/", "url_forbidden_address"],
    ["http://10.1.2.3:9000/", undefined],
    ["http://0xa010203/", undefined],
    ["http://receiver.internal./", undefined],
  ];
  for (const [url, type] of cases) assert.equal(checkReach(url, allowed)?.type, type, url);
});
