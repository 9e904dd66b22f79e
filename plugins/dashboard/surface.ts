/** The dashboard as a surface: pages for people below `/dashboard`, and `POST /leaks` for who finds keys of theirs in public. */
import type { Facade, Surface } from "../../core/surface.ts";
import { loadAssets } from "./assets.ts";
import { createDashboard } from "./dashboard.ts";
import { createDrawing, startDrawingForOthers } from "./drawings.ts";
import { startLeakMails } from "./leaks/leak_mails.ts";
import { createLeaks } from "./leaks/leaks.ts";
import { leakRoute } from "./leaks/route.ts";
import { createMailer } from "./people/mail.ts";
import { createPasswords } from "./people/passwords.ts";
import { createSessions, type Sessions } from "./people/sessions.ts";
import { createPictures } from "./pictures.ts";

export interface DashboardSurface extends Surface {
  /** Who is signed in. */
  readonly sessions: Sessions;
}

export default async function dashboard(facade: Facade): Promise<DashboardSurface> {
  const { config } = facade;
  const mailer = createMailer(config);
  const sessions = createSessions({ ...facade, passwords: createPasswords(), mailer });
  const mails = startLeakMails({ ...facade, mailer, base_url: config.base_url });
  const leaks = createLeaks({ ...facade, keys: config.leak_keys, can_mail: mailer !== undefined, wake: mails.wake });
  const draw = createDrawing(facade);
  const pictures = createPictures(facade, draw);
  const stopDrawing = facade.shared && facade.runs_jobs ? startDrawingForOthers(facade, draw) : undefined;
  return {
    name: "dashboard",
    sessions,
    ...createDashboard({ ...facade, sessions, pictures }, await loadAssets()),
    routes: [leakRoute(leaks)],
    async stop() {
      stopDrawing?.();
      await mails.stop();
    },
  };
}
