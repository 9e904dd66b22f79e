/** Times of audio as the server writes them (`format.ts`): cut to tenths, never rounded up. */
export function clock(seconds) {
  const tenths = Math.floor(Math.max(0, seconds) * 10 + 1e-6);
  const [hours, minutes, rest] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, tenths % 600];
  const last = (rest / 10).toFixed(1).padStart(4, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${last}` : `${minutes}:${last}`;
}
