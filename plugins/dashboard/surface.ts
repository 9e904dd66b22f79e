/**
 * The dashboard as a surface: pages for people below `/dashboard`, and `POST /leaks` for who finds keys of theirs in
 * public.
 */
import { type Facade, Refusal, type Surface, testAccountOf } from "../../core/surface.ts";
import { createAccountAdmin } from "../administration/account_admin.ts";
import { loadAssets } from "./assets.ts";
import { createDashboard } from "./dashboard.ts";
import { createDrawing, startDrawingForOthers } from "./drawings.ts";
import { leakNews } from "./leaks/leak_mails.ts";
import { createLeaks } from "./leaks/leaks.ts";
import { leakRoute } from "./leaks/route.ts";
import { leakKeysOf } from "./leaks/signature.ts";
import { actorOf } from "./people/actor.ts";
import { endpointNews } from "./people/endpoint_mails.ts";
import { createMailer } from "./people/mail.ts";
import { startOwnerMails } from "./people/owner_mails.ts";
import { createPasswords } from "./people/passwords.ts";
import type { Sessions, SignedIn } from "./people/session_types.ts";
import { createSessions } from "./people/sessions.ts";
import { issueLink, LINK_MS } from "./people/sign_in_links.ts";
import { createPictures } from "./pictures.ts";

export interface DashboardSurface extends Surface {
  /** Who is signed in. */
  readonly sessions: Sessions;
}

export default async function dashboard(facade: Facade): Promise<DashboardSurface> {
  const { config } = facade;
  const mailer = createMailer(config);
  const sessions = createSessions({ ...facade, passwords: createPasswords(), mailer });
  const mails = startOwnerMails({ ...facade, mailer }, leakNews(facade.store, config.base_url));
  const notices = startOwnerMails({ ...facade, mailer }, endpointNews(facade.store, config.base_url));
  const keys = leakKeysOf(config);
  const leaks = createLeaks({ ...facade, keys, can_mail: mailer !== undefined, wake: mails.wake });
  const adminOf = (by: SignedIn) => createAccountAdmin(facade, actorOf(by));
  /** Whoever is signed in sees what the account's test keys submitted, too. */
  const read: Facade["read"] = (account, action, id) =>
    facade.read(account, action, id).catch((error: unknown) => {
      if (!(error instanceof Refusal) || error.status !== 404) throw error;
      return facade.read({ ...account, id: testAccountOf(account.id) }, action, id);
    });
  const draw = createDrawing(facade);
  const pictures = createPictures(facade, draw);
  const stopDrawing = facade.shared && facade.runs_jobs ? startDrawingForOthers(facade, draw) : undefined;
  return {
    name: "dashboard",
    sessions,
    ...createDashboard({ ...facade, read, sessions, pictures, adminOf }, await loadAssets()),
    routes: [leakRoute(leaks)],
    async greet(first) {
      const { base_url } = config;
      if (first === undefined) return [`Dashboard       ${base_url}/dashboard`];
      const link = await issueLink({ ...facade, base_url }, first.account_id, null, LINK_MS.first);
      return [
        `Dashboard       ${link.url}`,
        `                The link is shown this once and works once, until ${new Date(link.expires_at).toUTCString()}:`,
        "                choose the owner's e-mail address and password there. `tonwerk users link` makes another one.",
      ];
    },
    async stop() {
      stopDrawing?.();
      await mails.stop();
      await notices.stop();
    },
  };
}
