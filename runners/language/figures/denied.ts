/** Whether a figure or a key is denied where it stands. */
import type { Token } from "../tokens.ts";

export const DENIES =
  /^(?:no|not|nothing|never|without|isnt|arent|dont|avoid|nicht|kein|keine|keinen|ohne|pas|sans|sin|sem|nao|non|senza|niet|geen|zonder|nie|bez|не|без)$/u;
/** What may stand between a denial and the figure that it denies: "not in the key of A minor". */
const SMALL =
  /^(?:in|the|key|of|a|an|any|be|make|making|it|use|using|set|at|to|is|tempo|time|im|en|des?|l|uma?|una?)$/u;

/** Whether what stands at a place is denied: "not in A minor but in D". */
export function isDenied(tokens: readonly Token[], at: number): boolean {
  for (let n = at; n > 0 && !tokens[n]!.after_break; n--) {
    const { word } = tokens[n - 1]!;
    const before = tokens[n - 2]?.word;
    if (DENIES.test(word) || (word === "of" && before === "instead") || (word === "than" && before === "rather"))
      return true;
    if (!SMALL.test(word)) return false;
  }
  return false;
}
