/** Finds what looks like a real secret in text. docs/secret-scanning.toml has the rule for our keys in the form of other scanners. */
import { createHash } from "node:crypto";
import { checkApiKey } from "../../core/base/keys.ts";

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  /** First 16 hex digits of the SHA-256 of what was found: reports must not repeat a secret. */
  readonly hash: string;
}

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
  /** Whether what the pattern found is meant; absent: always. The first group is the secret, where there is one. */
  readonly is?: (secret: string) => boolean;
}

/** Bits for each character: text is below 4, random base64 of 40 characters above. */
const ENTROPY_BITS_MIN = 4;

const RULES: readonly Rule[] = [
  { name: "tonwerk-api-key", pattern: /\btonwerk_[0-9A-Za-z]{36}\b/g, is: checkApiKey },
  // 24 bytes and more.
  { name: "webhook-signing-secret", pattern: /\bwhsec_[0-9A-Za-z+/]{32,}={0,2}/g },
  { name: "private-key", pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----\s*[0-9A-Za-z+/=\s:,-]{40}/g },
  { name: "aws-access-key", pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { name: "google-api-key", pattern: /\bAIza[\w-]{35}\b/g },
  { name: "github-token", pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36}|github_pat_\w{50,})/g },
  { name: "gitlab-token", pattern: /\bglpat-[\w-]{20}/g },
  { name: "npm-token", pattern: /\bnpm_[0-9A-Za-z]{36}\b/g },
  { name: "slack-token", pattern: /\bxox[abeoprs]-[\w-]{10,}/g },
  { name: "provider-key", pattern: /\b[rs]k[-_](?:live|proj|ant|or)[-_][\w-]{20,}/g },
  { name: "json-web-token", pattern: /\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}/g },
  {
    name: "assigned-secret",
    pattern:
      /(?:secret|passw(?:or)?d|token|api_?key|private_?key|credential)\w*["'`]?\s*[:=]+\s*["'`]?([\w+/=-]{20,})(?![\w(.])/gi,
    is: isRandom,
  },
  { name: "password-in-url", pattern: /\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/"'`]*:([\w+/=~-]{16,})@/gi, is: isRandom },
];

/** What the rules find in a text. */
export function findSecrets(path: string, text: string): Finding[] {
  return RULES.flatMap(({ name, pattern, is }) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const secret = match[1] ?? match[0];
      if (is !== undefined && !is(secret)) return [];
      const hash = createHash("sha256").update(secret).digest("hex").slice(0, 16);
      return [{ path, line: text.slice(0, match.index).split("\n").length, rule: name, hash }];
    }),
  );
}

/** As a generator of secrets makes them: digits and letters, and hardly a character twice. */
function isRandom(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) && (entropyOf(text) >= ENTROPY_BITS_MIN || isHex(text));
}

/** 16 bytes and more in hexadecimal, which has 4 bits for each character at most. */
const isHex = (text: string): boolean => /^[0-9a-f]{32,}$/i.test(text) && entropyOf(text) > 3;

function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}
