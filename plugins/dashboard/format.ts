/** Numbers, times and names as people read them. Pages speak English and UTC; a script may show times as local. */

const whole = new Intl.NumberFormat("en");

export const count = (value: number): string => whole.format(value);

/** `1 credit`, `3 credits`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** `2026-11-22 14:05:09 UTC`. */
export const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/**
 * Times of audio, cut to tenths and never rounded up: `0:07.0`, `3:05.4`, `1:02:03.0`. `static/clock.mjs` writes them
 * alike.
 */
export function clock(seconds: number): string {
  // A hair more, so that 0.3 is not written as 0.2.
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  const [hours, minutes, rest] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, tenths % 600];
  const last = (rest / 10).toFixed(1).padStart(4, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${last}` : `${minutes}:${last}`;
}

/** `0.4 s`, `12.0 s`, `3:05`. */
const duration = (seconds: number): string => (seconds < 60 ? `${seconds.toFixed(1)} s` : clock(seconds));

/** `850 ms`, `3.2 s`. */
export const elapsed = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : duration(ms / 1000));

export function bytes(value: number): string {
  if (value >= 1e9) return `${(value / 1e9).toFixed(1)} GB`;
  if (value < 1000) return `${value} B`;
  return value < 1_000_000 ? `${(value / 1000).toFixed(0)} KB` : `${(value / 1_000_000).toFixed(1)} MB`;
}

/** Two decimals at most, no needless zeros. */
export const decimal = (value: number): string => String(Math.round(value * 100) / 100);

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`, `in 5 min`. */
export function ago(ms: number, now: number): string {
  const seconds = Math.abs(now - ms) / 1000;
  const text =
    seconds < 60
      ? "a moment"
      : seconds < 3600
        ? `${Math.round(seconds / 60)} min`
        : seconds < 172_800
          ? `${Math.round(seconds / 3600)} h`
          : `${Math.round(seconds / 86_400)} d`;
  // What was just written may be a little after the time that the page goes by.
  if (seconds < 10) return ms <= now + 1000 ? "just now" : "in a moment";
  return ms <= now ? `${text} ago` : `in ${text}`;
}

/** Units that names of fields end with. */
const UNITS: Readonly<Record<string, string>> = {
  db: "dB",
  lufs: "LUFS",
  lu: "LU",
  bpm: "BPM",
  hz: "Hz",
  ms: "ms",
  dbtp: "dBTP",
};

/** `target_duration` -> `Target duration`, `duck_db` -> `Duck (dB)`, `n_variations` -> `Number of variations`. */
export function humanName(name: string): string {
  const words = name.split("_").filter((word) => word !== "");
  const bound = words.length > 2 && /^(?:min|max)$/u.test(words.at(-1)!) ? words.splice(-1) : [];
  const unit = words.length > 1 ? UNITS[words.at(-1)!] : undefined;
  if (unit !== undefined) words.pop();
  words.push(...bound);
  if (words.length > 1 && words[0] === "n") words.splice(0, 1, "number", "of");
  const text = words.map((word) => (word === "url" ? "URL" : word)).join(" ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${unit === undefined ? "" : ` (${unit})`}`;
}
