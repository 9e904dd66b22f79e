/**
 * `bun bench/meaning.ts`: unknown words by meaning, measured. 150 words that no table of ours has, with what a person would say each is nearest to
 * (`meaning_words.json`; several where several would do), what came out, and how long and how large it was. `--all` prints each word.
 */
import { readFileSync } from "node:fs";
import { meaningOf, thingOf } from "../runners/language/meaning/mod.ts";

const words = JSON.parse(readFileSync(new URL("./meaning_words.json", import.meta.url), "utf8")) as {
  readonly nothing: Readonly<Record<string, string>>;
  readonly [kind: string]: Readonly<Record<string, readonly string[] | string>>;
};
const all = process.argv.includes("--all");
const before = process.memoryUsage().rss;
const begun = performance.now();
meaningOf("corgi", { kinds: ["sound"] });
const first_ms = performance.now() - begun;

let total_ms = 0;
for (const [kind, list] of Object.entries(words)) {
  let [right, wrong, none] = [0, 0, 0];
  for (const [word, wanted] of Object.entries(list)) {
    const from = performance.now();
    const meaning = meaningOf(word, { kinds: [typeof wanted === "string" ? wanted : kind] });
    total_ms += performance.now() - from;
    const is_right = typeof wanted === "string" ? meaning === undefined : wanted.includes(meaning?.concept ?? "");
    if (is_right) right++;
    else if (meaning === undefined) none++;
    else wrong++;
    if (is_right && !all) continue;
    const thing = thingOf(word);
    console.log(
      `${is_right ? "right" : "WRONG"} ${word}: ${meaning?.concept ?? "nothing"} (${meaning?.via.join(", ") ?? ""}; ` +
        `${meaning?.distance.toFixed(1) ?? ""})${is_right ? "" : `, wanted ${wanted}`}`,
      thing === undefined ? "" : `| ${thing.class} of ${thing.material}, size ${thing.size} (${thing.via.join(", ")})`,
    );
  }
  console.log(`${kind}: ${right} right, ${wrong} wrong, ${none} not found, of ${Object.keys(list).length}`);
}
const count = Object.values(words).reduce((sum, list) => sum + Object.keys(list).length, 0);
const memory_mb = (process.memoryUsage().rss - before) / 1e6;
console.log(
  `first word ${first_ms.toFixed(0)} ms, each further ${(total_ms / count).toFixed(2)} ms, memory ${memory_mb.toFixed(0)} MB`,
);
