/** The little that the plots share. Files that stand alone: no script, no style sheet, nothing loaded. */

/** Blue, orange, green, violet: apart also for those who see no red or no green (lightness differs). */
export const COLOURS = ["#2f6fb0", "#d1792c", "#4a8f4a", "#8a5fb0"] as const;
export const INK = "#1c2430";
export const FAINT = "#9aa5b1";

/** `inside` on a white ground, `width` by `height` units. */
export function svg(width: number, height: number, inside: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" xmlns="http://www.w3.org/2000/svg" role="img" font-family="system-ui, sans-serif" font-size="12" fill="${INK}"><rect width="${width}" height="${height}" fill="#fff"/>${inside}</svg>`;
}

export function polyline(points: readonly (readonly [number, number])[], colour: string): string {
  const places = points.map((point) => point.map(short).join(",")).join(" ");
  return `<polyline points="${places}" fill="none" stroke="${colour}" stroke-width="2"/>`;
}

export function text(x: number, y: number, content: string, attributes = ""): string {
  return `<text x="${short(x)}" y="${short(y)}"${attributes === "" ? "" : ` ${attributes}`}>${escaped(content)}</text>`;
}

/** Coordinates to a tenth: files stay small and readable. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
