/** Who is believed and who may be reached: proxies, private hosts, name servers, mail, senders of leak reports. */
import { canonicalEmail } from "../emails.ts";
import { readLeakKeys } from "../leak_signature.ts";
import { readHostOrRange, readNameServer, readRange } from "./address_readers.ts";
import { optional, readList, readSecretAs, variable } from "./variable.ts";

const readEmail = readSecretAs("an e-mail address such as tonwerk@example.com", (given) =>
  canonicalEmail(given) === undefined ? undefined : given,
);
const readSmtpUrl = readSecretAs(
  "smtp:// or smtps:// with a host, as in smtp://user:password@mail.example.com:587",
  (given) => {
    const url = URL.parse(given);
    return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" ? given : undefined;
  },
);
const readLeakKeySet = readSecretAs(
  'JSON of PEM public keys on P-256 by identifier, as in {"id": "-----BEGIN PUBLIC KEY-----\\n…"}',
  readLeakKeys,
);

export const NETWORK_VARIABLES = {
  trusted_proxies: variable(
    "TONWERK_TRUSTED_PROXIES",
    "list of addresses and CIDR ranges",
    "",
    readList(readRange),
    "Proxies whose X-Forwarded-For is believed",
  ),
  private_hosts: variable(
    "TONWERK_PRIVATE_HOSTS",
    "list of hosts, addresses and CIDR ranges",
    "",
    readList(readHostOrRange),
    "Private hosts that sources and callbacks may reach, over http too",
  ),
  dns: variable(
    "TONWERK_DNS",
    "list of addresses, with a port or without",
    "",
    readList(readNameServer),
    "Name servers for the hosts of sources and callbacks, such as 10.0.0.2 or [fd00::2]:5353, in this order, at most three; absent: the system's",
  ),
  smtp_url: optional(
    "TONWERK_SMTP_URL",
    "smtp(s) URL",
    readSmtpUrl,
    "Server that sends mail: leak reports, invitations, forgotten passwords; smtps:// is TLS from the start, smtp:// STARTTLS where it is offered; absent: no mail",
  ),
  mail_from: optional(
    "TONWERK_MAIL_FROM",
    "e-mail address",
    readEmail,
    "Sender of that mail; absent: tonwerk at the host of TONWERK_BASE_URL",
  ),
  leak_keys: optional(
    "TONWERK_LEAK_KEYS",
    "JSON",
    readLeakKeySet,
    "Public keys that sign leak reports: an object of key identifiers and PEM texts, or GitHub's list of them as it is; absent: POST /leaks is refused",
  ),
};
