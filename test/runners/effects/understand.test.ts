import assert from "node:assert/strict";
import { test } from "node:test";
import { plan } from "../../../runners/effects/plan.ts";
import { recipes } from "../../../runners/effects/recipes/all.ts";
import { understand } from "../../../runners/effects/text/understand.ts";
import { random } from "../../../runners/signal/dsp/random.ts";

/** "a+b > c | d": a and b at once, then c, over d. */
function sketch(prompt: string): string {
  const { parts, background } = understand(prompt);
  const said = parts.map((layers) => layers.map(({ recipe }) => recipe.name).join("+")).join(" > ");
  return background.length === 0 ? said : `${said} | ${background.map(({ recipe }) => recipe.name).join("+")}`;
}

const SOUNDS: readonly (readonly [prompt: string, sketch: string])[] = [
  ["a wooden knock", "knock"],
  ["three knocks, a pause, one more", "knock > knock"],
  ["camera shutter, three quick shots", "camera"],
  ["sonar ping, five pings", "sonar"],
  ["sci fi door opens, two seconds later closes", "scifi_door > scifi_door"],
  ["la puerta se cierra de golpe", "door_slam"],
  ["crowd goes wild", "cheer"],
  ["egg timer", "ding"],
  ["a dust devil", "wind"],
  ["glass breaking", "glass_break"],
  ["a cat meows twice and purrs", "cat+purr"],
  ["wind howling with a bell toll at the end", "wind > bell"],
  ["a long riser ending with a huge boom", "riser > boom"],
  ["engine idling that ends in an explosion", "engine > explosion"],
  ["laser shot, descending", "laser"],
  ["retro arcade coin pickup, three times, rising pitch", "coin"],
  ["a balloon inflates, then bursts", "inflating > pop"],
  ["a crash after a scream", "scream > crash"],
  ["a dog barks after the doorbell rings", "doorbell > dog"],
  ["ein Schrei nach dem Donner", "thunder > scream"],
  ["un cri après le tonnerre", "thunder > scream"],
  ["Gök gürültüsünden sonra yağmur", "thunder > rain"],
  ["sci-fi door: hiss, steam, then a clunk", "hiss > steam > clunk"],
  ["typewriter: five keystrokes, then a ding", "typewriter > ding"],
  ["magic spell: low rumble, then a deep boom", "earthquake > boom"],
  ["footsteps: slow, on gravel", "footsteps"],
  ["a knock, then a bolt slides back and the door creaks open", "knock > latch > door_creak"],
  ["a dog barks, then a cow and a cat", "dog > cow+cat"],
  ["engine tries twice then starts", "engine_fails > engine_start"],
  ["old pickup truck, engine cranks twice, third time it starts and idles", "engine_fails > engine_start > engine"],
  ["car won't start", "engine_fails"],
  ["laser gun charging up, then fires once", "charge_up > laser"],
  ["crowd murmurs, goes quiet, then erupts into applause", "crowd > applause"],
  ["llueve, con un trueno al final", "rain > thunder"],
  ["chuva com um trovão no final", "rain > thunder"],
  ["indicator ticking", "blinker"],
  ["a long fart", "fart"],
  ["the mother says shhh shhh", "shush"],
  ["drei Klopfer, dann noch einer", "knock > knock"],
  ["stone sliding over stone", "stone_slide"],
  ["a robot voice glitching then shutting down", "robot > downer"],
  ["a heavy gate closing", "door_slam"],
  ["rain slowly getting louder until thunder cracks", "rain > thunder"],
  ["a laser gun charging up and firing", "charge_up > laser"],
  ["a glass of wine clinking, restaurant ambience", "clink+crowd"],
  ["gentle waves, seagulls, a distant ship horn", "sea > seagull > foghorn"],
  ["a jet flyby with doppler", "jet"],
  ["game lost, trombone wah wah", "sad_trombone"],
  ["car horn", "horn"],
  ["Car Engine", "engine"],
  ["car passing by", "car_pass"],
  ["steam train", "steam_train"],
  ["alarm clock", "alarm"],
  ["church bell tolling", "bell"],
  ["sci-fi door", "scifi_door"],
  ["a spooky ghost", "ghost"],
  ["typing on a keyboard", "typing"],
  ["motorcycle revving", "motorbike"],
  ["whooosh", "whoosh"],
  ["thundr", "thunder"],
  ["explossion", "explosion"],
  ["boom", "boom"],
  ["beep", "beep"],
  ["two knocks, then a creaking door", "knock > door_creak"],
  ["footsteps on gravel followed by a door slam", "footsteps > door_slam"],
  ["dog barking and then a cat meowing", "dog > cat"],
  ["a glass bottle rolls down the stairs and breaks", "rolling_ball > glass_break"],
  ["a car skids and crashes", "skid > crash"],
  ["dogs bark and rain, far away", "dog+rain"],
  ["rain with thunder", "rain+thunder"],
  ["explosion, glass shattering", "explosion > glass_break"],
  ["footsteps with rain in the background", "footsteps | rain"],
  ["wind without rain", "wind"],
  ["two explosions far and one near", "explosion > explosion"],
  ["three knocks, another one louder", "knock > knock"],
  ["a cat purring next to a fireplace", "purr | fire"],
  ["an old ship creaking at sea", "ship_creak | sea"],
  ["typing on a mechanical keyboard", "typing"],
  ["thunder rolling in the distance", "thunder"],
  ["ice cubes in a glass", "clink"],
  ["lightsaber swing", "energy_blade"],
  ["a laser fires three times", "laser"],
  ["lightsaber ignition and hum", "energy_blade"],
  ["old typewriter carriage return", "carriage_return"],
  ["cash register", "cash_register"],
  ["a referee's whistle", "whistle"],
  ["bullet ricochet", "ricochet"],
  ["kettle whistling", "kettle"],
  ["chopping vegetables on a cutting board", "chop"],
  ["horse neighing, then galloping away", "neigh > horse"],
  ["computer booting up", "computer"],
  ["shower running", "rain"],
  ["force field hum", "force_field"],
  ["clapping three times", "clap"],
  ["ticking time bomb then explosion", "clock > explosion"],
  ["pulling a grenade pin, then an explosion", "latch > explosion"],
  ["scissors cutting paper", "snip"],
  ["elevator door opening", "elevator_doors"],
  // Who makes a sound decides which it is, and what else is named stays.
  ["a kookaburra laughing in the outback", "kookaburra"],
  ["a heron taking off from a pond", "heron"],
  ["a seal barking on a pier", "seal"],
  ["capybaras chewing", "chewing"],
  ["a toaster popping up", "toaster"],
  ["old ceiling fan winding down", "fan"],
  ["wet finger round the rim of a wine glass", "glass_harp"],
  ["barge horn", "foghorn"],
  ["tuning fork struck", "tuning_fork"],
  ["candle snuffed", "candle_snuffed"],
  ["someone gargling, then spitting", "gargle > spit"],
  ["bark being peeled off a birch", "peeling"],
  ["a curling stone gliding on ice, then it clacks into another one", "stone_on_ice > clack"],
  ["footsteps on gravel, no wind please, we already have wind", "footsteps"],
  ["rain, but there's too much thunder in mine", "rain"],
  ["spaceship hum, lower than a fridge hum", "spaceship"],
  ["lawn mower", "small_motor"],
  ["children playing in a playground", "children"],
  ["heart monitor flatline", "flatline"],
  ["arcade game over", "error"],
  ["waves crashing on rocks", "sea"],
  ["somebody walking away", "footsteps"],
  ["spaceship engine humming then warp jump", "spaceship > warp"],
  ["Tür quietscht und fällt zu", "door_creak+door_slam"],
  ["ein bellender Hund", "dog"],
  ["starker Regen auf einem Dach", "rain"],
  ["une porte qui claque, puis des pas", "door_slam > footsteps"],
  ["tres golpes en la puerta, luego un perro", "knock > dog"],
  ["il tuono e la pioggia", "thunder+rain"],
  ["🌧", "rain"],
  ["🔥🔥", "fire"],
  ["雷", "thunder"],
  ["ドアを三回ノックする音", "knock"],
  ["descarga de banheiro", "toilet_flush"],
  ["arrastran una silla por el suelo", "scrape"],
  ["냄비 떨어지는 소리", "drop"],
  ["короткие гудки в трубке", "busy_tone"],
  ["風の音だけ、鳥の鳴き声は入れない", "wind"],
  ["两声狗叫，没有回声", "dog"],
  ["바람 소리, 새소리 빼고", "wind"],
  ["비 소리만, 천둥 말고", "rain"],
  ["дождь, только не гроза", "rain"],
  ["кто-то стучит в дверь, потом шаги", "knock > footsteps"],
  ["deszcz, tylko nie burza", "rain"],
  ["trzy razy ktoś puka do drewnianych drzwi, potem kroki", "knock > footsteps"],
  ["köpek bir kere havlıyor, kedi sesi olmasın", "dog"],
  ["dog barking 두 번, 고양이 없이", "dog"],
];
for (const [prompt, expected] of SOUNDS) {
  test(`"${prompt}" is ${expected}`, () => assert.equal(sketch(prompt), expected));
}

test("counts are understood as words, digits and articles", () => {
  const counts: readonly (readonly [string, number | null])[] = [
    ["three knocks", 3],
    ["lawn mower", null],
    ["8-bit jump", null],
    ["3 knocks", 3],
    ["knock 4x", 4],
    ["a knock", 1],
    ["knocking on a door", null],
    ["a dog barking", null],
    ["dog barks twice", 2],
    ["zwei Schüsse", 2],
    ["ドアを三回ノックする音", 3],
    ["两声狗叫", 2],
    ["총소리 두 번", 2],
    ["собака лает дважды", 2],
    ["dzwon bije cztery razy", 4],
    ["kilise çanı dört kez çalıyor", 4],
    ["trois coups", 3],
    ["a dozen gunshots", 12],
    ["a small dog barking angrily three times", 3],
    ["99999999999 beeps", 60],
  ];
  for (const [prompt, count] of counts) assert.equal(understand(prompt).parts[0]![0]!.count, count, prompt);
});

test("a number of people or things is no number of sounds, and what stands behind a verb counts", () => {
  for (const [prompt, count] of [
    ["two people clinking glasses", null],
    ["two men walking on gravel", null],
    ["two swords clashing", 1],
    ["three people coughing", 3],
    ["camera shutter, three quick shots", 3],
    ["church bell strikes twelve in the distance", 12],
    ["grandfather clock strikes nine in a big empty hall", 9],
    ["die Kirchturmuhr schlägt drei", 3],
  ] as const) {
    const { parts } = understand(prompt);
    assert.deepEqual(
      parts.map((layers) => layers.map((layer) => layer.count)),
      [[count]],
      prompt,
    );
  }
  assert.equal(understand("one gunshot, long corridor reverb").environment, "hall");
  assert.deepEqual(understand("engine running, then sudden silence").unknown, []);
});

test("a sound that was named before is meant again, with a count and a distance of its own", () => {
  const [far, near] = understand("two explosions far and one near").parts;
  assert.deepEqual([far![0]!.count, far![0]!.far], [2, 1]);
  assert.deepEqual([near![0]!.count, near![0]!.far], [1, 0]);
});

test("a distance between commas is that of all that is heard, one beside a sound that sound's", () => {
  const far = (prompt: string): number[] =>
    understand(prompt).parts.flatMap((layers) => layers.map((layer) => layer.far));
  assert.deepEqual(far("a glass bottle rolls down stone stairs and breaks, far away, in a cathedral"), [1, 1]);
  assert.deepEqual(far("dogs barking and rain, in the distance"), [1, 1]);
  assert.deepEqual(far("two explosions far and one near"), [1, 0]);
  assert.deepEqual(far("footsteps in the distance, then a door closes"), [1, 0]);
});

test("a place is of its own stuff, and a pitch that falls is no second sound", () => {
  const firsts = (prompt: string) => understand(prompt).parts.map((layers) => layers[0]!);
  const materials = (prompt: string) => firsts(prompt).map(({ traits }) => traits.material);
  assert.deepEqual(materials("an oak door slams shut in a stone corridor"), ["wood"]);
  assert.deepEqual(materials("footsteps in a stone corridor"), ["stone"]);
  assert.deepEqual(materials("a sci-fi door"), ["metal"]);
  assert.deepEqual(
    firsts("an alarm, falling pitch").map(({ recipe, motion }) => [recipe.name, motion]),
    [["alarm", "descending"]],
  );
});

test("what comes at the end comes over what goes on, and after what does not", () => {
  const slots = (prompt: string) => plan(understand(prompt), 6, 1).slots;
  const [wind, bell] = slots("wind with a bell toll at the end");
  assert.deepEqual([wind!.seconds, bell!.start > 2, bell!.layer.recipe.name], [6, true, "bell"]);
  const [sea, , horn] = slots("gentle waves, seagulls, a ship horn");
  assert.deepEqual([sea!.seconds, horn!.start > 2], [6, true]);
  const [whoosh, boom] = slots("a riser ending with a boom");
  assert.ok(whoosh!.seconds < 6 && boom!.start > 1 && boom!.start < whoosh!.seconds);
});

test("durations are read from the text and are not counts", () => {
  const said: readonly (readonly [string, number | null])[] = [
    ["2 second laser", 2],
    ["1.5s whoosh", 1.5],
    ["a 500 ms click", 0.5],
    ["half a second beep", 0.5],
    ["Regen, 5 Sekunden", 5],
    ["wind for two minutes", 120],
    ["three knocks", null],
    ["tres disparos", null],
  ];
  for (const [prompt, seconds] of said) {
    const { seconds: found, parts } = understand(prompt);
    assert.equal(found, seconds, prompt);
    if (seconds !== null) assert.equal(parts[0]![0]!.count === null || parts[0]![0]!.count === 1, true, prompt);
  }
});

test("adjectives, materials and places become traits", () => {
  const of = (prompt: string) => understand(prompt).parts[0]![0]!;
  assert.ok(of("huge explosion").traits.size > of("explosion").traits.size);
  assert.ok(of("explosion").traits.size > of("tiny explosion").traits.size);
  assert.ok(of("heavy rain").traits.intensity > of("gentle rain").traits.intensity);
  assert.ok(of("fast footsteps").traits.speed > 1 && of("slow footsteps").traits.speed < 1);
  assert.equal(of("distant thunder").far, 1);
  assert.equal(of("metal knock").traits.material, "metal");
  assert.equal(of("footsteps in snow").traits.material, "snow");
  assert.equal(understand("footsteps in a cave").environment, "cave");
  assert.equal(understand("crowd through a wall").environment, "wall");
  assert.equal(understand("a voice on the radio").environment, "radio");
});

test("every recipe has a name of its own and is found by it", () => {
  assert.ok(recipes().length >= 50);
  assert.equal(new Set(recipes().map(({ name }) => name)).size, recipes().length);
  for (const { name } of recipes()) assert.equal(sketch(name.replaceAll("_", " ")), name);
});

test("unknown words are reported, and steer nothing", () => {
  const one = understand("qwertz blorf");
  assert.ok(one.parts[0]!.length === 1 && Object.keys(one.guessed).length === 1);
  assert.deepEqual(understand("gnurf plimbel").parts, one.parts);
  const [red, blue] = ["zorbish explosion", "quibbly explosion"].map(understand);
  assert.deepEqual(red!.unknown, ["zorbish"]);
  assert.deepEqual(red!.parts, blue!.parts);
});

test("a name is taken for another by one slip of the keyboard, never by a likeness", () => {
  assert.equal(sketch("thundr"), "thunder");
  assert.equal(sketch("explsoion"), "explosion");
  for (const [prompt, never] of [
    ["charging up", "cash_register"],
    ["a snake", "steam"],
    ["saxophone", "phone"],
    ["anchor", "choir"],
    ["winter", "wind"],
  ] as const)
    assert.ok(
      !sketch(prompt)
        .split(/[^a-z_]+/u)
        .includes(never),
      `${prompt}: ${sketch(prompt)}`,
    );
});

test("silence that is asked for at the end is kept, and nothing goes on into it", () => {
  const planned = plan(understand("rain, then two seconds of silence"), undefined, 1);
  assert.equal(planned.free, false);
  const ends = planned.slots.map(({ start, seconds }) => start + seconds);
  assert.ok(Math.abs(planned.seconds - 2 - Math.max(...ends)) < 1e-9);
});

test("what is denied does not sound, however far the denial reaches", () => {
  for (const [prompt, expected] of [
    ["thunder without lightning or rain", "thunder"],
    ["no traffic, no voices, just birds", "birds"],
    ["birds, no wind, rain or crickets", "birds"],
    ["wind without rain and a dog barking", "wind+dog"],
    ["a storm without thunder", "rain+wind"],
    ["don't use thunder, only rain", "rain"],
    ["a river rather than the sea", "stream"],
    ["anything but rain; wind", "wind"],
    ["nothing but rain", "rain"],
    ["gun being cocked but not fired", "latch"],
    ["Regen ohne Wind oder Donner", "rain"],
    ["keine Vögel, nur Wind", "wind"],
    ["du vent sans pluie ni tonnerre", "wind"],
    ["lluvia sin truenos ni viento", "rain"],
    ["pioggia senza tuoni", "rain"],
  ] as const)
    assert.equal(sketch(prompt), expected, prompt);
});

test('"not too loud" is softer, "quieter than" a level beside what it is compared with', () => {
  const first = (prompt: string) => understand(prompt).parts[0]![0]!;
  assert.ok(first("not too loud footsteps").traits.intensity < 0.5);
  assert.ok(first("footsteps, not very fast").traits.speed < 1);
  assert.ok(first("Schritte, nicht zu laut").traits.intensity < 0.5);
  const [helicopter, cicadas] = understand("helicopter, quieter than the cicadas").parts[0]!;
  assert.ok(helicopter!.level_db < cicadas!.level_db);
  const [surf, wind] = understand("waves less loud than the wind").parts[0]!;
  assert.ok(surf!.recipe.name === "sea" && surf!.level_db < wind!.level_db);
  const [waves, gull] = understand("waves louder than a seagull").parts[0]!;
  assert.ok(waves!.level_db > gull!.level_db);
});

test("pauses stand before what they are said of", () => {
  const pauses = (prompt: string) => understand(prompt).pauses.map((pause) => pause?.seconds ?? 0);
  assert.deepEqual(pauses("rain, after three seconds thunder"), [0, 3]);
  assert.deepEqual(pauses("after two seconds of silence, one wooden plank snaps"), [2]);
  assert.deepEqual(pauses("a knock, then 2 seconds of silence, then a scream"), [0, 2]);
  assert.deepEqual(pauses("three beeps, a pause of two seconds, then a gong"), [0, 2]);
  assert.deepEqual(pauses("ein Klopfen, nach drei Sekunden ein Schrei"), [0, 3]);
  assert.equal(understand("rain, after three seconds thunder").seconds, null);
});

test("what no name of ours is for goes by what the dictionary says it is", () => {
  const first = (prompt: string) => understand(prompt).parts[0]![0]!;
  for (const [prompt, sound] of [
    ["a nightjar", "birds"],
    ["an otter on the rocks", "animal_call"],
    ["a gavel", "impact"],
    ["a moped", "motorbike"],
    ["an osprey overhead", "seagull"],
  ] as const)
    assert.equal(first(prompt).recipe.name, sound, prompt);
  assert.equal(first("a wrench falls on concrete").traits.material, "metal");
  // Polish: a dog, and no pie.
  assert.notEqual(first("pies szczeka dwa razy").recipe.name, "crunch");
});

test("a sound without a recipe is made from what it consists of", () => {
  const first = (prompt: string) => understand(prompt).parts[0]![0]!;
  const anvil = first("a sledgehammer on an anvil");
  assert.equal(anvil.recipe.name, "impact");
  assert.equal(anvil.traits.material, "metal");
  assert.ok(anvil.traits.size > 0.3);
  assert.equal(first("a suitcase falls down").recipe.name, "drop");
  assert.equal(first("a corgi").recipe.name, "dog");
  assert.ok(first("a corgi").traits.size < 0);
  assert.equal(first("dragging a crate").recipe.name, "scrape");
  assert.equal(first("dragging a crate").traits.material, "wood");
});

test("no text fails: fuzz over scripts, symbols, numbers and lexicon words", () => {
  const next = random(5);
  const ranges = [
    [32, 126],
    [0xa0, 0x24f],
    [0x370, 0x5ff],
    [0x600, 0x6ff],
    [0x900, 0x97f],
    [0x3040, 0x30ff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0x1f300, 0x1faff],
    [0x2000, 0x206f],
  ] as const;
  const terms = recipes().flatMap(({ names }) => Object.values(names).flat());
  for (let round = 0; round < 300; round++) {
    let prompt = "";
    const length = 1 + Math.floor(next() * 40);
    for (let n = 0; n < length; n++) {
      const [low, high] = ranges[Math.floor(next() * ranges.length)]!;
      prompt +=
        next() < 0.15
          ? ` ${terms[Math.floor(next() * terms.length)]} `
          : String.fromCodePoint(low + Math.floor(next() * (high - low + 1)));
    }
    const { parts, background } = understand(prompt);
    assert.ok(parts.length >= 1 && parts.length <= 8 && background.length <= 2, prompt);
    for (const { traits, far, count } of [...parts.flat(), ...background]) {
      assert.ok(traits.size >= -1 && traits.size <= 1 && traits.intensity >= 0 && traits.intensity <= 1, prompt);
      assert.ok(
        traits.speed >= 0.4 && traits.speed <= 2.5 && traits.pitch >= 0.3 && traits.pitch <= 3 && far >= 0 && far <= 1,
        prompt,
      );
      assert.ok(count === null || (count >= 1 && count <= 60), prompt);
    }
  }
  for (const prompt of [
    " ",
    "no rain",
    "without anything",
    "....",
    "->",
    "then, and with",
    "no no no",
    "and ".repeat(250),
    "a".repeat(1024),
    "1".repeat(400),
  ]) {
    assert.ok(understand(prompt).parts[0]!.length > 0, prompt);
  }
});

test("understand() counts what is said over again, tells a thing from the floor, and hears what moves", () => {
  const first = (prompt: string) => understand(prompt).parts[0]![0]!;
  assert.equal(first("knock knock knock").count, 3);
  assert.equal(first("zapper, zap zap").count, 2);
  assert.deepEqual(
    understand("heavy steps, four steps").parts.map((layers) => layers.map(({ count }) => count)),
    [[4]],
  );
  assert.equal(first("wine glass shattering on a wooden floor").traits.material, "glass");
  assert.equal(first("boots on a stone floor").traits.material, "stone");
  assert.equal(first("tiny bell").traits.material, null);
  assert.equal(first("a motorbike driving away").motion, "away");
  assert.equal(first("hooves approaching").motion, "nearer");
  assert.deepEqual(
    understand("riser into a huge impact").parts.map((layers) => layers[0]!.recipe.name),
    ["riser", "impact"],
  );
});

test("motions, silences, repetitions and comparisons are heard, in other languages too", () => {
  const first = (prompt: string) => understand(prompt).parts[0]![0]!;
  for (const [prompt, motion] of [
    ["a motorbike passing", "passing"],
    ["a helicopter taking off", "rising"],
    ["rain getting louder", "swelling"],
    ["applause, fades out", "fading"],
    ["ein Zug rast vorbei", "passing"],
    ["un tren que se aleja", "away"],
  ] as const)
    assert.equal(first(prompt).motion, motion, prompt);
  assert.equal(first("a drip every two seconds").every, 2);
  assert.equal(first("typing, faster and faster").hurry, 1);
  assert.equal(understand("three knocks, then silence").silence_after, 1);
  assert.deepEqual(understand("wind for four seconds, then a bell").pauses[1], { seconds: 4, from: "start" });
  assert.equal(understand("wind for four seconds, then a bell").seconds, null);
  assert.deepEqual(first("an owl, quieter than the stream").manner, ["softer than stream"]);
  const [train, bell] = understand("a train and a bell; the train is nearer than the bell").parts[0]!;
  assert.ok(train!.far < bell!.far);
  assert.equal(understand("footsteps on gravel, one person walking away").parts.length, 1);
  assert.equal(sketch("a car passing, no engine roar"), "car_pass");
  assert.equal(first("远处有狗叫了两声").count, 2);
  assert.deepEqual(understand("flügelzorb, footsteps").unknown, ["flugelzorb"]);
});

test("rhythms of one sound and frequencies are heard as they are said, in other languages too", () => {
  const first = (prompt: string) => understand(prompt).parts[0]![0]!;
  const lengths = (prompt: string) =>
    first(prompt)
      .rhythm?.held?.map((held) => (held > 1 ? "-" : "."))
      .join("");
  for (const [prompt, sound, rhythm] of [
    ["ship horn, two long one short one long", "foghorn", "--.-"],
    ["three short three long three short beeps", "beep", "...---..."],
    ["SOS in morse code", "beep", "...---..."],
    ["train horn, long long short long", "foghorn", "--.-"],
    ["beeps, dot dot dash", "beep", "..-"],
    ["zwei lange und ein kurzer Pfiff", "whistle", "--."],
    ["trois coups courts, un long", "impact", "...-"],
    ["один длинный и два коротких свистка", "whistle", "-.."],
  ] as const) {
    assert.equal(first(prompt).recipe.name, sound, prompt);
    assert.equal(lengths(prompt), rhythm, prompt);
  }
  assert.equal(first("shave and a haircut knock").count, 7);
  assert.equal(lengths("short footsteps in a long hallway"), undefined);
  for (const [prompt, sound, hertz, glide] of [
    ["1000 Hz beep", "beep", 1000, 1],
    ["a 440 hertz sine for 2 seconds", "tone", 440, 1],
    ["sweep from 100 Hz to 5 kHz in 3 seconds", "tone", 100, 50],
    ["Netzbrummen", "mains_hum", 50, 1],
    ["60 Hz hum", "mains_hum", 60, 1],
    ["Sinuston mit 1,5 kHz", "tone", 1500, 1],
    ["1000ヘルツの正弦波", "tone", 1000, 1],
  ] as const) {
    const { recipe, traits } = first(prompt);
    assert.deepEqual(
      [recipe.name, Math.round(traits.pitch * recipe.rings_at!), traits.glide],
      [sound, hertz, glide],
      prompt,
    );
  }
  assert.deepEqual(understand("thunder at 300 Hz").unknown, ["300 Hz"]);
  assert.equal(first("wind, lowpass at 500 Hz").manner.length, 0);
});

test("what was counted comes to an end before what is next, and a silence is as long as its part's unit says", () => {
  const names = (prompt: string) => understand(prompt).parts.map((layers) => layers.map(({ recipe }) => recipe.name));
  assert.deepEqual(names("elevator ding twice and the doors slide open").length, 2);
  assert.deepEqual(names("drei Schüsse und ein Schrei"), [["gunshot"], ["scream"]]);
  assert.deepEqual(names("two dogs and a cat"), [["dog", "cat"]]);
  assert.equal(understand("Schiffshorn, drei lange Töne").parts[0]![0]!.count, 3);
  assert.deepEqual(names("Schiffshorn, drei lange Töne"), [["foghorn"]]);
  assert.deepEqual(names("une porte grince puis claque"), [["door_creak"], ["door_slam"]]);
  assert.equal(understand("jemand klopft zweimal, wartet zwei Sekunden und klopft noch einmal").pauses[1]?.seconds, 2);
  assert.deepEqual(understand("knock knock ... knock").pauses[1], { seconds: 1, from: "end" });
  const { seconds, silence_after } = understand("static for 3 seconds, then silence for one");
  assert.deepEqual([seconds, silence_after], [4, 1]);
  assert.equal(understand("rain that starts soft and gets heavier over ten seconds").parts[0]![0]!.motion, "swelling");
  assert.equal(understand("two trains collide").parts[0]![0]!.count, 1);
});

test("what is trodden on is heard, and what is said of all of it counts it", () => {
  const layerOf = (prompt: string) => understand(prompt).parts[0]![0]!;
  assert.equal(layerOf("leather boots on marble").traits.material, "stone");
  assert.equal(layerOf("a bottle breaks on stone").traits.material, "glass");
  assert.equal(layerOf("a bicycle bell, three times in quick succession").count, 3);
  assert.equal(layerOf("een fietsbel, drie keer kort achter elkaar").count, 3);
  assert.equal(understand("een fietsbel, drie keer kort achter elkaar").parts.length, 1);
});

test("sounds with places of their own stand there, and what is said of one alone is said of all", () => {
  const { pan, parts } = understand("wolf howls to the left, an owl hoots on the right, a fire");
  assert.equal(pan, null);
  assert.deepEqual(
    parts.flat().map((layer) => layer.pan),
    ["left", "right", null],
  );
  const one = understand("a dog and a cat on the left");
  assert.equal(one.pan, "left");
  assert.ok(one.parts.flat().every((layer) => layer.pan === null));
});

test("long and short are of the sound, and of nothing else that is named beside it", () => {
  const lengthOf = (prompt: string) => understand(prompt).parts[0]![0]!.length;
  for (const prompt of ["a long beep", "beep, long", "ein langer Piepton", "un bip long", "долгий гудок"])
    assert.ok(lengthOf(prompt) > 2, prompt);
  for (const prompt of [
    "a short beep",
    "short punchy menu click",
    "short zorbly click",
    "beep, short and loud",
    "ein kurzer Piepton",
  ])
    assert.ok(lengthOf(prompt) < 0.5, prompt);
  for (const prompt of [
    "footsteps in a long corridor",
    "kids laughing, for a short film",
    "Schritte, eine kurze Pause, ein Schrei",
  ])
    assert.equal(lengthOf(prompt), 1, prompt);
  const secondsOf = (prompt: string) => plan(understand(prompt), undefined, 1).seconds;
  assert.ok(secondsOf("a long beep") > 1.7 * secondsOf("a beep"));
  assert.ok(secondsOf("a short whoosh") < 0.7 * secondsOf("a whoosh"));
});

test("a time counts from what is named behind it, and the last few seconds are no length", () => {
  const { parts, pauses, seconds } = understand("distant thunder, about 4 seconds after a close lightning crack");
  assert.equal(parts.length, 2);
  assert.deepEqual(
    parts.map(([layer]) => layer!.far > 0.5),
    [false, true],
  );
  assert.deepEqual(pauses[1], { seconds: 4, from: "start" });
  assert.equal(seconds, null);
  assert.equal(understand("rain, a bell for the last few seconds").seconds, null);
  assert.equal(understand("rain for a few seconds").seconds, 5);
});

test("what approaches and goes again passes, and what is said of going names nothing", () => {
  for (const prompt of [
    "a truck comes closer and drives off",
    "a car approaches, stops, then drives away",
    "helicopter approaches, hovers, then leaves",
    "footsteps come nearer, then go away",
  ]) {
    const { parts } = understand(prompt);
    assert.deepEqual(
      parts.flat().map((layer) => [layer.motion, layer.traits.material === "grass"]),
      [["passing", false]],
      prompt,
    );
  }
  for (const [prompt, sound] of [
    ["kids running down the corridor", "children"],
    ["a man runs down the corridor", "footsteps"],
  ] as const) {
    const { parts, environment } = understand(prompt);
    assert.deepEqual([parts[0]![0]!.recipe.name, environment], [sound, "hall"], prompt);
  }
  assert.equal(understand("un camión arranca a la tercera y se aleja").parts[0]![0]!.motion, "away");
  assert.equal(understand("beep beep beep").parts[0]![0]!.count, 3);
  assert.equal(understand("a car drives away").parts[0]![0]!.motion, "away");
  assert.equal(understand("popcorn, starts slow, gets really fast").parts[0]![0]!.hurry, 1);
});

test("movements are read in Arabic and Hindi", () => {
  const motionOf = (prompt: string) => understand(prompt).parts[0]![0]!.motion;
  assert.equal(motionOf("خطوات تقترب"), "nearer");
  assert.equal(motionOf("سيارة تبتعد"), "away");
  assert.equal(motionOf("क़दमों की आहट पास आती"), "nearer");
});
