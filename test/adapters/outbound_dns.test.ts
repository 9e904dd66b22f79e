/** Names asked of real name servers on loopback, over sockets, and what an unanswered one costs everybody else: nothing. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { createResolver, type ResolverOptions } from "../../core/adapters/outbound/dns.ts";
import { parseHosts, watchHostsFile } from "../../core/adapters/outbound/hosts_file.ts";
import { type DnsAnswer, type DnsServer, startDns } from "../hostile/dns.ts";

const opened: DnsServer[] = [];
after(async () => {
  for (const server of opened) await server.close();
});

const never = new AbortController().signal;
const many = Array.from({ length: 60 }, (_, i) => `93.184.1.${i}`);
const SAID: Readonly<Record<string, DnsAnswer>> = {
  "both.test": { addresses: ["93.184.1.1", "93.184.1.2", "93.184.1.3", "2606:2800::1"] },
  "four.test": { addresses: ["93.184.1.1"] },
  "six.test": { addresses: ["2606:2800::1"] },
  "alias.test": { addresses: ["93.184.1.9"], alias: "real.elsewhere.test" },
  "many.test": { addresses: many },
  "empty.test": { addresses: [] },
  "failure.test": "failure",
};

async function dns(answer: Parameters<typeof startDns>[0], options?: Parameters<typeof startDns>[1]) {
  const server = await startDns(answer, options);
  opened.push(server);
  return server;
}
const said = (name: string): DnsAnswer => SAID[name] ?? "unknown";
const names = (servers: readonly DnsServer[], hosts: ResolverOptions["hosts"] = async () => new Map()) =>
  createResolver({ servers: servers.map(({ address }) => address), hosts });
const texts = async (asked: ReturnType<ReturnType<typeof createResolver>>) =>
  (await asked).map(({ address }) => address);

test("a name has the addresses of both families in turns, over UDP and where an answer is long over TCP", async () => {
  const ask = names([await dns(said)]);
  assert.deepEqual(await ask("both.test", never), [
    { address: "93.184.1.1", family: 4 },
    { address: "2606:2800::1", family: 6 },
    { address: "93.184.1.2", family: 4 },
    { address: "93.184.1.3", family: 4 },
  ]);
  assert.deepEqual(await texts(ask("four.test", never)), ["93.184.1.1"]);
  assert.deepEqual(await texts(ask("six.test", never)), ["2606:2800::1"]);
  assert.deepEqual(await texts(ask("alias.test", never)), ["93.184.1.9"]);
  assert.deepEqual(await texts(ask("many.test", never)), many);
});

test("a name that the server does not know, or cannot answer for, has no address", async () => {
  const server = await dns(said);
  const ask = names([server]);
  const long = `${"a".repeat(60)}.`.repeat(5);
  for (const name of ["nothing.test", "empty.test", "failure.test", `${"a".repeat(64)}.test`, `${long}test`, "a..b"])
    await assert.rejects(ask(name, never), name);
  // A name is asked for as it is: no search domain is put behind it.
  await assert.rejects(ask("single", never));
  const asked = new Set(server.asked);
  assert.ok(asked.has("A single") && asked.has("AAAA single"));
  assert.ok(
    [...asked].every((line) => line.endsWith(".test") || line.endsWith(" single")),
    [...asked].join(),
  );
});

test("the hosts file counts before any server, and localhost never leaves the machine", async () => {
  const server = await dns(() => ({ addresses: ["93.184.1.1"] }));
  const hosts = parseHosts(
    "# comment\n10.0.0.7 NAS nas.local # mine\n::1\tnas\nfe80::1%lo0 linked\n300.1.1.1 wrong\n\n10.0.0.8  nas\r\n",
  );
  assert.deepEqual([...hosts.keys()], ["nas", "nas.local"]);
  const ask = names([server], async () => hosts);
  assert.deepEqual(await texts(ask("nas", never)), ["10.0.0.7", "::1", "10.0.0.8"]);
  assert.deepEqual(await texts(ask("nas.local", never)), ["10.0.0.7"]);
  for (const name of ["localhost", "a.localhost"])
    assert.deepEqual(await texts(ask(name, never)), ["127.0.0.1", "::1"]);
  assert.deepEqual(server.asked, []);
  assert.deepEqual(await texts(ask("linked", never)), ["93.184.1.1"]);
  assert.ok((await watchHostsFile()()).size >= 0);
  assert.equal((await watchHostsFile("/nowhere/hosts")()).size, 0);
});

test("a server that is silent, gone, or talks nonsense leaves the name to the next one", async () => {
  const good = await dns(said);
  const silent = await dns(() => "silent");
  const gone = await startDns(said);
  await gone.close();
  for (const first of [silent, gone, await dns(() => "garbage"), await dns(() => "failure")])
    assert.deepEqual(await texts(names([first, good])("four.test", never)), ["93.184.1.1"]);
  // And where the first one answers, the next is not asked.
  const spare = await dns(said);
  assert.deepEqual(await texts(names([good, spare])("both.test", never)), [
    "93.184.1.1",
    "2606:2800::1",
    "93.184.1.2",
    "93.184.1.3",
  ]);
  assert.deepEqual(spare.asked, []);
});

test("an abort ends a look-up at once: with what has come in, or with nothing", async () => {
  const half = await dns((_name, type) => (type === "A" ? { addresses: ["93.184.1.1"] } : "silent"));
  const silent = await dns(() => "silent");
  for (const [server, found] of [
    [half, ["93.184.1.1"]],
    [silent, undefined],
  ] as const) {
    const late = new AbortController();
    const asked = texts(names([server])("name.test", late.signal)).catch(() => undefined);
    // Until the server has been asked both, and has said what it says.
    while (server.asked.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    late.abort();
    assert.deepEqual(await asked, found);
    await assert.rejects(names([server])("name.test", late.signal));
  }
});

test("hundreds of names that are never answered hold no file up", async () => {
  const silent = await dns(() => "silent");
  const ask = names([silent]);
  const late = new AbortController();
  let ended = 0;
  const asked = Array.from({ length: 200 }, (_, i) =>
    ask(`n${i}.test`, late.signal)
      .catch(() => undefined)
      .finally(() => ended++),
  );
  for (let i = 0; i < 20; i++) await readFile(new URL(import.meta.url));
  // The files were read while every name was still open.
  assert.equal(ended, 0);
  late.abort();
  await Promise.all(asked);
  assert.equal(ended, 200);
});
