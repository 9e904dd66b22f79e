/** Lyrics of every shape, and prompts that ask for them in every genre. */

/** Written for this: nobody's songs. */
export const LYRICS = {
  one: "We are the lights in the city tonight",
  couplet: "Leave the window open, let the evening in\nTell me where it ended, tell me to begin",
  five: "Morning on the river, silver on the stone\nEvery road I wander leads me back to home\nPaper boats are sailing down to where the lanterns burn\nCarry me over, carry me on\nSing till the night is gone",
  marked:
    "[Verse]\nMorning on the river, silver on the stone\nEvery road I wander leads me back to home\nPaper boats are sailing down to where the lanterns burn\n[Chorus]\nCarry me over, carry me on\nSing till the night is gone",
  stanzas:
    "Rain on the roof\nand nobody home\nthe kettle is singing\nan old song alone\n\nWind in the wires\nand dust on the floor\nsomebody whistling\noutside of my door\n\nSnow on the meadow\nand smoke on the hill\nthe river is frozen\nthe miller stands still\n\nSun on the shutters\nand bees on the sill\neverything waiting\nand everything still",
  refrain:
    "I left my coat in Aberdeen\nMy shoes upon the shore\nI traded every place I'd been\nFor one I'd never saw\n\nOh let it roll, let it roll away\nOh let it roll down to the bay\n\nI wrote a letter in the sand\nThe tide has read it twice\nI held the weather in my hand\nAnd paid the going price\n\nOh let it roll, let it roll away\nOh let it roll down to the bay",
  whole:
    "[Intro: 8 bars]\n[Verse 1]\nStreetlight on the dashboard, midnight on the phone\nHalf a tank of hoping and a hundred miles from home\nRadio is playing every song we used to know\nMirror full of places that I never wanted to go\n[Pre-Chorus]\nAnd I can feel it coming\nI can hear it calling\n[Chorus]\nHold the night a little longer\nHold the line until we're stronger\nEvery river finds the sea\nHold it long enough for me\n[Verse 2]\nMotel on the corner, neon in the rain\nWriting down your number on the ticket for the train\nClerk is telling stories that he never gets to end\nKey is on the counter and the night is around the bend\n[Pre-Chorus]\n[Chorus]\n[Guitar Solo: 8 bars]\n[Bridge]\nIf the morning doesn't know us\nLet the evening bring us home\n[Chorus]\n[Outro: fade]",
  markers:
    "[Intro: 4 bars]\n[Verse]\nCount the windows one by one\nLeave the porch light for the sun\n[Break]\n[Verse]\nCount the voices down the hall\nLeave the echo on the wall\n[Solo: saxophone]\n[Chorus]\nOh, the house is singing\n[Instrumental]\n[Outro]",
  rap: "[Verse]\nI came up from the basement with a notebook and a lamp\nWriting down the weather while the walls were getting damp\nMama had a saying for the bills upon the table\nTake what you are given and then give when you are able\nNow I'm on the corner with a story and a beat\nEverybody talking but I'm walking on my feet\n[Hook]\nLift it up, lift it up\nNever let it fall",
  german:
    "Der Mond ist aufgegangen über Dach und Baum\nDie Straße ist so leise wie ein halber Traum\nIch zähle meine Schritte bis zum letzten Haus\nUnd irgendwo dort oben geht ein Fenster aus",
  spanish:
    "[Verso]\nVoy por la calle larga con mi voz de sal\nBuscando en cada puerta un trozo de cristal\n[Coro]\nBaila conmigo, baila hasta el final\nQue la noche es corta y no nos va mal",
  chinese: "月光照在小河上\n风吹过山岗\n我在等一个人\n回到故乡",
  french: "Je garde un peu de pluie au fond de mes souliers\nLa ville se réveille et moi je vais rentrer",
} as const;

/** Forty prompts over more than twenty genres; some say something of length or form. */
export const PROMPTS: readonly { readonly prompt: string; readonly shape: keyof typeof LYRICS }[] = [
  { prompt: "bright pop, 112 bpm, female voice", shape: "five" },
  { prompt: "pop ballad, piano, strings", shape: "whole" },
  { prompt: "indie folk, acoustic guitar, 96 bpm", shape: "five" },
  { prompt: "folk, fingerpicked", shape: "stanzas" },
  { prompt: "country, 1990s, pedal steel", shape: "refrain" },
  { prompt: "slow blues in E, male voice", shape: "couplet" },
  { prompt: "twelve bar blues, harmonica", shape: "stanzas" },
  { prompt: "jazz standard, brushes, upright bass", shape: "marked" },
  { prompt: "bossa nova, soft", shape: "couplet" },
  { prompt: "swing, big band", shape: "refrain" },
  { prompt: "gospel choir, organ", shape: "marked" },
  { prompt: "soul, 1960s, horns", shape: "five" },
  { prompt: "motown, tambourine", shape: "refrain" },
  { prompt: "funk, slap bass", shape: "couplet" },
  { prompt: "disco, four on the floor", shape: "marked" },
  { prompt: "hip hop, boom bap", shape: "rap" },
  { prompt: "trap, 140 bpm", shape: "rap" },
  { prompt: "r&b, slow jam", shape: "whole" },
  { prompt: "house, piano stabs", shape: "one" },
  { prompt: "edm, festival, big drop", shape: "marked" },
  { prompt: "trance, uplifting, 138 bpm", shape: "couplet" },
  { prompt: "drum and bass, liquid", shape: "five" },
  { prompt: "80s synthpop", shape: "one" },
  { prompt: "rock, guitars, 124 bpm", shape: "whole" },
  { prompt: "punk rock, fast", shape: "marked" },
  { prompt: "heavy metal", shape: "markers" },
  { prompt: "grunge", shape: "five" },
  { prompt: "reggae, one drop", shape: "marked" },
  { prompt: "ska, upbeat horns", shape: "refrain" },
  { prompt: "reggaeton, spanish", shape: "spanish" },
  { prompt: "salsa, big band", shape: "spanish" },
  { prompt: "chanson, accordion waltz", shape: "french" },
  { prompt: "ambient, ethereal", shape: "couplet" },
  { prompt: "lullaby, music box", shape: "german" },
  { prompt: "children's song, ukulele", shape: "couplet" },
  { prompt: "c-pop ballad", shape: "chinese" },
  { prompt: "j-pop, energetic, 150 bpm", shape: "five" },
  { prompt: "musical theatre, big finish", shape: "markers" },
  { prompt: "a short folk song, no intro", shape: "marked" },
  { prompt: "celtic ballad, no solo, 30 seconds", shape: "couplet" },
];
