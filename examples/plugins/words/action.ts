/** A report alone, by a service over HTTP that the operator names: its address and token are settings, its trouble is told as failures. */
import { defineAction, Type, WHOLE_TRACK } from "@tonwerk/plugin";
import { ask, Trouble } from "./service.ts";
import { wavOf } from "./wav.ts";

export default defineAction({
  name: "acme.words",
  wrapper: "acme_words",
  summary: "Ask a service what is said or sung in a track",
  request: Type.Object({
    language: Type.Optional(Type.String({ pattern: "^[a-z]{2}$", maxLength: 2, description: "Of the words: en, de" })),
  }),
  // What one request may carry: two minutes are 11 MB.
  sources: { source: { ...WHOLE_TRACK, seconds_max: 120 } },
  config: Type.Object({
    address: Type.String({ env: "ACME_WORDS_URL", maxLength: 200, description: "Of the service that hears words" }),
    token: Type.String({ env: "ACME_WORDS_TOKEN", secret: true, maxLength: 200, description: "Key of that service" }),
  }),
  // Operators run the service where they like.
  fetch: { hosts_of: ["address"], bytes_max: 1_000_000, seconds_max: 120 },
  echo: ["language"],
  output: "report",
  report: Type.Object(
    { text: Type.String(), language: Type.Union([Type.String(), Type.Null()]) },
    { examples: [{ text: "Morning on the river", language: "en" }] },
  ),
  work: "dsp",
  seeded: false,
  level: "source",
  engine: "words-service",
  loudness: "never",
  failures: ["no_words", "service_busy", "service_away"],
  examples: [{ source: { url: "https://example.com/song.flac" }, language: "en" }],
  cost: () => 2,
  async process({ request: { language }, sources: { source }, config, fetch, signal, progress, fail }) {
    progress(0.1, "sending");
    try {
      return { report: await ask({ ...config, language, wav: wavOf(source), fetch, signal }) };
    } catch (error) {
      // Anything else is a bug, a refused token among them: the operator reads why in the log, and the client pays nothing.
      if (error instanceof Trouble) return fail(error.code, error.message);
      throw error;
    }
  },
});
