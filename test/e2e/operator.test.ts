/** `tonwerk` beside a running server, through its socket, and without one, under the lock. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { findCommands, runTyped } from "../../cli/typed_commands.ts";
import { lockDataFolder } from "../../core/adapters/files/data_lock.ts";
import { loadConfig } from "../../core/base/config.ts";
import { hashApiKey } from "../../core/base/keys.ts";
import { createSecrets } from "../../core/base/secrets.ts";
import { askOperator, listenForOperator } from "../../plugins/operator/socket.ts";
import { runFile } from "../process.ts";
import { adminOf, giveStackBack, startTestService, type TestService } from "../service.ts";
import { whenThere } from "../services/services.ts";
import { leaseStack, STACK_MISSING } from "../services/stack.ts";

const CLI = fileURLToPath(new URL("../../cli/tonwerk.ts", import.meta.url));

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const tonwerk = (data: string, ...words: readonly string[]): Promise<Run> =>
  tonwerkIn({ TONWERK_DATA: data }, ...words);

function tonwerkIn(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [...runFile(CLI), ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Uint8Array) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Uint8Array) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, out, err })));
}

async function json(data: string, ...words: readonly string[]) {
  const { code, out, err } = await inProcess(data, [...words, "--json"]);
  assert.equal(code, 0, `${words.join(" ")}: ${err}${out}`);
  return JSON.parse(out);
}

let running: TestService;
before(async () => {
  running = await startTestService({ env: { TONWERK_ROLE: "api" } });
});
after(() => running.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test("commands beside a running server change what it serves at once", async () => {
  const { data } = running;
  const granted = await tonwerk(data, "credits", "grant", "250", "--note", "a gift", "--json");
  assert.deepEqual([granted.code, granted.err, JSON.parse(granted.out).credits], [0, "", 1_250]);
  assert.equal((await running.json("GET", "/v1/account")).body.account.credits, 1_250);
  const { id, key } = await json(data, "keys", "create", "--label", "from the shell");
  assert.equal((await running.json("GET", "/v1/account", undefined, bearer(key))).status, 200);
  const listed = await tonwerk(data, "keys", "list");
  assert.ok(listed.out.includes("from the shell") && listed.out.includes(key.slice(-4)));
  assert.ok(!listed.out.includes(hashApiKey(key)) && !listed.out.includes(key));
  const revoked = await tonwerk(data, "keys", "revoke", id);
  assert.deepEqual([revoked.code, revoked.out.trim()], [0, `${id} is revoked`]);
  assert.equal((await running.json("GET", "/v1/account", undefined, bearer(key))).status, 401);
  const settings = await json(data, "settings", "set", "get_per_minute=7", "allowlist=127.0.0.0/8, ::ffff:192.0.2.1");
  assert.deepEqual([settings.get_per_minute, settings.allowlist], [7, ["127.0.0.0/8", "192.0.2.1"]]);
  const limited = await running.json("GET", "/v1/account");
  assert.equal(limited.headers.get("ratelimit-policy"), '"get";q=7;w=60');
  await json(data, "settings", "set", "get_per_minute=default", "allowlist=");
});

test("accounts, members and secrets, with clear refusals", async () => {
  const { data } = running;
  const made = await json(data, "accounts", "create", "Second", "--credits", "5");
  assert.match(made.api_key, /^tonwerk_/);
  assert.match(made.signing_secret, /^whsec_/);
  assert.match(made.link.url, /\/dashboard\/link\?token=/);
  const second = ["--account", "Second"];
  const which = await tonwerk(data, "credits", "show");
  assert.equal(which.code, 1);
  assert.match(which.err, /There are 2 accounts: choose one with --account\n.*Second/s);
  assert.equal((await json(data, "credits", "show", ...second)).credits, 5);
  const invited = await json(data, "users", "invite", "bob@example.com", "--role", "owner", ...second);
  assert.match(invited.url, /token=[A-Za-z0-9_-]{43}$/);
  const [user] = await json(data, "users", "list", ...second);
  assert.deepEqual([user.email, user.role, user.invited], ["bob@example.com", "owner", true]);
  const again = await json(data, "users", "invite", "bob@example.com", ...second);
  assert.notEqual(again.url, invited.url, "a new link, and another role");
  assert.equal((await json(data, "users", "list", ...second)).length, 1);
  assert.equal((await json(data, "users", "invite", "eve@example.com", ...second)).mailed, false);
  assert.equal((await json(data, "users", "withdraw", "eve@example.com", ...second)).email, "eve@example.com");
  assert.equal((await json(data, "users", "list", ...second)).length, 1);
  const [secret] = await json(data, "secrets", "list", ...second);
  const refusals: readonly [words: readonly string[], code: number, text: RegExp][] = [
    [["secrets", "retire", secret.id, ...second], 1, /last signing secret/],
    [["secrets", "retire", "sec_x", ...second], 1, /No such live signing secret/],
    [["keys", "revoke", "key_x", ...second], 1, /No such live API key/],
    [["credits", "grant", "0", ...second], 1, /whole number from 1/],
    [["credits", "grant", "many", ...second], 1, /must be a whole number, not "many"/],
    [["credits", "grant", ...second], 2, /Something is missing/],
    [["credits", "grant", "1", "2", ...second], 2, /"2" is one word too many/],
    [["credits", "grant", "1", "--nte", "x"], 2, /--nte/],
    [["credits", "show", "--account", "Nobody"], 1, /There is no account "Nobody"/],
    [["settings", "set", "allowlist=10.0.0.0/33", ...second], 1, /"10.0.0.0\/33" is no address/],
    [["settings", "set", "limit=3", ...second], 1, /"limit=3" is no setting: put_per_minute=…/],
    [["users", "invite", "bob", ...second], 1, /not an e-mail address/],
    [["users", "withdraw", "eve@example.com", ...second], 1, /no open invitation of "eve@example.com"/],
    [["users", "role", "bob@example.com", "king"], 1, /owner or member, not "king"/],
    [["users", "disable", "eve@example.com"], 1, /There is no user "eve@example.com"/],
    [["keys", "make"], 2, /There is no command "keys make"/],
  ];
  for (const [words, expected, text] of refusals) {
    const { code, err } = await inProcess(data, words);
    assert.equal(code, expected, words.join(" "));
    assert.match(err, text);
  }
  const as_json = await tonwerk(data, "keys", "revoke", "key_x", ...second, "--json");
  assert.deepEqual([as_json.code, JSON.parse(as_json.out)], [1, { error: "No such live API key" }]);
});

test("what the operator does is in the audit log, which says when it was tampered with", async () => {
  const { data } = running;
  await json(data, "keys", "create", "--label", "audited", "--account", "First account");
  const [outer, inner] = await json(data, "audit", "list", "--limit", "2");
  assert.deepEqual([outer.action, outer.actor, outer.account_id], ["operator.keys.create", "operator", null]);
  assert.deepEqual(JSON.parse(outer.details), { words: [], label: "audited", account: "First account" });
  assert.deepEqual([inner.action, inner.actor], ["key.created", "operator"]);
  const of_account = await json(data, "audit", "list", "--account", "First account");
  assert.ok(of_account.length > 0);
  for (const one of of_account) assert.equal(one.account_id, inner.account_id);
  assert.deepEqual(await json(data, "audit", "list", "--since", "2999-01-01"), []);
  const verified = await json(data, "audit", "verify");
  assert.equal(verified.newest.position, outer.position, "reading is no entry");
  const exported = await tonwerk(data, "audit", "export", "--limit", "3", "--before", String(outer.position + 1));
  const lines = exported.out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual([lines.length, lines[0].position, lines[0].sha256], [3, outer.position, outer.sha256]);
  assert.equal((await inProcess(data, ["audit", "list", "--since", "soon"])).code, 1);
});

for (const place of ["beside a server", "without one"] as const) {
  test(`two rotations of TONWERK_SECRET lose nothing where secrets rewrap is run between them, ${place}`, async () => {
    const data = await mkdtemp(join(tmpdir(), "tonwerk-rotation-"));
    const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString("base64"));
    /** Every secret as the webhooks open it, by a start with these secrets; `then` runs beside it. */
    const openAll = async (env: Readonly<Record<string, string>>, then?: (service: TestService) => Promise<void>) => {
      const started = await startTestService({ data, env: { TONWERK_ROLE: "api", ...env } });
      const { store } = started.service;
      const secrets = createSecrets({ secret: env.TONWERK_SECRET!, previous: env.TONWERK_SECRET_PREVIOUS });
      const opened: string[] = [];
      try {
        await then?.(started);
        await logsOf(started, env);
        for (const { id } of await store.accounts({ limit: 9 })) {
          for (const one of await store.secrets(id)) opened.push(secrets.open(one.sealed, one.id));
        }
        return opened.sort();
      } finally {
        await started.stop();
      }
    };
    /** The start says what the current secret does not open, soon after. */
    const logsOf = async (started: TestService, env: Readonly<Record<string, string>>) => {
      if (env.EXPECTED === undefined) return;
      while (!started.logged.some((line) => line.includes(env.EXPECTED!)))
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const rewrap = async (env: Readonly<Record<string, string>>, expected: object) => {
      const words = ["secrets", "rewrap", "--json"] as const;
      const { code, out, err } = await tonwerkIn({ TONWERK_DATA: data, ...env }, ...words);
      assert.deepEqual([code, err, JSON.parse(out)], [0, "", expected]);
    };
    try {
      const made = await openAll({ TONWERK_SECRET: first! }, async ({ service }) => {
        const [account] = await service.store.accounts({ limit: 1 });
        await adminOf(service).createSecret(account!.id, "a second one");
        await adminOf(service).createAccount({ name: "Second", credits: 0 });
      });
      assert.equal(made.length, 3);
      const rotated = { TONWERK_SECRET: second!, TONWERK_SECRET_PREVIOUS: first! };
      const work = async () => {
        await rewrap(rotated, { rewrapped: 3, current: 0, lost: [] });
        await rewrap(rotated, { rewrapped: 0, current: 3, lost: [] });
      };
      const said = { EXPECTED: '"secrets.previous","count":3' };
      assert.deepEqual(await openAll({ ...rotated, ...said }, place === "beside a server" ? work : undefined), made);
      if (place === "without one") await work();
      assert.deepEqual(await openAll({ TONWERK_SECRET: second! }), made, "the previous one is needed no more");
      assert.deepEqual(await openAll({ TONWERK_SECRET: third!, TONWERK_SECRET_PREVIOUS: second! }), made);
      // Not run after the second rotation: the start says what is lost.
      const unlucky = { TONWERK_SECRET: first!, EXPECTED: '"secrets.lost","count":3' };
      await assert.rejects(openAll(unlucky), /Cannot open/);
    } finally {
      await rm(data, { recursive: true, force: true });
      await giveStackBack(data);
    }
  });
}

test("the socket is for the owner of the folder alone, and help needs nothing at all", async () => {
  const folder = await stat(join(running.data, "operator"));
  assert.equal(folder.mode & 0o777, 0o700);
  assert.equal((await stat(join(running.data, "operator", "socket"))).mode & 0o777, 0o600);
  const help = await tonwerk("/nowhere", "credits", "grant", "--help");
  assert.deepEqual([help.code, help.err], [0, ""]);
  assert.match(help.out, /Usage: tonwerk credits grant <n> \[--note <text>\] \[--account <id or name>\] \[--json\]/);
  const whole = await tonwerk("/nowhere", "help");
  for (const group of ["accounts", "keys", "secrets", "credits", "users", "settings", "leaks", "models"]) {
    assert.match(whole.out, new RegExp(`tonwerk ${group} `));
  }
  const nowhere = await tonwerk("/nowhere", "credits", "show");
  assert.deepEqual([nowhere.code, nowhere.out], [1, ""]);
  assert.match(nowhere.err, /There is no installation in "\/nowhere"/);
});

test("without a server the same commands take the lock, and one that is held is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tonwerk-offline-"));
  try {
    const first = await startTestService({ env: { TONWERK_ROLE: "api" }, data: folder });
    await first.stop();
    const granted = await tonwerk(folder, "credits", "grant", "5");
    assert.match(granted.out, /has 1005 credits now/);
    const lock = lockDataFolder(folder);
    const held = await tonwerk(folder, "credits", "show");
    lock.release();
    assert.deepEqual([held.code, held.out], [1, ""]);
    assert.match(held.err, new RegExp(`process ${process.pid} holds it`));
    const again = await startTestService({ env: { TONWERK_ROLE: "api" }, data: folder });
    assert.equal((await again.service.store.accounts({ limit: 1 }))[0]?.credits, 1_005);
    await again.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("a long folder name, a dead socket, and nonsense on a live one", async () => {
  const parent = await mkdtemp(join(tmpdir(), "tonwerk-socket-"));
  const folder = join(parent, "a-rather-long-name-of-a-folder".repeat(5));
  await mkdir(folder);
  await chmod(folder, 0o755);
  try {
    assert.equal(await askOperator(folder, "x"), undefined);
    const one = await listenForOperator(folder, async (line) => `1 ${line}`);
    assert.equal(await askOperator(folder, "ä".repeat(200_000)), `1 ${"ä".repeat(200_000)}`);
    // As after kill -9: the file is there, nobody listens. The next server takes its place.
    const two = await listenForOperator(folder, async (line) => `2 ${line}`);
    assert.equal(await askOperator(folder, "x"), "2 x");
    await two.close();
    assert.equal(await askOperator(folder, "x"), undefined);
    await one.close();
    assert.equal(await askOperator(folder, "x"), undefined);
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
  const answer = await askOperator(running.data, "not json");
  assert.deepEqual(JSON.parse(answer ?? ""), { ok: false, message: "The request is no command" });
  for (const line of [
    '{"command":"x","words":[],"options":{}}',
    "{}",
    "null",
    '{"command":"__proto__"}',
    '{"command":"keys list"}',
  ]) {
    assert.equal(JSON.parse((await askOperator(running.data, line)) ?? "").ok, false, line);
  }
});

whenThere("the same commands on Postgres", STACK_MISSING, () => {
  test("the same commands on Postgres, beside nodes that hold other folders", async () => {
    const stack = await leaseStack();
    const elsewhere = await mkdtemp(join(tmpdir(), "tonwerk-elsewhere-"));
    const { DATABASE_URL = "", TONWERK_SECRET = "" } = stack.env;
    const env = { TONWERK_DATA: elsewhere, DATABASE_URL, TONWERK_SECRET };
    const command = async (...words: readonly string[]) => {
      const { code, out, err } = await tonwerkIn(env, ...words, "--json");
      assert.deepEqual([code, err], [0, ""], words.join(" "));
      return JSON.parse(out);
    };
    const node = await startTestService({ env: { ...stack.env, TONWERK_ROLE: "api" } });
    try {
      const statusWith = async (key: string): Promise<number> =>
        (await node.json("GET", "/v1/account", undefined, bearer(key))).status;
      // The folder is locked all the while, as that of a server is which has its files in it: only SQLite is behind that lock.
      const lock = lockDataFolder(elsewhere);
      const { id, key } = await command("keys", "create", "--label", "from elsewhere");
      assert.equal(await statusWith(key), 200);
      assert.equal((await command("credits", "grant", "7")).credits, 1_007);
      assert.equal((await node.json("GET", "/v1/account")).body.account.credits, 1_007);
      await command("keys", "revoke", id);
      // The node hears of it from the server, a moment later.
      while ((await statusWith(key)) !== 401) await new Promise((resolve) => setTimeout(resolve, 5));
      // What it seals is for all nodes.
      const { secret } = await command("secrets", "create");
      assert.match(secret, /^whsec_/);
      lock.release();
      const rotated = {
        TONWERK_SECRET: Buffer.alloc(32, 9).toString("base64"),
        TONWERK_SECRET_PREVIOUS: TONWERK_SECRET,
      };
      for (const [rewrapped, current] of [
        [2, 0],
        [0, 2],
      ]) {
        const { out } = await tonwerkIn({ ...env, ...rotated }, "secrets", "rewrap", "--json");
        assert.deepEqual(JSON.parse(out), { rewrapped, current, lost: [] });
      }
      const away = await tonwerkIn(
        { ...env, DATABASE_URL: "postgres://ada:sesame@127.0.0.1:1/none" },
        "credits",
        "show",
      );
      assert.deepEqual([away.code, away.out], [1, ""]);
      assert.match(away.err, /Cannot open database "postgres:\/\/ada:…@127.0.0.1:1\/none"/);
    } finally {
      await node.stop();
      await stack.giveBack();
      await rm(elsewhere, { recursive: true, force: true });
    }
  });
});

/** As the process does after its start, which takes a while. */
async function inProcess(data: string, [group = "", ...rest]: readonly string[]): Promise<Run> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runTyped(
    await findCommands(["./plugins"]),
    group,
    rest,
    () => loadConfig({ TONWERK_DATA: data }),
    {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
    },
  );
  return { code, out: out.join("\n"), err: err.join("\n") };
}
