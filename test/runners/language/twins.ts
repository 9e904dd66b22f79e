/** Prompts by language, each with its English twin. */
export const TWINS: Readonly<Record<string, readonly (readonly [own: string, english: string])[]>> = {
  German: [
    ["fröhliche Jazzmusik mit Klavier und Trompete", "happy jazz with piano and trumpet"],
    [
      "eine ruhige Bossa Nova mit klassischer Gitarre, ohne Schlagzeug",
      "a calm bossa nova with classical guitar, without drums",
    ],
    ["Düsterer Techno, nicht zu schnell", "dark techno, not too fast"],
    ["melancholischer Walzer für Akkordeon und Geige", "melancholic waltz for accordion and violin"],
    ["Kein Bass, keine Trommeln, nur Harfe", "no bass, no drums, only harp"],
    ["instrumentaler Rock mit verzerrter Gitarre", "instrumental rock with distorted guitar"],
    ["Regen am Strand, sehr langsam, Reggae", "rain at the beach, very slow, reggae"],
    ["episches Orchester, heldenhaft, mit Pauken und Chor", "epic orchestra, heroic, with timpani and choir"],
    ["Schlaflied mit Spieluhr statt Klavier", "lullaby with music box instead of piano"],
    ["gruselige Kirchenorgel, Horror", "scary church organ, horror"],
    ["verträumter Ambient mit Klangschalen", "dreamy ambient with singing bowls"],
    ["froehlicher Funk ohne Blaeser", "happy funk without brass"],
  ],
};
