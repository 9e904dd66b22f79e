/**
 * `bun scripts/generated_clients.ts [typescript] [go] [python]`: what others generate from the served document has to work as it comes. Starts a
 * server, generates a client by openapi-typescript, oapi-codegen and openapi-python-client, compiles it without an edit, and has it upload a
 * file, ask a price, make an effect and read the result (scripts/generated_clients/). Fetches the generators, so it is no part of `npm test`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newApiKey } from "../core/base/keys.ts";
import { freePort, startProcess } from "../test/process.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const song = join(root, "examples/song.flac");

type Run = (program: string, ...args: string[]) => void;

/** Each in a folder of its own, which has `openapi.json` and the program of scripts/generated_clients/. */
const CLIENTS: Readonly<Record<string, (run: Run, folder: string) => void>> = {
  typescript(run, folder) {
    writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
    const tools = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@24.10.1"];
    run("npm", "install", "--silent", "--no-audit", "--no-fund", ...tools);
    run("node_modules/.bin/openapi-typescript", "openapi.json", "--output", "schema.ts");
    const strict = ["--strict", "--noEmit", "--target", "esnext", "--module", "nodenext", "--skipLibCheck"];
    run("node_modules/.bin/tsc", ...strict, "--allowImportingTsExtensions", "main.ts");
    run(process.execPath, "main.ts");
  },
  go(run, folder) {
    run("go", "mod", "init", "example.com/client");
    const generator = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
    mkdirSync(join(folder, "tonwerk"));
    run(
      "go",
      "run",
      generator,
      "-generate",
      "types,client",
      "-package",
      "tonwerk",
      "-o",
      "tonwerk/client.go",
      "openapi.json",
    );
    run("go", "mod", "tidy");
    run("go", "vet", "./...");
    run("go", "run", ".");
  },
  python(run) {
    run("python3", "-m", "venv", "env");
    run("env/bin/pip", "install", "--quiet", "openapi-python-client==0.29.1", "mypy==1.19.0", "types-python-dateutil");
    const generate = [
      "generate",
      "--path",
      "openapi.json",
      "--meta",
      "none",
      "--output-path",
      "tonwerk",
      "--overwrite",
    ];
    run("env/bin/openapi-python-client", ...generate);
    run("env/bin/mypy", "main.py");
    run("env/bin/python", "main.py");
  },
};

const asked = process.argv.slice(2);
const key = newApiKey();
const base = mkdtempSync(join(tmpdir(), "tonwerk-clients-"));
const port = await freePort();
const server = await startProcess(
  {
    TONWERK_DATA: join(base, "data"),
    TONWERK_BASE_URL: `http://127.0.0.1:${port}`,
    TONWERK_FIRST_KEY: key,
    TONWERK_FIRST_CREDITS: "100",
  },
  port,
);
try {
  const document = await (await fetch(`${server.url}/openapi.json`)).text();
  for (const [name, make] of Object.entries(CLIENTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const began = performance.now();
    const folder = join(base, name);
    cpSync(join(root, "scripts/generated_clients", name), folder, { recursive: true });
    writeFileSync(join(folder, "openapi.json"), document);
    const env = { ...process.env, TONWERK_URL: server.url, TONWERK_KEY: key, TONWERK_SONG: song };
    const run: Run = (program, ...args) => {
      execFileSync(program.includes("/") && !program.startsWith("/") ? join(folder, program) : program, args, {
        cwd: folder,
        env,
        stdio: ["ignore", "inherit", "inherit"],
      });
    };
    make(run, folder);
    console.log(`${name}: generated, compiled and run in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
} finally {
  server.kill("SIGTERM");
  await server.exited;
  rmSync(base, { recursive: true, force: true });
}
