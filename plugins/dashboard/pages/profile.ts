/** A new password for whoever is signed in. */
import type { Pages, Visit } from "../context.ts";
import { html } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { csrfField, heading, notice, textField } from "../parts.ts";

export const profilePages: Pages = ({ sessions }) => {
  const show = (visit: Visit, problem?: { why: string; message: string }, status = 200) => {
    const of = (why: string) => (problem?.why === why ? problem.message : undefined);
    return answerPage(visit, {
      title: "Your password",
      at: "/profile",
      status,
      body: html`${heading("Your password", "Changing it ends your sessions in other browsers.")}
${visit.query.get("done") === "saved" && notice("good", "Your new password counts from now on.")}
${problem !== undefined && of("credentials") === undefined && of("password") === undefined && notice("bad", problem.message)}
<form class="panel form" method="post" action="${visit.to("/profile")}">${csrfField(visit)}
<input class="visually-hidden" type="email" name="known" value="${visit.by.user.email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${textField({ name: "current", label: "Password of now", type: "password", problem: of("credentials"), more: { required: true, autocomplete: "current-password" } })}
${textField({ name: "next", label: "New password", type: "password", help: "At least 12 characters.", problem: of("password"), more: { required: true, autocomplete: "new-password", minlength: 12 } })}
<div><button class="primary">Change the password</button></div></form>`,
    });
  };
  return [
    { method: "GET", path: "/profile", access: "read", answer: (visit) => show(visit) },
    {
      method: "POST",
      path: "/profile",
      access: "read",
      async answer(visit, values) {
        const form = { current: values.get("current") ?? "", next: values.get("next") ?? "" };
        const entered = await sessions.setPassword(visit, visit.by, form);
        if (entered.kind === "entered") return redirect(visit, "/profile?done=saved", entered.cookies);
        return show(visit, entered, entered.why === "limited" ? 429 : 422);
      },
    },
  ];
};
