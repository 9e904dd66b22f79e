/** A mail server on loopback. */
import { SMTPServer } from "smtp-server";

export interface Mailbox {
  readonly port: number;
  readonly mails: {
    readonly from: string;
    readonly to: readonly string[];
    readonly text: string;
    readonly user: string;
  }[];
  close(): Promise<void>;
}

/** A real SMTP server; `refusing` answers 451 to every mail. */
export async function openMailbox(port: number, refusing = false): Promise<Mailbox> {
  const mails: Mailbox["mails"] = [];
  const server = new SMTPServer({
    authMethods: ["PLAIN", "LOGIN"],
    // Plain text on loopback: what is tested is the mail, TLS is nodemailer's and the server's.
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "p@ss" ? done(null, { user: username }) : done(new Error("Wrong password")),
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (chunk: Uint8Array) => {
        text += chunk.toString();
      });
      stream.on("end", () => {
        if (refusing) return done(Object.assign(new Error("Try later"), { responseCode: 451 }));
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: text.replaceAll("=\r\n", "").replaceAll("=3D", "="),
          user: String(session.user),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", () => resolve()));
  return { port, mails, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
