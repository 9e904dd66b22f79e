/** Whole numbers in languages other than English, as words of that language's own spelling: "99" neunundneunzig, "1999" mil novecientos noventa y nueve. */
import type { Language } from "./languages.ts";

interface Figures {
  /** 0 to 19 or, where `tens` begins earlier, to 10. */
  readonly units: string;
  /** 20, 30 to 90. */
  readonly tens: string;
  /** Of a ten and a unit from 1 to 9. */
  readonly join: (tens: string, unit: string, value: number) => string;
  /** 100, 200 to 900. */
  readonly hundreds: string;
  /** 100 itself, where that is another word. */
  readonly hundred?: string;
  /** Between hundreds and what follows. */
  readonly and?: string;
  readonly thousand: (count: number, said: string) => string;
  readonly percent: string;
}

const spaced = (tens: string, unit: string): string => `${tens} ${unit}`;
const joined = (tens: string, unit: string): string => tens + unit;

const FIGURES: Partial<Record<Language, Figures>> = {
  german: {
    units:
      "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
    tens: "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    join: (tens, unit) => `${unit === "eins" ? "ein" : unit} und ${tens}`,
    hundreds:
      "hundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert",
    thousand: (count, said) => (count === 1 ? "tausend" : `${said} tausend`),
    percent: "prozent",
  },
  dutch: {
    units:
      "nul één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
    tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    join: (tens, unit) => `${unit} en ${tens}`,
    hundreds:
      "honderd tweehonderd driehonderd vierhonderd vijfhonderd zeshonderd zevenhonderd achthonderd negenhonderd",
    thousand: (count, said) => (count === 1 ? "duizend" : `${said} duizend`),
    percent: "procent",
  },
  swedish: {
    units:
      "noll ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton",
    tens: "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    join: joined,
    hundreds: "hundra tvåhundra trehundra fyrahundra femhundra sexhundra sjuhundra åttahundra niohundra",
    thousand: (count, said) => (count === 1 ? "tusen" : `${said} tusen`),
    percent: "procent",
  },
  spanish: {
    units:
      "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
    tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    join: (tens, unit) => (tens === "veinte" ? `veinti${unit}` : `${tens} y ${unit}`),
    hundred: "cien",
    hundreds: "ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
    thousand: (count, said) => (count === 1 ? "mil" : `${said} mil`),
    percent: "por ciento",
  },
  portuguese: {
    units:
      "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
    tens: "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    join: (tens, unit) => `${tens} e ${unit}`,
    hundred: "cem",
    hundreds: "cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    and: "e",
    thousand: (count, said) => (count === 1 ? "mil" : `${said} mil`),
    percent: "por cento",
  },
  italian: {
    units:
      "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
    tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    join: (tens, unit) => (/^[uo]/u.test(unit) ? tens.slice(0, -1) : tens) + unit,
    hundreds: "cento duecento trecento quattrocento cinquecento seicento settecento ottocento novecento",
    thousand: (count, said) => (count === 1 ? "mille" : `${said} mila`),
    percent: "per cento",
  },
  french: {
    units:
      "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
    tens: "vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt",
    join: (tens, unit, value) => (value % 10 === 1 && value < 80 ? `${tens} et ${unit}` : `${tens} ${unit}`),
    hundreds: "cent deux-cent trois-cent quatre-cent cinq-cent six-cent sept-cent huit-cent neuf-cent",
    thousand: (count, said) => (count === 1 ? "mille" : `${said} mille`),
    percent: "pour cent",
  },
  polish: {
    units:
      "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście",
    tens: "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
    join: spaced,
    hundreds: "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset",
    thousand: (count, said) => (count === 1 ? "tysiąc" : `${said} ${count < 5 ? "tysiące" : "tysięcy"}`),
    percent: "procent",
  },
  finnish: {
    units:
      "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista kolmetoista neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista",
    tens: "kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä kahdeksankymmentä yhdeksänkymmentä",
    join: spaced,
    hundreds: "sata kaksisataa kolmesataa neljäsataa viisisataa kuusisataa seitsemänsataa kahdeksansataa yhdeksänsataa",
    thousand: (count, said) => (count === 1 ? "tuhat" : `${said} tuhatta`),
    percent: "prosenttia",
  },
  russian: {
    units:
      "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
    tens: "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
    join: spaced,
    hundreds: "сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот",
    thousand: (count, said) => (count === 1 ? "тысяча" : `${said} ${count < 5 ? "тысячи" : "тысяч"}`),
    percent: "процентов",
  },
  japanese: {
    units: "ぜろ いち に さん よん ご ろく なな はち きゅう じゅう",
    tens: "にじゅう さんじゅう よんじゅう ごじゅう ろくじゅう ななじゅう はちじゅう きゅうじゅう",
    join: spaced,
    hundreds: "ひゃく にひゃく さんびゃく よんひゃく ごひゃく ろっぴゃく ななひゃく はっぴゃく きゅうひゃく",
    thousand: (count, said) => (count === 1 ? "せん" : `${said} せん`),
    percent: "ぱあせんと",
  },
  chinese: {
    units: "零 一 二 三 四 五 六 七 八 九 十",
    tens: "二十 三十 四十 五十 六十 七十 八十 九十",
    join: joined,
    hundreds: "一百 二百 三百 四百 五百 六百 七百 八百 九百",
    thousand: (_, said) => `${said}千`,
    percent: "百分",
  },
};

/** Words of figures such as "99", "1.999" or "50%" in `language`; null where that is English or not among those we count in. */
export function figuresIn(text: string, language: Language): string[] | null {
  const figures = FIGURES[language];
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
  const { thousand, hundreds, and, tens, join } = figures;
  const units = figures.units.split(" ");
  if (value >= 1000) {
    const many = Math.floor(value / 1000);
    const rest = value % 1000;
    return [thousand(many, count(many, figures)), ...(rest > 0 ? [count(rest, figures)] : [])].join(" ");
  }
  if (value >= 100) {
    const rest = value % 100;
    const whole = hundreds.split(" ")[Math.floor(value / 100) - 1]!;
    if (value === 100) return figures.hundred ?? whole;
    return rest === 0 ? whole : [whole, ...(and === undefined ? [] : [and]), count(rest, figures)].join(" ");
  }
  if (value < units.length) return units[value]!;
  if (value < 20) return join(units[10]!, units[value - 10]!, value);
  const ten = tens.split(" ")[Math.floor(value / 10) - 2]!;
  // French counts on from sixty and from four times twenty.
  const same = tens.split(" ").indexOf(ten) + 2;
  const over = value - 10 * same;
  return over === 0 ? ten : join(ten, units[over]!, value);
}
