/**
 * Who is signed in to the dashboard: links, passwords, sessions, form tokens and members. Knows headers and cookies, no
 * pages. session_cookies.ts, form_tokens.ts, sign_in_limits.ts, known_devices.ts, sign_in_links.ts, members.ts and
 * passwords.ts do the parts.
 */
import { setImmediate } from "node:timers";
import {
  type Audit,
  type Clock,
  clientAddress,
  describeError,
  type Log,
  newId,
  refuse,
  type Secrets,
  type Session,
  type SurfaceConfig,
  type SurfaceStore,
  type Tallies,
  type User,
} from "../../../core/surface.ts";
import { foreignForm, roleForbids, signInFirst } from "../refusals.ts";
import { canonicalEmail } from "./email_address.ts";
import { createFormTokens, createOwnSite } from "./form_tokens.ts";
import { createInvitationLimits } from "./invitation_limits.ts";
import { createKnownDevices } from "./known_devices.ts";
import type { Mailer } from "./mail.ts";
import { createMembers, type FormRefused } from "./members.ts";
import { type Passwords, passwordFault } from "./passwords.ts";
import { may } from "./roles.ts";
import { createSessionCookies, TOKEN } from "./session_cookies.ts";
import type { Entered, Sessions, SignedIn, Visit } from "./session_types.ts";
import { createSignInLimits } from "./sign_in_limits.ts";
import { hashToken, newToken } from "./sign_in_links.ts";

export interface SessionServices {
  readonly config: Pick<SurfaceConfig, "base_url" | "trusted_proxies">;
  readonly store: SurfaceStore;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, "keysFor">;
  readonly passwords: Passwords;
  readonly mailer: Mailer | undefined;
  readonly log: Log;
  readonly audit: Audit;
  /** What the nodes count together; tries are counted by this node alone without it. */
  readonly tallies?: Tallies | undefined;
}

/** However often it is used. */
const SESSION_MS = 14 * 24 * 3_600_000;
/** Without a request. */
const IDLE_MS = 3 * 24 * 3_600_000;
/** A use is written down when the last one that was is this old. */
const TOUCH_MS = 10 * 60_000;

export function createSessions(services: SessionServices): Sessions {
  const { config, store, clock, secrets, passwords, mailer, log, audit } = services;
  const cookies = createSessionCookies(config.base_url);
  const tokens = createFormTokens(secrets.keysFor("form tokens"));
  const site = createOwnSite(config.base_url);
  const devices = createKnownDevices(secrets.keysFor("known devices"));
  const limits = createSignInLimits({ clock, tallies: services.tallies });
  const members = createMembers({
    store,
    clock,
    mailer,
    log,
    base_url: config.base_url,
    audit,
    limits: createInvitationLimits({ clock, tallies: services.tallies }),
  });

  const addressOf = ({ request, peer }: Visit): string | undefined =>
    clientAddress(peer.address, request.headers.get("x-forwarded-for"), config.trusted_proxies);

  /** Of what somebody does to their own sign-in. */
  const entryOf = (
    { id, email, account_id }: Pick<User, "id" | "email" | "account_id">,
    address: string | undefined,
    action: string,
    details: Readonly<Record<string, unknown>> = {},
  ) => audit.entry({ id, email, address: address ?? null }, action, { account_id, target: id, details });

  async function current(request: Request): Promise<SignedIn | undefined> {
    const { session: value } = cookies.read(request);
    if (value === undefined) return undefined;
    const sha256 = hashToken(value);
    const found = await store.findSession(sha256);
    const now = clock.now();
    if (found === undefined || now >= found.session.expires_at || now >= found.session.seen_at + IDLE_MS) {
      return undefined;
    }
    if (now >= found.session.seen_at + TOUCH_MS) {
      store.touchSession(sha256, now).catch((error: unknown) => {
        log("session.store_away", { error: describeError(error) });
      });
    }
    const { user, account, operates } = found;
    return { user, account, operates, csrf: tokens.issue(value) };
  }

  /** A new id each time, so that nobody's session can be one that somebody else handed out. */
  function newSession(): { value: string; row: Omit<Session, "user_id"> } {
    const value = newToken();
    const now = clock.now();
    return {
      value,
      row: { sha256: hashToken(value), created_at: now, expires_at: now + SESSION_MS, seen_at: now },
    };
  }

  /** `device`: the browser, where the user signed in with it before. */
  async function entered(request: Request, value: string, user_id: string, device?: string): Promise<Entered> {
    const before = cookies.read(request).session;
    if (before !== undefined) await store.endSessions({ sha256: hashToken(before) });
    const user = await store.user(user_id);
    if (user === undefined) return refused("credentials", WRONG);
    const set = [cookies.session(value, SESSION_MS / 1000), cookies.device(devices.issue(user, device))];
    return { kind: "entered", cookies: set, user };
  }

  async function signIn(visit: Visit, form: { email: string; password: string }): Promise<Entered> {
    const email = canonicalEmail(form.email);
    const address = addressOf(visit);
    const too_soon = await limits.takeAddress(address);
    if (too_soon > 0) return limited(too_soon);
    const user = email === undefined ? undefined : await store.findUser(email);
    const enabled = user?.disabled_at === null ? user : undefined;
    const device = devices.knows(cookies.read(visit.request).device, enabled);
    const wait = await limits.takeName(address, email ?? "", device);
    if (wait > 0) return limited(wait);
    const right = await passwords.verify(form.password, enabled?.password ?? null, {
      known: device !== undefined,
      address,
    });
    log("session.sign_in", { user: user?.id ?? null, right });
    const entry = (action: string, details = {}) =>
      user && entryOf(user, address, action, { known_browser: device !== undefined, ...details });
    if (!right || enabled === undefined) {
      const wrong = entry("session.refused", user === enabled ? {} : { disabled: true });
      // After the answer: how long that takes must not say whether there is such a user.
      if (wrong !== undefined) setImmediate(() => void audit.write(wrong));
      return refused("credentials", WRONG);
    }
    const { value, row } = newSession();
    // False: disabled, or given another password while this one was being checked.
    if (
      !(await store.audited(
        entry("session.opened")!,
        "createSession",
        { ...row, user_id: enabled.id },
        enabled.password,
      ))
    ) {
      return refused("credentials", WRONG);
    }
    return entered(visit.request, value, enabled.id, device);
  }

  /** What an invitation or a link is for; `user`: whose password it sets, or who has the invited address already. */
  async function findLink(token: string) {
    if (!TOKEN.test(token)) return undefined;
    const sha256 = hashToken(token);
    const invited = await store.findInvitation(sha256);
    const found = invited ?? (await store.findLink(sha256));
    if (found === undefined || clock.now() >= found.expires_at) return undefined;
    const [account, user] = await Promise.all([
      store.account(found.account_id),
      "email" in found ? store.findUser(found.email) : found.user_id === null ? undefined : store.user(found.user_id),
    ]);
    if (account === undefined) return undefined;
    if (invited !== undefined) return { account, invited, user };
    if ("user_id" in found && found.user_id !== null && (user === undefined || user.disabled_at !== null))
      return undefined;
    return { account, invited, user };
  }

  async function redeem(visit: Visit, token: string, form: { email?: string; password: string }): Promise<Entered> {
    const wait = await limits.takeAddress(addressOf(visit));
    if (wait > 0) return limited(wait);
    const found = await findLink(token);
    if (found === undefined) return refused("gone", GONE);
    const { invited } = found;
    const email = invited?.email ?? found.user?.email ?? canonicalEmail(form.email ?? "");
    if (email === undefined) return refused("email", "This is not an e-mail address");
    const fault = passwordFault(form.password, email);
    if (fault !== undefined) return refused("password", fault);
    const { value, row } = newSession();
    const id = newId("usr_", clock.now());
    const password = await passwords.hash(form.password, { address: addressOf(visit) });
    const [sha256, now] = [hashToken(token), clock.now()];
    const user_id = invited === undefined ? (found.user?.id ?? id) : id;
    const person = { id: user_id, email, account_id: found.account.id };
    const entry =
      invited === undefined && found.user !== undefined
        ? entryOf(person, addressOf(visit), "session.link_used")
        : entryOf(person, addressOf(visit), "member.joined", {
            role: invited?.role ?? "owner",
            invited_by: invited?.invited_by ?? "a link for a new owner",
          });
    const outcome =
      invited === undefined
        ? await store.audited(entry, "redeemLink", sha256, now, { id, email, password }, row)
        : await store.audited(entry, "redeemInvitation", sha256, now, { id, password }, row);
    log("session.link", { user: user_id, outcome });
    if (outcome === "unknown") return refused("gone", GONE);
    if (outcome === "taken") return refused("taken", "This address belongs to a user already: choose another one");
    return entered(visit.request, value, user_id);
  }

  async function checkPassword(visit: Visit, by: SignedIn, password: string): Promise<FormRefused | undefined> {
    // Strangers cannot use these tries up: whoever gets here is signed in.
    const wait = (await limits.takeAddress(addressOf(visit))) || (await limits.takeUser(by.user.id));
    if (wait > 0) return limited(wait);
    const is_right = await passwords.verify(password, by.user.password, { known: true });
    return is_right ? undefined : refused("credentials", "The current password is wrong");
  }

  return {
    ...members,
    can_mail: mailer !== undefined,
    current,
    checkHost: site.checkHost,

    async require(request, permission) {
      const signed_in = await current(request);
      if (signed_in === undefined) throw signInFirst();
      const { user, operates } = signed_in;
      if (!(permission === "operate" ? operates : may(user.role, permission))) throw roleForbids();
      return signed_in;
    },

    async formToken(request) {
      const signed_in = await current(request);
      if (signed_in !== undefined) return { csrf: signed_in.csrf, cookies: [] };
      const { visitor } = cookies.read(request);
      const value = visitor ?? newToken();
      return { csrf: tokens.issue(value), cookies: visitor === undefined ? [cookies.visitor(value)] : [] };
    },

    async checkSender(visit, open) {
      site.checkOrigin(visit.request);
      const { session, visitor } = cookies.read(visit.request);
      if (session === undefined && visitor === undefined) throw foreignForm();
      const wait = open ? await limits.takeForm(addressOf(visit)) : 0;
      if (wait > 0) throw refuse.tooManyRequests(wait);
    },

    async checkForm(request, token) {
      site.checkOrigin(request);
      const { session, visitor } = cookies.read(request);
      const cookie = (await current(request)) === undefined ? visitor : session;
      if (cookie === undefined || token === null || !tokens.check(cookie, token)) throw foreignForm();
    },

    signIn,
    redeem,

    async invitation(token) {
      const found = await findLink(token);
      if (found === undefined) return undefined;
      const { account, invited, user } = found;
      if (invited !== undefined) {
        const { email, role } = invited;
        return { kind: user === undefined ? "new_user" : "taken", account_name: account.name, email, role };
      }
      return {
        kind: user === undefined ? "new_user" : "new_password",
        account_name: account.name,
        email: user?.email ?? null,
        role: user?.role ?? "owner",
      };
    },

    async forgotPassword(visit, text) {
      const email = canonicalEmail(text);
      const address = addressOf(visit);
      const wait = await limits.takeAddress(address);
      if (wait > 0) return limited(wait);
      // After the answer: how long that takes must not say whether there is such a user, nor whether another mail was
      // one too many. Who gets none for that has those of the last hour, and they still work.
      if (email !== undefined) setImmediate(() => void members.mailLink(email, limits.takeMail, address ?? null));
      return { kind: "asked" };
    },

    async signOut(visit) {
      const { session } = cookies.read(visit.request);
      const sha256 = session === undefined ? undefined : hashToken(session);
      const found = sha256 === undefined ? undefined : await store.findSession(sha256);
      if (sha256 !== undefined && found !== undefined) {
        await store.audited(entryOf(found.user, addressOf(visit), "session.closed"), "endSessions", { sha256 });
      }
      return cookies.clear();
    },

    checkPassword,
    async setPassword(visit, by, form) {
      const wrong = await checkPassword(visit, by, form.current);
      if (wrong !== undefined) return wrong;
      const fault = passwordFault(form.next, by.user.email);
      if (fault !== undefined) return refused("password", fault);
      const password = await passwords.hash(form.next, { known: true });
      const { value, row } = newSession();
      // Ends all sessions, this one too: it goes on under a new id.
      const entry = entryOf(by.user, addressOf(visit), "session.password_changed");
      await store.audited(entry, "updateUser", by.account.id, by.user.id, { password });
      if (!(await store.createSession({ ...row, user_id: by.user.id }, password))) return refused("credentials", WRONG);
      log("session.password", { user: by.user.id });
      return entered(visit.request, value, by.user.id);
    },
  };
}

/** The same for whoever is unknown, disabled or invited, and for a wrong password. */
const WRONG = "The e-mail address or the password is wrong";
const GONE = "This link has been used or its time is over: ask for a new one";

function refused(why: FormRefused["why"], message: string): FormRefused {
  return { kind: "refused", why, message, retry_seconds: 0 };
}

function limited(retry_seconds: number): FormRefused {
  return { kind: "refused", why: "limited", message: `Too many tries: wait ${retry_seconds} s`, retry_seconds };
}
