/** Signing in and out, and asking for a new password. */
import type { Call, Pages } from "../context.ts";
import { html, type Value } from "../html.ts";
import { answerAlone, redirect } from "../page.ts";
import { notice, textField } from "../parts.ts";

export const signInPages: Pages = ({ sessions }) => {
  const form = async (call: Call, options: { email?: string; to?: string; problem?: Value; status?: number }) => {
    const { csrf, cookies } = await sessions.formToken(call.request);
    const { email = "", to = "", problem = null, status = 200 } = options;
    return answerAlone(call, {
      title: "Sign in",
      status,
      cookies,
      body: html`<form class="panel form" method="post" action="${call.to("/sign-in")}">
<h1>Sign in</h1>
${problem !== null && notice("bad", problem)}
<input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="to" value="${to}">
${textField({ name: "email", label: "E-mail", type: "email", value: email, more: { required: true, autocomplete: "username", autofocus: email === "" } })}
${textField({ name: "password", label: "Password", type: "password", more: { required: true, autocomplete: "current-password", autofocus: email !== "" } })}
<button class="primary">Sign in</button>
<p><small>${
        sessions.can_mail
          ? html`<a href="${call.to("/forgotten")}">Forgotten your password?</a>`
          : "Forgotten your password? An owner of the account, or whoever runs this server, can make a link for a new one."
      }</small></p>
</form>`,
    });
  };

  return [
    {
      method: "GET",
      path: "/sign-in",
      access: "public",
      async answer(call) {
        const to = call.query.get("to") ?? "";
        if ((await sessions.current(call.request)) !== undefined) return redirect(call, ownPath(to));
        return form(call, { to });
      },
    },
    {
      method: "POST",
      path: "/sign-in",
      access: "public",
      async answer(call, values) {
        const [email, to] = [values.get("email") ?? "", values.get("to") ?? ""];
        const entered = await sessions.signIn(call, { email, password: values.get("password") ?? "" });
        if (entered.kind === "entered") return redirect(call, ownPath(to), entered.cookies);
        return form(call, { email, to, problem: entered.message, status: entered.why === "limited" ? 429 : 422 });
      },
    },
    {
      method: "POST",
      path: "/sign-out",
      access: "public",
      async answer(call) {
        return redirect(call, "/sign-in", await sessions.signOut(call));
      },
    },
    {
      method: "GET",
      path: "/forgotten",
      access: "public",
      async answer(call) {
        const { csrf, cookies } = await sessions.formToken(call.request);
        const asked = call.query.has("asked");
        return answerAlone(call, {
          title: "New password",
          cookies,
          body: html`<form class="panel form" method="post" action="${call.to("/forgotten")}">
<h1>New password</h1>
${asked && notice("good", "If that address belongs to somebody here, a link is on its way to it. Links that were mailed within the last hour work too.")}
<p class="soft">We send a link with which you choose a new password.</p>
<input type="hidden" name="csrf" value="${csrf}">
${textField({ name: "email", label: "E-mail", type: "email", more: { required: true, autocomplete: "username" } })}
<button class="primary">Send the link</button>
<p><small><a href="${call.to("/sign-in")}">Back to signing in</a></small></p>
</form>`,
        });
      },
    },
    {
      method: "POST",
      path: "/forgotten",
      access: "public",
      async answer(call, values) {
        const asked = await sessions.forgotPassword(call, values.get("email") ?? "");
        if (asked.kind === "asked") return redirect(call, "/forgotten?asked=1");
        return answerAlone(call, {
          title: "New password",
          status: asked.why === "limited" ? 429 : 422,
          body: html`<div class="panel"><h1>New password</h1>${notice("bad", asked.message)}<a href="${call.to("/forgotten")}">Try again</a></div>`,
        });
      },
    },
  ];
};

/** Where to go after signing in: a page of the dashboard, whatever the address said. */
function ownPath(to: string): string {
  return /^\/[A-Za-z0-9._/-]*(?:\?[A-Za-z0-9._=&%+-]*)?$/u.test(to) &&
    !to.startsWith("//") &&
    !to.startsWith("/sign-in")
    ? to
    : "/";
}
