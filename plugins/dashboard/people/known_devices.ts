/**
 * Browsers that somebody signed in with before, so that a stranger's wrong tries do not count against them. Nothing is
 * stored: the cookie is an id made up for the browser and an HMAC over it, the user and the user's password record. It
 * opens nothing by itself, tells nobody whose it is, and with a new password, or for another user, it is worth nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { RotatingKeys, User } from "../../../core/surface.ts";

export interface KnownDevices {
  /** The cookie's value after `user` signed in; `device` is what `knows` found. */
  issue(user: Pick<User, "id" | "password">, device: string | undefined): string;
  /** The id of the browser, where the cookie's value is this user's. Does as much work for an unknown user. */
  knows(cookie: string | undefined, user: Pick<User, "id" | "password"> | undefined): string | undefined;
}

/** 16 bytes that name the browser, and the HMAC. */
const DEVICE = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

export function createKnownDevices(keys: RotatingKeys): KnownDevices {
  const mac = (key: Uint8Array, device: string, user: Pick<User, "id" | "password">): Buffer =>
    createHmac("sha256", key).update(`${device} ${user.id} ${user.password}`).digest();
  return {
    issue(user, device = randomBytes(16).toString("base64url")) {
      return `${device}.${mac(keys.current, device, user).toString("base64url")}`;
    },
    knows(cookie, user) {
      const [, device, given] = DEVICE.exec(cookie ?? "") ?? [];
      if (device === undefined || given === undefined) return undefined;
      const bytes = Buffer.from(given, "base64url");
      const own = [keys.current, keys.previous].map(
        (key) => key !== undefined && timingSafeEqual(mac(key, device, user ?? NOBODY), bytes),
      );
      return user !== undefined && own.includes(true) ? device : undefined;
    },
  };
}

const NOBODY = { id: "", password: "" };
