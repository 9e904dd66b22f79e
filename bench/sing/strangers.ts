/** Songs as people who know nothing of us ask for them: genres, languages, markers of every kind and none. */
export interface Asked {
  readonly prompt: string;
  readonly lyrics: string;
}

export const ASKED: readonly Asked[] = [
  {
    prompt: "sad piano pop ballad, female singer, emotional",
    lyrics: `I've been up since 3 a.m. watchin' the rain
You said you'd call me back but you never came
I can't, I won't, I shouldn't even try
'Cause it's been 24 hours since you said goodbye

And I'm still here, still here in the dark
With 1,000 reasons and a broken heart
And I'm still here, still here in the dark
Tryin' to find my way back to the start`,
  },
  {
    prompt: "dark drill beat, 140 bpm, aggressive rapper",
    lyrics: `[Verse 1: Young K]
Pull up in the Benz at a quarter to nine (skrrt)
$100 on the dash and I'm feelin' just fine
Mama said "boy, better watch what you do"
24/7 on the grind, that's me and my crew
[Hook]
We run the block (run it), we never stop (never)
From the bottom to the top, tick tock, tick tock`,
  },
  {
    prompt: "reggaeton romántico, voz masculina, 92 bpm",
    lyrics: `[Verso 1]
Anoche te vi bailando bajo la luz del mar
Tu corazón me llama y no lo puedo olvidar
¿Dónde estás, mi cielo? Ya no quiero esperar
[Coro]
Dame, dame tu amor, quédate una noche más
Que la luna está llena y no hay vuelta atrás`,
  },
  {
    prompt: "Deutscher Indie-Pop, Frauenstimme, melancholisch",
    lyrics: `[Strophe 1]
Die Straßen sind leer und die Züge fahren fort
Ich schreib dir einen Brief, doch mir fehlt jedes Wort
Über den Dächern wird der Himmel langsam grün
[Refrain]
Bleib noch ein bisschen, bleib noch bei mir
Zwischen gestern und morgen steh ich an deiner Tür`,
  },
  {
    prompt: "melodic metalcore, heavy guitars, powerful male vocals",
    lyrics: `[Verse]
BURN IT DOWN AND LEAVE IT ALL BEHIND
There's no tomorrow for the hollow and the blind!!!
[Breakdown]
Rise! Rise! Rise again
[Chorus - soaring]
We are the ashes, we are the flame
Nobody's ever gonna know our name`,
  },
  {
    prompt: "slow country waltz in 3/4 with steel guitar and fiddle",
    lyrics: `Verse 1:
Grandpa's old Chevy sits out by the barn
He drove it to Nashville in '59
Chorus:
Dance with me, darlin', one more time around
Till the moon goes down on this little town`,
  },
  {
    prompt: "festival EDM anthem, euphoric, diva vocals, 128 bpm",
    lyrics: `[Build Up]
3, 2, 1 - hands up in the air
[Drop]
[Verse]
Neon lights are callin' you and me
We don't need no gravity
[Pre-Chorus]
Higher, higher, higher
[Chorus]
Oh-oh-oh, we're on fire tonight!`,
  },
  {
    prompt: "gospel, choir, 6/8, uplifting, organ",
    lyrics: `[Lead]
Lord, I was weary (so weary), I was worn (so worn)
You carried me over through the eye of the storm
[Choir]
Hallelujah (hallelujah), lift your voice and sing
Let the bells of every mountain ring`,
  },
  {
    prompt: "chill lo-fi hip hop, soft whispery vocals",
    lyrics:
      "coffee's getting cold again, windows full of rain, I been thinking bout you, running through my brain\nlittle yellow taxi on the corner of 5th and Main 🌧️",
  },
  {
    prompt: "smoky jazz ballad, upright bass, brushes, low male voice",
    lyrics: `(softly)
The last train left at midnight, and so, my dear, did you
I ordered one more whiskey, then I ordered two
[Sax Solo]
Now the moon's a silver dollar that I can't afford to spend
And this song's the only thing that doesn't have to end`,
  },
  {
    prompt: "fast punk rock, 180 bpm, shouted",
    lyrics: `[Verse]
I got a letter from the government today
They want my number and my name and half my pay
[Chorus]
No, no, no! I don't wanna go!
Kick down the door and steal the show`,
  },
  {
    prompt: "afrobeats, summer vibes, laid back, warm",
    lyrics: `[Intro]
Yeah, yeah
[Verse]
Island breeze, she dey move so sweet
Everybody dancing on the sand with bare feet
[Chorus]
Baby, come closer, don't you run away
We go dey shine until the break of day
[Outro]`,
  },
];
