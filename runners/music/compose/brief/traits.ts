/** What is asked of the arrangement by name, tempo words, and words that say nothing. */

/** Names that `Brief.traits` may hold, with their words and shift. */
export const TRAITS: Readonly<Record<string, readonly [words: string, shift: string]>> = {
  solo: ["solo, unaccompanied, only one instrument, single instrument, one instrument, by itself, lone", "d-26"],
  duo: ["duo, duet, two instruments", "d-18"],
  trio: ["trio, three piece", "d-10"],
  "live band": [
    "live band, full band, live instruments, live performance, live recording, live session, live, band, ensemble",
    "",
  ],
  acoustic: [
    "acoustic, all acoustic, acoustic instruments, unplugged session, organic instruments, acoustically",
    "r-14 e-6",
  ],
  orchestral: [
    "orchestral, full orchestra, orchestra, symphonic, symphony orchestra, orchestration, orchestrated, big orchestra, philharmonic",
    "s+8 d+6",
  ],
  electronic: ["electronic, electronica, all electronic, synthetic, electronic elements", ""],
  "four on the floor": [
    "four on the floor, 4 on the floor, four to the floor, 4 to the floor, four-to-the-floor, 4x4 beat, 4x4 kick, steady kick",
    "e+6",
  ],
  "half time": ["half time, halftime, half tempo, half-time feel", "e-4"],
  "double time": ["double time, doubletime, double-time feel, double tempo", "e+8"],
  "build up": [
    "build up, buildup, builds up, building up, build, builds, building, buildups, gradual build, slow build, crescendo, crescendos, swelling, swells, rising tension, growing, grows, gradually building, progressive build, slowly builds",
    "",
  ],
  drop: ["drop, drops, big drop, beat drop, huge drop, heavy drop, massive drop, the drop", "e+10"],
  breakdown: ["breakdown, breakdowns, break down section, quiet break, stripped breakdown", ""],
  minimal: ["minimal, minimalist, minimalistic, stripped back, stripped down, bare bones", "d-16"],
  "epic ending": [
    "epic ending, big ending, grand finale, finale, climactic ending, climax, climactic, epic finale, powerful ending, big finish, climaxes",
    "e+4",
  ],
  "soft ending": ["soft ending, quiet ending, gentle ending, peaceful ending", ""],
  "fade in": ["fade in, fades in, fading in", ""],
  "fade out": ["fade out, fadeout, fades out, fading out, fade", ""],
  loop: ["loop, loopable, looped, seamless loop, seamless, loops", ""],
  "key change": ["key change, modulation, key lift, truck driver gear change, modulates", ""],
  "call and response": ["call and response", ""],
  "walking bass": ["walking bass, walking bassline, walking bass line", ""],
  arpeggiated: ["arpeggiated, arpeggio, arpeggios, arp, arps, arpeggiator, arpeggiating, broken chords", "d+4"],
  staccato: ["staccato, spiccato, short notes, choppy, stabs, stabby, chops", ""],
  legato: ["legato, sustained, long notes, sustaining, flowing lines", ""],
  ostinato: ["ostinato, ostinatos, ostinati, repeating motif, repeating pattern", ""],
  riff: ["riff, riffs, riffing, riff based", ""],
  polyrhythm: ["polyrhythm, polyrhythms, polyrhythmic, cross rhythm, cross rhythms, complex rhythms", "d+8"],
  syncopated: ["syncopated, syncopation, offbeat rhythm, off-beat, off beat", ""],
  "side chain": ["sidechain, side chain, sidechained, side-chained, pumping compression, ducking", "e+4"],
  chopped: [
    "chopped, chopped samples, sample based, sampled, samples, sample flip, flipped sample, chopped sample",
    "a+6",
  ],
  improvised: ["improvised, improvisation, jam, jamming, jam session, noodling", ""],
  melodic: [
    "melodic, melody driven, tuneful, melodious, strong melody, melody, melodies, hook, hooks, main theme, theme",
    "",
  ],
  percussive: ["percussion driven, drum heavy, drums heavy, drum driven", "e+6"],
  "bass heavy": [
    "bass heavy, heavy bass, deep bass, bass boosted, big bass, booming bass, fat bass, thick bass, subby",
    "b-8",
  ],
  "no drums": [
    "drumless, beatless, percussionless, drum free, no beat, without beat, beat free, without rhythm section",
    "e-6",
  ],
  instrumental: [
    "instrumental, instrumentals, karaoke, backing track, backing tracks, no vocals, vocal free, non vocal, voiceless, no lyrics",
    "",
  ],
  "a cappella": ["a cappella, acapella, acappella, a capella, vocals only, only vocals", ""],
  swung: [
    "swung, swinging, swing feel, shuffle, shuffled, triplet feel, shuffle beat, shuffle groove, shuffling, swing groove, heavy swing, swing rhythm",
    "",
  ],
  straight: ["straight, straight eighths, straight feel, unswung, no swing, quantised, quantized", ""],
  vocal: [
    "vocal, vocals, voice, voices, singer, singing, sung, lyrics, female vocals, male vocals, female voice, male voice, female vocal, male vocal, female singer, male singer, rapping, sings, vocalist, breathy vocals, autotune, auto tune, autotuned, spoken word, raspy voice, falsetto, soprano, tenor, baritone, duet vocals, soulful vocals",
    "",
  ],
};

/** Name, then what it makes of the genre's range (see `tempoOf`), then words. */
export const TEMPI: readonly (readonly [
  "very slow" | "slow" | "relaxed" | "moderate" | "brisk" | "fast" | "very fast",
  string,
])[] = [
  [
    "very slow",
    "very slow, very slowly, extremely slow, super slow, grave, largo, larghissimo, larghetto, glacial, really slow, painfully slow, adagissimo",
  ],
  [
    "slow",
    "slow, slowly, slower, lento, adagio, slow tempo, slow paced, slow pace, low tempo, slow moving, downbeat tempo, slow burn, slow burning, ballad tempo, slow motion tempo, unhurried tempo, slow bpm, low bpm, plodding, lumbering, langsam tempo",
  ],
  [
    "relaxed",
    "andante, andantino, relaxed tempo, walking pace, easy tempo, relaxed pace, leisurely, strolling, stroll, laid back tempo, adagietto, steady slow",
  ],
  [
    "moderate",
    "moderate, moderato, mid tempo, midtempo, mid-tempo, medium tempo, moderate tempo, medium, medium paced, mid paced, moderately paced, medium pace, moderate pace",
  ],
  [
    "brisk",
    "allegretto, brisk, briskly, driving, moderately fast, con moto, animato, trotting, galloping, propulsive, rolling, medium fast, medium up",
  ],
  [
    "fast",
    "fast, faster, allegro, quick, quickly, rapid, speedy, fast paced, fast tempo, up tempo, uptempo, fast pace, high tempo, quick tempo, high bpm, hasty, running pace, fast bpm, swift, vivo, hurried, rushing, speed, high speed, fast moving, racing tempo, pacy",
  ],
  [
    "very fast",
    "very fast, extremely fast, super fast, presto, prestissimo, vivace, breakneck, lightning fast, blazing, blazing fast, blistering, really fast, insanely fast, frenzied tempo, hyperspeed",
  ],
];

/** Known and of no effect: never reported as unknown, never near misses of anything. */
export const FILLERS =
  "a an the of and or with for in on to at by from into over under like as is are be it its that this these those there then than through throughout i me my we us our you your he she they them his her their some any all each every one piece music musical song songs track tracks tune tunes number beat beats sound sounds sounding style styles styled genre type kind sort vibe vibes feel feels feeling mood moods tone tones make makes made making create creates creating generate compose composed composing give gives want wants need needs needed please would should could can will featuring feat feature features include includes including included contains containing using use uses used also plus very quite rather slightly bit little lot lots really so too more most much many somewhat extremely incredibly super ultra mega pretty kinda almost just only about around near ish perfect ideal suitable good great best amazing awesome nice cool inspired influenced influences based elements element touch touches hint hints flavor flavour flavored flavoured infused tinged driven oriented led centric forward filled laden accompaniment accompanied accompanying section sections part parts line lines lead leads rhythm rhythms rhythmical chord chords progression progressions harmony harmonic note notes texture textures layer layers arrangement arrangements instrument instruments instrumentation production produced producer mix mixed mixing master mastered recording recorded audio wav mp3 stereo quality background backing scene scenes time times minute minutes second seconds long short longer shorter version edit remix original royalty copyright stock production library s t d m re ll ve n bpm tempo key minor major signature beats per tempos pace speed slow-ish when while where who what which how up down out off again between during after before until end ending start starting starts begin begins beginning intro outro verse chorus bridge hook opening middle followed follows leading leads goes going comes coming evoking evokes evoke conveying conveys suggest suggesting reminiscent set kind mixture blend blended blending fusion-style combined combining combination think imagine something anything everything thing things someone people person man woman men women guy day days year years life world-class place room house-style moment moments new-style way ways not no without less free vs versus meets".split(
    " ",
  );
