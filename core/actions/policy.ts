/**
 * The content policy: a small rule set over the text fields that an action names. It is meant to stop the plain cases
 * and to be replaced by whoever needs more; docs/api.md lists the rules. A refusal names the rule, never the words.
 */

import type { AnyAction } from "../../contract/mod.ts";
import { Failure } from "../base/errors.ts";

interface PolicyRule {
  /** Shown to the client. */
  readonly name: string;
  readonly description: string;
  /** Given lower-case text without diacritics, with runs of white space as one space. */
  matches(text: string): boolean;
}

/** Ends the operation with the action's own policy code when a field breaks a rule. */
export function checkPolicy(
  { policy }: AnyAction,
  fields: Readonly<Record<string, unknown>>,
  rules: readonly PolicyRule[] = DEFAULT_RULES,
): void {
  if (policy === undefined) return;
  for (const name of policy.fields) {
    const text = fields[name];
    if (typeof text !== "string") continue;
    const normal = normalise(text);
    const broken = rules.find((rule) => rule.matches(normal));
    if (broken !== undefined)
      throw new Failure(policy.code, `'${name}' breaks the content rule "${broken.name}": ${broken.description}`);
  }
}

function normalise(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/\s+/gu, " ");
}

const MINOR =
  /\b(child(ren)?|kids?|minors?|toddlers?|infants?|preteens?|underage|school ?(girls?|boys?)|(?:[1-9]|1[0-7])[ -]?(?:years?|yrs?)[ -]?old|little (girl|boy)s?)\b/u;
const SEXUAL =
  /\b(sex(ual(ly)?|y)?|porn\w*|nudes?|naked|erotic\w*|orgasm\w*|molest\w*|rap(e|ed|es|ing)|intercourse|masturbat\w*|fuck(s|ed|ing)?|genitals?|strip(s|ped|ping)? (for|naked))\b/u;
const VIOLENCE = /\b(kill|murder|shoot( up)?|bomb|blow up|stab|massacre|burn down)\b/u;
const INTENT = /\b(i|we)('ll| will|'m going to| am going to|'re going to| are going to|'m gonna| gonna)\b/u;
// A threat is credible, unlike a murder ballad, when it names a place of people and a time.
const PLACE =
  /\b(school|church|mosque|synagogue|temple|airport|station|hospital|office|courthouse|parliament|stadium|mall)\b/u;
const TIME =
  /\b(today|tonight|tomorrow|(on|this|next) (mon|tues|wednes|thurs|fri|satur|sun)day|at (noon|midnight|[0-2]?\d(:\d\d)?))\b/u;
// Kept encoded so that the words themselves stand nowhere in the source. Words with an innocent sense are not among
// them.
const SLURS: ReadonlySet<string> = new Set(
  atob(
    "bmlnZ2VyIG5pZ2dlcnMga2lrZSBraWtlcyBmYWdnb3QgZmFnZ290cyB0cmFubmllcyB3ZXRiYWNrIHdldGJhY2tzIHJhZ2hlYWQgcmFnaGVhZHMgZ29va3M=",
  ).split(" "),
);

export const DEFAULT_RULES: readonly PolicyRule[] = [
  {
    name: "minors",
    description: "sexual content about minors",
    matches: (text) => text.split(/[.!?;]/u).some((sentence) => MINOR.test(sentence) && SEXUAL.test(sentence)),
  },
  {
    name: "threats",
    description: "a credible threat of violence",
    matches: (text) => INTENT.test(text) && VIOLENCE.test(text) && PLACE.test(text) && TIME.test(text),
  },
  {
    name: "slurs",
    description: "a slur against a group of people",
    matches: (text) => (text.match(/\p{L}+/gu) ?? []).some((word) => SLURS.has(word)),
  },
];
