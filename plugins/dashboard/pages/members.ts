/** Account > Members: who may sign in. Owners only. */
import type { OpenInvitation, Role } from "../../../core/surface.ts";
import type { Pages, Visit } from "../context.ts";
import { attributes, type Html, html } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, csrfField, heading, notice, postButton, secretBox, textField, time } from "../parts.ts";
import type { FormRefused, Invited, Member } from "../people/members.ts";

const DONE: Readonly<Record<string, string>> = {
  role: "The role is changed.",
  disabled: "They may not sign in any more, and their sessions have ended.",
  enabled: "They may sign in again.",
  withdrawn: "The invitation is withdrawn: its link does not work any more.",
};

export const memberPages: Pages = ({ sessions, checkedForm }) => {
  const show = async (visit: Visit, outcome?: Invited | FormRefused, email = "") => {
    const [members, invitations] = await Promise.all([sessions.members(visit.by), sessions.invitations(visit.by)]);
    const refused = outcome?.kind === "refused" ? outcome : undefined;
    const done = DONE[visit.query.get("done") ?? ""];
    return answerPage(visit, {
      title: "Members",
      at: "/members",
      status: refused === undefined ? 200 : refused.why === "limited" ? 429 : 422,
      body: html`${heading("Members", "Owners may change keys, secrets, settings and members. Members may look at everything, run actions and send webhooks again.")}
${done !== undefined && notice("good", done)}
${refused !== undefined && notice("bad", refused.message)}
${outcome?.kind === "invited" && sent(visit, outcome)}
<form class="panel form" method="post" action="${visit.to("/members")}"><h2>Invite somebody</h2><div class="inline-form">${csrfField(visit)}${textField({ name: "email", label: "E-mail", type: "email", value: email, more: { required: true, autocomplete: "off" } })}
<div class="field"><label for="role">Role</label><select id="role" name="role"><option value="member">member</option><option value="owner">owner</option></select></div><button class="primary">Invite</button></div></form>
${
  invitations.length > 0 &&
  html`<section class="panel flush" aria-labelledby="open"><header><h2 id="open">Open invitations</h2></header>${openTable(visit, invitations)}</section>`
}
<section class="panel flush" aria-label="Members">${table(visit, members)}</section>`,
    });
  };

  const change = async (visit: Visit, changes: { role?: Role; disabled?: boolean }, done: string) => {
    const outcome = await sessions.changeMember(visit.by, visit.params.id!, changes);
    return outcome.kind === "refused" ? show(visit, outcome) : redirect(visit, `/members?done=${done}`);
  };

  return [
    { method: "GET", path: "/members", access: "members", answer: (visit) => show(visit) },
    {
      method: "POST",
      path: "/members",
      access: "members",
      async answer(visit) {
        const values = await checkedForm(visit);
        const email = values.get("email") ?? "";
        const outcome = await sessions.invite(visit.by, { email, role: roleOf(values.get("role")) });
        return show(visit, outcome, outcome.kind === "refused" ? email : "");
      },
    },
    {
      method: "POST",
      path: "/members/invitations/:id/send",
      access: "members",
      async answer(visit) {
        await checkedForm(visit);
        return show(visit, await sessions.inviteAgain(visit.by, visit.params.id!));
      },
    },
    {
      method: "POST",
      path: "/members/invitations/:id/withdraw",
      access: "members",
      async answer(visit) {
        await checkedForm(visit);
        const outcome = await sessions.withdraw(visit.by, visit.params.id!);
        return outcome.kind === "refused" ? show(visit, outcome) : redirect(visit, "/members?done=withdrawn");
      },
    },
    {
      method: "POST",
      path: "/members/:id/link",
      access: "members",
      async answer(visit) {
        await checkedForm(visit);
        return show(visit, await sessions.makePasswordLink(visit.by, visit.params.id!));
      },
    },
    {
      method: "POST",
      path: "/members/:id/role",
      access: "members",
      async answer(visit) {
        const values = await checkedForm(visit);
        return change(visit, { role: roleOf(values.get("role")) }, "role");
      },
    },
    {
      method: "POST",
      path: "/members/:id/disable",
      access: "members",
      async answer(visit) {
        await checkedForm(visit);
        return change(visit, { disabled: true }, "disabled");
      },
    },
    {
      method: "POST",
      path: "/members/:id/enable",
      access: "members",
      async answer(visit) {
        await checkedForm(visit);
        return change(visit, { disabled: false }, "enabled");
      },
    },
  ];
};

function sent(visit: Visit, { url, expires_at, mailed }: Invited): Html {
  const until = html`works once, until ${time(expires_at, visit.now)}`;
  if (url === null) {
    return mailed
      ? notice("good", html`<p>A link is on its way to them. It ${until}.</p>`)
      : notice("bad", html`<p>The link could not be mailed. Send it again in a while.</p>`);
  }
  return notice(
    "good",
    html`<h2>The link</h2><p>${mailed ? "It was mailed. You may also pass it on yourself: it" : "Pass it on to them. It"} ${until}, and is shown only now.</p>${secretBox(url)}`,
  );
}

function openTable(visit: Visit, invitations: readonly OpenInvitation[]): Html {
  return html`<table class="stack"><thead><tr><th scope="col">E-mail</th><th scope="col">Role</th><th scope="col">Sent</th><th scope="col">Works until</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${invitations.map(
    ({ id, email, role, sent_at, expires_at }) =>
      html`<tr><th scope="row" class="text">${email}</th><td>${role}</td><td data-label="sent">${time(sent_at, visit.now)}</td><td data-label="works until">${time(expires_at, visit.now)}</td><td class="end wide"><div class="row end">${postButton(visit, `/members/invitations/${id}/send`, "Send again")}${postButton(visit, `/members/invitations/${id}/withdraw`, "Withdraw", "small danger")}</div></td></tr>`,
  )}</tbody></table>`;
}

const roleOf = (text: string | undefined): Role => (text === "owner" ? "owner" : "member");

function table(visit: Visit, members: readonly Member[]): Html {
  return html`<table class="stack"><thead><tr><th scope="col">E-mail</th><th scope="col">Role</th><th scope="col">State</th><th scope="col">Since</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${members.map(
    (member) =>
      html`<tr><th scope="row" class="text">${member.email}${member.id === visit.by.user.id && html` <small>(you)</small>`}</th><td>${roleForm(visit, member)}</td><td>${
        member.disabled_at !== null ? badge("bad", "disabled") : badge("good", "may sign in")
      }</td><td data-label="since">${time(member.created_at, visit.now)}</td><td class="end wide"><div class="row end">${
        member.disabled_at === null && postButton(visit, `/members/${member.id}/link`, "New password link")
      }${
        member.id !== visit.by.user.id &&
        (member.disabled_at === null
          ? postButton(visit, `/members/${member.id}/disable`, "Disable", "small danger")
          : postButton(visit, `/members/${member.id}/enable`, "Enable"))
      }</div></td></tr>`,
  )}</tbody></table>`;
}

function roleForm(visit: Visit, { id, email, role }: Member): Html {
  return html`<form class="row" method="post" action="${visit.to(`/members/${id}/role`)}">${csrfField(visit)}<label class="visually-hidden" for="role-${id}">Role of ${email}</label><select ${attributes({ id: `role-${id}`, name: "role", "data-submits": true })}>${(
    ["owner", "member"] as const
  ).map(
    (one) => html`<option ${attributes({ value: one, selected: one === role })}>${one}</option>`,
  )}</select><noscript><button class="small">Save</button></noscript></form>`;
}
