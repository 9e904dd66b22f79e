/** What the dashboard refuses, beside what every surface does. Codes stand in the catalogue of core. */
import { Refusal } from "../../core/surface.ts";

export const signInFirst = (): Refusal => new Refusal("sign_in_required", "Sign in first");

export const roleForbids = (): Refusal => new Refusal("role_forbids", "Your role in this account does not allow this");

export const foreignForm = (): Refusal =>
  new Refusal("form_foreign", "This form is not from this site or has expired: load the page again and send it anew");

export const misdirected = (base_url: string): Refusal =>
  new Refusal("misdirected", `The dashboard answers at ${base_url} alone; TONWERK_BASE_URL says where that is`);

export const leakRefused = (why: string): Refusal => new Refusal("leak_report_refused", why);

export const notForm = (): Refusal =>
  new Refusal("unsupported_media_type", "Content-Type must be that of an HTML form");
