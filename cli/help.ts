/** One command in a list of several: what is typed, and below it what that does, up to 100 columns. */
export const explain = (call: string, sentence: string): readonly string[] => [
  `  ${call}`,
  ...(sentence.match(/\S.{0,93}(?=\s|$)/gu) ?? []).map((line) => `      ${line}`),
];
