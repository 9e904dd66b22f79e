/**
 * English spelling to sounds, for words that no dictionary has: names, slang, inventions. Ordered rules in the notation of the Naval Research
 * Laboratory's (Elovitz et al. 1976): `left[letters]right=SOUNDS`, where `#` is one or more vowels, `:` any consonants, `^` one consonant, `.` a
 * voiced one, `+` a front vowel, `%` a suffix, `&` a sibilant, `@` a consonant after which long u is UW, `_` the edge of the word. The first rule that fits is taken.
 */
import { isVowel, type Phoneme, phonemes, type Sound, type Stress } from "../phonemes.ts";

/** Sounds of a word of the letters a to z and apostrophes, with stress. Empty only for a word without letters. */
export function spell(word: string): Sound[] {
  const found: Phoneme[] = [];
  const text = `_${word.replace(/[^a-z']/gu, "")}_`;
  for (let at = 1; at < text.length - 1; ) {
    const rules = table().get(text[at]!) ?? [];
    const rule = rules.find(({ letters, left, right }) => {
      if (!text.startsWith(letters, at)) return false;
      return left.test(text.slice(Math.max(0, at - 12), at)) && right.test(text.slice(at + letters.length, at + 24));
    });
    if (rule === undefined) {
      at++;
      continue;
    }
    found.push(...rule.sounds);
    at += rule.letters.length;
  }
  const joined = found.filter((phoneme, n) => n === 0 || phoneme !== found[n - 1] || isVowel(phoneme));
  return stressed(joined, word);
}

interface Rule {
  readonly left: RegExp;
  readonly letters: string;
  readonly right: RegExp;
  readonly sounds: readonly Phoneme[];
}

let rules: Map<string, Rule[]> | undefined;

function table(): Map<string, Rule[]> {
  if (rules !== undefined) return rules;
  rules = new Map();
  for (const line of RULES.split("\n")) {
    for (const text of line.trim().split(/\s*;\s*/u)) {
      if (text === "") continue;
      const parts = /^([^[]*)\[([a-z']+)\]([^=]*)=(.*)$/u.exec(text);
      if (parts === null) throw new Error(`Cannot read the letter rule "${text}"`);
      const [, left, letters, right, sounds] = parts as unknown as [string, string, string, string, string];
      const rule = {
        left: new RegExp(`${patternOf(left)}$`, "u"),
        letters,
        right: new RegExp(`^${patternOf(right)}`, "u"),
        sounds: phonemes(sounds),
      };
      const list = rules.get(letters[0]!);
      if (list === undefined) rules.set(letters[0]!, [rule]);
      else list.push(rule);
    }
  }
  return rules;
}

const CLASSES: Readonly<Record<string, string>> = {
  "#": "[aeiouy]+",
  ":": "[bcdfghjklmnpqrstvwxz]*",
  "^": "[bcdfghjklmnpqrstvwxz]",
  ".": "[bdvgjlmnrwz]",
  "+": "[eiy]",
  "%": "(?:er|e|es|ed|ing|in|ely|ers)(?:_|')",
  "&": "(?:s|c|g|z|x|j|ch|sh)",
  "@": "(?:t|s|r|d|l|z|n|j|th|ch|sh)",
};

function patternOf(text: string): string {
  return [...text].map((letter) => CLASSES[letter] ?? letter).join("");
}

const RULES = `
[']=
_[a]_=AX; [a]_=AX; _[are]_=AA R; _[ar]o=AX R; [ar]#=EH R; ^[as]#=EY S; [a]wa=AX; [aw]=AO; _:[any]=EH N IY; [a]^+#=EY; #:[ally]=AX L IY; _[al]#=AX L
[again]=AX G EH N; #:[ag]e_=IH JH; [a]^e_=EY; [a]^es_=EY; [a]^ed_=EY; [a]^er_=EY; [a]^in_=EY; [a]^ing=EY; [a]^+:#=AE; _:[a]^+_=EY; [a]^%=EY; _[arr]=AX R; [arr]=AE R; _:[ar]_=AA R; [ar]_=ER; [ar]=AA R; [air]=EH R
[ai]=EY; [ay]=EY; [au]=AO; #:[al]_=AX L; #:[als]_=AX L Z; [alk]=AO K; [al]^=AO L; _:[able]=EY B AX L; [able]=AX B AX L; [ang]+=EY N JH; [aa]=AA; [ah]=AA; [ae]=EY; [a]=AE
_[be]^#=B IH; [being]=B IY IH NG; _[both]_=B OW TH; [buil]=B IH L; m[b]_=; m[b]s_=; [b]=B
_[ch]^=K; ^e[ch]=K; [ch]=CH; _s[ci]#=S AY; [ci]a=SH; [ci]o=SH; [ci]en=SH; [ck]=K; s[c]+=; [cc]+=K S; [c]+=S; [com]%=K AH M; [c]=K
#:[ded]_=D IH D; .e[d]_=D; #:^e[d]_=T; _[do]_=D UW; _[does]=D AH Z; _[doing]=D UW IH NG; _[dow]=D AW; [dge]=JH; [dg]+=JH; [d]=D
#:[e]_=; '^:[e]_=; _:[e]_=IY; #[ed]_=D; d[ed]_=IH D; t[ed]_=IH D; #:[e]d_=; [ev]er=EH V; [e]^%=IY; [eri]#=IY R IY; [eri]=EH R IH; #:[er]#=ER; [er]#=EH R; [er]=ER
_[even]=IY V AX N; #:[e]w=; @[ew]=UW; [ew]=Y UW; [e]o=IY; &#:[es]_=IH Z; #:[e]s_=; #:[ely]_=L IY; #:[ement]=M AX N T; [eful]=F UH L; [ee]=IY; [earn]=ER N; _[ear]^=ER; [ead]=EH D; #:[ea]_=IY AX; [ea]su=EH; [ear]=IH R; [ea]=IY
[eigh]=EY; [ei]=IY; _[eye]=AY; [eyes]=AY Z; [ey]=IY; [eu]=Y UW; t[en]_=AX N; #:[en]_=AX N; #:[el]_=AX L; #:[et]_=IH T; #:[ent]_=AX N T; #:[ence]_=AX N S; #:[ness]_=N AX S; #:[less]_=L AX S; [e]=EH
[ful]_=F AX L; [ff]=F; [f]=F
[giv]=G IH V; _[g]i^=G; [ge]t=G EH; su[gges]=G JH EH S; [gg]=G; _b#[g]=G; [g]+=JH; [great]=G R EY T; #[gh]=; _[gn]=N; [gh]=G; [gue]_=G; [g]=G
_[hav]=HH AE V; _[here]=HH IY R; _[hour]=AW ER; [how]=HH AW; [h]#=HH; [h]=
_[in]=IH N; _[i]_=AY; [in]d_=AY N; [ier]_=IY ER; #:r[ied]=IY D; [ied]_=AY D; [ien]=IY EH N; [ie]t=AY EH; _:[i]%=AY; [i]%=IY; [ie]=IY; [i]^+:#=IH; [ir]#=AY R; [iz]%=AY Z; [is]%=AY Z; [i]d%=AY; +^[i]^+=IH; [i]t%=AY; #:^[i]^+=IH; [i]^+=AY; [ir]=ER; [igh]=AY; [ild]=AY L D; [ign]_=AY N; [ign]^=AY N; [ign]%=AY N; [ique]=IY K; [i]_=IY; [ii]=IY; [i]a=IY; [i]o=IY; [i]=IH
[j]=JH
_[k]n=; [k]=K
[lo]c#=L OW; l[l]=; #:^[l]%=AX L; [lead]=L IY D; [lf]_=F; [l]=L
[mov]=M UW V; [mm]=M; _[mc]=M AX K; [m]=M
e[ng]+=N JH; [ng]r=NG G; [ng]#=NG G; [ngl]%=NG G AX L; [ng]=NG; [nk]=NG K; _[now]_=N AW; [nn]=N; [n]=N
[of]_=AX V; [orough]=ER OW; #:[or]_=ER; #:[ors]_=ER Z; [or]=AO R; _[one]=W AH N; [ow]n_=OW; #:[ow]_=OW; [ow]_=OW; [ow]l=AW; [ow]=AW; _[over]=OW V ER; [ov]=AH V; [o]^%=OW; [o]^en=OW; [o]^i#=OW; [ol]d=OW L; [ought]=AO T; [ough]=AH F; _[ou]=AW; h[ou]s#=AW; [ous]=AX S; [our]=AO R; [ould]=UH D; ^[ou]^l=AH; [oup]=UW P; [ou]=AW
[oy]=OY; [oing]=OW IH NG; [oi]=OY; [oor]=AO R; [ook]=UH K; [ood]=UH D; [oo]=UW; [o]e=OW; [o]_=OW; [oa]=OW; _[only]=OW N L IY; _[once]=W AH N S; [on't]=OW N T; c[o]n=AA; [o]ng=AO; _:^[o]n=AH; i[on]=AX N; #:[on]_=AX N; #^[on]=AX N; [o]st_=OW; [of]^=AO F; [other]=AH DH ER; [oss]_=AO S; #:^[om]=AH M; [oh]=OW; [o]^+#=OW; [o]=AA
[ph]=F; [peop]=P IY P; [pow]=P AW; [put]_=P UH T; _[ps]=S; _[pn]=N; [pp]=P; [p]=P
[quar]=K W AO R; [que]_=K; [qu]=K W; [q]=K
_[re]^#=R IY; [rh]=R; [rr]=R; [r]=R
[sh]=SH; #[sion]=ZH AX N; [some]=S AH M; #[sur]#=ZH ER; [sur]#=SH ER; #[su]#=ZH UW; #[ssu]#=SH UW; #[sed]_=Z D; #[s]#=Z; [said]=S EH D; ^[sion]=SH AX N; [s]s=; .[s]_=Z; #:.e[s]_=Z; #:^##[s]_=Z; #:^#[s]_=Z; u[s]_=S; _:#[s]_=Z; [sch]=S K; [s]c+=; #[sm]=Z M; [st]le=S; [s]=S
_[the]_=DH AX; [to]_=T UW; [that]_=DH AE T; _[this]_=DH IH S; _[they]=DH EY; _[there]=DH EH R; [ther]=DH ER; [their]=DH EH R; _[than]_=DH AE N; _[them]_=DH EH M; _[these]_=DH IY Z; _[then]=DH EH N; [through]=TH R UW; [those]=DH OW Z; [though]_=DH OW; _[thus]=DH AH S; [th]e_=DH; [th]=TH; #:[ted]_=T IH D; s[ti]#n=CH; [ti]o=SH; [ti]a=SH; [tien]=SH AX N; [tur]#=CH ER; [tu]a=CH UW; _[two]=T UW; [tch]=CH; [tt]=T; [t]=T
_[un]i=Y UW N; _[un]=AH N; _[upon]=AX P AO N; @[ur]#=UH R; [ur]#=Y UH R; [ur]=ER; [u]^_=AH; [u]^^=AH; [uy]=AY; _g[u]#=; g[u]%=; g[u]#=W; #n[u]=Y UW; @[u]=UW; [ue]_=UW; [uh]=AH; [u]^%=Y UW; [u]=Y UW
[view]=V Y UW; [v]=V
_[were]=W ER; [wa]s=W AA; [wa]t=W AA; [wa]n=W AA; [where]=W EH R; [what]=W AH T; [whol]=HH OW L; [who]=HH UW; [wh]=W; [war]=W AO R; [wor]^=W ER; [wr]=R; [w]=W
_[x]=Z; [x]=K S
[young]=Y AH NG; _[you]=Y UW; _[yes]=Y EH S; _[y]#=Y; _[y]=Y; #:^[y]_=IY; #:^[y]i=IY; _:[y]_=AY; _:[y]#=AY; _:[y]^+:#=IH; _:[y]^#=AY; [yl]l=IH L; [y]=IH
[zz]=Z; [zh]=ZH; [tz]_=T S; [z]=Z
`;

/** Stress by the shape of the word: before -tion, -ic, -ity and their like, past a light prefix, else on the first of two and the antepenult of more. */
function stressed(sounds: readonly Phoneme[], word: string): Sound[] {
  const nuclei = sounds.flatMap((phoneme, n) => (isVowel(phoneme) ? [n] : []));
  const count = nuclei.length;
  let primary = 0;
  if (count >= 2) {
    if (/(?:[tsc]ion|ic|ics|ical|ity|ify|ian|ious|eous|ual)s?$/u.test(word)) {
      primary = count - (/(?:ity|ify|ical|ian|ious|eous|ual)s?$/u.test(word) ? 3 : 2);
    } else if (/(?:ee|eer|ette|esque|oon|ique)s?$/u.test(word)) primary = count - 1;
    else if (/^(?:be|de|re|un|in|im|en|em|ex|con|com|dis|mis|a(?=[bcdfglmnprst]))[a-z]{3,}/u.test(word)) {
      primary = count > 2 || /^(?:be|de|re|un|a)/u.test(word) ? 1 : 0;
    } else if (count >= 3) primary = /[aiou]$/u.test(word) ? count - 2 : count - 3;
  }
  const held = nuclei[Math.min(count - 1, Math.max(0, primary))] ?? -1;
  return sounds.map((phoneme, n) => {
    const stress: Stress = n === held ? 1 : 0;
    return { phoneme: n === held && phoneme === "AX" ? "AH" : phoneme, stress };
  });
}
