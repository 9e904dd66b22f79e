/**
 * Whole numbers in languages other than English, as words of that language's own spelling: "99" neunundneunzig, "1999"
 * mil novecientos noventa y nueve.
 */
import { type Figures, type Language, writtenIn } from "./written.ts";

/** Words of figures such as "99", "1.999" or "50%" in `language`; null where that is English or not among those we count in. */
export function figuresIn(text: string, language: Language): string[] | null {
  const figures = writtenIn(language)?.figures;
  if (figures === undefined) return null;
  const words: string[] = [];
  for (const group of text.replace(/(?<=\d)[.,](?=\d{3}(?!\d))/gu, "").match(/\d+/gu) ?? []) {
    const value = Number(group);
    // Telephone numbers and the like are told figure by figure.
    const said =
      group.length > 6 || /^0\d/u.test(group)
        ? [...group].map((d) => count(Number(d), figures))
        : [count(value, figures)];
    words.push(...said);
  }
  if (text.includes("%")) words.push(figures.percent);
  return words.flatMap((said) => said.split(/[\s-]+/u)).filter((word) => word !== "");
}

function count(value: number, figures: Figures): string {
  const { units, tens, hundreds, hundred, and } = figures;
  if (value >= 1000) {
    const many = Math.floor(value / 1000);
    const rest = value % 1000;
    return [thousands(many, figures), ...(rest > 0 ? [count(rest, figures)] : [])].join(" ");
  }
  if (value >= 100) {
    const rest = value % 100;
    const whole = hundreds[Math.floor(value / 100) - 1]!;
    if (value === 100) return hundred ?? whole;
    return rest === 0 ? whole : [whole, ...(and === undefined ? [] : [and]), count(rest, figures)].join(" ");
  }
  if (value < units.length) return units[value]!;
  if (value < 20) return compound(units[10]!, units[value - 10]!, figures);
  const ten = tens[Math.floor(value / 10) - 2]!;
  // French counts on from sixty and from four times twenty.
  const over = value - 10 * (tens.indexOf(ten) + 2);
  return over === 0 ? ten : compound(ten, units[over]!, figures);
}

function thousands(many: number, figures: Figures): string {
  if (many === 1) return figures.thousand;
  const form = many < 5 ? (figures.few_thousands ?? figures.thousands) : figures.thousands;
  return form.replace("{count}", count(many, figures));
}

function compound(ten: string, unit: string, { compound: form, elisions = {} }: Figures): string {
  const said = form.replace("{ten}", ten).replace("{unit}", unit);
  return Object.entries(elisions).reduce((text, [from, to]) => text.replace(new RegExp(from, "u"), to), said);
}
