import type { Genre } from "../genres.ts";

/**
 * Who may play a genre: several line-ups each, of seats `role=instrument`, most important first. `a|b` lets the seed choose; `?` marks a guest
 * that a sparse piece leaves out.
 */
export const LINEUPS: Readonly<Record<Genre, readonly string[]>> = {
  // Pop and song
  pop: [
    "drums=electronic_kit bass=synth_bass|electric_bass chords=piano|bright_piano lead=pluck|soft_lead pad=warm_pad arpeggio=muted_guitar|pluck counter=saw_lead|strings? percussion=latin_percussion?",
    "drums=acoustic_kit bass=electric_bass chords=electric_guitar|steel_guitar chords=piano lead=electric_guitar|piano pad=warm_pad|strings counter=glockenspiel?",
    "drums=electronic_kit bass=sub_bass|synth_bass chords=electric_piano|fm_piano lead=saw_lead|bell_synth pad=glass_pad arpeggio=pluck counter=soft_lead?",
  ],
  indie_pop: [
    "drums=acoustic_kit bass=picked_bass chords=electric_guitar lead=glockenspiel|whistle|soft_lead arpeggio=muted_guitar|electric_guitar pad=organ|warm_pad? percussion=latin_percussion? counter=ukulele|trumpet?",
    "drums=lofi_kit|acoustic_kit bass=electric_bass chords=ukulele|steel_guitar chords=upright_piano lead=whistle|electric_guitar pad=warm_pad? counter=glockenspiel?",
    "drums=acoustic_kit bass=synth_bass chords=electric_guitar lead=square_lead|soft_lead arpeggio=electric_guitar pad=glass_pad",
  ],
  synthpop: [
    "drums=electronic_kit bass=synth_bass chords=brass_synth|supersaw lead=square_lead|saw_lead pad=warm_pad arpeggio=pluck|square_lead counter=bell_synth?",
    "drums=electronic_kit bass=synth_bass chords=fm_piano lead=soft_lead|saw_lead pad=glass_pad arpeggio=pluck counter=square_lead?",
  ],
  dream_pop: [
    "drums=acoustic_kit|lofi_kit bass=electric_bass chords=electric_guitar lead=soft_lead|electric_guitar pad=warm_pad pad=slow_strings|choir? arpeggio=electric_guitar|bell_synth counter=glass_pad?",
    "drums=electronic_kit bass=picked_bass|electric_bass chords=electric_guitar lead=electric_guitar|bell_synth pad=glass_pad arpeggio=pluck|electric_guitar",
  ],
  city_pop: [
    "drums=acoustic_kit bass=slap_bass|electric_bass chords=electric_piano|fm_piano chords=electric_guitar lead=alto_sax|soft_lead pad=strings arpeggio=muted_guitar? counter=brass percussion=latin_percussion?",
    "drums=acoustic_kit bass=electric_bass chords=fm_piano lead=electric_guitar|brass_synth|saw_lead pad=warm_pad chords=brass_synth counter=bell_synth|flute? percussion=latin_percussion?",
  ],
  kpop: [
    "drums=electronic_kit|trap_kit bass=synth_bass|sub_bass chords=supersaw lead=saw_lead|pluck arpeggio=pluck pad=glass_pad counter=bell_synth|brass_synth chords=fm_piano? transition=riser",
    "drums=house_kit|electronic_kit bass=synth_bass chords=electric_piano|bright_piano lead=bell_synth|square_lead pad=warm_pad arpeggio=muted_guitar|pluck counter=saw_lead? transition=riser",
  ],
  jpop: [
    "drums=rock_kit|acoustic_kit bass=picked_bass|electric_bass chords=overdriven_guitar chords=bright_piano lead=electric_guitar|saw_lead pad=strings arpeggio=pluck|glockenspiel? counter=violin|glockenspiel",
    "drums=acoustic_kit bass=electric_bass chords=piano lead=violin|square_lead pad=strings arpeggio=electric_guitar counter=celesta|flute?",
  ],
  singer_songwriter: [
    "chords=steel_guitar bass=upright_bass|electric_bass lead=violin|piano|electric_guitar drums=brush_kit? pad=slow_strings|organ? counter=cello?",
    "chords=piano bass=electric_bass|upright_bass lead=cello|harmonica drums=brush_kit|acoustic_kit? arpeggio=nylon_guitar pad=slow_strings?",
    "arpeggio=nylon_guitar|steel_guitar chords=upright_piano lead=harmonica|clarinet bass=upright_bass percussion=hand_drums? pad=strings?",
  ],
  musical_theatre: [
    "chords=piano drums=acoustic_kit|brush_kit bass=upright_bass lead=clarinet|violin|trumpet pad=strings chords=brass counter=flute|french_horn arpeggio=glockenspiel|harp?",
    "chords=piano bass=upright_bass drums=brush_kit lead=oboe|flute pad=strings counter=trombone|clarinet percussion=orchestral_percussion?",
  ],
  lullaby: [
    "arpeggio=music_box|celesta lead=celesta|flute|music_box pad=slow_strings|warm_pad chords=harp? counter=clarinet?",
    "chords=piano lead=music_box|pan_flute pad=choir|warm_pad? arpeggio=harp|kalimba?",
    "arpeggio=nylon_guitar|harp lead=flute|clarinet|glockenspiel pad=slow_strings bass=cello?",
  ],
  childrens: [
    "chords=ukulele lead=xylophone|glockenspiel|recorder bass=upright_bass|tuba percussion=latin_percussion drums=acoustic_kit? counter=clarinet|piccolo? arpeggio=pizzicato?",
    "chords=upright_piano|accordion lead=recorder|whistle|xylophone bass=tuba|upright_bass drums=brush_kit|acoustic_kit counter=glockenspiel|clarinet?",
    "arpeggio=pizzicato|marimba lead=flute|glockenspiel chords=ukulele bass=bassoon percussion=latin_percussion counter=xylophone?",
  ],
  // Rock
  rock: [
    "drums=rock_kit bass=picked_bass chords=overdriven_guitar chords=distorted_guitar lead=overdriven_guitar|electric_guitar pad=organ? counter=piano?",
    "drums=rock_kit bass=electric_bass chords=overdriven_guitar chords=electric_guitar lead=distorted_guitar chords=organ?",
    "drums=rock_kit bass=picked_bass chords=distorted_guitar chords=piano lead=electric_guitar pad=strings?",
  ],
  indie_rock: [
    "drums=acoustic_kit|rock_kit bass=picked_bass chords=electric_guitar arpeggio=electric_guitar lead=overdriven_guitar|electric_guitar pad=organ|warm_pad? counter=glockenspiel|trumpet?",
    "drums=acoustic_kit bass=picked_bass chords=overdriven_guitar chords=upright_piano lead=electric_guitar|square_lead arpeggio=muted_guitar",
  ],
  classic_rock: [
    "drums=rock_kit bass=electric_bass chords=overdriven_guitar chords=organ lead=overdriven_guitar|distorted_guitar percussion=latin_percussion? counter=electric_guitar?",
    "drums=rock_kit|acoustic_kit bass=picked_bass chords=electric_guitar chords=piano lead=overdriven_guitar|harmonica pad=organ",
    "drums=rock_kit bass=electric_bass chords=steel_guitar chords=overdriven_guitar lead=electric_guitar pad=organ counter=overdriven_guitar?",
  ],
  punk: [
    "drums=rock_kit bass=picked_bass chords=distorted_guitar chords=overdriven_guitar lead=distorted_guitar",
    "drums=rock_kit bass=picked_bass chords=distorted_guitar chords=distorted_guitar lead=overdriven_guitar counter=overdriven_guitar?",
  ],
  grunge: [
    "drums=rock_kit bass=picked_bass|electric_bass chords=distorted_guitar arpeggio=electric_guitar lead=overdriven_guitar chords=distorted_guitar",
    "drums=rock_kit bass=electric_bass chords=electric_guitar chords=distorted_guitar lead=distorted_guitar counter=cello?",
  ],
  metal: [
    "drums=rock_kit bass=picked_bass chords=distorted_guitar chords=distorted_guitar lead=distorted_guitar counter=distorted_guitar pad=choir?",
    "drums=rock_kit bass=picked_bass chords=distorted_guitar chords=distorted_guitar lead=distorted_guitar pad=strings|dark_pad?",
  ],
  post_rock: [
    "drums=rock_kit|acoustic_kit bass=picked_bass arpeggio=electric_guitar chords=overdriven_guitar lead=electric_guitar pad=slow_strings|warm_pad counter=glockenspiel|cello? pad=tremolo_strings?",
    "drums=acoustic_kit bass=electric_bass arpeggio=electric_guitar|piano chords=distorted_guitar lead=violin|electric_guitar pad=warm_pad counter=cello?",
  ],
  shoegaze: [
    "drums=rock_kit|acoustic_kit bass=picked_bass chords=distorted_guitar chords=overdriven_guitar lead=soft_lead|electric_guitar pad=warm_pad|glass_pad pad=choir?",
    "drums=acoustic_kit bass=electric_bass chords=overdriven_guitar lead=overdriven_guitar pad=warm_pad arpeggio=electric_guitar chords=distorted_guitar",
  ],
  surf_rock: [
    "drums=acoustic_kit|rock_kit bass=picked_bass chords=electric_guitar lead=electric_guitar counter=organ? arpeggio=muted_guitar?",
    "drums=rock_kit bass=electric_bass chords=electric_guitar chords=organ lead=electric_guitar|tenor_sax percussion=latin_percussion?",
  ],
  rockabilly: [
    "drums=brush_kit|acoustic_kit bass=upright_bass chords=electric_guitar lead=electric_guitar chords=steel_guitar? counter=upright_piano?",
    "drums=acoustic_kit bass=upright_bass chords=upright_piano lead=electric_guitar|tenor_sax chords=electric_guitar",
  ],
  // Black American roots and what grew from them
  blues: [
    "drums=acoustic_kit bass=electric_bass chords=electric_guitar lead=overdriven_guitar|harmonica chords=organ? counter=upright_piano?",
    "drums=brush_kit bass=upright_bass chords=steel_guitar lead=harmonica|steel_guitar chords=upright_piano?",
    "drums=acoustic_kit bass=electric_bass chords=upright_piano lead=electric_guitar|tenor_sax chords=electric_guitar pad=organ? counter=brass?",
  ],
  gospel: [
    "drums=acoustic_kit bass=electric_bass chords=piano chords=organ lead=alto_sax|organ pad=choir percussion=latin_percussion counter=brass?",
    "drums=acoustic_kit bass=electric_bass chords=organ chords=piano lead=electric_guitar|piano pad=choir counter=brass?",
  ],
  soul: [
    "drums=acoustic_kit bass=electric_bass chords=electric_piano chords=electric_guitar lead=tenor_sax|organ counter=brass pad=strings|organ",
    "drums=acoustic_kit bass=electric_bass chords=organ arpeggio=electric_guitar lead=alto_sax|trumpet counter=brass pad=strings?",
  ],
  motown: [
    "drums=acoustic_kit bass=electric_bass chords=electric_guitar chords=piano lead=tenor_sax|flute pad=strings counter=brass percussion=latin_percussion arpeggio=vibraphone?",
    "drums=acoustic_kit bass=electric_bass chords=upright_piano chords=electric_guitar lead=vibraphone|trumpet pad=strings percussion=latin_percussion counter=brass?",
  ],
  funk: [
    "drums=acoustic_kit bass=slap_bass chords=clavinet chords=electric_guitar lead=alto_sax|brass counter=brass percussion=latin_percussion? arpeggio=muted_guitar",
    "drums=acoustic_kit bass=electric_bass|slap_bass chords=electric_guitar chords=organ lead=tenor_sax|trumpet counter=brass arpeggio=muted_guitar? percussion=latin_percussion?",
    "drums=acoustic_kit bass=synth_bass chords=clavinet lead=saw_lead|square_lead chords=electric_guitar counter=brass percussion=latin_percussion?",
  ],
  disco: [
    "drums=acoustic_kit|house_kit bass=electric_bass|slap_bass chords=electric_guitar chords=piano lead=strings|flute pad=strings counter=brass percussion=latin_percussion arpeggio=muted_guitar?",
    "drums=house_kit|acoustic_kit bass=synth_bass chords=electric_piano|clavinet chords=electric_guitar lead=saw_lead|trumpet pad=strings percussion=latin_percussion counter=brass?",
  ],
  rnb: [
    "drums=trap_kit|electronic_kit bass=sub_bass chords=electric_piano lead=soft_lead|bell_synth pad=warm_pad arpeggio=nylon_guitar|pluck? counter=electric_guitar?",
    "drums=electronic_kit|lofi_kit bass=electric_bass|synth_bass chords=fm_piano lead=electric_guitar|alto_sax pad=warm_pad|strings counter=bell_synth? percussion=latin_percussion?",
  ],
  neo_soul: [
    "drums=lofi_kit|acoustic_kit bass=electric_bass chords=electric_piano lead=electric_guitar|muted_trumpet pad=warm_pad? arpeggio=electric_guitar counter=flute|alto_sax? percussion=latin_percussion?",
    "drums=acoustic_kit bass=synth_bass|electric_bass chords=electric_piano chords=clavinet? lead=soft_lead|flute|vibraphone pad=strings? counter=muted_trumpet?",
  ],
  hip_hop: [
    "drums=trap_kit|electronic_kit bass=sub_bass chords=piano|electric_piano lead=pluck|flute|bell_synth pad=strings|warm_pad? counter=brass?",
    "drums=breakbeat_kit|electronic_kit bass=sub_bass|synth_bass chords=electric_guitar|clavinet lead=brass|square_lead|trumpet pad=choir? arpeggio=pizzicato?",
  ],
  boom_bap: [
    "drums=breakbeat_kit bass=upright_bass chords=piano|electric_piano lead=muted_trumpet|vibraphone|flute texture=vinyl_noise counter=tenor_sax? pad=strings?",
    "drums=breakbeat_kit|lofi_kit bass=electric_bass|sub_bass chords=electric_piano|organ lead=alto_sax|electric_guitar texture=vinyl_noise counter=brass? arpeggio=harp?",
  ],
  trap: [
    "drums=trap_kit bass=sub_bass arpeggio=bell_synth|pluck lead=flute|bell_synth|square_lead pad=dark_pad|choir chords=piano? counter=strings?",
    "drums=trap_kit bass=sub_bass chords=piano|dark_pad lead=pluck|koto|pan_flute arpeggio=celesta|music_box? pad=strings? counter=brass?",
  ],
  drill: [
    "drums=trap_kit bass=sub_bass chords=piano lead=strings|violin|pluck pad=choir|dark_pad arpeggio=pizzicato|bell_synth? counter=flute?",
    "drums=trap_kit bass=sub_bass arpeggio=bell_synth|harp lead=soft_lead|flute pad=strings|dark_pad chords=electric_guitar|nylon_guitar?",
  ],
  lofi: [
    "drums=lofi_kit bass=upright_bass|electric_bass chords=electric_piano lead=electric_guitar|vibraphone|muted_trumpet texture=vinyl_noise pad=warm_pad? counter=flute? arpeggio=nylon_guitar?",
    "drums=lofi_kit bass=electric_bass|sub_bass chords=upright_piano|piano lead=kalimba|flute|clarinet texture=vinyl_noise|tape_hiss pad=warm_pad? arpeggio=nylon_guitar?",
    "drums=lofi_kit bass=upright_bass chords=nylon_guitar|electric_guitar lead=electric_piano|alto_sax texture=vinyl_noise|rain_texture pad=warm_pad?",
  ],
  jazz: [
    "drums=jazz_kit bass=upright_bass chords=piano lead=tenor_sax|trumpet|alto_sax counter=trombone|muted_trumpet?",
    "drums=brush_kit bass=upright_bass chords=piano lead=piano|vibraphone|clarinet counter=tenor_sax?",
    "drums=jazz_kit|brush_kit bass=upright_bass chords=electric_guitar lead=electric_guitar|muted_trumpet|vibraphone counter=flute?",
  ],
  swing: [
    "drums=jazz_kit bass=upright_bass chords=piano chords=electric_guitar lead=trumpet|clarinet|alto_sax counter=brass chords=brass",
    "drums=jazz_kit bass=upright_bass chords=steel_guitar lead=clarinet|violin counter=trombone|muted_trumpet chords=piano",
  ],
  bebop: [
    "drums=jazz_kit bass=upright_bass chords=piano lead=alto_sax|trumpet counter=trumpet|tenor_sax?",
    "drums=jazz_kit bass=upright_bass chords=piano lead=tenor_sax|trombone|electric_guitar",
  ],
  smooth_jazz: [
    "drums=acoustic_kit|electronic_kit bass=electric_bass|slap_bass chords=electric_piano lead=soprano_sax|alto_sax pad=warm_pad|strings arpeggio=electric_guitar? percussion=latin_percussion counter=flute|muted_trumpet?",
    "drums=electronic_kit|acoustic_kit bass=electric_bass chords=fm_piano lead=electric_guitar|alto_sax pad=strings percussion=latin_percussion? counter=flute?",
  ],
  ragtime: [
    "chords=upright_piano bass=upright_piano lead=upright_piano",
    "chords=upright_piano bass=tuba lead=clarinet|upright_piano counter=trombone percussion=orchestral_percussion?",
    "chords=banjo bass=tuba lead=upright_piano counter=clarinet|trumpet?",
  ],
  // Electronic
  house: [
    "drums=house_kit bass=synth_bass chords=piano|bright_piano lead=saw_lead|pluck pad=strings|warm_pad percussion=latin_percussion counter=brass? transition=riser",
    "drums=house_kit bass=synth_bass|acid_bass chords=organ lead=pluck|bell_synth|square_lead pad=warm_pad arpeggio=pluck? percussion=latin_percussion? transition=riser",
  ],
  deep_house: [
    "drums=house_kit bass=sub_bass|synth_bass chords=electric_piano pad=warm_pad lead=soft_lead|vibraphone|flute percussion=latin_percussion arpeggio=pluck|marimba? transition=riser",
    "drums=house_kit bass=synth_bass chords=organ|fm_piano pad=dark_pad|warm_pad lead=muted_trumpet|pluck|alto_sax percussion=latin_percussion? transition=riser",
  ],
  tech_house: [
    "drums=house_kit bass=synth_bass|acid_bass percussion=latin_percussion chords=pluck lead=square_lead|pluck pad=dark_pad? transition=riser",
    "drums=house_kit bass=synth_bass percussion=hand_drums|latin_percussion arpeggio=pluck lead=saw_lead|bell_synth chords=supersaw? transition=riser",
  ],
  techno: [
    "drums=house_kit|electronic_kit bass=sub_bass|synth_bass arpeggio=acid_bass|pluck pad=dark_pad|drone chords=dark_pad|supersaw? lead=square_lead|pluck? transition=riser",
    "drums=electronic_kit bass=synth_bass|reese_bass arpeggio=square_lead|pluck pad=drone percussion=latin_percussion? lead=saw_lead|bell_synth? transition=riser",
  ],
  trance: [
    "drums=house_kit bass=synth_bass chords=supersaw arpeggio=pluck lead=saw_lead|supersaw pad=warm_pad|choir counter=bell_synth? transition=riser",
    "drums=house_kit bass=synth_bass|acid_bass arpeggio=saw_lead|pluck chords=supersaw lead=supersaw|bell_synth pad=glass_pad transition=riser",
  ],
  edm: [
    "drums=house_kit|electronic_kit bass=synth_bass chords=supersaw lead=saw_lead|supersaw arpeggio=pluck pad=warm_pad counter=bell_synth? transition=riser",
    "drums=electronic_kit bass=reese_bass|synth_bass chords=piano chords=supersaw lead=pluck|square_lead pad=glass_pad arpeggio=pluck? transition=riser",
  ],
  dubstep: [
    "drums=electronic_kit|breakbeat_kit bass=reese_bass chords=supersaw lead=square_lead|saw_lead pad=dark_pad arpeggio=bell_synth|pluck? transition=riser",
    "drums=electronic_kit bass=reese_bass chords=piano lead=saw_lead|brass_synth pad=choir|dark_pad arpeggio=pluck? transition=riser",
  ],
  drum_and_bass: [
    "drums=breakbeat_kit bass=reese_bass pad=warm_pad|glass_pad chords=electric_piano|piano lead=soft_lead|saw_lead arpeggio=pluck? transition=riser",
    "drums=breakbeat_kit|electronic_kit bass=reese_bass|sub_bass pad=dark_pad|strings chords=supersaw? lead=square_lead|bell_synth arpeggio=pluck transition=riser",
  ],
  jungle: [
    "drums=breakbeat_kit bass=sub_bass pad=warm_pad|strings chords=organ|electric_piano lead=soft_lead|flute percussion=latin_percussion? transition=riser",
    "drums=breakbeat_kit bass=sub_bass pad=dark_pad|choir chords=piano? lead=bell_synth|vibraphone percussion=latin_percussion? transition=downlifter",
  ],
  uk_garage: [
    "drums=house_kit bass=synth_bass|sub_bass chords=organ|electric_piano lead=pluck|bell_synth pad=warm_pad? counter=saw_lead? transition=riser",
    "drums=electronic_kit|house_kit bass=reese_bass|synth_bass chords=fm_piano lead=square_lead|soft_lead pad=strings? arpeggio=pluck? transition=riser",
  ],
  electro: [
    "drums=electronic_kit bass=synth_bass lead=square_lead|saw_lead chords=brass_synth arpeggio=pluck|square_lead pad=strings|dark_pad? transition=downlifter",
    "drums=electronic_kit bass=acid_bass|synth_bass lead=saw_lead arpeggio=square_lead chords=supersaw? pad=warm_pad? transition=riser",
  ],
  hardstyle: [
    "drums=house_kit|electronic_kit bass=reese_bass|synth_bass chords=supersaw lead=saw_lead|supersaw pad=choir|dark_pad arpeggio=pluck? transition=riser",
    "drums=electronic_kit bass=synth_bass lead=supersaw|square_lead chords=supersaw pad=strings|warm_pad transition=riser",
  ],
  synthwave: [
    "drums=electronic_kit bass=synth_bass pad=warm_pad lead=saw_lead|square_lead arpeggio=pluck|saw_lead chords=brass_synth|supersaw counter=overdriven_guitar|bell_synth?",
    "drums=electronic_kit bass=synth_bass chords=brass_synth lead=overdriven_guitar|saw_lead|alto_sax pad=glass_pad|warm_pad arpeggio=square_lead|pluck",
  ],
  vaporwave: [
    "drums=electronic_kit|lofi_kit bass=synth_bass|slap_bass chords=fm_piano lead=alto_sax|soft_lead pad=warm_pad texture=tape_hiss counter=bell_synth?",
    "drums=lofi_kit bass=electric_bass chords=electric_piano lead=bell_synth|pan_flute pad=glass_pad|choir texture=tape_hiss|vinyl_noise arpeggio=marimba?",
  ],
  chillout: [
    "drums=electronic_kit|lofi_kit bass=sub_bass|synth_bass pad=warm_pad chords=electric_piano lead=nylon_guitar|soft_lead|flute arpeggio=pluck|kalimba percussion=hand_drums?",
    "percussion=hand_drums|latin_percussion bass=electric_bass|sub_bass pad=glass_pad arpeggio=nylon_guitar|marimba lead=soft_lead|alto_sax drums=lofi_kit? texture=sea_texture?",
  ],
  trip_hop: [
    "drums=breakbeat_kit bass=sub_bass|electric_bass chords=electric_piano lead=muted_trumpet|soft_lead|cello pad=dark_pad|strings texture=vinyl_noise counter=electric_guitar?",
    "drums=lofi_kit|breakbeat_kit bass=upright_bass chords=vibraphone|organ lead=electric_guitar|violin pad=slow_strings|dark_pad texture=vinyl_noise",
  ],
  downtempo: [
    "drums=electronic_kit|lofi_kit bass=sub_bass chords=electric_piano|kalimba lead=soft_lead|sitar|flute pad=warm_pad arpeggio=pluck percussion=hand_drums?",
    "drums=breakbeat_kit|lofi_kit bass=synth_bass pad=glass_pad|warm_pad chords=vibraphone|piano lead=bell_synth|oboe arpeggio=harp|pluck?",
  ],
  ambient: [
    "pad=warm_pad pad=glass_pad texture=space_texture|wind_texture arpeggio=bell_synth|pluck|piano? lead=soft_lead|piano? bass=drone",
    "pad=glass_pad|slow_strings pad=choir|warm_pad chords=piano lead=bell_synth|electric_guitar|cello? bass=drone texture=sea_texture|rain_texture|tape_hiss?",
    "pad=warm_pad pad=slow_strings arpeggio=kalimba|harp|vibraphone? bass=drone|sub_bass lead=soft_lead|flute? texture=wind_texture|space_texture?",
  ],
  dark_ambient: [
    "pad=dark_pad bass=drone texture=wind_texture|space_texture pad=choir|tremolo_strings? lead=cello|bell_synth? transition=impact",
    "pad=drone pad=dark_pad texture=space_texture|night_texture percussion=taiko|orchestral_percussion? lead=tubular_bells|soft_lead? bass=sub_bass? transition=downlifter",
  ],
  new_age: [
    "pad=warm_pad|slow_strings arpeggio=harp|piano lead=pan_flute|flute|soft_lead chords=piano? texture=sea_texture|birds_texture? counter=choir|cello? bass=cello?",
    "chords=piano pad=glass_pad|choir lead=flute|violin arpeggio=harp|bell_synth|nylon_guitar bass=sub_bass? percussion=hand_drums?",
  ],
  chiptune: [
    "drums=electronic_kit bass=chip_lead lead=chip_lead|square_lead arpeggio=chip_lead counter=square_lead?",
    "drums=electronic_kit bass=synth_bass|chip_lead lead=square_lead|chip_lead arpeggio=square_lead chords=chip_lead?",
  ],
  industrial: [
    "drums=electronic_kit|breakbeat_kit bass=reese_bass|synth_bass chords=distorted_guitar lead=saw_lead|square_lead pad=dark_pad|drone arpeggio=acid_bass? transition=impact",
    "drums=electronic_kit bass=acid_bass|reese_bass chords=distorted_guitar lead=brass_synth|square_lead pad=drone percussion=orchestral_percussion|taiko? transition=impact",
  ],
  // Country, folk and the world
  country: [
    "drums=acoustic_kit bass=electric_bass chords=steel_guitar chords=electric_guitar lead=violin|electric_guitar counter=harmonica|banjo? arpeggio=banjo? pad=organ?",
    "drums=brush_kit|acoustic_kit bass=upright_bass|electric_bass chords=steel_guitar chords=upright_piano lead=electric_guitar|harmonica counter=violin arpeggio=mandolin?",
  ],
  bluegrass: [
    "arpeggio=banjo chords=mandolin chords=steel_guitar bass=upright_bass lead=violin counter=dulcimer?",
    "arpeggio=banjo chords=steel_guitar bass=upright_bass lead=mandolin|banjo counter=violin",
  ],
  folk: [
    "arpeggio=steel_guitar|nylon_guitar lead=violin|whistle|harmonica bass=upright_bass chords=accordion|mandolin? percussion=hand_drums? counter=cello|flute?",
    "chords=steel_guitar lead=harmonica|mandolin|flute bass=upright_bass arpeggio=banjo|dulcimer? percussion=hand_drums? pad=strings?",
  ],
  celtic: [
    "lead=whistle|violin chords=steel_guitar arpeggio=harp percussion=hand_drums bass=cello|upright_bass counter=violin|bagpipes? pad=slow_strings?",
    "lead=violin|bagpipes|flute arpeggio=harp|dulcimer chords=accordion|mandolin percussion=hand_drums bass=upright_bass counter=whistle",
  ],
  americana: [
    "drums=brush_kit bass=upright_bass chords=steel_guitar lead=electric_guitar|violin pad=organ arpeggio=banjo|mandolin? counter=harmonica?",
    "drums=acoustic_kit|brush_kit bass=electric_bass chords=steel_guitar chords=upright_piano lead=harmonica|violin arpeggio=mandolin? pad=accordion|organ?",
  ],
  reggae: [
    "drums=acoustic_kit bass=electric_bass chords=electric_guitar chords=organ lead=trombone|harmonica|electric_guitar counter=brass? percussion=latin_percussion arpeggio=muted_guitar?",
    "drums=acoustic_kit bass=electric_bass chords=organ chords=electric_guitar lead=tenor_sax|electric_guitar|flute counter=brass? percussion=hand_drums? chords=piano?",
  ],
  dub: [
    "drums=acoustic_kit bass=sub_bass|electric_bass chords=electric_guitar chords=organ lead=harmonica|trombone|soft_lead percussion=latin_percussion? texture=tape_hiss?",
    "drums=acoustic_kit|electronic_kit bass=sub_bass chords=organ lead=flute|muted_trumpet|bell_synth pad=dark_pad? percussion=hand_drums? texture=tape_hiss",
  ],
  ska: [
    "drums=acoustic_kit bass=picked_bass|electric_bass chords=electric_guitar chords=organ lead=trumpet|trombone counter=brass chords=piano?",
    "drums=acoustic_kit|rock_kit bass=electric_bass chords=electric_guitar chords=upright_piano lead=tenor_sax|trumpet counter=trombone|brass",
  ],
  dancehall: [
    "drums=electronic_kit bass=sub_bass|synth_bass chords=organ|pluck lead=brass_synth|bell_synth|flute pad=warm_pad? percussion=latin_percussion counter=brass?",
    "drums=electronic_kit|trap_kit bass=synth_bass chords=fm_piano|electric_guitar lead=pluck|pan_flute|square_lead percussion=latin_percussion? pad=glass_pad?",
  ],
  reggaeton: [
    "drums=electronic_kit|trap_kit bass=sub_bass chords=pluck|piano lead=bell_synth|soft_lead|flute pad=warm_pad? arpeggio=nylon_guitar|pluck? percussion=latin_percussion?",
    "drums=trap_kit|electronic_kit bass=sub_bass|synth_bass chords=nylon_guitar|electric_guitar lead=saw_lead|pan_flute|pluck pad=dark_pad|strings? counter=brass?",
  ],
  latin_pop: [
    "drums=acoustic_kit|electronic_kit bass=electric_bass chords=nylon_guitar chords=piano lead=nylon_guitar|trumpet percussion=latin_percussion counter=brass|accordion pad=strings?",
    "drums=electronic_kit bass=synth_bass|electric_bass chords=piano arpeggio=nylon_guitar lead=soft_lead|accordion|violin percussion=latin_percussion pad=warm_pad? counter=trumpet?",
  ],
  salsa: [
    "percussion=latin_percussion bass=upright_bass|electric_bass chords=piano lead=trumpet|trombone counter=brass drums=acoustic_kit? percussion=hand_drums",
    "percussion=latin_percussion percussion=hand_drums bass=electric_bass|upright_bass chords=piano lead=flute|violin|vibraphone counter=trombone|brass",
  ],
  bossa_nova: [
    "drums=brush_kit|jazz_kit bass=upright_bass chords=nylon_guitar lead=flute|tenor_sax percussion=latin_percussion? chords=piano|electric_piano? pad=strings?",
    "chords=nylon_guitar bass=upright_bass lead=piano|vibraphone|alto_sax drums=brush_kit percussion=latin_percussion? counter=flute?",
  ],
  samba: [
    "percussion=latin_percussion percussion=hand_drums bass=electric_bass chords=nylon_guitar|ukulele lead=trombone|flute|trumpet drums=acoustic_kit counter=brass?",
    "percussion=latin_percussion bass=upright_bass|electric_bass chords=ukulele|mandolin lead=clarinet|alto_sax|flute drums=acoustic_kit percussion=hand_drums chords=piano?",
  ],
  tango: [
    "lead=accordion|violin chords=piano bass=upright_bass pad=strings? counter=violin|cello chords=accordion",
    "lead=violin chords=piano chords=accordion bass=upright_bass counter=cello|accordion? arpeggio=nylon_guitar?",
  ],
  flamenco: [
    "chords=nylon_guitar lead=nylon_guitar percussion=hand_drums bass=upright_bass counter=flute|violin? percussion=latin_percussion",
    "chords=nylon_guitar arpeggio=nylon_guitar lead=nylon_guitar|violin percussion=hand_drums bass=electric_bass percussion=latin_percussion",
  ],
  mariachi: [
    "chords=nylon_guitar bass=upright_bass lead=trumpet counter=violin chords=ukulele pad=strings?",
    "chords=nylon_guitar chords=steel_guitar bass=upright_bass lead=violin|trumpet counter=trumpet arpeggio=harp? pad=strings?",
  ],
  afrobeat: [
    "drums=acoustic_kit percussion=hand_drums percussion=latin_percussion bass=electric_bass arpeggio=muted_guitar chords=electric_guitar lead=tenor_sax|trumpet counter=brass chords=organ?",
    "drums=acoustic_kit|electronic_kit percussion=latin_percussion bass=electric_bass|synth_bass arpeggio=electric_guitar|marimba chords=electric_piano|organ lead=alto_sax|trumpet counter=brass percussion=hand_drums?",
  ],
  amapiano: [
    "drums=house_kit bass=sub_bass chords=electric_piano|piano percussion=latin_percussion pad=warm_pad lead=soft_lead|flute|muted_trumpet? arpeggio=kalimba|pluck?",
    "drums=electronic_kit|house_kit bass=sub_bass chords=organ|fm_piano percussion=latin_percussion pad=glass_pad|strings lead=alto_sax|bell_synth? percussion=hand_drums?",
  ],
  bollywood: [
    "percussion=hand_drums lead=sitar|flute|violin pad=strings bass=electric_bass|synth_bass drums=acoustic_kit|electronic_kit chords=accordion|steel_guitar counter=flute|violin percussion=latin_percussion?",
    "percussion=hand_drums drums=electronic_kit bass=synth_bass lead=violin|sitar|flute pad=strings|drone arpeggio=sitar|dulcimer chords=accordion? counter=strings?",
  ],
  arabic: [
    "percussion=hand_drums lead=violin|clarinet|oboe bass=cello|upright_bass pad=strings arpeggio=dulcimer|nylon_guitar counter=flute? percussion=latin_percussion?",
    "percussion=hand_drums arpeggio=dulcimer|nylon_guitar lead=oboe|flute pad=drone|strings bass=upright_bass|sub_bass counter=violin chords=accordion? drums=electronic_kit?",
  ],
  east_asian: [
    "arpeggio=koto lead=flute|violin|pan_flute pad=slow_strings percussion=taiko|hand_drums? bass=cello? counter=dulcimer?",
    "arpeggio=dulcimer|koto lead=koto|recorder|oboe percussion=taiko chords=harp? pad=warm_pad|strings? counter=flute bass=upright_bass?",
  ],
  polka: [
    "drums=acoustic_kit bass=tuba chords=accordion lead=clarinet|accordion counter=trumpet|trombone",
    "drums=brush_kit|acoustic_kit bass=tuba|upright_bass chords=accordion lead=trumpet|violin counter=clarinet",
  ],
  klezmer: [
    "lead=clarinet|violin chords=accordion bass=upright_bass|tuba drums=brush_kit|acoustic_kit counter=violin|trombone",
    "lead=violin|clarinet chords=upright_piano|accordion bass=tuba|upright_bass percussion=hand_drums counter=trumpet|clarinet arpeggio=dulcimer?",
  ],
  // Classical and for the picture
  classical: [
    "pad=strings chords=strings lead=violin|oboe|flute bass=cello counter=clarinet|french_horn|bassoon percussion=timpani? arpeggio=pizzicato?",
    "chords=piano pad=strings lead=piano|flute|clarinet bass=cello counter=oboe|violin",
    "pad=strings lead=oboe|clarinet bass=bassoon|cello counter=flute|french_horn chords=french_horn arpeggio=viola?",
  ],
  baroque: [
    "chords=harpsichord bass=cello lead=violin|recorder|oboe counter=viola|violin pad=strings?",
    "chords=harpsichord bass=bassoon|cello lead=trumpet|flute pad=strings counter=oboe percussion=timpani?",
    "chords=church_organ bass=church_organ lead=church_organ counter=oboe|trumpet?",
  ],
  romantic: [
    "chords=piano pad=slow_strings lead=violin|cello|french_horn bass=cello counter=clarinet|oboe arpeggio=harp?",
    "pad=strings lead=violin|oboe|cello counter=french_horn|flute bass=cello arpeggio=harp percussion=timpani? pad=tremolo_strings?",
  ],
  minimalism: [
    "arpeggio=piano|marimba chords=vibraphone|piano lead=clarinet|violin pad=strings bass=cello counter=flute|cello?",
    "arpeggio=marimba|pizzicato arpeggio=piano|vibraphone lead=violin|soft_lead pad=slow_strings bass=cello|bassoon",
    "arpeggio=organ|harp chords=piano lead=soprano_sax|cello pad=choir|strings bass=cello",
  ],
  piano_solo: [
    "chords=piano bass=piano lead=piano",
    "arpeggio=piano bass=piano lead=piano",
    "chords=piano bass=piano lead=piano",
  ],
  string_quartet: [
    "lead=violin counter=violin chords=viola bass=cello",
    "lead=violin counter=viola chords=violin bass=cello",
  ],
  waltz: [
    "chords=piano bass=cello lead=violin|accordion|flute pad=strings counter=clarinet|cello?",
    "chords=strings bass=upright_bass|cello lead=violin|clarinet counter=french_horn|flute arpeggio=harp? percussion=orchestral_percussion? pad=slow_strings",
    "chords=accordion bass=upright_bass lead=accordion|violin|clarinet counter=violin|flute drums=brush_kit?",
  ],
  march: [
    "percussion=orchestral_percussion bass=tuba chords=brass lead=trumpet|piccolo counter=trombone|french_horn chords=french_horn counter=piccolo|flute",
    "percussion=orchestral_percussion bass=tuba lead=trumpet|clarinet chords=french_horn|brass counter=piccolo|trombone pad=brass?",
  ],
  cinematic: [
    "pad=strings arpeggio=pizzicato|strings|piano bass=cello lead=french_horn|violin|cello percussion=orchestral_percussion|taiko chords=piano pad=choir? counter=flute|oboe? transition=riser",
    "chords=piano pad=slow_strings lead=cello|violin|piano bass=sub_bass|cello arpeggio=strings|bell_synth counter=french_horn percussion=taiko? transition=reverse_cymbal",
    "pad=warm_pad pad=strings arpeggio=pluck|piano lead=french_horn|soft_lead bass=synth_bass|cello percussion=taiko|orchestral_percussion counter=violin? transition=riser",
  ],
  epic: [
    "percussion=taiko arpeggio=strings chords=brass pad=choir lead=french_horn|trumpet bass=cello percussion=timpani|orchestral_percussion counter=trombone|violin transition=impact",
    "percussion=taiko percussion=orchestral_percussion pad=choir arpeggio=strings lead=french_horn|brass|choir bass=sub_bass|cello chords=brass counter=violin? transition=riser",
  ],
  trailer: [
    "percussion=taiko chords=brass arpeggio=strings bass=sub_bass|reese_bass pad=choir|dark_pad lead=french_horn|brass percussion=orchestral_percussion transition=impact transition=riser",
    "percussion=taiko percussion=orchestral_percussion pad=tremolo_strings|dark_pad chords=brass|piano arpeggio=strings|pizzicato bass=reese_bass lead=brass|violin transition=impact transition=riser",
  ],
  horror: [
    "pad=tremolo_strings pad=dark_pad bass=drone lead=music_box|celesta|violin texture=wind_texture|night_texture percussion=orchestral_percussion|timpani? transition=impact",
    "chords=piano pad=dark_pad|tremolo_strings bass=drone|sub_bass lead=celesta|soft_lead|cello texture=wind_texture|space_texture pad=choir? transition=reverse_cymbal",
  ],
  fantasy: [
    "arpeggio=harp|celesta pad=strings lead=flute|oboe|whistle bass=cello pad=choir counter=french_horn|violin percussion=hand_drums|orchestral_percussion?",
    "pad=slow_strings chords=harp|nylon_guitar lead=recorder|violin|pan_flute bass=cello counter=celesta|oboe percussion=hand_drums? arpeggio=dulcimer|harp",
  ],
  western: [
    "chords=nylon_guitar|steel_guitar lead=whistle|harmonica|trumpet bass=upright_bass arpeggio=electric_guitar|banjo percussion=hand_drums|orchestral_percussion pad=strings|choir",
    "chords=steel_guitar lead=electric_guitar|trumpet|whistle bass=upright_bass drums=brush_kit pad=choir|slow_strings counter=harmonica|pan_flute arpeggio=banjo?",
  ],
  game: [
    "drums=acoustic_kit|electronic_kit bass=picked_bass|synth_bass chords=piano|overdriven_guitar lead=violin|square_lead|flute pad=strings counter=trumpet|glockenspiel arpeggio=pluck|marimba?",
    "percussion=orchestral_percussion arpeggio=pizzicato|harp lead=flute|oboe|recorder bass=cello|upright_bass pad=strings counter=french_horn|clarinet chords=marimba?",
    "drums=electronic_kit bass=synth_bass lead=chip_lead|saw_lead arpeggio=pluck|chip_lead pad=warm_pad|choir chords=supersaw?",
  ],
  corporate: [
    "drums=electronic_kit|acoustic_kit bass=electric_bass chords=piano arpeggio=muted_guitar lead=glockenspiel|electric_guitar|pluck pad=strings|warm_pad percussion=latin_percussion?",
    "chords=steel_guitar|ukulele arpeggio=muted_guitar|marimba bass=electric_bass drums=acoustic_kit lead=bell_synth|piano|whistle pad=warm_pad|strings percussion=latin_percussion?",
  ],
  christmas: [
    "drums=brush_kit bass=upright_bass chords=piano lead=celesta|clarinet|trumpet pad=strings counter=glockenspiel|flute percussion=orchestral_percussion",
    "pad=choir|strings chords=harp|piano lead=french_horn|oboe|celesta arpeggio=celesta|music_box bass=cello counter=tubular_bells|flute percussion=orchestral_percussion?",
    "drums=acoustic_kit bass=electric_bass chords=piano|bright_piano lead=glockenspiel|alto_sax pad=strings percussion=orchestral_percussion counter=brass? arpeggio=glockenspiel",
  ],
};
