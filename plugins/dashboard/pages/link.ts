/**
 * The one-time link of a first start, of an invitation, or for a new password. A look does not use it up; the form
 * does.
 */
import { refuse } from "../../../core/surface.ts";
import type { Call, Pages } from "../context.ts";
import { html } from "../html.ts";
import { answerAlone, redirect } from "../page.ts";
import { notice, textField } from "../parts.ts";
import type { Invitation } from "../people/session_types.ts";

export const linkPages: Pages = ({ sessions }) => {
  const gone = (call: Call) =>
    answerAlone(call, {
      title: "This link does not work any more",
      status: 410,
      body: html`<div class="panel"><h1>This link does not work any more</h1>
<p class="soft">It was used already, or its time is over. Ask for a new one, or sign in.</p>
<a class="button primary" href="${call.to("/sign-in")}">Sign in</a></div>`,
    });

  /** Nobody is signed in, nothing is used up: it says what to do instead. */
  const taken = (call: Call, { email, account_name }: Invitation) =>
    answerAlone(call, {
      title: "You are a user already",
      status: 409,
      body: html`<div class="panel"><h1>You are a user already</h1>
<p class="soft">You are invited to <b dir="auto">${account_name}</b>, but ${email} signs in to an account here already, and one address belongs to one account. Ask to be invited at another address, or sign in to the account that you have.</p>
<a class="button primary" href="${call.to("/sign-in")}">Sign in</a></div>`,
    });

  const form = async (
    call: Call,
    invitation: Invitation,
    token: string,
    options: { email?: string; problem?: { why: string; message: string }; status?: number } = {},
  ) => {
    const { csrf, cookies } = await sessions.formToken(call.request);
    const { email = "", problem, status = 200 } = options;
    const of = (...why: readonly string[]) =>
      problem !== undefined && why.includes(problem.why) ? problem.message : undefined;
    const is_new = invitation.kind === "new_user";
    return answerAlone(call, {
      title: is_new ? "Welcome" : "New password",
      status,
      cookies,
      body: html`<form class="panel form" method="post" action="${call.to("/link")}">
<div><h1>${is_new ? "Welcome to Tonwerk" : "Choose a new password"}</h1>
<p class="lead">${
        is_new
          ? html`You become ${invitation.role === "owner" ? "an owner" : "a member"} of <b dir="auto">${invitation.account_name}</b>. Choose how you sign in from now on.`
          : html`For ${invitation.email} of <b dir="auto">${invitation.account_name}</b>.`
      }</p></div>
${problem !== undefined && of("email", "taken", "password") === undefined && notice("bad", problem.message)}
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="token" value="${token}">
${
  invitation.email === null
    ? textField({
        name: "email",
        label: "Your e-mail",
        type: "email",
        value: email,
        problem: of("email", "taken"),
        more: { required: true, autocomplete: "username" },
      })
    : html`<input type="email" class="visually-hidden" name="known" value="${invitation.email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>`
}
${textField({ name: "password", label: "Password", type: "password", help: "At least 12 characters. A few words of your own are better than one with signs in it.", problem: of("password"), more: { required: true, autocomplete: "new-password", minlength: 12 } })}
<button class="primary">${is_new ? "Open the dashboard" : "Save and sign in"}</button>
</form>`,
    });
  };

  return [
    {
      method: "GET",
      path: "/link",
      access: "public",
      async answer(call) {
        const token = call.query.get("token") ?? "";
        const invitation = await sessions.invitation(token);
        if (invitation?.kind === "taken") return taken(call, invitation);
        return invitation === undefined ? gone(call) : form(call, invitation, token);
      },
    },
    {
      method: "POST",
      path: "/link",
      access: "public",
      async answer(call, values) {
        const token = values.get("token") ?? "";
        const [email, password] = [values.get("email"), values.get("password") ?? ""];
        const invitation = await sessions.invitation(token);
        if (invitation === undefined) return gone(call);
        if (invitation.kind === "taken") return taken(call, invitation);
        const entered = await sessions.redeem(call, token, email === undefined ? { password } : { email, password });
        if (entered.kind === "entered") return redirect(call, "/", entered.cookies);
        if (entered.why === "gone") return gone(call);
        if (entered.why === "taken" && invitation.email !== null) return taken(call, invitation);
        if (entered.why === "limited") throw refuse.tooManyRequests(entered.retry_seconds, entered.message);
        return form(call, invitation, token, { email: email ?? "", problem: entered, status: 422 });
      },
    },
  ];
};
