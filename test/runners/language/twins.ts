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
    ["ruhiger Jazz, gitarrenlos", "calm jazz, without guitar"],
  ],
  Polish: [
    ["wesoły walc na akordeon i skrzypce", "happy waltz for accordion and violin"],
    ["mroczna muzyka filmowa z chórem, bez perkusji", "dark cinematic with choir, without drums"],
    ["spokojna kołysanka, pozytywka zamiast fortepianu", "calm lullaby, music box instead of piano"],
    ["szybki blues, saksofon i kontrabas", "fast blues, sax and double bass"],
  ],
  Turkish: [
    ["hüzünlü tango, keman ve akordeon", "sad tango, violin and accordion"],
    ["neşeli caz, davulsuz", "happy jazz, drumless"],
    ["sakin caz, gitarsız", "calm jazz, without guitar"],
    ["hüzünlü flamenko, banjosuz, kemanla", "sad flamenco, without banjo, with violin"],
    ["sakin ninni, piyano yerine arp", "calm lullaby, harp instead of piano"],
    ["sakin caz, gitar olmadan", "calm jazz, without guitar"],
    ["neşeli salsa, kongalar ve trompetle", "happy salsa, congas and trumpet"],
    ["hüzünlü flamenko, banjo hariç", "sad flamenco, without banjo"],
    ["karanlık tekno, vokalsiz", "dark techno, no vocals"],
    ["romantik bossa nova, flüt ve marimbayla", "romantic bossa nova, flute and marimba"],
    ["mutlu polka, davul olmadan", "happy polka without drums"],
    ["otuz saniye hüzünlü vals, ukulele", "thirty seconds of sad waltz, ukulele"],
  ],
  Chinese: [
    ["悲伤的圆舞曲，小提琴和手风琴", "sad waltz, violin and accordion"],
    ["平静的氛围音乐，没有鼓", "calm ambient, no drums"],
    ["快樂的爵士樂，薩克斯", "happy jazz, sax"],
  ],
  Japanese: [
    ["悲しいワルツ、バイオリンとアコーディオン", "sad waltz, violin and accordion"],
    ["穏やかなジャズ、ドラムなし", "calm jazz, no drums"],
  ],
  Korean: [
    ["슬픈 왈츠, 바이올린과 아코디언", "sad waltz, violin and accordion"],
    ["조용한 재즈, 드럼 없이", "calm jazz, no drums"],
  ],
  Russian: [
    ["грустный вальс для скрипки и аккордеона", "sad waltz for violin and accordion"],
    ["спокойный джаз без барабанов", "calm jazz without drums"],
  ],
  French: [
    ["valse mélancolique pour accordéon et violon", "melancholic waltz for accordion and violin"],
    ["jazz joyeux, sans batterie, avec saxophone", "happy jazz, without drums, with sax"],
  ],
  Spanish: [
    ["vals triste para acordeón y violín", "sad waltz for accordion and violin"],
    ["jazz alegre sin batería, con saxofón", "happy jazz without drums, with sax"],
  ],
  Italian: [
    ["valzer triste per fisarmonica e violino", "sad waltz for accordion and violin"],
    ["jazz felice senza batteria, con sassofono", "happy jazz without drums, with sax"],
  ],
  Portuguese: [
    ["valsa triste para acordeão e violino", "sad waltz for accordion and violin"],
    ["jazz alegre sem bateria, com saxofone", "happy jazz without drums, with sax"],
  ],
  Dutch: [
    ["droevige wals voor accordeon en viool", "sad waltz for accordion and violin"],
    ["vrolijke jazz zonder drums, met saxofoon", "happy jazz without drums, with sax"],
  ],
};
