/** By what the languages that we can spell are told apart: words that every song has, and marks of their spelling. */

/** Languages whose spelling we read. */
export const SPELLED = [
  "english",
  "spanish",
  "french",
  "german",
  "italian",
  "portuguese",
  "dutch",
  "swedish",
  "polish",
  "czech",
  "finnish",
  "turkish",
  "japanese",
] as const;
export type Spelled = (typeof SPELLED)[number];

export const COMMON: Readonly<Record<Spelled, string>> = {
  english:
    "the and you i to a in my me of it is on that we your for be with all so this are was but don't i'm can no love when will up just now like know down oh out what if do not have they she he never from time away let go come take by there's where how one hold more day night heart under over through",
  spanish:
    "el la los las de que y en un una por con para es no mi tu te me se lo como más pero si sin yo cuando corazón amor vida eres está soy tengo quiero sólo solo siempre nunca noche aquí al del su hay ya porque donde todo nada vamos mañana sol cielo ti fue",
  french:
    "le la les de des et un une que qui je tu il elle nous vous dans pour pas ne est sur avec mon ma mes ton ta tes ce cette mais où on au aux du en se sans plus suis es sont c'est j'ai t'aime comme toi moi tout rien jamais toujours nuit jour coeur vie amour quand",
  german:
    "der die das und ich du ist nicht ein eine in den dem zu mit auf für von wir sie er es so wie was mir mich dir dich dein mein wenn nur noch auch war bin bist hat haben kein immer nie nacht herz liebe leben wo im am aus bei nach doch schon alles nichts",
  italian:
    "il lo la gli le di che e un una per non con sono mi ti si ma come più se io tu è nel della del dei al alla questo quando amore cuore vita sei ho hai solo sempre mai notte cielo sole mare anche dove tutto niente voglio senza noi voi ci",
  portuguese:
    "o a os as de que e em um uma por com para não meu minha teu você eu tu te me se no na do da mais mas como quando coração amor vida é está sou tenho quero só sempre nunca noite aqui ao sem tudo nada onde vou foi seu sua nos pra são",
  dutch:
    "ik je jij het een de en van is niet dat die dit op te zijn maar met voor wat als ook naar door nog mijn jouw mij jou wij zij hij hou heb hebt ben bent nacht hart liefde leven altijd nooit waar geen dan kan mooi lief uit om bij zo",
  swedish:
    "och jag du det är ett att som för med av inte den han hon vi ni mig dig min din mitt ditt när så om till från kan ska vill har hade var nu här där natt hjärta kärlek livet aldrig alltid på dag älskar vad bara mot",
  polish:
    "i w nie na się z do to że jest jak ale co ja ty mnie mi mój moja moje cię ciebie tobie dla po od już tylko tak noc serce miłość życie kiedy gdzie jesteś jestem będę nigdy zawsze świat dzień kocham bez za czy my wy są ten ta we mam tu",
  czech:
    "a je se na to v že s jsem jsi si já ty my jako ale když ten tak mě mi tě ti můj tvůj noc láska srdce život kde už jen co být byl nikdy stále svět den mám máš jsou který bez pro nebo i do za",
  finnish:
    "ja on ei en minä sinä hän me te he se että kun niin mutta kuin mitä missä nyt vain olen olet oli yö sydän rakkaus rakastan elämä aina koskaan päivä minun sinun mun sun mä sä tänään kaikki taas vielä jos sinua minua sinulle minulle",
  turkish:
    "ve bir bu ben sen o biz siz için ne gibi çok daha ama seni beni bana sana benim senin gece aşk kalp kalbim hayat her hiç var yok mi mı gel seviyorum artık şimdi yine kadar de da",
  japanese:
    "no wa ga wo ni to mo de kara made anata kimi boku watashi kokoro yume ai sora hana yoru kaze itsu itsuka kono sono ano nai desu masu kyou ashita zutto issho hitori namida sekai mirai sakura koi suki dake nani dare doko hikari ima mata yo ne naka",
};

export const MARKS: Readonly<Record<Exclude<Spelled, "english" | "japanese">, RegExp>> = {
  spanish: /[ñ¿¡]|ción\b/gu,
  french: /[èêëîïœûù]|ç[aou]|\b[cdjlmnst]'[aeiouhéêè]/gu,
  german: /[äöüß]|\bsch/gu,
  italian: /[ìò]|\bperch[eé]|zione\b|gli\b|cch/gu,
  portuguese: /[ãõ]|ção\b|lh[aeo]|nh[aeo]/gu,
  dutch: /ij|oe|ui|uu|aar\b|\bgeen/gu,
  swedish: /å|ä|ö|skä|sjä|kär/gu,
  polish: /[łąęśćźżń]|sz|rz|dzi|cz/gu,
  czech: /[ěčřůťďšž]|ou\b/gu,
  finnish: /ää|yö|öö|äy|yy|ssä|llä|uu|kk|ii/gu,
  turkish: /[ışğ]|ç|ö|ü|yor/gu,
};

/** English words that songs in other languages borrow and that are none of their own. */
export const BORROWED: ReadonlySet<string> = new Set(
  "baby babe tonight love you know forever yeah party the and with girl boy this that night time when what why never down your are don't can't heart feel feeling right light right life live world crazy happy sorry please thank dream dreams cool easy music dance dancing sexy goodbye hello darling honey lover lovers kiss good only lonely alone fire kids cowboy rock'n'roll okay hey yes shake move body let's go it's i'm you're club summer highway".split(
    " ",
  ),
);
