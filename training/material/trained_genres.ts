/** Genres in the order in which the shipped networks' material was drawn: which were held out, and what their seeds were, hangs on it. */
export const TRAINED_GENRES: readonly string[] = [
  "pop indie_pop synthpop dream_pop city_pop kpop jpop singer_songwriter musical_theatre lullaby childrens rock",
  "indie_rock classic_rock punk grunge metal post_rock shoegaze surf_rock rockabilly blues gospel soul motown",
  "funk disco rnb neo_soul hip_hop boom_bap trap drill lofi jazz swing bebop smooth_jazz ragtime house",
  "deep_house tech_house techno trance edm dubstep drum_and_bass jungle uk_garage electro hardstyle synthwave",
  "vaporwave chillout trip_hop downtempo ambient dark_ambient new_age chiptune industrial country bluegrass",
  "folk celtic americana reggae dub ska dancehall reggaeton latin_pop salsa bossa_nova samba tango flamenco",
  "mariachi afrobeat amapiano bollywood arabic east_asian polka klezmer classical baroque romantic minimalism",
  "piano_solo string_quartet waltz march cinematic epic trailer horror fantasy western game corporate christmas",
].flatMap((line) => line.split(" "));
