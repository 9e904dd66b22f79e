/** A name server on loopback, over UDP and TCP, that answers what the test says, or never. */
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";

export type DnsAnswer =
  /** Addresses of either family; what was not asked for is left out. */
  | { readonly addresses: readonly string[]; readonly alias?: string }
  /** Never an answer. */
  | "silent"
  | "unknown"
  | "failure"
  /** Bytes that are no answer. */
  | "garbage";

export interface DnsServer {
  /** As resolvers take it: address and port. */
  readonly address: string;
  /** Names that were asked for, in order, with their type: `A one.test`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** `udp_bytes_max`: longer answers say over UDP that they are cut short, so that TCP is asked. `delay_ms`: before each answer. */
export async function startDns(
  answer: (name: string, type: "A" | "AAAA") => DnsAnswer,
  { udp_bytes_max = 512, delay_ms = 0, host = "127.0.0.1", port: given = 0 } = {},
): Promise<DnsServer> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const reply = (query: Buffer, send: (message: Buffer) => void, bytes_max: number): void => {
    const { name, type, question } = readQuestion(query);
    asked.push(`${type} ${name}`);
    const said = type === "A" || type === "AAAA" ? answer(name, type) : "unknown";
    if (said === "silent") return;
    const message = said === "garbage" ? Buffer.from(query.subarray(0, 5)) : encode(query, question, type, said);
    const cut = message.length > bytes_max ? encode(query, question, type, "cut") : message;
    setTimeout(() => send(cut), delay_ms);
  };

  const onTcp = (socket: Socket): void => {
    sockets.add(socket);
    let read = Buffer.alloc(0);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (piece: Buffer) => {
      read = Buffer.concat([read, piece]);
      while (read.length >= 2 && read.length >= 2 + read.readUInt16BE(0)) {
        const end = 2 + read.readUInt16BE(0);
        reply(
          read.subarray(2, end),
          (message) => socket.write(Buffer.concat([uint16(message.length), message])),
          65_535,
        );
        read = read.subarray(end);
      }
    });
  };
  const { udp, tcp, port } = await bindBoth(host, given);
  udp.on("message", (query: Buffer, { address, port }: RemoteInfo) =>
    reply(query, (message) => udp.send(message, port, address), udp_bytes_max),
  );
  tcp.on("connection", onTcp);
  return {
    address: host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

/** One port for both. A port that is free for UDP may be taken for TCP: another one is tried then, save where the caller named it. */
async function bindBoth(host: string, given: number): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  for (let tries_left = 20; ; tries_left--) {
    const udp = createSocket(host.includes(":") ? "udp6" : "udp4");
    await new Promise<void>((resolve) => udp.bind(given, host, resolve));
    const { port } = udp.address();
    const tcp = createServer();
    try {
      await new Promise<void>((resolve, reject) => tcp.once("error", reject).listen(port, host, resolve));
      return { udp, tcp, port };
    } catch (error) {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
      if (given !== 0 || tries_left === 0) throw error;
    }
  }
}

/** RFC 1035 section 4.1.2: one question, after a header of 12 bytes. */
function readQuestion(query: Buffer): { name: string; type: string; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length !== 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const code = query.readUInt16BE(at + 1);
  const type = code === 1 ? "A" : code === 28 ? "AAAA" : String(code);
  return { name: labels.join(".").toLowerCase(), type, question: query.subarray(12, at + 5) };
}

function encode(
  query: Buffer,
  question: Buffer,
  type: string,
  said: Exclude<DnsAnswer, "silent" | "garbage"> | "cut",
): Buffer {
  const records: Buffer[] = [];
  if (typeof said === "object") {
    const { addresses, alias } = said;
    // The owner of an address is the question's name, or what that is an alias of.
    const owner = alias === undefined ? Buffer.from([0xc0, 12]) : nameOf(alias);
    if (alias !== undefined) records.push(record(Buffer.from([0xc0, 12]), 5, nameOf(alias)));
    for (const address of addresses) {
      const is_v6 = address.includes(":");
      if (is_v6 === (type === "AAAA")) records.push(record(owner, is_v6 ? 28 : 1, is_v6 ? v6(address) : v4(address)));
    }
  }
  const code = said === "unknown" ? 3 : said === "failure" ? 2 : 0;
  const flags = 0x8180 | (said === "cut" ? 0x0200 : 0) | code;
  const header = [query.subarray(0, 2), uint16(flags), uint16(1), uint16(records.length), uint16(0), uint16(0)];
  return Buffer.concat([...header, question, ...records]);
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  return Buffer.concat([owner, uint16(type), uint16(1), uint16(0), uint16(60), uint16(data.length), data]);
}

function nameOf(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label, "latin1")]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function v4(address: string): Buffer {
  return Buffer.from(address.split(".").map(Number));
}

function v6(address: string): Buffer {
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const before = groups(head);
  const after = groups(tail ?? "");
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.concat(all.map(uint16));
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}
