/** Somebody at the dashboard of a running server, as a browser is, who remembers all that was secret on the way. */
import assert from "node:assert/strict";

/**
 * Enters by the one-time `link`, chooses a password, makes an API key, a signing secret and an invitation, signs out, and in again with a wrong
 * password and the right one. Resolves to every cookie, token, link, key, secret, password and address that went over the wire.
 */
export async function visitDashboard(link: string): Promise<readonly string[]> {
  const secrets = new Set<string>();
  const cookies = new Map<string, string>();
  const { origin } = new URL(link);
  const send = async (method: string, path: string, form?: Readonly<Record<string, string>>) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      redirect: "manual",
      headers: { origin, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
      if (value === "" || /max-age=0/iu.test(line)) cookies.delete(name);
      else cookies.set(name, value);
      if (value !== "") secrets.add(value);
    }
    const text = await response.text();
    for (const [, token = ""] of text.matchAll(/name="csrf" value="([^"]+)"/gu)) secrets.add(token);
    for (const found of text.match(/tonwerk_[0-9A-Za-z]{36}|whsec_[0-9A-Za-z+/=]{32,}|(?<=token=)[\w-]{20,}/gu) ?? [])
      secrets.add(found);
    return { status: response.status, text };
  };
  /** The form of the page at `from`, with the token that it holds. */
  const post = async (path: string, values: Readonly<Record<string, string>>, from = path): Promise<number> => {
    const page = await send("GET", from);
    const csrf = /name="csrf" value="([^"]+)"/u.exec(page.text)?.[1];
    assert.ok(csrf !== undefined, `${from} answered ${page.status} and has no form`);
    return (await send("POST", path, { csrf, ...values })).status;
  };

  const { pathname, search, searchParams } = new URL(link);
  const token = searchParams.get("token") ?? "";
  const [email, password, wrong] = ["ada-7731@example.com", "a violin in the rain 5", "another violin 6 in the sun"];
  for (const one of [token, email, password, wrong, "eve-9942@example.com"]) secrets.add(one);
  assert.equal(await post("/dashboard/link", { token, email, password }, pathname + search), 303);
  for (const [path, values] of [
    ["/dashboard/keys", { label: "Second" }],
    ["/dashboard/secrets", { label: "Second" }],
    ["/dashboard/members", { email: "eve-9942@example.com", role: "member" }],
  ] as const) {
    const before = secrets.size;
    assert.ok((await post(path, values)) < 400, path);
    assert.ok(secrets.size > before, `${path} showed nothing`);
  }
  // Used up, and one that never was.
  await send("GET", pathname + search);
  await send("GET", `${pathname}?token=${"never-was-a-link-8853".padEnd(token.length, "x")}`);
  secrets.add("never-was-a-link-8853");
  assert.equal(await post("/dashboard/sign-out", {}, "/dashboard"), 303);
  assert.equal(await post("/dashboard/sign-in", { email, password: wrong }), 422);
  assert.equal(await post("/dashboard/sign-in", { email, password }), 303);
  return [...secrets];
}
