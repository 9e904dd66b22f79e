/** A refusal as a page that says what happened and where to go on. */
import type { Issue, Refusal } from "../../../core/surface.ts";
import type { Call, Visit } from "../context.ts";
import { type Html, html, type Value } from "../html.ts";
import { answerAlone, answerPage, type Page } from "../page.ts";
import { heading } from "../parts.ts";

const TITLES: Readonly<Record<number, string>> = {
  400: "That request could not be read",
  401: "Please sign in",
  402: "Not enough credits",
  403: "That is not allowed",
  404: "There is nothing here",
  405: "That does not work this way",
  409: "That cannot be done now",
  410: "That link does not work any more",
  413: "That is too large",
  415: "That form could not be read",
  416: "That part of the audio does not exist",
  421: "This dashboard lives at another address",
  422: "Something is not right yet",
  429: "That was a little too fast",
  503: "The service is busy",
};

export function problemPage(call: Call | Visit, refusal: Refusal): Response {
  const { status } = refusal;
  const title = TITLES[status] ?? "Something went wrong on our side";
  const page: Page = {
    title,
    status,
    body: html`${heading(title, detailOf(refusal))}<p class="row">${wayOn(call, status)}</p>`,
  };
  // The Host is not ours where it was refused: neither is whoever would be shown as signed in.
  return "by" in call && status !== 421 ? answerPage(call, page) : answerAlone(call, page);
}

function wayOn(call: Call, status: number): Html {
  if (status === 401) return html`<a class="button primary" href="${call.to("/sign-in")}">Sign in</a>`;
  return html`<a class="button" href="${call.to("/")}">Go to the overview</a>`;
}

/** `detail` is a sentence, or a list of what is wrong with which field. */
export function detailOf({ body }: Refusal): Value {
  const { detail } = body;
  if (typeof detail === "string") return `${detail}${/[.!?]$/u.test(detail) ? "" : "."}`;
  if (!Array.isArray(detail)) return null;
  return (detail as Issue[]).map(({ loc, msg }) => {
    const where = loc.slice(1).join(".");
    return html`${where !== "" && html`<b>${where}</b>: `}${msg}. `;
  });
}
