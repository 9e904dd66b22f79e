/** Places and purposes: the genres that serve them (likeliest first; they give way to a genre named), what they do (see `shift`), and the textures that go with them. */
import type { Genre } from "../genres.ts";

/** What `Brief.scene` may hold. */
export const TEXTURES = [
  "vinyl",
  "rain",
  "wind",
  "tape",
  "sea",
  "crowd",
  "fire",
  "birds",
  "night",
  "city",
  "space",
] as const;
export type Texture = (typeof TEXTURES)[number];

export const SCENES: readonly (readonly [genres: string, words: string, shift: string, textures?: string])[] = [
  [
    "corporate cinematic electro",
    "news, breaking news, news intro, newscast, broadcast, headline, headlines, news bumper",
    "e+10 d+4",
  ],
  ["lofi funk corporate", "podcast, podcast intro, radio show, talk show, intro jingle, interview show", "v+8"],
  [
    "edm rock epic",
    "sports highlight, sports highlights, sports, highlight reel, game day, halftime show, football, soccer, basketball",
    "e+20",
  ],
  ["house hip_hop funk", "fashion show, fashion runway, catwalk, runway", "e+6"],
  ["hip_hop trip_hop downtempo", "city, town, skyline, downtown, metropolis, street corner", "", "city"],
  [
    "lofi jazz smooth_jazz",
    "cafe, coffee shop, coffeehouse, coffee house, cafeteria, tea house, bistro, brunch",
    "e-8 v+8",
    "crowd",
  ],
  [
    "lofi jazz ambient",
    "rain, rainy, raining, rainy day, rainy night, drizzle, rain on window, umbrella, 🌧, ☔",
    "e-10 v-8 s+6",
    "rain",
  ],
  ["lofi jazz", "rainy night cafe, rainy cafe, cafe rain, rainy coffee shop", "e-10", "rain"],
  [
    "cinematic dark_ambient epic",
    "storm, thunderstorm, thunder, lightning, hurricane, tempest",
    "e+8 v-14 m-70",
    "rain wind",
  ],
  [
    "chillout deep_house bossa_nova",
    "beach, sunset, sunset at the beach, beach sunset, seaside, coast, coastal, palm trees, resort, pool party, poolside, holiday, vacation, island, paradise, cocktails, 🏖, 🌴, 🌊",
    "v+14 b+8 s+8",
    "sea",
  ],
  [
    "ambient chillout new_age",
    "ocean, sea, waves, underwater, deep sea, whale, whales, lake, river, water, waterfall, stream, 🐋, 💧",
    "s+14 e-8",
    "sea",
  ],
  [
    "deep_house house edm",
    "pool party, rooftop, rooftop bar, cocktail bar, beach club, ibiza, boat party, yacht",
    "v+12 e+8",
  ],
  [
    "ambient new_age folk",
    "forest, woods, nature, trees, garden, meadow, mountains, mountain, hills, valley, countryside, walk in the park, park, birds, 🌲, 🌿, 🐦",
    "v+6 s+8",
    "birds",
  ],
  [
    "ambient cinematic new_age",
    "snow, snowfall, snowy, arctic, glacier, tundra, iceland, aurora, northern lights",
    "e-10 b+8 s+14",
    "wind",
  ],
  ["western arabic ambient", "desert, dunes, canyon, sahara", "s+16 d-8", "wind"],
  [
    "folk americana singer_songwriter",
    "campfire, bonfire, fireside, cabin, log cabin, road trip campfire",
    "e-8 v+8",
    "fire",
  ],
  [
    "jazz lofi smooth_jazz",
    "fireplace, candle, wine, wine bar, dinner, restaurant, dining, fine dining, hotel lobby, lobby, hotel",
    "e-10 v+8",
  ],
  ["ambient new_age", "sleep aid, baby sleep, night sky, stargazing, stars at night, bedtime story", "e-14", "night"],
  [
    "synthwave deep_house techno",
    "night drive, midnight drive, driving at night, night driving, neon, neon lights, neon city, highway at night, miami, tokyo night, night city, cityscape at night, city lights, city at night",
    "e+4 v-4 s+10",
    "city",
  ],
  [
    "classic_rock rock americana",
    "road trip, highway, open highway, motorcycle, harley, driving, car ride, route 66, roadtrip, biker, truck, trucks",
    "e+12 v+12",
  ],
  [
    "cinematic drum_and_bass techno",
    "car chase, chase, police chase, pursuit, running from, escape, race, racing, formula 1, f1, fast cars, motorsport",
    "e+26 v-10 t+40 d+8",
  ],
  [
    "epic trailer",
    "battle, war, battlefield, army charge, fight scene, sword fight, siege, warrior, warriors, knight, titan, gods, god, mythology, olympus, sparta, ⚔",
    "e+18 v-8 d+8",
  ],
  [
    "ambient synthwave cinematic",
    "space, outer space, spaceship, space station, space travel, space exploration, black hole, mars, moon landing, void, zero gravity",
    "s+18 e-6",
    "space",
  ],
  [
    "horror",
    "haunted house, graveyard, cemetery, ghost, ghosts, vampire, vampires, witch, witches, werewolf, monster, monsters, asylum, basement, crypt, dungeon, serial killer, possessed, cult, cursed, curse, scarecrow, zombies",
    "v-16 s+8",
  ],
  [
    "fantasy epic cinematic",
    "castles, dragons, unicorn, fairies, elves, wizards, magic kingdom, enchanted, mermaid, sorcerer, potion, mythical, legend, legends, hero's journey, village rpg, tavern brawl",
    "v+6 s+6",
  ],
  [
    "game chiptune",
    "arcade, boss, level up, side scroller, speedrun, esports, gamer, twitch, streaming, stream background, twitch stream",
    "e+10",
  ],
  [
    "edm hardstyle rock trap",
    "workout, gym, fitness, running, cardio, hiit, training, crossfit, spinning class, exercise, jogging, aerobics, treadmill, weightlifting, bodybuilding, boxing, mma, ufc, skateboarding, snowboarding, parkour, 🏋",
    "e+24 t+25 v+6",
  ],
  [
    "corporate",
    "interview, ted talk, charity, fundraiser, nonprofit, testimonial, webinar, ad, ads, advertisement, commercial ad, tv commercial, e-commerce, website, app, fintech, finance, trade show, training video, how to video, annual report, investor",
    "v+6",
  ],
  [
    "corporate pop indie_pop",
    "vlog, vlogging, youtube, youtube video, tiktok, reels instagram, instagram, cooking show, cooking, cooking video, diy, unboxing, travel vlog, lifestyle, makeup, daily vlog, blog, pets, dog, dogs, cat, cats, podcast, intro music, tv show, reality tv, game show, quiz show, morning show",
    "v+12",
  ],
  [
    "cinematic ambient",
    "drone shot, timelapse, time lapse, landscape, slow motion, establishing shot, opening titles, opening scene, title sequence, main titles, montage film, history, historical, museum, biography, ancient, empire, rome, egypt, world war, war film, period drama",
    "s+8",
  ],
  [
    "cinematic piano_solo singer_songwriter",
    "wedding, wedding ceremony, bride, first dance, engagement, anniversary, proposal, wedding video, 💍, 👰",
    "v+16 e-8 m+50",
  ],
  [
    "pop disco funk",
    "wedding party, wedding reception, birthday party, house party, party, dance party, barbecue, bbq, cookout, bachelorette, prom, new years eve, pool, family, friends",
    "v+20 e+16",
  ],
  [
    "edm techno house",
    "club, nightclub, festival stage, rave, warehouse rave, afterparty, after party, discotheque, dance floor scene, dj set, dj mix",
    "e+18",
  ],
  [
    "new_age ambient",
    "massage, sauna, bath, breathing, breathwork, mindful, temple garden, buddha, monk, asmr, hypnosis, tai chi, pilates, acupuncture, spa day",
    "e-12 v+8",
  ],
  [
    "lofi minimalism ambient",
    "study, studying session, library, exam, homework session, office work, writing, journaling, reading a book",
    "e-8",
  ],
  [
    "jazz trip_hop cinematic",
    "noir city, detective story, private eye, film noir scene, 1940s detective, smoky bar, smoky, casino, gambling, poker, whiskey, whisky, cigar, speakeasy bar",
    "v-12 e-4 b-8",
  ],
  [
    "childrens",
    "circus kids, zoo, birthday kids, toys, toy, teddy bear, cartoon show, school, back to school, playtime, bubbles, balloons, puppet, playground fun, candy",
    "v+18",
  ],
  ["waltz folk", "paris, parisian cafe, montmartre, eiffel tower, french countryside", "v+8 a+10"],
  [
    "latin_pop salsa mariachi",
    "havana, cuba, mexico, mexico city, barcelona, spain, fiesta time, miami beach party, taco, tacos, tequila",
    "v+14 e+10",
  ],
  ["samba bossa_nova", "brazil, rio, rio de janeiro, copacabana", "v+12"],
  [
    "east_asian",
    "japan, tokyo, kyoto, china, beijing, korea, asia, cherry blossom, sakura, temple, shrine, bamboo, great wall, panda, bonsai, tea ceremony",
    "v+4",
  ],
  [
    "arabic",
    "egypt, pyramids, pharaoh, morocco, marrakech, bazaar, dubai, istanbul, persia, arabian nights, aladdin, souk",
    "m-40",
  ],
  [
    "afrobeat",
    "africa, african savanna, savannah, savanna, lagos, kenya, serengeti, lion, lions, elephants",
    "v+10 e+6",
  ],
  ["celtic", "ireland, scotland, dublin, irish pub scene, green hills, leprechaun, shamrock, highlands", "v+6"],
  [
    "country americana",
    "texas, tennessee, farm life, tractor, ranch, pickup truck, small town, county fair, horse, horses",
    "v+8",
  ],
  ["reggae", "jamaica, kingston, bob marley, marley, island vibes, caribbean beach, hammock", "v+14"],
  [
    "horror dark_ambient",
    "cave, caves, swamp, abyss, hell, demon, demons, underworld, catacombs, sewer, bunker, abandoned hospital, lovecraft, cthulhu",
    "v-18 s+14",
  ],
  [
    "hip_hop boom_bap trap",
    "street basketball, graffiti, block party, new york, brooklyn, bronx, los angeles, compton, skate park, skateboard, lowrider, detroit",
    "e+6",
  ],
  [
    "techno electro industrial",
    "factory, machine, machines, robots, hacker, hacking, cyber attack, laboratory scene, server room, matrix chase, terminator, train, trains, subway",
    "e+8 v-10 m-40",
  ],
  [
    "cinematic minimalism",
    "data center, science documentary, time, clock, clocks, universe documentary, evolution, invention",
    "e+2",
  ],
  [
    "march",
    "soldiers, military base, navy, marines, veterans, memorial day, independence day, fourth of july, 4th of july",
    "v+8 e+10",
  ],
  [
    "christmas",
    "winter wonderland, snowman, reindeer, gifts, christmas tree, christmas eve, north pole, elves workshop, mistletoe, 🎄, 🎅",
    "v+12",
  ],
  ["horror", "trick or treat, pumpkin, jack o lantern", "v-6"],
  [
    "synthwave synthpop",
    "arcade eighties, vhs tape, retro future, delorean, mall, roller skating eighties, laser, lasers",
    "a+8",
  ],
  ["tango waltz", "dance hall ballroom, masquerade, ballroom scene, cabaret dancers", "a+10"],
  [
    "minimalism ambient",
    "art gallery, gallery, architecture, interior design, exhibition, minimal interior, installation",
    "e-4",
  ],
  ["ambient dark_ambient", "fog, foggy, mist, misty, haze, smoke, moor", "s+18 b-8", "wind"],
  [
    "chillout ambient lofi",
    "sunday, lazy sunday, weekend, balcony, train ride, window, airplane, plane, airport",
    "e-6 v+6",
  ],
];

export function genresOf(text: string): Genre[] {
  return text.split(" ") as Genre[];
}
