/**
 * For `LIKE`: each word anywhere in a text. Its marks, and letters whose two cases a database may not know, stand for
 * anything.
 */
export const likePatterns = (words: readonly string[]): readonly string[] =>
  words.map((word) => `%${word}%`.replaceAll(/[^a-z0-9 ]+/giu, "%"));
