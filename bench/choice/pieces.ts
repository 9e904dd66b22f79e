/** What is rendered, and sung. */
export const LYRICS = `[Verse]
Morning on the river, silver on the stone
Every road I wander leads me back to home
Paper boats and promises drifting out to sea
All the doors are open and the air is free
[Chorus]
Carry me over, carry me on
Sing till the night is gone`;

export const PIECES: readonly { readonly prompt: string; readonly sung: boolean }[] = [
  { prompt: "indie pop with bright guitars", sung: true },
  { prompt: "slow soul ballad", sung: true },
  { prompt: "warm deep house with mellow keys", sung: false },
  { prompt: "heroic orchestral trailer", sung: false },
  { prompt: "country road song with pedal steel", sung: true },
  { prompt: "bossa nova by the beach", sung: false },
  { prompt: "late night jazz trio with tenor saxophone", sung: false },
  { prompt: "neon synthpop with a big chorus", sung: true },
  { prompt: "seventies funk with horns", sung: false },
  { prompt: "soft piano ballad", sung: false },
];
