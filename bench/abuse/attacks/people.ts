/** Sign-in, invitations and mail. */
import { once } from "node:events";
import { SMTPServer } from "smtp-server";
import type { Attack, Attacker } from "../attack.ts";
import { PASSWORD, Visitor } from "../wire.ts";

const VICTIM_EMAIL = "victim@example.com";
/** What one account may have mailed to strangers in the time of an attack. */
const MAILS_MAX = 20;

export const PEOPLE: readonly Attack[] = [
  {
    name: "wrong-passwords",
    finding: "7",
    what: "wrong passwords for the victim's address, 2 a second, and a mail with a new link as often as that is allowed; the owner comes back",
    needs: "mail",
    async prepare(attacker) {
      const mails = await takeMails(attacker);
      const { port, victim } = attacker.orders;
      // At a device that was signed in before.
      const owner = new Visitor(port, "127.0.0.1");
      await owner.enter(victim.link, VICTIM_EMAIL);
      await owner.post("/sign-out", {}, "");
      await owner.post("/forgotten", { email: VICTIM_EMAIL });
      await waitFor(() => mails.length > 0);
      const mailed = linkIn(mails[0] ?? "");
      return async () => {
        const stranger = attacker.visitor();
        const tries = attacker.atRate(2, async () => {
          const { status } = await stranger.post("/sign-in", {
            email: VICTIM_EMAIL,
            password: "not a violin in the rain",
          });
          attacker.count(status);
        });
        const mailing = attacker.atRate(0.5, () => stranger.post("/forgotten", { email: VICTIM_EMAIL }));
        await attacker.pause(0.7 * attacker.orders.seconds * 1_000);
        const entered = await owner.post("/sign-in", { email: VICTIM_EMAIL, password: PASSWORD });
        if (entered.status !== 303) attacker.faults.push(`the owner cannot sign in: ${entered.status}`);
        if (mailed !== undefined) {
          const { status } = await owner.get(mailed.pathname.replace("/dashboard", "") + mailed.search);
          if (status !== 200) attacker.faults.push(`the link that was mailed first does not work any more: ${status}`);
        } else attacker.faults.push("the owner was mailed no link");
        await Promise.all([tries, mailing]);
        attacker.notes.push(`${mails.length} mails to the victim`);
      };
    },
  },
  {
    name: "password-hashes",
    finding: "own",
    what: "sign-in from 200 addresses, as whoever has an IPv6 /56 can, 20 a second, each a hash of 32 MiB",
    async prepare(attacker) {
      return () =>
        attacker.atRate(20, async (index) => {
          const visitor = attacker.visitor(`127.0.1.${1 + (index % 200)}`);
          const { status } = await visitor.post("/sign-in", { email: `a${index}@example.com`, password: PASSWORD });
          attacker.count(status);
        });
    },
  },
  {
    name: "invitations",
    finding: "8",
    what: "invites strangers and the victim's owner, 20 a second",
    needs: "mail",
    async prepare(attacker) {
      const mails = await takeMails(attacker);
      const { port, victim } = attacker.orders;
      await new Visitor(port, "127.0.0.1").enter(victim.link, VICTIM_EMAIL);
      const visitor = await attacker.signedIn();
      return async () => {
        const known = await visitor.post("/members", { email: VICTIM_EMAIL, role: "member" });
        const unknown = await visitor.post("/members", { email: "nobody@example.com", role: "member" });
        if (known.status !== unknown.status) attacker.faults.push("is told who is a user");
        await attacker.atRate(20, async (index) => {
          const { status } = await visitor.post("/members", { email: `stranger${index}@example.com`, role: "member" });
          attacker.count(status);
        });
        attacker.notes.push(`${mails.length} mails`);
        if (mails.length > MAILS_MAX) attacker.faults.push(`${mails.length} strangers were mailed`);
        if (mails.some((mail) => /^subject:.*Attacker/imu.test(mail)))
          attacker.faults.push("chooses the subject of mails");
      };
    },
  },
];

/** Mails as they come, whole. */
async function takeMails(attacker: Attacker): Promise<string[]> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (piece: Buffer) => (text += piece.toString()));
      stream.on("end", () => {
        mails.push(text);
        done();
      });
    },
  });
  server.listen(attacker.orders.mail_port, "127.0.0.1");
  await once(server.server, "listening");
  return mails;
}

function linkIn(mail: string): URL | undefined {
  const found = /https?:\/\/\S+?\/dashboard\/link\?token=\S+/u.exec(
    mail.replaceAll("=\r\n", "").replaceAll("=3D", "="),
  );
  return found === null ? undefined : new URL(found[0]);
}

async function waitFor(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !isThere(); tries++) await new Promise((resolve) => setTimeout(resolve, 50));
}
