/** Account > Members: who may sign in. Owners only. */
import { type OpenInvitation, type Role, refuse } from "../../../core/surface.ts";
import type { Pages, Route, Visit } from "../context.ts";
import type { FormValues } from "../form_body.ts";
import { utc } from "../format.ts";
import { type Html, html } from "../html.ts";
import { answerPage, redirect } from "../page.ts";
import { badge, csrfField, heading, notice, postButton, secretBox, textField, time } from "../parts.ts";
import type { FormRefused, Invited, Member } from "../people/members.ts";
import { confirmPage, type Question } from "./confirm.ts";

const DONE: Readonly<Record<string, string>> = {
  role: "The role is changed.",
  removed: "They are no member any more, and their sessions have ended.",
  disabled: "They may not sign in any more, and their sessions have ended.",
  enabled: "They may sign in again.",
  withdrawn: "The invitation is withdrawn: its link does not work any more.",
};

export const memberPages: Pages = ({ sessions }) => {
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

  /** A change that a page asks about first, by the member's name. */
  const asked = (
    verb: keyof typeof QUESTIONS,
    answer: (visit: Visit, values: FormValues) => Promise<Response>,
  ): readonly Route[] => [
    {
      method: "GET",
      path: `/members/:id/${verb}`,
      access: "members",
      async answer(visit) {
        const member = (await sessions.members(visit.by)).find(({ id }) => id === visit.params.id);
        if (member === undefined) throw refuse.notFound();
        const about = html`<b dir="auto">${member.email}</b> <small>${member.role}</small>`;
        const path = `/members/${member.id}/${verb}`;
        return confirmPage(visit, { title: "Members", at: "/members", about, path, ...QUESTIONS[verb](member) });
      },
    },
    {
      method: "POST",
      path: `/members/:id/${verb}`,
      access: "members",
      answer,
    },
  ];

  return [
    { method: "GET", path: "/members", access: "members", answer: (visit) => show(visit) },
    {
      method: "POST",
      path: "/members",
      access: "members",
      async answer(visit, values) {
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
        return show(visit, await sessions.inviteAgain(visit.by, visit.params.id!));
      },
    },
    {
      method: "POST",
      path: "/members/invitations/:id/withdraw",
      access: "members",
      async answer(visit) {
        const outcome = await sessions.withdraw(visit.by, visit.params.id!);
        return outcome.kind === "refused" ? show(visit, outcome) : redirect(visit, "/members?done=withdrawn");
      },
    },
    {
      method: "POST",
      path: "/members/:id/link",
      access: "members",
      async answer(visit) {
        return show(visit, await sessions.makePasswordLink(visit.by, visit.params.id!));
      },
    },
    ...asked("role", (visit, values) => change(visit, { role: roleOf(values.get("role")) }, "role")),
    ...asked("disable", (visit) => change(visit, { disabled: true }, "disabled")),
    ...asked("remove", async (visit) => {
      const outcome = await sessions.removeMember(visit.by, visit.params.id!);
      return outcome.kind === "refused" ? show(visit, outcome) : redirect(visit, "/members?done=removed");
    }),
    {
      method: "POST",
      path: "/members/:id/enable",
      access: "members",
      async answer(visit) {
        return change(visit, { disabled: false }, "enabled");
      },
    },
  ];
};

type Asked = Pick<Question, "asks" | "consequence" | "verb" | "keep" | "hidden" | "is_harmless">;

const otherRole = ({ role }: Member): Role => (role === "owner" ? "member" : "owner");

const QUESTIONS = {
  role: (member: Member): Asked => ({
    asks: `Make ${member.email} ${article(otherRole(member))}?`,
    consequence:
      otherRole(member) === "owner"
        ? "Owners may change keys, secrets, settings and members, and spend all credits."
        : "Members may look at everything and run actions, and change neither keys, secrets, settings nor members.",
    verb: `Make them ${article(otherRole(member))}`,
    keep: `Leave them ${article(member.role)}`,
    hidden: { role: otherRole(member) },
    is_harmless: true,
  }),
  disable: ({ email }: Member): Asked => ({
    asks: `Disable ${email}?`,
    consequence: "Their sessions end now and they may not sign in. You may enable them again.",
    verb: "Disable them",
    keep: "Leave them enabled",
  }),
  remove: ({ email }: Member): Asked => ({
    asks: `Remove ${email}?`,
    consequence:
      "Their sessions end now and they are no member any more. What they made stays. To come back they need an invitation.",
    verb: "Remove them",
    keep: "Keep them",
  }),
};

const article = (role: Role): string => (role === "owner" ? "an owner" : "a member");

function sent(visit: Visit, { url, expires_at, mailed }: Invited): Html {
  const until = html`works once, until ${utc(expires_at)} (${time(expires_at, visit.now)})`;
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
  return html`<table class="stack"><thead><tr><th scope="col">E-mail</th><th scope="col">Role</th><th scope="col">Sent</th><th scope="col">Ends</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${invitations.map(
    ({ id, email, role, sent_at, expires_at }) =>
      html`<tr><th scope="row" class="text">${email}</th><td>${role}</td><td data-label="sent">${time(sent_at, visit.now)}</td><td data-label="ends">${time(expires_at, visit.now)}</td><td class="end wide"><div class="row end">${postButton(visit, `/members/invitations/${id}/send`, "Send again")}${postButton(visit, `/members/invitations/${id}/withdraw`, "Withdraw", "small danger")}</div></td></tr>`,
  )}</tbody></table>`;
}

const roleOf = (text: string | undefined): Role => (text === "owner" ? "owner" : "member");

function table(visit: Visit, members: readonly Member[]): Html {
  const link = (member: Member, verb: keyof typeof QUESTIONS, text: string, kind = ""): Html =>
    html`<a class="${`button small ${kind}`}" href="${visit.to(`/members/${member.id}/${verb}`)}">${text}<span class="visually-hidden"> ${member.email}</span></a>`;
  return html`<table class="stack"><thead><tr><th scope="col">E-mail</th><th scope="col">Role</th><th scope="col">State</th><th scope="col">Since</th><th scope="col"><span class="visually-hidden">Change</span></th></tr></thead><tbody>${members.map(
    (member) =>
      html`<tr><th scope="row" class="text wide">${member.email}${member.id === visit.by.user.id && html` <small>(you)</small>`}</th><td>${member.role}</td><td>${
        member.disabled_at !== null ? badge("bad", "disabled") : badge("good", "may sign in")
      }</td><td data-label="since">${time(member.created_at, visit.now)}</td><td class="end wide"><div class="row end">${link(member, "role", "Change role")}${
        member.disabled_at === null && postButton(visit, `/members/${member.id}/link`, "New password link")
      }${
        member.id !== visit.by.user.id &&
        html`${
          member.disabled_at === null
            ? link(member, "disable", "Disable", "danger")
            : postButton(visit, `/members/${member.id}/enable`, "Enable")
        }${link(member, "remove", "Remove", "danger")}`
      }</div></td></tr>`,
  )}</tbody></table>`;
}
