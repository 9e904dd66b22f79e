/** Moods: what each does (hundredths, see `shift`) and its words. Valence and energy follow the circumplex of affect (J. Russell, 1980); the rest is ours. */
export const MOODS: Readonly<Record<string, readonly [shift: string, words: string]>> = {
  // Bright and lively
  happy: [
    "v+32 e+10 b+8 m+90 t+20",
    "happy, happiness, cheerful, cheery, merry, jolly, gleeful, feelgood, feel good, good vibes, happily, positive vibes, smiling, 😀, 😊, 🙂, 😄",
  ],
  joyful: [
    "v+36 e+16 b+10 m+95 t+25",
    "joyful, joy, joyous, jubilant, elated, overjoyed, delighted, delightful, rejoicing, exuberant",
  ],
  uplifting: [
    "v+28 e+14 b+12 m+75 s+8 t+10",
    "uplifting, uplift, elevating, rousing, lifting, soaring, feel-good anthem",
  ],
  inspiring: [
    "v+24 e+10 b+8 m+75 s+12",
    "inspiring, inspirational, inspired, inspiration, encouraging, empowering, empowerment",
  ],
  motivational: [
    "v+22 e+20 b+8 m+55 t+15",
    "motivational, motivating, motivation, determined, driven ambition, ambitious, confident success, success, successful, achievement",
  ],
  hopeful: ["v+20 e+2 b+8 m+70 s+10", "hopeful, hope, optimistic, optimism, promising, reassuring, aspirational"],
  positive: ["v+24 e+6 b+6 m+75", "positive, pleasant, likeable, good mood, bright mood"],
  upbeat: ["v+24 e+22 b+8 m+60 t+40", "upbeat, up-beat, peppy, perky, snappy, zippy"],
  fun: ["v+28 e+16 b+6 m+70 t+20", "fun, funny, goofy, comical, humorous, comedy, comedic, hilarious, amusing"],
  playful: [
    "v+26 e+10 b+12 m+65 t+15 d-4",
    "playful, cheeky, mischievous, frisky, jaunty, sprightly, light hearted, lighthearted, lightheartedness",
  ],
  quirky: [
    "v+16 e+8 b+8 t+10 d-4",
    "quirky, oddball, eccentric, wacky, zany, whimsical comedy, silly, cartoon, cartoonish, kooky, offbeat",
  ],
  whimsical: ["v+20 e+2 b+14 m+50 s+10", "whimsical, whimsy, fanciful, pixie, fairy, storybook"],
  cute: ["v+26 e+2 b+14 m+80 d-8", "cute, kawaii, adorable, sweet, darling, twee, puppy, kitten, kittens"],
  sunny: ["v+28 e+8 b+14 m+80", "sunny, sunshine, summery, summer, sun drenched, sun kissed, tropical:0, ☀"],
  carefree: [
    "v+26 e+4 b+8 m+75",
    "carefree, care free, easygoing, easy going, breezy, happy go lucky, laid back summer, free spirited",
  ],
  festive_mood: [
    "v+32 e+20 b+10 m+80 t+20",
    "festivity, celebratory, celebration, celebrating, celebrate, party, partying, fiesta, birthday, new year, 🎉, 🥳",
  ],
  triumphant: [
    "v+26 e+26 b+14 m+80 s+12 d+12",
    "triumphant, triumph, victorious, victory, glorious, conquering, winning, champion, champions, majestic victory, 🏆",
  ],
  heroic: ["v+16 e+26 b+10 m+35 s+14 d+12", "heroic, hero, brave, courageous, courage, valiant, noble, gallant, bold"],
  majestic: [
    "v+12 e+14 b+6 m+35 s+24 d+8 t-15",
    "majestic, grand, grandiose, regal, royal, stately, magnificent, monumental, imposing, ceremonial",
  ],
  euphoric: ["v+34 e+26 b+18 m+45 s+14 t+15", "euphoric, euphoria, ecstatic, ecstasy, blissed out, hands in the air"],
  anthemic: [
    "v+18 e+24 b+10 m+50 s+16 d+10",
    "anthemic, anthem, stadium, singalong, sing along, big chorus, festival anthem",
  ],
  exciting: [
    "v+16 e+26 b+8 t+30 d+8",
    "exciting, excited, thrilling, exhilarating, excitement, electrifying, adrenaline, adrenalin",
  ],
  energetic: [
    "e+30 v+8 b+6 t+30 d+8",
    "energetic, energy, energised, energized, high energy, energizing, energising, lively, vigorous, spirited, vibrant, dynamic, pumping, pumped, high octane, hyper, hype, turnt, lit, fiery, explosive, 🔥, ⚡, 💪",
  ],
  powerful: ["e+26 d+12 r+10 b+4", "powerful, power, strong, mighty, massive, huge, big, thunderous, colossal"],
  intense: [
    "e+26 v-10 d+12 r+10 m-35 t+15",
    "intense, intensity, fierce, relentless, unrelenting, frenetic, frantic, furious pace, high stakes, extreme",
  ],
  confident: [
    "e+12 v+10 r+4",
    "confident, swagger, swaggering, cocky, self assured, badass, boss, stylish, slick, cool, classy, fashion, runway, catwalk",
  ],
  groovy: [
    "e+10 v+14 d+4",
    "groovy, groove, grooving, danceable, rhythmic, toe tapping, bouncy, bounce, head nodding, head bobbing, syncopated, in the pocket",
  ],
  danceable: ["e+18 v+14 t+10 d+6", "dancing, dancefloor, dance floor, clubby, party starter, 💃"],
  catchy: ["v+12 e+8 b+6", "catchy, hooky, memorable, earworm, infectious, hit, radio friendly, singable"],
  sexy: [
    "e-2 v+8 b-8 m-30 s+6 t-15",
    "sexy, sensual, sultry, seductive, steamy, erotic, sensuous, intimate lovers, bedroom, flirty, flirtatious, lustful",
  ],
  // Calm and bright
  calm: [
    "e-26 v+6 b-4 d-14 s+12 t-40",
    "calm, calming, calmness, soothing, tranquil, placid, unhurried, quiet, hushed, still, stillness, low key, subdued, 😌",
  ],
  peaceful: [
    "e-28 v+14 d-16 s+16 m+55 t-40",
    "peaceful, peace, serene, serenity, tranquillity, tranquility, harmonious, pastoral, idyllic, bucolic, gentle breeze",
  ],
  relaxing: [
    "e-26 v+12 d-12 s+14 m+30 t-40",
    "relaxing, relaxed, relax, chilling, laidback, laid back, laid-back, restful, unwinding, unwind, lazy, lounging, easy, mellow, mellowed, smooth, chillaxing, cozy, cosy, comfy, sunday morning",
  ],
  gentle: [
    "e-24 v+10 b-4 d-14 m+35 t-25",
    "gentle, gently, soft, softly, tender, tenderness, delicate, light, feather light, mild, soft spoken, caress",
  ],
  warm: [
    "v+14 b-10 e-6 m+40 a+6",
    "warm, warmth, heartwarming, heart warming, wholesome, homely, hearth, fireside glow, comforting, comfort, snug, hygge",
  ],
  dreamy: [
    "v+6 e-18 s+28 b+2 d-4 t-20",
    "dreamy, dreamlike, dream, dreams, dreaming, daydream, daydreaming, hazy, floaty, floating, weightless, drifting, cloudy, woozy, lucid, 💭",
  ],
  ethereal: [
    "v+4 e-18 s+34 b+14 d-10 t-20",
    "ethereal, otherworldly, heavenly, angelic, celestial, airy, transcendent, transcendental, gossamer, luminous, shimmering, shimmer, glistening, iridescent",
  ],
  spiritual: [
    "v+6 e-16 s+26 d-10 t-25",
    "spiritual, sacred, holy, divine, devotional, prayer, soul searching, sanctuary, monastery, temple, enlightenment, mystic east, chakra",
  ],
  romantic_mood: [
    "v+12 e-10 b-4 m+35 s+8 t-20",
    "romantic, romance, love, loving, lovers, love song, valentine, valentines, candlelight, candle lit, candlelit, passionate love, date night, ❤, 💕, 😍, 🌹",
  ],
  intimate: [
    "e-20 s-10 d-16 t-15",
    "intimate, close, personal, confessional, vulnerable, stripped, stripped down, stripped back, raw acoustic, bare",
  ],
  innocent: ["v+18 e-10 b+10 d-14 m+70", "innocent, innocence, childlike, pure, naive, childhood, baby, child"],
  graceful: [
    "v+12 e-10 b+4 m+40",
    "graceful, grace, elegant, elegance, refined, sophisticated, poised, lyrical, ballroom elegance, luxury, luxurious, opulent",
  ],
  beautiful: [
    "v+12 e-4 b+4 m+25 s+6",
    "beautiful, beauty, gorgeous, lovely, stunning, exquisite, breathtaking, pretty",
  ],
  sentimental: [
    "v+4 e-16 b-6 m+15 t-25",
    "sentimental, touching, moving, heartfelt, poignant, sincere, tear jerker, tearjerker, heart touching, soulful ballad",
  ],
  emotional: [
    "v-6 e-6 s+10 m-30 t-15",
    "emotional, emotive, emotion, emotions, feelings, expressive, deep feelings, feels, evocative, stirring",
  ],
  // Past and thought
  nostalgic: [
    "v+2 e-12 b-10 a+20 s+8 t-10",
    "nostalgic, nostalgia, reminiscent, memories, memory, remembrance, looking back, old days, throwback feeling, childhood memories, polaroid",
  ],
  wistful: [
    "v-8 e-14 b-4 s+10 m-25 t-20",
    "wistful, yearning, longing, pining, wanting, missing you, saudade, homesick, farewell, goodbye",
  ],
  bittersweet: [
    "v-6 e-10 s+8 m-20",
    "bittersweet, bitter sweet, smiling through tears, autumnal, autumn, fall leaves, september, 🍂",
  ],
  reflective: [
    "v-2 e-18 d-10 s+14 t-25",
    "reflective, contemplative, introspective, pensive, thoughtful, thinking, meditating, ponder, pondering, reflection, musing, philosophical, deep in thought, contemplation",
  ],
  focused: [
    "e-12 d-8 s+4",
    "focused, focus, concentration, studying, productivity, deep work, coding, background focus, reading, work music, homework",
  ],
  curious: [
    "v+6 e+0 b+8 d-8",
    "curious, curiosity, inquisitive, investigative, wondering, discovery, exploring, exploration, wonder, awe, wonderment, amazement, science, laboratory",
  ],
  // Low
  sad: [
    "v-36 e-18 b-12 m-95 t-40 d-8",
    "sad, sadness, sorrowful, sorrow, unhappy, crying, tearful, tears, weeping, cry, teary, downhearted, blue mood, depressing, depressed, depression, 😢, 😭, 💔, 😔",
  ],
  melancholic: [
    "v-28 e-18 b-12 m-90 t-30 s+10",
    "melancholic, melancholy, melancholia, wistful sadness, gloomy, gloom, somber, sombre, doleful, morose, downcast, dour",
  ],
  heartbroken: [
    "v-34 e-14 b-8 m-90 t-30 s+6",
    "heartbroken, heartbreak, heart break, heartbreaking, break up, breakup, lost love, unrequited, heartache, loss",
  ],
  lonely: [
    "v-26 e-22 b-8 m-75 s+22 d-14 t-30",
    "lonely, loneliness, lonesome, alone, solitary, solitude, isolated, isolation, abandoned, empty, emptiness, desolate, barren, forlorn",
  ],
  mournful: [
    "v-36 e-24 b-16 m-95 s+14 t-55",
    "mournful, mourning, grieving, grief, funeral, elegy, elegiac, lament, lamenting, dirge, funereal, memorial, requiem mood",
  ],
  tragic: [
    "v-34 e-2 b-12 m-95 s+14",
    "tragic, tragedy, devastating, hopeless, despair, desperate, despairing, doomed, anguish, anguished, painful, pain, suffering",
  ],
  bleak: [
    "v-34 e-16 b-20 m-80 s+20 d-10",
    "bleak, cold, icy, frozen, wintry, winter, grey, gray, austere, stark, chilling cold, ❄",
  ],
  // Dark and tense
  dark: [
    "v-32 b-24 m-85 r+6 s+6",
    "dark, darker, darkness, shadowy, shadow, shadows, sinister shade, murky, noir, black, night black, moody, brooding, broody, 🖤, 🌑",
  ],
  mysterious: [
    "v-14 e-8 b-10 m-65 s+24 d-8",
    "mysterious, mystery, mystical, enigmatic, mystic, intriguing, intrigue, secretive, arcane, esoteric, cryptic, occult, detective, 🔮",
  ],
  suspenseful: [
    "v-22 e+4 b-12 m-80 s+14 d-4",
    "suspenseful, suspense, suspended, anticipation, anticipatory, uneasy, unsettling, uncertain, on edge, cliffhanger, thriller, stealth, stealthy, sneaky, heist, spy, espionage, crime, true crime, investigation",
  ],
  tense: [
    "v-26 e+14 b-8 m-85 d+4",
    "tense, tension, nervous, anxious, anxiety, edgy, restless, agitated, panicked, panic, paranoid, paranoia, urgent, urgency, ticking clock, countdown",
  ],
  scary: [
    "v-44 e+4 b-14 m-95 s+18 r+10",
    "scary, terrifying, frightening, terror, fear, fearful, dread, dreadful, spooky, creepy, horrific, horrifying, nightmarish, macabre, 👻, 😱, 🎃, 💀",
  ],
  eerie: [
    "v-32 e-12 b-4 m-80 s+30 d-14",
    "eerie, haunting, hauntingly, ghostly, uncanny, unearthly, spectral, weird, strange, surreal, bizarre, twisted, disturbing, alien, occult eerie",
  ],
  sinister: [
    "v-38 e+4 b-22 m-90 r+12 s+8",
    "sinister, evil, menacing, malevolent, villain, villainous, wicked, devilish, diabolical, satanic, demonic mood, ominous, threatening, foreboding, 😈, 👿",
  ],
  angry: [
    "v-34 e+34 m-80 r+26 d+12 t+25",
    "angry, anger, rage, raging, furious, fury, mad, hateful, hate, wrath, vengeful, revenge, rebellious, rebellion, defiant, 😡, 🤬",
  ],
  aggressive: [
    "v-26 e+34 m-75 r+28 d+14 t+20",
    "aggressive, aggression, violent, brutal, savage, vicious, hard hitting, hard, heavy, hardcore mood, ruthless, crushing, brutality, hard-hitting, heavy hitting, harsh, abrasive, fighting, fight",
  ],
  chaotic: [
    "v-18 e+30 d+26 r+18 t+20 m-40",
    "chaotic, chaos, crazy, insane, wild, mayhem, frenzied, manic, anarchic, out of control, madness, unhinged, maniacal",
  ],
  gritty: [
    "v-14 e+12 r+24 b-10 a+14 m-35",
    "gritty, grit, dirty, grimy, raw, rough, filthy, nasty, greasy, sleazy, street, streets, urban, ghetto, hood, gangster, gangsta, mafia",
  ],
  dramatic: [
    "v-10 e+16 s+16 d+8 m-60",
    "dramatic, drama, theatrical, operatic, stormy, tempestuous, turbulent, passion, passionate, fervent, impassioned, intense drama",
  ],
  apocalyptic: [
    "v-36 e+20 b-14 m-90 s+20 r+20",
    "apocalyptic, apocalypse, post apocalyptic, dystopian, dystopia, end of the world, wasteland, doom, doomsday, catastrophic, ruin, ruins, armageddon",
  ],
  hypnotic: [
    "e+2 s+14 d+2 m-25",
    "hypnotic, mesmerising, mesmerizing, trancey, trance like, trance-like, repetitive, entrancing, looping, pulsing, pulsating, throbbing, motorik",
  ],
  psychedelic: [
    "v+2 e+4 s+24 r+14 a+14",
    "psychedelic, trippy, psychedelia, acid trip, kaleidoscopic, hallucinogenic, lsd, mind bending, stoned, stoner, 🍄, 🌈",
  ],
  futuristic: [
    "e+6 b+10 s+12 a-20 m-25",
    "futuristic, future, sci-fi, sci fi, scifi, science fiction, cyber, cyberpunk, robotic, robot, android, high tech, hi tech, hitech, technological, digital, technology, tech savvy, ai, innovation, innovative, virtual, matrix, 🤖",
  ],
  cosmic: [
    "e-8 b+4 s+36 d-6",
    "cosmic, cosmos, interstellar, galactic, galaxy, stellar, starry, stars, astral, nebula, spacey, universe, planet, planets, astronaut, orbit, orbital, 🌌, 🚀, 🪐",
  ],
  adventurous: [
    "v+16 e+20 b+8 m+30 t+20 s+8",
    "adventurous, adventure, quest, voyage, expedition, journey, travel, travelling, traveling, wanderlust, treasure, pirates, pirate, swashbuckling, explorer",
  ],
  magical: [
    "v+18 e-6 b+18 s+20 m+30",
    "magical, magic, enchanting, enchanted, spellbinding, bewitching, charmed, sparkling, sparkle, twinkling, twinkly, glittering, ✨",
  ],
  exotic: [
    "v+4 s+10 m-20",
    "exotic, tribal, ethnic, jungle safari, safari, world, global, shamanic, shaman, ritual, primal, primitive",
  ],
  rustic: [
    "v+8 e-4 b-4 a+20",
    "rustic, rural, earthy, countryside, farm, village, down home, homespun, woodsy, organic, natural, campfire glow",
  ],
  vintage: [
    "a+34 b-8",
    "vintage, retro, old school, oldschool, old-school, old fashioned, old timey, antique, classic, throwback, old, oldies, analog, analogue, worn, dusty, aged, sepia, gramophone, phonograph",
  ],
  modern: [
    "a-30 b+4",
    "modern, contemporary, current, fresh, new, trendy, polished, clean, crisp, hi fi, hifi, high fidelity, studio quality, high quality, pristine, sleek, glossy, state of the art",
  ],
  bright: [
    "b+26 v+12 m+50",
    "bright, brilliant, sparkly, crystal clear, clear, crystalline, treble, glassy, shiny, radiant, glowing, vivid, colourful, colorful, brighter",
  ],
  deep: [
    "b-16 s+10",
    "deep, low, subby, bassy, bass heavy, heavy bass, bass boosted, sub heavy, subterranean, underwater, submerged, deeper, deep bass",
  ],
  muffled: ["b-30 a+16", "muffled, muted, filtered, low pass, lowpass, dull, damped, from another room, behind a wall"],
  lush: [
    "d+16 s+18 v+6",
    "lush, rich, full, thick, layered, dense, orchestrated lushness, sumptuous, velvety, creamy, silky, wall of sound, maximalist, complex, busy, intricate, virtuosic, virtuoso",
  ],
  sparse: [
    "d-28 s+8 e-8",
    "sparse, minimal, minimalistic, simple, uncluttered, spacious, bare bones, understated, subtle, thin, few notes, breathing room, unobtrusive, restrained, pared down, skeletal",
  ],
  spacious_mood: [
    "s+32 d-6",
    "reverb, reverberant, reverb drenched, echo, echoing, echoey, echoes, wide, vast, expansive, cavernous, cathedral, panoramic, open, immense, epic space, boundless, endless, infinite, immersive, atmosphere, wet",
  ],
  dry_mood: ["s-34", "dry, close mic, close miked, tight, punchy, up close, in your face, dead room, compact"],
  distorted_mood: [
    "r+34 b+4 e+8",
    "distorted, distortion, overdriven, saturated, fuzzy, fuzz, crunchy, crunch, lo-fi distortion, bitcrushed, bitcrush, dirty sound, noisy, noise, blown out, glitchy, crushed",
  ],
  loud_mood: ["e+18 d+10 r+8", "loud, louder, deafening, wall shaking, maxed out, in the red"],
  sleepy: [
    "e-32 v+4 b-16 d-20 s+14 t-60",
    "sleepy, drowsy, sleep, sleeping, bedtime, nap, slumber, insomnia, dozing, nighttime sleep, 😴, 💤",
  ],
  tired: ["e-20 v-12 t-30", "tired, weary, exhausted, sluggish, worn out, numb, apathetic, hungover, bored"],
  healing: [
    "e-26 v+14 s+20 d-14 t-40 m+35",
    "healing, therapeutic, restorative, rejuvenating, recovery, self care, stress relief, anxiety relief, balancing, grounding, cleansing, 🧘",
  ],
  patriotic_mood: ["v+14 e+14 m+70", "proud, pride, honour, honor, loyal, freedom, liberty, solemn pride, national"],
  solemn: [
    "v-14 e-16 m-40 t-40 s+12",
    "solemn, serious, grave, dignified, reverent, earnest, weighty, ceremony, profound",
  ],
  sneaky_mood: [
    "v-2 e-2 d-12 m-40",
    "sneaking, tiptoe, creeping, prowling, pink panther, cat burglar, caper, sly, crafty",
  ],
  drunken: ["v+10 e+8 a+10", "drunken, tipsy, rowdy, boisterous, raucous, bawdy, drinking, beer, pub, stumbling"],
  bittersweet_end: ["v-10 e-8", "ending credits, end credits, closing, credits, last dance, final scene"],
  mellow_night: [
    "e-10 b-14 s+12 m-20",
    "late night, late-night, midnight, nocturnal, night, nighttime, after dark, after hours, dusk, twilight, evening, moonlight, moonlit, moon, 🌙, 🌃",
  ],
  morning: [
    "v+16 e-6 b+12 m+50",
    "morning, sunrise, dawn, daybreak, waking up, wake up, spring, springtime, blossom, breakfast, coffee, first light, 🌅, 🌸, ☕",
  ],
  hot: ["e+10 v+6", "hot, heat, spicy, sizzling, sweaty, scorching, caliente, 🌶"],
  fresh_air: [
    "v+12 b+10 s+12",
    "liberating, liberated, open air, windswept, freeing, boundless sky, sky, flying, flight, gliding, birds eye view, drone footage, aerial, blue sky",
  ],
  watery: ["s+20 b-4 e-8", "watery, liquid, fluid, flowing, aquatic, flow, wavy, rippling, oceanic depth"],
  sporty: [
    "e+26 v+8 t+20 r+8",
    "sporty, athletic, action packed, action, extreme sports, competitive, stadium sport, sports, sport, football, soccer, basketball, nba, olympics, espn, ⚽, 🏀, 🏃",
  ],
  scholarly: [
    "e-6 d-4",
    "educational, informative, neutral, background, unobtrusive background, generic, professional, formal, serious business",
  ],
  punchline: ["v+10 e+6", "tongue in cheek, ironic, sarcastic, satirical, parody, novelty, meme, absurd, ridiculous"],
  hypnagogic: [
    "s+20 b-12 a+18 t-30",
    "slowed, slowed down, chopped and screwed, screwed, sedated, lean, codeine, syrupy, melting, warped, detuned, wobbly, tape warble",
  ],
  sassy: [
    "v+16 e+14",
    "sassy, attitude, feisty, fierce fashion, diva, glam, glamorous, fabulous, vogue, flamboyant, strut, strutting",
  ],
  royal_court: ["v+8 e-4 a+26", "courtly, aristocratic, victorian, regency, bridgerton, palace, ball gown, gilded"],
  lost: [
    "v-16 e-12 s+22",
    "lost, wandering, aimless, adrift, faraway, distant, far away, remote, liminal, liminal space, backrooms, dissociated, detached",
  ],
  determined: [
    "e+18 v+4 m-20 d+6",
    "determination, resolute, unstoppable, never give up, perseverance, struggle, underdog, training montage, montage, grind, hustle, hustling, boxing training",
  ],
  resilient: [
    "v+12 e+10 m+30",
    "resilient, overcoming, rise, rising, rise up, coming back, redemption, survivor, renewal, rebirth, healing triumph",
  ],
  innocent_sad: [
    "v-18 e-20 m-60 t-25",
    "fragile, frail, broken, wounded, aching, quiet desperation, regret, regretful, sorry, apology",
  ],
  thoughtful_tech: [
    "e-4 b+8 d-6",
    "data, network, cloud computing, startup pitch, medical, healthcare, clinical, pharma, minimal tech corporate",
  ],
  ceremonial: [
    "e+4 v+10 s+18",
    "graduation, coronation, award, awards, gala, oscars, opening ceremony, pomp and circumstance",
  ],
};
