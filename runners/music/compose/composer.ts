/** What the studio asks of the composer. Loaded inside the pool only. */
export { factsOf, rangeFor } from "./band/instrument_facts.ts";
export { briefOf, outlineOf } from "./brief/brief_of.ts";
export { grooveOf } from "./brief/groove_of.ts";
export { keyedBy } from "./brief/progression.ts";
export { askedOf, reportOf } from "./brief/report.ts";
export { readPrompt, understand } from "./brief/understand.ts";
export { chooseBest, chooser } from "./choice/choose.ts";
export { compose } from "./compose.ts";
export { customsOf } from "./form/customs.ts";
export { endingOf } from "./form/endings.ts";
export { fitted } from "./form/fit.ts";
export { measured } from "./form/plan.ts";
export { draftsWithin } from "./form/sections.ts";
export { isSpoken } from "./melody/voice.ts";
