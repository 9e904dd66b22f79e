/** Mail to people, over the operator's SMTP server. */
import { createTransport } from "nodemailer";
import { canonicalEmail } from "./email_address.ts";

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Resolves once the server has taken it; rejects where it did not, or not within half a minute. */
  send(mail: Mail): Promise<void>;
}

/** Undefined without TONWERK_SMTP_URL. Throws where TONWERK_MAIL_FROM is no address. */
export function createMailer(config: {
  readonly smtp_url: string | null;
  readonly mail_from: string | null;
  readonly base_url: string;
}): Mailer | undefined {
  const { smtp_url, mail_from } = config;
  if (mail_from !== null && canonicalEmail(mail_from) === undefined)
    throw new Error("Cannot start: TONWERK_MAIL_FROM must be an e-mail address such as tonwerk@example.com");
  if (smtp_url === null) return undefined;
  const from = mail_from ?? `tonwerk@${new URL(config.base_url).hostname.replace(/^\[|\]$/g, "")}`;
  // A connection for each mail: they are few, and a server that restarted is met anew.
  const transport = createTransport({
    url: smtp_url,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // What is mailed is text of ours; nothing in it may name a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({
        from: { name: "Tonwerk", address: from },
        to: to.map((address) => ({ name: "", address })),
        // One line, whatever a label holds.
        subject: subject.replace(/\s+/g, " "),
        text,
        headers: { "Auto-Submitted": "auto-generated" },
      });
    },
  };
}
