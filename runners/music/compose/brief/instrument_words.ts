/** Names of instruments. `:ids` after the names; several ids are a family: the first is meant unless the genre has its own (`BY_GENRE`), all are unwanted in a negation. */
import type { Instrument } from "../instruments.ts";
import type { Role } from "../score.ts";

const GUITARS = "steel_guitar nylon_guitar electric_guitar muted_guitar overdriven_guitar distorted_guitar";
const SYNTHS =
  "saw_lead square_lead soft_lead supersaw pluck warm_pad glass_pad dark_pad bell_synth brass_synth synth_bass chip_lead";
const STRINGS = "strings slow_strings violin viola cello pizzicato tremolo_strings";
const BRASS = "brass trumpet trombone french_horn tuba muted_trumpet";
const WINDS = "flute clarinet oboe bassoon piccolo recorder pan_flute whistle";
const SAXES = "tenor_sax alto_sax soprano_sax";
const KITS =
  "acoustic_kit brush_kit rock_kit jazz_kit electronic_kit house_kit trap_kit lofi_kit breakbeat_kit orchestral_percussion latin_percussion hand_drums taiko timpani";
const BASSES = "electric_bass upright_bass picked_bass slap_bass synth_bass sub_bass acid_bass reese_bass";
const PADS = "warm_pad glass_pad dark_pad";
const PERCUSSION = "hand_drums latin_percussion orchestral_percussion";
const MALLETS = "marimba vibraphone xylophone glockenspiel";
const PIANOS = "piano bright_piano upright_piano";

export interface NamedInstrument {
  readonly instruments: readonly Instrument[];
  /** Where a whole role is meant ("drums"), that role too. */
  readonly roles: readonly Role[];
  readonly words: string;
}

const ROWS: readonly (readonly [ids: string, words: string, roles?: string])[] = [
  [
    PIANOS,
    "piano, pianos, grand piano, concert piano, acoustic piano, felt piano, pianoforte, piano chords, piano melody, keys:0, steinway, baby grand, pianist, 🎹",
  ],
  ["bright_piano", "bright piano, house piano, rock piano, pop piano, piano stabs, m1 piano, electric grand, cp80"],
  [
    "upright_piano",
    "upright piano, honky tonk piano, honkytonk piano, tack piano, barroom piano, old piano, saloon piano, detuned piano, player piano, toy piano, prepared piano",
  ],
  [
    "electric_piano fm_piano",
    "electric piano, rhodes, fender rhodes, e-piano, epiano, ep, wurlitzer, wurli, suitcase piano, keyboard, keyboards, electric keys, mark i, vintage keys",
  ],
  ["fm_piano", "fm piano, dx7, dx 7, fm electric piano, dx piano, digital piano, fm keys, fm synth"],
  ["harpsichord", "harpsichord, cembalo, clavecin, spinet, clavichord, virginal"],
  ["clavinet", "clavinet, clav, clavi, d6 clav, hohner"],
  [
    "organ church_organ",
    "organ, hammond, hammond organ, b3, b-3, drawbar organ, rock organ, electric organ, farfisa, vox organ, leslie, leslie organ, organ stabs, tonewheel",
  ],
  ["church_organ", "church organ, pipe organ, cathedral organ, pipe organs, harmonium, pump organ, reed organ"],
  [
    "accordion",
    "accordion, accordian, squeezebox, concertina, bandoneon, melodeon, bayan, button accordion, musette accordion, hurdy gurdy",
  ],
  ["celesta", "celesta, celeste, toy celesta"],
  ["music_box", "music box, musical box, musicbox, wind up box"],
  ["vibraphone", "vibraphone, vibes, vibraharp, vibraphones"],
  [
    "marimba",
    "marimba, marimbas, balafon, wooden mallets, log xylophone, steel drum, steel drums, steelpan, steel pan, steelpans, mallets, mallet percussion",
  ],
  ["xylophone", "xylophone, xylophones"],
  ["glockenspiel", "glockenspiel, glock, orchestra bells, bells, glockenspiels, toy glockenspiel, chimes:0, lyra"],
  [
    "tubular_bells",
    "tubular bells, tubular bell, church bells, church bell, chimes, orchestral chimes, bell tower, carillon",
  ],
  [
    "dulcimer",
    "dulcimer, hammered dulcimer, santur, santoor, zither, cimbalom, autoharp, psaltery, qanun, kantele, cymbalum, kanun",
  ],
  ["kalimba", "kalimba, mbira, thumb piano, handpan, hang drum, hangdrum, tongue drum, sansula"],
  [
    GUITARS,
    "guitar, guitars, guitar riff, guitar riffs, guitar solo, guitar chords, guitar melody, guitarist, strummed guitar, strumming, 🎸",
  ],
  [
    "steel_guitar nylon_guitar",
    "acoustic guitar, acoustic guitars, steel string guitar, steel guitar, folk guitar, fingerpicked guitar, fingerstyle guitar, fingerpicking guitar, western guitar, twelve string guitar, 12 string guitar, 12 string, resonator guitar, dobro, pedal steel, lap steel, slide guitar, bottleneck guitar, bouzouki, strummed acoustic guitar, dreadnought, soft acoustic guitar",
  ],
  [
    "nylon_guitar",
    "nylon guitar, classical guitar, spanish guitar, nylon string guitar, flamenco guitar, bossa guitar, bossa nova guitar, lute, oud, vihuela, cavaquinho, charango, tres, guitarron, latin guitar, requinto",
  ],
  [
    "electric_guitar muted_guitar overdriven_guitar distorted_guitar",
    "electric guitar, electric guitars, clean guitar, clean electric guitar, jazz guitar, telecaster, stratocaster, strat, twangy guitar, twang, baritone guitar, surf guitar guitar, reverb guitar, ambient guitar, hollow body guitar, chorus guitar, tremolo guitar, jangly guitar, jangly guitars, guitar arpeggios, guitar licks",
  ],
  [
    "muted_guitar",
    "muted guitar, palm muted guitar, palm mutes, palm muted, funk guitar, wah guitar, wah wah guitar, wah wah, wah, chicken scratch guitar, rhythm guitar, skank guitar, chank, scratch guitar",
  ],
  [
    "overdriven_guitar",
    "overdriven guitar, overdrive guitar, crunchy guitar, crunch guitar, blues guitar, bluesy guitar, lead guitar, guitar lead, gritty guitar, rock guitar",
  ],
  [
    "distorted_guitar",
    "distorted guitar, distorted guitars, distortion guitar, heavy guitar, heavy guitars, metal guitar, metal guitars, fuzz guitar, fuzzy guitars, power chords, shredding guitar, guitar shredding, shred, shredding, screaming guitar, chugging guitars, chugs, drop d, drop c, drop tuned, drop tuning, downtuned guitars, seven string guitar, 7 string guitar, heavy riffs, high gain guitar, wall of guitars",
  ],
  ["banjo", "banjo, banjos, clawhammer banjo, banjo picking, shamisen, tenor banjo, sanshin"],
  ["mandolin", "mandolin, mandolins, mandola, bouzoukis, balalaika, saz, baglama, domra, cittern"],
  ["ukulele", "ukulele, ukuleles, uke, ukelele"],
  ["harp", "harp, harps, celtic harp, orchestral harp, lyre, kora, harp glissando, concert harp, lever harp"],
  ["sitar", "sitar, sitars, sarod, veena, tanpura, tambura"],
  ["koto", "koto, guzheng, gayageum, pipa, guqin, yangqin, biwa, dan tranh, gu zheng"],
  [BASSES, "bass, basses, bass line, basslines, bassline, bass guitar line", "bass"],
  [
    "upright_bass",
    "upright bass, double bass, acoustic bass, contrabass, string bass, standup bass, stand up bass, walking bass, walking bassline, slapped upright, bowed bass",
  ],
  [
    "electric_bass",
    "electric bass, bass guitar, fingered bass, fretless bass, fretless, precision bass, p-bass, jazz bass, fender bass, funky bass, groovy bass, funk bass, groovy bassline",
  ],
  ["picked_bass", "picked bass, pick bass, rock bass, driving bass guitar, post punk bass"],
  ["slap_bass", "slap bass, slapped bass, slap bassline, popping bass, slapping bass, bass slaps, slap and pop"],
  [
    "synth_bass",
    "synth bass, moog bass, analog bass, bass synth, synthesizer bass, pulsing bass, rolling bass, fm bass, pluck bass, synth bassline, electronic bass, funky synth bass",
  ],
  [
    "sub_bass",
    "sub bass, sub, subbass, 808, 808s, 808 bass, deep sub, sub basses, booming bass, log drum, 808 slides, gliding 808, sliding 808s, distorted 808, 808 sub",
  ],
  ["acid_bass", "acid bass, 303, tb 303, tb303, acid line, squelchy bass, acid synth, squelch"],
  [
    "reese_bass",
    "reese bass, reese, wobble bass, growl bass, growls, neuro bass, wub bass, dubstep bass, talking bass, womp bass, distorted bass, hoover, wobbles, growling bass",
  ],
  [
    "violin",
    "violin, violins, fiddle, fiddles, erhu, sarangi, kemenche, electric violin, haegeum, violinist, rebab, hardanger fiddle, 🎻",
  ],
  ["viola", "viola, violas, viola da gamba"],
  ["cello", "cello, cellos, violoncello, celli, cellist, morin khuur"],
  [
    "strings slow_strings violin viola cello pizzicato tremolo_strings",
    "strings, string section, orchestral strings, string orchestra, lush strings, string ensemble section, staccato strings, spiccato strings, spiccato, ostinato strings, disco strings, cinematic strings, epic strings, mellotron strings, strings ostinato, string arrangement, strings section",
  ],
  [
    "slow_strings",
    "slow strings, legato strings, sustained strings, warm strings, string pad, soft strings, ambient strings, swelling strings, string swells, mellotron, sad strings, emotional strings",
  ],
  ["pizzicato", "pizzicato, pizzicato strings, plucked strings, pizz, pizzicatos"],
  ["tremolo_strings", "tremolo strings, string tremolo, tremolando, shivering strings, horror strings"],
  [
    "choir",
    "choir, choirs, chorus vocals, choral, choral voices, vocal choir, boys choir, male choir, female choir, choir ahs, oohs, ahhs, ooh and aah, aahs, chant, chants, chanting, angelic voices, gospel choir vocals, monks, vocal pads, vocal pad, wordless vocals, ethereal vocals, vocalise, humming, vocoder, vocal chops, ghostly choir, background vocals, backing vocals, harmonies",
  ],
  ["trumpet", "trumpet, trumpets, cornet, flugelhorn, bugles, fluegelhorn, mariachi trumpet, 🎺"],
  ["muted_trumpet", "muted trumpet, harmon mute, mute trumpet, muted trumpets, wah trumpet"],
  ["trombone", "trombone, trombones, bass trombone, bone section"],
  ["french_horn", "french horn, french horns, horn in f, orchestral horns, heroic horns, epic horns, alphorn"],
  [
    "brass trumpet trombone french_horn tuba muted_trumpet",
    "brass, brass section, horns, horn section, brass stabs, horn stabs, big brass, brass hits, brass ensemble, epic brass, brasses, cinematic brass, brass riffs, horn",
  ],
  ["tuba", "tuba, tubas, sousaphone, euphonium"],
  ["soprano_sax", "soprano sax, soprano saxophone, duduk, zurna, shawm"],
  ["alto_sax", "alto sax, alto saxophone"],
  ["tenor_sax", "tenor sax, tenor saxophone, baritone sax, bari sax, sultry sax"],
  [SAXES, "sax, saxophone, saxophones, saxes, sexy sax, sax solo, saxophonist, 🎷"],
  ["clarinet", "clarinet, clarinets, bass clarinet, licorice stick, ney clarinet"],
  ["oboe", "oboe, oboes, english horn, cor anglais, hautbois"],
  ["bassoon", "bassoon, bassoons, contrabassoon"],
  [
    "flute",
    "flute, flutes, alto flute, bansuri, dizi, flutist, transverse flute, concert flute, flautist, jazz flute, silver flute, trap flute",
  ],
  ["piccolo", "piccolo, fife, piccolos, piccolo flute"],
  [
    "pan_flute",
    "pan flute, panpipes, pan pipes, panflute, zampona, quena, siku, native american flute, wooden flute, shakuhachi, bamboo flute, ney, andean flute, syrinx",
  ],
  ["recorder", "recorder, recorders, ocarina, bass recorder, blockflute"],
  [
    "whistle",
    "whistle, tin whistle, penny whistle, whistling, whistles, irish whistle, low whistle, human whistle, whistled melody",
  ],
  ["harmonica", "harmonica, harmonicas, blues harp, mouth organ, mouth harp, jaw harp, melodica"],
  [
    "bagpipes",
    "bagpipes, bagpipe, uilleann pipes, uillean pipes, highland pipes, pipes, great highland bagpipe, gaita",
  ],
  [WINDS, "woodwinds, woodwind, winds, wind section, wind instruments, woodwind section"],
  [
    SYNTHS,
    "synth, synths, synthesizer, synthesizers, synthesiser, synthesisers, analog synth, analog synths, analogue synth, analogue synths, synth lead, synth leads, synth melody, retro synth, retro synths, moog, juno, jupiter, prophet, minimoog, roland, modular synth, modular, arpeggiated synth, synthy, electronic sounds, electronics, digital synth, eurorack, buchla, oberheim, vintage synths, synth riff",
  ],
  [
    "saw_lead",
    "saw lead, sawtooth lead, saw synth, sawtooth, lead synth, trance lead, screaming synth, portamento lead, g funk synth, whiny synth",
  ],
  ["square_lead", "square lead, square wave lead, pulse lead, square synth, pwm lead"],
  [
    "soft_lead",
    "soft lead, sine lead, theremin, ondes martenot, mellow lead, whistle synth, talkbox, talk box, flute synth, musical saw, soft synth, soft synths",
  ],
  [
    "supersaw",
    "supersaw, supersaws, super saw, hypersaw, detuned saws, saw chords, trance chords, big synths, huge synths, synth chords, saw stack, jp8000",
  ],
  [
    "pluck",
    "pluck, plucks, plucky synth, synth pluck, pluck synth, plucked synth, arp, arps, arpeggio synth, arpeggiator, arpeggios, sequencer, sequenced synth, synth arpeggio, synth arpeggios, synth arp, arpeggiated",
  ],
  [
    "chip_lead",
    "chip lead, chip synth, 8-bit lead, 8-bit synth, pulse wave, square wave, square waves, bleeps, bleeps and bloops, game boy sounds, 8-bit sounds, pulse waves",
  ],
  [
    "warm_pad glass_pad dark_pad",
    "pad, pads, synth pad, synth pads, warm pad, warm pads, ambient pads, lush pads, analog pad, soft pads, dreamy pads, evolving pads, atmospheric pads, swelling pads",
    "pad",
  ],
  [
    "glass_pad",
    "glass pad, glassy pad, crystal pad, bright pad, shimmer pad, shimmering pads, airy pad, glass harmonica, glass armonica, bowed glass, ethereal pad, ethereal pads",
  ],
  ["dark_pad", "dark pad, dark pads, ominous pad, dark drone pad, horror pad"],
  [
    "drone",
    "drone, drone sound, drones, low drone, didgeridoo, didjeridu, shruti box, tanpura drone, bass drone, singing bowl, singing bowls, throat singing drone, bowed drone",
  ],
  [
    "bell_synth",
    "bell synth, synth bells, fm bells, digital bells, bell pad, bell melody, trap bells, dark bells, crystal bells, synth bell, bell sounds",
  ],
  ["brass_synth", "brass synth, synth brass, synth horns, jump brass, analog brass, cs-80, cs80"],
  [
    KITS,
    "drums, drum, drum kit, drum set, drumkit, percussion and drums, beats drums, drum beat, drumbeat, drum beats, drum loop, drumming, drummer, kick drum, kick, kicks, snare, snares, hi hat, hi hats, hihat, hihats, hats, cymbals, cymbal, toms, live drums, big drums, punchy drums, heavy drums, drum fills, beat drums, percussive beat, 🥁",
    "drums percussion",
  ],
  ["acoustic_kit", "acoustic drums, acoustic drum kit, natural drums, tight drums, real drums, studio drums"],
  ["brush_kit", "brushes, brushed drums, brush drums, brush kit, brushed snare, soft brushes, brush snare"],
  [
    "rock_kit",
    "rock drums, rock kit, double bass drum, double bass drums, double kick, double bass pedal, blast beats, blast beat, pounding drums, gated drums, gated snare, gated reverb drums, metal drums, arena drums, power drums",
  ],
  ["jazz_kit", "jazz drums, jazz kit, ride cymbal, swing drums"],
  [
    "electronic_kit",
    "electronic drums, drum machine, drum machines, linndrum, linn drum, synth drums, simmons drums, electronic kit, dmx drums, electronic percussion, electronic beats, programmed drums, electronic beat, retro drum machine, digital drums",
  ],
  [
    "house_kit",
    "house drums, house kit, 909, tr 909, tr909, 909 drums, techno kick, techno drums, techno kit, punchy kick, house beat, techno beat, clap on two and four, 909 kick",
  ],
  [
    "trap_kit",
    "trap drums, trap kit, 808 drums, tr 808, tr808, hi hat rolls, hihat rolls, trap hats, trap hi hats, rolling hi hats, rapid hi hats, rolling hats, triplet hi hats, 808 kick, rattling hats, fast hi hats",
  ],
  [
    "lofi_kit",
    "lofi drums, lofi kit, dusty drums, lofi beat, boom bap drums, vinyl drums, sp404, mpc drums, dusty breaks",
  ],
  [
    "breakbeat_kit",
    "breakbeat drums, chopped breaks, amen drums, breakbeat kit, drum breaks, drum break, chopped drums",
  ],
  [
    "orchestral_percussion",
    "orchestral percussion, orchestral drums, cinematic percussion, cinematic drums, epic drums, snare drum roll, bass drum, gran cassa, cymbal swells, triangle, gong, gongs, tam tam, military drums, snare march, marching drums, marching snare, epic percussion, concert percussion, sleigh bells, jingle bell",
  ],
  [
    "latin_percussion",
    "latin percussion, congas, conga, bongos, bongo, timbales, cowbell, cowbells, claves, guiro, shaker, shakers, maracas, cabasa, agogo, cuica, surdo, guacharaca, guira, caxixi, shekere, tambora, repinique, tamborim, tambourim, pandeiro, latin drums, samba drums, woodblock, castanets, brazilian percussion, tumbadora",
  ],
  [
    "hand_drums",
    "hand drums, hand drum, djembe, djembes, cajon, tabla, tablas, darbuka, doumbek, bodhran, frame drum, frame drums, udu, dhol, dholak, tribal drums, african drums, ethnic percussion, tribal percussion, african percussion, hand percussion, tambourine, talking drum, daf, mridangam, ethnic drums, shamanic drums, world percussion, hand claps, handclaps, claps, palmas, palmas flamencas, bombo leguero, finger snaps, snaps, clap",
  ],
  ["taiko", "taiko, taikos, taiko drums, taiko drum, japanese drums, janggu"],
  ["timpani", "timpani, timpanis, kettledrums, kettledrum, kettle drums, tympani"],
  [
    PERCUSSION,
    "percussion, percussions, percussive, light percussion, soft percussion, subtle percussion, percussion loop",
    "percussion",
  ],
  [MALLETS, "mallet instruments, tuned percussion, pitched percussion"],
  [
    "vinyl_noise",
    "vinyl noise, vinyl crackle, vinyl, crackle, record crackle, vinyl crackles, dusty vinyl, vinyl hiss, record player, crackling vinyl, vinyl texture, turntable, lp record",
  ],
  [
    "tape_hiss",
    "tape hiss, tape noise, cassette, tape, cassette tape, tape saturation, vhs, wow and flutter, cassette hiss, tape recorder, tape warmth",
  ],
  ["rain_texture", "rain texture, rain sounds, rain sound, rain ambience, sound of rain, rainfall"],
  ["wind_texture", "wind texture, wind sounds, wind sound, howling wind"],
  [
    "sea_texture",
    "sea texture, sea sounds, ocean sounds, ocean waves, wave sounds, sound of waves, waves crashing, beach sounds, water sounds",
  ],
  [
    "crowd_texture",
    "crowd texture, crowd noise, cafe ambience, chatter, crowd sounds, applause, crowd cheering, cafe noise, people talking",
  ],
  ["fire_texture", "fire texture, fire crackle, crackling fire, fireplace sounds, campfire sounds, fire sounds"],
  [
    "birds_texture",
    "birds texture, birdsong, bird sounds, birds singing, bird song, nature sounds, chirping birds, forest sounds, birds chirping",
  ],
  ["night_texture", "night texture, crickets, night sounds, cicadas, cricket sounds"],
  [
    "city_texture",
    "city texture, city sounds, traffic noise, street noise, city ambience, traffic sounds, urban ambience",
  ],
  ["space_texture", "space texture, space sounds, spaceship hum, cosmic noise"],
  ["riser", "riser, risers, uplifter, sweep up, noise sweep, white noise sweep, sweeps, riser fx"],
  ["downlifter", "downlifter, downlifters, down sweep, downer fx"],
  [
    "impact",
    "impact, impacts, boom, booms, cinematic hits, braam hit, big hits, hits, slam, orchestral hits, orchestra hit, orchestral hit, cinematic impacts",
  ],
  ["sub_drop", "sub drop, sub drops, bass drop, 808 drop, bass drops"],
  ["reverse_cymbal", "reverse cymbal, reversed cymbal, reverse cymbals, reverse swell, reverse fx"],
];

export const INSTRUMENT_WORDS: readonly NamedInstrument[] = ROWS.map(([ids, words, roles]) => ({
  instruments: ids.split(" ") as Instrument[],
  roles: roles === undefined ? [] : (roles.split(" ") as Role[]),
  words,
}));

/** Families where the genre decides which member is meant: first row that names the genre; else the family's first. */
export const BY_GENRE: Readonly<Record<string, readonly (readonly [Instrument, string])[]>> = {
  [GUITARS]: [
    ["distorted_guitar", "metal punk grunge industrial shoegaze trailer dubstep hardstyle"],
    ["overdriven_guitar", "rock classic_rock blues rockabilly indie_rock"],
    ["muted_guitar", "funk disco reggae ska dub afrobeat motown dancehall"],
    [
      "electric_guitar",
      "indie_pop synthpop dream_pop city_pop jpop kpop post_rock surf_rock soul rnb neo_soul hip_hop boom_bap trap drill lofi jazz swing bebop smooth_jazz gospel house deep_house tech_house techno trance edm drum_and_bass jungle uk_garage electro synthwave vaporwave trip_hop western horror",
    ],
    [
      "nylon_guitar",
      "bossa_nova samba tango flamenco mariachi latin_pop salsa reggaeton classical baroque romantic lullaby arabic piano_solo east_asian chillout waltz new_age",
    ],
  ],
  "steel_guitar nylon_guitar": [
    ["nylon_guitar", "bossa_nova samba tango flamenco mariachi salsa reggaeton classical baroque romantic lullaby"],
  ],
  "electric_guitar muted_guitar overdriven_guitar distorted_guitar": [
    ["distorted_guitar", "metal punk grunge industrial shoegaze trailer"],
    ["overdriven_guitar", "rock classic_rock rockabilly blues indie_rock epic"],
    ["muted_guitar", "funk disco reggae ska dub"],
  ],
  [BASSES]: [
    [
      "upright_bass",
      "jazz swing bebop ragtime rockabilly bluegrass folk celtic tango bossa_nova klezmer classical baroque romantic musical_theatre mariachi",
    ],
    ["sub_bass", "trap drill dub trip_hop rnb ambient chillout downtempo amapiano dancehall reggaeton"],
    ["reese_bass", "drum_and_bass jungle dubstep"],
    [
      "synth_bass",
      "house deep_house tech_house techno trance edm uk_garage electro hardstyle synthwave synthpop vaporwave chiptune kpop trailer game industrial",
    ],
    ["picked_bass", "punk rock metal grunge indie_rock post_rock shoegaze surf_rock"],
  ],
  [PIANOS]: [
    ["bright_piano", "house edm disco kpop jpop rock classic_rock trance salsa uk_garage amapiano gospel"],
    ["upright_piano", "ragtime rockabilly lofi western blues folk country musical_theatre"],
  ],
  "electric_piano fm_piano": [["fm_piano", "city_pop synthpop vaporwave synthwave smooth_jazz jpop kpop rnb"]],
  "organ church_organ": [["church_organ", "baroque classical romantic horror epic dark_ambient christmas fantasy"]],
  [SAXES]: [
    ["alto_sax", "bebop smooth_jazz funk soul ska synthpop city_pop house disco rnb pop latin_pop"],
    ["soprano_sax", "new_age chillout klezmer arabic"],
  ],
  "warm_pad glass_pad dark_pad": [
    ["dark_pad", "dark_ambient horror drill trap industrial techno trailer"],
    ["glass_pad", "new_age fantasy trance"],
  ],
  [SYNTHS]: [
    ["supersaw", "edm trance hardstyle kpop"],
    ["chip_lead", "chiptune"],
    [
      "pluck",
      "deep_house tech_house house techno pop corporate reggaeton indie_pop latin_pop afrobeat minimalism drum_and_bass uk_garage dancehall amapiano",
    ],
    ["warm_pad", "ambient new_age chillout cinematic lofi vaporwave dream_pop downtempo trip_hop post_rock"],
    ["dark_pad", "dark_ambient horror"],
    ["bell_synth", "trap drill"],
    ["square_lead", "synthpop jpop game city_pop electro funk"],
  ],
  [KITS]: [
    ["jazz_kit", "jazz swing bebop ragtime smooth_jazz"],
    ["brush_kit", "bossa_nova singer_songwriter folk waltz lullaby americana"],
    [
      "rock_kit",
      "rock classic_rock punk grunge metal post_rock shoegaze surf_rock rockabilly industrial indie_rock ska",
    ],
    ["trap_kit", "trap drill reggaeton"],
    ["lofi_kit", "lofi boom_bap trip_hop"],
    ["house_kit", "house deep_house tech_house techno trance edm uk_garage disco amapiano hardstyle"],
    ["breakbeat_kit", "drum_and_bass jungle"],
    [
      "electronic_kit",
      "synthwave synthpop electro chiptune vaporwave hip_hop dubstep kpop rnb dancehall downtempo chillout corporate city_pop",
    ],
    ["latin_percussion", "salsa samba latin_pop tango"],
    ["hand_drums", "arabic bollywood celtic flamenco fantasy ambient new_age"],
    ["taiko", "epic trailer east_asian"],
    ["orchestral_percussion", "classical romantic march cinematic horror baroque"],
  ],
  [PERCUSSION]: [
    ["latin_percussion", "salsa samba latin_pop bossa_nova reggaeton house deep_house disco funk soul mariachi tango"],
    ["orchestral_percussion", "classical romantic epic trailer cinematic march horror fantasy western game"],
  ],
  "brass trumpet trombone french_horn tuba muted_trumpet": [["brass_synth", "synthwave synthpop chiptune"]],
};

export const FAMILIES = { GUITARS, SYNTHS, STRINGS, BRASS, WINDS, SAXES, KITS, BASSES, PADS } as const;
