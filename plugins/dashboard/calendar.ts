/** Days as date fields send them. */

/** Of the calendar in UTC; undefined: this is none. */
export function dayOf(text: string | null): { readonly text: string; readonly ms: number } | undefined {
  const ms = /^\d{4}-\d\d-\d\d$/u.test(text ?? "") ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? undefined : { text: text!, ms };
}
