/** A page that asks before something is done: what, to what, and with which consequence. */
import type { Visit } from "../context.ts";
import { attributes, type Html, html, type Value } from "../html.ts";
import { answerPage } from "../page.ts";
import { crumbs, csrfField, heading } from "../parts.ts";

export interface Question {
  /** Of the list that it belongs to. */
  readonly title: string;
  readonly at: string;
  /** `Revoke this key?` */
  readonly asks: string;
  readonly about: Html;
  readonly consequence: Value;
  /** Where the answer is sent, and what the button says. */
  readonly path: string;
  readonly verb: string;
  readonly keep: string;
  /** Where `keep` leads; absent: to the list. */
  readonly back?: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly is_harmless?: boolean;
  readonly before?: Value;
  /** Fields before the buttons. */
  readonly fields?: Value;
  readonly status?: number;
}

export function confirmPage(visit: Visit, asked: Question): Response {
  const {
    title,
    at,
    asks,
    about,
    consequence,
    path,
    verb,
    keep,
    back,
    hidden = {},
    is_harmless,
    before,
    fields,
    status = 200,
  } = asked;
  return answerPage(visit, {
    title: asks,
    at,
    status,
    body: html`<div>${crumbs([[title, visit.to(at)]])}${heading(asks)}</div>${before}
<form class="panel form" method="post" action="${visit.to(path)}">
<p>${about}</p>
<p class="soft">${consequence}</p>
${csrfField(visit)}${Object.entries(hidden).map(([name, value]) => html`<input ${attributes({ type: "hidden", name, value })}>`)}${fields}<div class="row"><button class="${is_harmless ? "primary" : "danger"}">${verb}</button><a class="button" href="${visit.to(back ?? at)}">${keep}</a></div></form>`,
  });
}
