/** Words that are not sounds: how something is, how often, where, and what joins one sound to the next. Keys are folded: see `fold`. */
import type { Material } from "../voice.ts";

/** A change of one trait; size, intensity and bright add up, the others multiply. */
export interface Shade {
  readonly size?: number;
  readonly intensity?: number;
  readonly speed?: number;
  readonly pitch?: number;
  readonly bright?: number;
  /** 0 near to 1 far away. */
  readonly far?: number;
}

function table<Value>(entries: readonly (readonly [words: string, value: Value])[]): ReadonlyMap<string, Value> {
  return new Map(entries.flatMap(([words, value]) => words.split(" ").map((word) => [word, value] as const)));
}

export const SHADES: ReadonlyMap<string, Shade> = table<Shade>([
  [
    "big large heavy massive grosser grosse gros grande grand gran groß pesado pesante lourd schwer schwere schwerer thick fat",
    { size: 0.6, intensity: 0.1 },
  ],
  [
    "huge giant gigantic enormous epic colossal monstrous riesig riesige riesiger enorme gigante geant gigantesque mega",
    { size: 0.95, intensity: 0.25 },
  ],
  [
    "small little light thin kleiner kleine kleines klein petit petite pequeno pequena piccolo piccola leicht leger ligero baby",
    { size: -0.6, intensity: -0.05 },
  ],
  ["tiny mini miniature minuscule winzig winzige minusculo micro", { size: -0.95, intensity: -0.15 }],
  [
    "loud hard strong violent powerful intense aggressive fierce furious angry brutal stark starker laut lauter heftig fort forte fuerte violento roaring torrential pouring stormy",
    { intensity: 0.35 },
  ],
  [
    "soft gentle quiet subtle calm faint delicate weak mild leise sanft ruhig doux douce calme suave dolce debole piano light",
    { intensity: -0.32 },
  ],
  ["fast quick rapid swift hurried frantic schnell schneller schnelle rapide rapido veloce vite", { speed: 1.6 }],
  ["slow slowly lazy langsam langsamer langsame lent lente lento", { speed: 0.6 }],
  ["running run sprint rennen laufen corriendo correndo", { speed: 1.5 }],
  ["high shrill piercing hoch hoher hohe aigu agudo acuto squeaky", { pitch: 1.5, bright: 0.2 }],
  ["low deep bass tief tiefer tiefe grave profond profondo profundo basso bajo", { pitch: 0.66, bright: -0.2 }],
  ["bright sharp crisp clear hell brillant brillante shiny sparkling", { bright: 0.5 }],
  ["dark dull muffled dumpf sombre oscuro scuro ominous gedampft sordo sourd", { bright: -0.7 }],
  [
    "far distant distance afar faraway remote fern ferner entfernt entferntes weit lointain loin lejano lejos lontano distante",
    { far: 1 },
  ],
  ["near close nearby closeup intimate nah nahe proche cerca vicino", { far: -0.6, bright: 0.1 }],
]);

export const MATERIALS: ReadonlyMap<string, Material> = table<Material>([
  ["wood wooden plank timber oak tree trunk table holz holzern bois madera legno parquet floor door desk log", "wood"],
  [
    "metal metallic steel iron aluminium aluminum tin brass copper roof pipe anvil car truck van fridge locker stahl eisen metall acier fer hierro metallo acciaio ferro dach tejado tetto toit grate can",
    "metal",
  ],
  ["glass window crystal bottle glas fenster verre fenetre vidrio cristal ventana vetro finestra", "glass"],
  [
    "stone rock concrete brick marble pavement street asphalt tile stein beton fels pierre beton piedra hormigon pietra cemento roche sidewalk boulder",
    "stone",
  ],
  ["plastic rubber bucket plastik kunststoff plastique plastico plastica gummi cardboard", "plastic"],
  ["ceramic porcelain clay china plate cup mug keramik porzellan ceramique ceramica vase", "ceramic"],
  ["flesh body face belly fleisch korper corps carne cuerpo corpo meat", "body"],
  ["gravel pebbles sand dirt kies sand gravier grava ghiaia sable arena sabbia", "gravel"],
  ["snow ice icy schnee neige nieve neve eis", "snow"],
  ["grass leaf leave leaves forest foliage gras laub herbe hierba erba feuilles hojas foglie", "grass"],
  ["water puddle mud pfutze flaque charco pozzanghera wasser eau agua acqua", "water"],
  ["paper papier papel carta cardboard", "paper"],
  ["cloth fabric carpet pillow leather silk teppich stoff tapis alfombra tappeto", "cloth"],
]);

/** Things that are mostly of one material: another that is named outright counts for more ("a stone floor"). */
export const MOSTLY: ReadonlySet<string> = new Set(
  "floor door table desk roof window plate cup mug vase bucket can car truck van fridge locker ice icy pipe grate street sidewalk pavement log".split(
    " ",
  ),
);

/** How a sound moves, of several words or one; taken out of the text that is searched for names. */
export const MOTIONS: readonly (readonly [words: RegExp, motion: "nearer" | "away"])[] = [
  [
    /\b(?:approach(?:ing|es)?|(?:coming|getting|drawing|moving) (?:closer|nearer|near)|nearing|nahert sich|naher kommend\w*|s approchant|acercandose|avvicinandosi)\b/u,
    "nearer",
  ],
  [
    /\b(?:(?:driv|walk|runn|mov|gallop|fly|roll|fad|go)ing (?:away|off)|(?:drives|walks|runs|moves|gallops|flies|fades|goes) (?:away|off)|reced(?:ing|es)|into the distance|getting (?:farther|further|quieter)|entfernt sich|s eloignant|alejandose|allontanandosi)\b/u,
    "away",
  ],
];

/** Which way a sound crosses, taken out of the text. */
export const CROSSINGS: readonly (readonly [words: RegExp, pan: Pan])[] = [
  [
    /\b(?:from )?(?:the )?left to (?:the )?right\b|\bvon links nach rechts\b|\bde gauche a droite\b|\bde izquierda a derecha\b|\bda sinistra a destra\b/gu,
    "left to right",
  ],
  [
    /\b(?:from )?(?:the )?right to (?:the )?left\b|\bvon rechts nach links\b|\bde droite a gauche\b|\bde derecha a izquierda\b|\bda destra a sinistra\b/gu,
    "right to left",
  ],
  [
    /\b(?:on|from|to) (?:the|your|my) left\b|\b(?:panned|hard) left\b|\bin the left (?:ear|channel|speaker)\b|\bleft (?:ear|channel|speaker)\b/gu,
    "left",
  ],
  [
    /\b(?:on|from|to) (?:the|your|my) right\b|\b(?:panned|hard) right\b|\bin the right (?:ear|channel|speaker)\b|\bright (?:ear|channel|speaker)\b/gu,
    "right",
  ],
];
export type Pan = "left to right" | "right to left" | "left" | "right";

/** Counts of scripts without spaces: "三回", "两声". */
export const DENSE_COUNTS = /([一二两兩三四五六七八九十])(?:回|次|声|聲|下|度|番)/gu;
export const DENSE_DIGITS = "〇一二三四五六七八九十";

export const NUMBERS: ReadonlyMap<string, number> = table<number>([
  ["one single once einmal einzelner einzelne", 1],
  ["two twice double couple pair zwei zweimal deux dos due doppelt", 2],
  ["three thrice triple drei dreimal trois tres tre", 3],
  ["four vier quatre cuatro quattro", 4],
  ["five funf cinq cinco cinque few several mehrere einige quelques algunos alcuni", 5],
  ["six sechs seis sei", 6],
  ["seven sieben sept siete sette", 7],
  ["eight acht huit ocho otto", 8],
  ["nine neun neuf nueve nove", 9],
  ["ten zehn dix diez dieci many viele muchos molti plusieurs", 10],
  ["eleven elf onze once11", 11],
  ["twelve dozen zwolf douze doce dodici", 12],
]);

/** Also numbers, where no sound of that name stands before: `sei`, `once`, `six` are other words elsewhere. */
export const ARTICLES: ReadonlySet<string> = new Set("a an ein eine einen einem un une una uno".split(" "));

export const TIMES: ReadonlySet<string> = new Set("times time mal fois veces vez volte volta x".split(" "));

export type Environment =
  | "dry"
  | "room"
  | "bathroom"
  | "hall"
  | "church"
  | "cave"
  | "outdoors"
  | "canyon"
  | "street"
  | "underwater"
  | "wall"
  | "radio"
  | "space";

export const ENVIRONMENTS: ReadonlyMap<string, Environment> = table<Environment>([
  ["room indoors inside zimmer chambre habitacion stanza office", "room"],
  ["bathroom tiled badezimmer bagno bano stairwell", "bathroom"],
  [
    "hall hallway corridor warehouse gym garage basement halle flur couloir pasillo corridoio auditorium dungeon",
    "hall",
  ],
  [
    "church cathedral temple kirche kathedrale eglise cathedrale iglesia catedral chiesa cattedrale reverberant reverb",
    "church",
  ],
  ["cave cavern tunnel sewer hohle grotte cueva grotta caverna", "cave"],
  ["outdoors outside field draussen dehors fuera fuori park garden", "outdoors"],
  [
    "echo echoing echoes canyon valley mountain mountains stadium schlucht tal montagne montana montagna echoey hallend eco",
    "canyon",
  ],
  ["alley city alleyway strasse rue calle strada", "street"],
  ["underwater submerged unterwasser submarine submarino subacqueo", "underwater"],
  ["muffled neighbour neighbor nebenan wand", "wall"],
  ["dry anechoic trocken studio", "dry"],
]);

/** Of several words; looked for in the folded text before it is divided. */
export const PLACES: readonly (readonly [phrase: string, environment: Environment])[] = [
  ["under water", "underwater"],
  ["unter wasser", "underwater"],
  ["sous l eau", "underwater"],
  ["bajo el agua", "underwater"],
  ["sott acqua", "underwater"],
  ["in the next room", "wall"],
  ["in another room", "wall"],
  ["from another room", "wall"],
  ["from the next room", "wall"],
  ["through a wall", "wall"],
  ["through the wall", "wall"],
  ["behind a wall", "wall"],
  ["next door", "wall"],
  ["behind a door", "wall"],
  ["behind a closed door", "wall"],
  ["on the radio", "radio"],
  ["over the radio", "radio"],
  ["on a radio", "radio"],
  ["through a radio", "radio"],
  ["on the phone", "radio"],
  ["over the phone", "radio"],
  ["through a telephone", "radio"],
  ["walkie talkie", "radio"],
  ["im radio", "radio"],
  ["in space", "space"],
  ["outer space", "space"],
];

/** How a thing sounds or moves: alone beside a sound that is named, they are said of that one. */
export const MANNERS: ReadonlySet<string> = new Set(
  "hum hums humming buzz buzzing rumble rumbling crackle crackling swing swings swinging rattle rattling whirr whirring".split(
    " ",
  ),
);

/** Said of the prompt itself, or of nothing. */
export const FILLERS: ReadonlySet<string> = new Set(
  (
    "the of in on at to from into onto by for as is are be it its that this some any sound sounds effect effects sfx fx noise noises audio sample recording " +
    "please make generate create like very really quite extremely and or der die das den dem des ein eine auf im am mit und von zu el la los las le les de du " +
    "des il lo gli di del della dei et en con y e un une una geräusch gerausch bruit son sonido suono rumore i my your his her their off out over up down away " +
    "through against across being while when who which que qui che it then there another other others last final more again busy slightly kind type foley realistic high quality hd one-shot short long seamless loop looped loopable someone something somebody old new audience ambient background foreground " +
    "second seconds sec s ms minute minutes sekunde sekunden seconde secondes segundo segundos secondo secondi"
  ).split(" "),
);

/** What begins a sequence's next part. Tried longest first. */
export const SEQUENCE =
  /\b(?:and then|then|followed by|after that|afterwards|finally|before|und dann|dann|danach|gefolgt von|anschliessend|et puis|puis|ensuite|suivi de|suivi d|y luego|luego|despues|seguido de|seguida de|e poi|poi|seguito da|dopo)\b|[;→\n]|->|=>|\. /gu;

/** What joins simultaneous sounds. */
export const TOGETHER =
  /\b(?:and|with|plus|while|(?<!game )over|amid|amidst|accompanied by|und|mit|wahrend|et|avec|y|con|e|mientras|mentre)\b|[&+]/gu;

/** What a place is told by, where it is itself a sound that goes on: "a cat by the fireplace", "footsteps in the rain". */
export const AT =
  /\b(?:in|at|by|near|next to|beside|amid|amidst|during|under|im|bei|neben|dans|sous|pres de|en|bajo|junto a|nella|nel|sotto|vicino a)\b/gu;

/** What stands for a sound that was named before: "two explosions far and one near", "three knocks, another one louder". */
export const AGAIN =
  /^\s*(?:(?:the|a) )?(?:another|other|others|last|final|noch|ein weiterer|otro|otra|un autre|un altro)\b/u;

export const BACKGROUND =
  /\b(?:in the background|in background|background|im hintergrund|en fond|en arriere plan|de fondo|al fondo|in sottofondo|sullo sfondo)\b/u;

export const NEGATION =
  /\b(?:without(?: any)?|no|not|but no|ohne|kein|keine|keinen|sans|sin|senza)\s+((?:the |a |an |any )?[\p{L}]+)/gu;
