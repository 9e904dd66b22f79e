/** Writes the generated part of every SDK from the document that a server of this tree serves. `bun scripts/sdk.ts`, and `--check` to compare. */
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadConfig } from "../core/base/config.ts";
import { REFUSALS } from "../core/base/error_codes.ts";
import { systemClock } from "../core/base/timers.ts";
import { startService } from "../core/service.ts";
import type { Document } from "./sdk/document.ts";
import { writeGo } from "./sdk/go.ts";
import { writePython, writePythonCodes, writePythonSync } from "./sdk/python.ts";
import { writeTypeScript } from "./sdk/typescript.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** File -> content, formatted. */
export async function writeSdks(): Promise<ReadonlyMap<string, string>> {
  const document = await readDocument();
  const codes = { errors: Object.keys(REFUSALS) };
  return new Map([
    ["sdk/openapi.json", format(withoutExamples(document), "json")],
    ["sdk/typescript/src/generated.ts", format(writeTypeScript(document, codes))],
    ["sdk/go/generated.go", writeGo(document, codes.errors)],
    ["sdk/python/src/tonwerk/_codes.py", writePythonCodes(document, codes.errors)],
    ["sdk/python/src/tonwerk/_generated.py", writePython(document)],
    ["sdk/python/src/tonwerk/_live.py", writePythonSync(await readPython("_async_live.py"))],
    ["sdk/python/src/tonwerk/_client.py", writePythonSync(await readPython("_async_client.py"))],
  ]);
}

const readPython = (name: string): Promise<string> => readFile(join(root, "sdk/python/src/tonwerk", name), "utf8");

async function readDocument(): Promise<Document> {
  const data = await mkdtemp(join(tmpdir(), "tonwerk-sdk-"));
  const service = await startService(loadConfig({ TONWERK_DATA: data }), () => undefined, systemClock, {});
  try {
    const response = await service.app(new Request("http://localhost/openapi.json"), { address: "127.0.0.1" });
    return (await response.json()) as Document;
  } finally {
    await service.close();
    await rm(data, { recursive: true, force: true });
  }
}

/** What is kept of the document, to compare with (scripts/breaking_changes.ts) and to generate from. */
function withoutExamples(document: Document): string {
  return JSON.stringify(document, (key, value: unknown) => (key === "examples" ? undefined : value));
}

function format(code: string, kind = "ts"): string {
  const biome = join(root, "node_modules/.bin/biome");
  return execFileSync(biome, ["format", `--stdin-file-path=generated.${kind}`], {
    input: code,
    cwd: root,
    encoding: "utf8",
  });
}

if (import.meta.main) {
  let differs = false;
  for (const [path, text] of await writeSdks()) {
    if (process.argv.includes("--check")) {
      const is_same = (await readFile(join(root, path), "utf8").catch(() => "")) === text;
      if (!is_same) console.error(`${path} is not what the document makes: run bun scripts/sdk.ts`);
      differs ||= !is_same;
    } else await writeFile(join(root, path), text);
  }
  process.exit(differs ? 1 : 0);
}
