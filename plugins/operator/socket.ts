/**
 * The operator's way into a running server: a Unix socket in a folder of the data folder that its owner alone may
 * enter. One line of JSON each way, one exchange a connection. Whoever can connect is the operator; nothing else is
 * asked.
 */
import { chmod, type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";

/** Longest line of either side. */
const LINE_BYTES_MAX = 8_000_000;
const SILENT_MS = 30_000;
/** `sun_path` of Linux has 108 bytes, that of the BSDs and macOS 104, each with a NUL. */
const PATH_BYTES_MAX = 103;

export interface OperatorSocket {
  close(): Promise<void>;
}

/**
 * Listens in `folder`, whose lock the caller holds: a socket that is there is a dead process's. `answer` takes and
 * returns JSON.
 */
export async function listenForOperator(
  folder: string,
  answer: (line: string) => Promise<string>,
): Promise<OperatorSocket> {
  const inner = join(folder, "operator");
  await mkdir(inner, { recursive: true, mode: 0o700 });
  // It may have been there with another mode.
  await chmod(inner, 0o700);
  const path = await reachable(inner);
  await rm(join(inner, NAME), { force: true });
  const open_sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open_sockets.add(socket);
    socket.on("close", () => open_sockets.delete(socket));
    // The other side went away: nobody is there to be told.
    socket.on("error", () => socket.destroy());
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    void readLine(socket).then(
      async (line) => void socket.end(`${await answer(line)}\n`),
      () => socket.destroy(),
    );
  });
  await listen(server, path.name);
  await chmod(join(inner, NAME), 0o600);
  return {
    async close() {
      for (const socket of open_sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(join(inner, NAME), { force: true });
      await path.release();
    },
  };
}

/** Undefined where no server listens in this data folder. */
export async function askOperator(folder: string, line: string): Promise<string | undefined> {
  const inner = join(folder, "operator");
  let path: Reachable;
  try {
    path = await reachable(inner);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    const socket = createConnection({ path: path.name, allowHalfOpen: true });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once("connect", () => resolve());
        socket.once("error", reject);
      });
      socket.end(`${line}\n`);
      return await readLine(socket);
    } finally {
      socket.destroy();
    }
  } catch (error) {
    // Never was one; or a dead process's, or one that is just closing.
    if (["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE"].some((code) => isCode(error, code))) return undefined;
    if (isCode(error, "EACCES") || isCode(error, "EPERM")) {
      throw new Error(`Cannot reach the server in "${folder}": its socket is for the owner of the folder alone`);
    }
    throw error;
  } finally {
    await path.release();
  }
}

const NAME = "socket";

interface Reachable {
  readonly name: string;
  release(): Promise<void>;
}

/** A name of the socket that is short enough; a long one goes through the open folder where the system has /proc. */
async function reachable(folder: string): Promise<Reachable> {
  const name = join(folder, NAME);
  if (Buffer.byteLength(name) <= PATH_BYTES_MAX) return { name, release: async () => undefined };
  const handle: FileHandle = await open(folder, "r");
  return { name: `/proc/self/fd/${handle.fd}/${NAME}`, release: () => handle.close() };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function readLine(socket: Socket): Promise<string> {
  // Not by `for await`, which destroys the socket when it is left.
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const brokenOff = (): void => {
      reject(Object.assign(new Error("Cannot read the line: it breaks off"), { code: "ECONNRESET" }));
    };
    socket.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > LINE_BYTES_MAX) socket.destroy(new Error("Cannot read the line: it is too long"));
      // Bytes of longer characters are never those of a line's end.
      if (!chunk.includes(10)) return;
      const text = Buffer.concat(chunks).toString("utf8");
      resolve(text.slice(0, text.indexOf("\n")));
    });
    socket.once("error", reject);
    socket.once("end", brokenOff);
    socket.once("close", brokenOff);
  });
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
