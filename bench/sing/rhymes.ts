/** The Modified Rhyme Test (A. House et al., JASA 37 (1965); ANSI S3.2): sets of six words that differ in one consonant. */
export const RHYMES: readonly (readonly string[])[] = `went sent bent dent tent rent
hold cold told fold sold gold
pat pad pan path pack pass
lane lay late lake lace lame
kit bit fit hit wit sit
must bust gust rust dust just
teak team teal teach tear tease
din dill dim dig dip did
bed led fed red wed shed
pin sin tin fin din win
dug dung duck dud dub dun
sum sun sung sup sub
seep seen seethe seek seem seed
not tot got pot hot lot
vest test rest best west nest
pig pill pin pip pit pick
back bath bad bass bat ban
way may say pay day gay
pig big dig wig rig fig
pale pace page pane pay pave
cane case cape cake came cave
shop mop cop top hop pop
coil oil soil toil boil foil
tan tang tap tack tam tab
fit fib fizz fill fig fin
same name game tame came fame
peel reel feel eel keel heel
hark dark mark bark park lark
heave hear heat heal heap heath
cup cut cud cuff cuss
thaw law raw paw jaw saw
pen hen men then den ten
puff puck pub pus pup pun
bean beach beat beak bead beam
heat neat feat seat meat beat
dip sip hip tip lip rip
kill kin kit kick king kid
hang sang bang rang fang gang
took cook look hook shook book
mass math map mat man mad
ray raze rate rave rake race
save same sale sane sake safe
fill kill will hill till bill
sill sick sip sing sit sin
bale gale sale tale pale male
wick sick kick lick pick tick
peace peas peak peach peat peal
bun bus but bug buck buff
sag sat sass sack sad sap
fun sun bun gun run nun`
  .split("\n")
  .map((set) => set.split(" "));
