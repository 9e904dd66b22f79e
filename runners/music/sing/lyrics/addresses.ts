/** What people type and nobody sings as it stands: addresses of pages and of people, tags and handles, telephone numbers. */
import { type Language, writtenIn } from "./written.ts";

const HOST = "(?:[\\p{L}\\d][\\p{L}\\d-]*\\.)+\\p{L}{2,}";
/** Endings by which a host is known where nothing else shows that it is one. */
const BARE =
  /\b(?:www\.)?((?:[\p{L}\d][\p{L}\d-]*\.)+(?:com|org|net|io|fm|tv|co|app|info|de|fr|es|it|pl|fi|nl|se|uk|eu|jp|ru|br))(?:\/\S*)?(?![\p{L}\d])/giu;
const PAGE = new RegExp(`\\b(?:https?|ftp)://(?:www\\.)?(${HOST}|localhost|[\\d.]+)\\S*`, "giu");
const PHONE = /(?<![\p{L}\d$€£.,-])\+?\d{1,4}(?:[-–]\d{2,4}|(?<=\+\d{1,4})[ ]\d{2,})(?:[- ]\d{2,})*(?![\p{L}\d%.,-])/gu;
const MAIL = new RegExp(`([\\p{L}\\d][\\p{L}\\d._+-]*)@(${HOST})`, "giu");

/**
 * A line with its addresses written as they are said: "https://www.example.com/a?b=1" is "example dot com"; "#tag" and
 * "@name" lose their sign; "555-0123" is told figure by figure.
 */
export function addressed(line: string, language: Language): string {
  if (!/[.@#\d]/u.test(line)) return line;
  const dot = ` ${writtenIn(language)?.dot ?? "dot"} `;
  const dots = (name: string): string => name.replace(/\./gu, dot).replace(/[-_+]/gu, " ");
  return line
    .replace(PAGE, (_, host: string) => dots(host))
    .replace(MAIL, (_, name: string, host: string) => `${dots(name)} @ ${dots(host)}`)
    .replace(PHONE, (number) => (isPhone(number) ? [...number.replace(/\D/gu, "")].join(" ") : number))
    .replace(BARE, (_, host: string) => dots(host))
    .replace(/(?<=^|[\s(])[#@](?=[\p{L}\d])/gu, "");
}

/** Seven figures or more, and no span of years. */
function isPhone(number: string): boolean {
  return number.replace(/\D/gu, "").length >= 7 && !/^\d{4}[-–]\d{4}$/u.test(number);
}
