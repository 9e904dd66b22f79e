/**
 * Spelling to sound of the languages in Latin letters that are not English, first match counts: `pattern=SOUNDS`, the pattern a sticky regular expression in which V is any vowel letter
 * and C any consonant letter. Standard pronunciations, as grammars give them, in the sounds that our singer has. `accent`ed letters carry the stress.
 */
export const SPELLINGS = {
  spanish: {
    stress: "ending",
    rules: `
ch=CH; ll=Y; rr=RR; qu(?=[eiéí])=K; gu(?=[eiéí])=G; gü=G W; ñ=NY; h=; j=KH; g(?=[eiéí])=KH; c(?=[eiéí])=S; z=S; v=B; x=K S; c=K; q=K; w=W
(?<!.)y$=IY; y$=Y; y(?=V)=Y; y=IY; (?<=[aeoáéó])i(?!V)=Y; (?<=[aeoáéó])u(?!V)=W; i(?=[aeouáéóú])=Y; u(?=[aeioáéíó])=W
á=A; é=EH; í=IY; ó=AO; ú=UW; ü=W; a=A; e=EH; i=IY; o=AO; u=UW
(?<!.)r=RR; r=RR; b=B; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; s=S; t=T; ç=S`,
  },
  italian: {
    stress: "penult",
    rules: `
gli(?=V)=L Y; gli=L Y IY; gn=NY; sch=S K; sci(?=[aou])=SH; sc(?=[eièéì])=SH; cci(?=[aou])=CH; cc(?=[ei])=CH; ch=K; ci(?=[aoueàòù])=CH; c(?=[eièéì])=CH
ggi(?=[aou])=JH; gg(?=[ei])=JH; gh=G; gi(?=[aouàòù])=JH; g(?=[eièéì])=JH; qu=K W; zz=T S; z=T S; h=; j=Y; x=K S; y=IY; w=W; k=K
(?<=[aeo])i(?!V)=Y; (?<=[aeo])u(?!V)=W; i(?=[aeouàèòù])=Y; u(?=[aeioàèìò])=W
à=A; è=EH; é=EY; ì=IY; ò=AO; ù=UW; a=A; e=EH; i=IY; o=AO; u=UW
(?<=V)s(?=V)=Z; s(?=[bdgmnlrv])=Z; r=RR; b=B; c=K; d=D; f=F; g=G; l=L; m=M; n=N; p=P; q=K; s=S; t=T; v=V`,
  },
  portuguese: {
    stress: "ending",
    rules: `
ões$=ON Y S; ão$=AN W; ão=AN W; ãe=AN Y; õe=ON Y; lh=L Y; nh=NY; ch=SH; rr=HH; ss=S; sc(?=[ei])=S; qu(?=[eiéí])=K; gu(?=[eiéí])=G; qu=K W; ç=S; c(?=[eiéíê])=S; g(?=[eiéíê])=ZH; j=ZH; x=SH; h=; z$=S; z=Z; w=W; y=IY; k=K
ti=CH IY; te$=CH IY; di=JH IY; de$=JH IY; e$=IY; es$=IY S; os$=UW S; o$=UW; l$=W; l(?=C)=W; m$=; n(?=C)=N
a(?=nh)=A; e(?=nh)=EE; o(?=nh)=OO; i(?=nh)=IY; am$=AN W; em$=EY; im$=IY; om$=ON; um$=UW; an(?=C)=AN; am(?=[pb])=AN; en(?=C)=EN; em(?=[pb])=EN; on(?=C)=ON; om(?=[pb])=ON; ã=AN; õ=ON
(?<=[aeoáéóâêô])i(?!V)=Y; (?<=[aeoáéóâêô])u(?!V)=W; i(?=[aeouáéó])=Y; u(?=[aeioáéíó])=W
á=A; à=A; â=AX; é=EH; ê=EE; í=IY; ó=AO; ô=OO; ú=UW; ü=W; a=A; e=EE; i=IY; o=OO; u=UW
(?<!.)r=HH; (?<=V)s(?=V)=Z; r=RR; b=B; c=K; d=D; f=F; g=G; l=L; m=M; n=N; p=P; q=K; s=S; t=T; v=V`,
  },
  french: {
    stress: "last",
    rules: `
(?<!.)est$=EH; (?<!.)et$=EE; (?<!.)les$=L EE; (?<!.)des$=D EE; (?<!.)mes$=M EE; (?<!.)tes$=T EE; (?<!.)ses$=S EE; (?<!.)ces$=S EE; (?<!.)je$=ZH OE; (?<!.)le$=L OE; (?<!.)de$=D OE; (?<!.)ne$=N OE; (?<!.)me$=M OE; (?<!.)te$=T OE; (?<!.)se$=S OE; (?<!.)ce$=S OE; (?<!.)que$=K OE; (?<!.)monsieur$=M OE S Y OE; (?<!.)femme$=F A M; (?<!.)ville$=V IY L; (?<!.)mille$=M IY L; (?<!.)fils$=F IY S
(?<!.)souvent$=S UW V AN; (?<=m|arg|abs|cont|prés|acc|pati|réc|serp|torr|innoc)ents?$=AN; (?<=..)ent$=; (?<=[ai])ient$=Y EH N; eaux?$=OO; eau=OO; aux$=OO; au=OO; oeu(?=[rlfnv])=OE; œu(?=[rlfnv])=OE; œu=OE; oeu=OE; œ=OE; eu=OE; oui$=W IY; ouill=UW Y; ou(?=[aei])=W; où=UW; ou=UW; oin(?!V)=W EN; oî=W A; oi=W A; oy=W A Y
aill=A Y; eill=EH Y; euil=OE Y; ueil=OE Y; ail$=A Y; eil$=EH Y; ill(?=V)=IY Y; ain(?![Vn])=EN; aim(?![Vm])=EN; ein(?![Vn])=EN; ai=EH; aî=EH; ei=EH; ay=EH Y
ien$=Y EN; ien(?=C)=Y EN; éen$=EE EN; an(?![Vn])=AN; am(?=[pb])=AN; en(?![Vn])=AN; em(?=[pb])=AN; in(?![Vn])=EN; im(?=[pb])=EN; yn(?![Vn])=EN; ym(?=[pb])=EN; un(?![Vn])=EN; um(?=[pb])=EN; on(?![Vn])=ON; om(?=[pb])=ON
ch=SH; ph=F; th=T; gn=NY; qu=K; gu(?=[eiéèê])=G; ge(?=[ao])=ZH; g(?=[eiyéèê])=ZH; c(?=[eiyéèê])=S; ç=S; j=ZH; h=; ss=S; sc(?=[ei])=S; tion=S Y ON; x$=; x=K S; w=W
er$=EE; ez$=EE; ets?$=EH; (?<=.)es$=; (?<=[^Vq])e$=; e$=; ée?s?$=EE; é=EE; è=EH; ê=EH; ë=EH; e(?=CC)=EH; e(?=[cflr]$)=EH; e=OE
[tdpsxz]+s?$=; (?<=V)s(?=V)=Z
i(?=es?$|ent$)=IY; u(?=es?$|ent$)=UE; i(?=[aeouéèêo])=Y; y(?=V)=Y; u(?=[ie])=W; â=A; à=A; a=A; î=IY; ï=IY; i=IY; y=IY; ô=OO; o(?=[szt]*$)=OO; o=AO; û=UE; ù=UE; ü=UE; u=UE
r=RX; b=B; c=K; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; q=K; s=S; t=T; v=V; z=Z`,
  },
  german: {
    stress: "first",
    rules: `
(?<!.)es$=EH S; (?<!.)des$=D EH S; (?<!.)vo(?=[nm])=F AO; (?<!.)ob$=AO P; (?<!.)um=UH M; tion=T S Y OO N; tsch=CH; sch=SH; (?<=[aou]|au)ch=KH; chs=K S; ch=SH; ck=K; (?<!.)sp=SH P; (?<!.)st=SH T; ss=S; ß=S; tz=T S; z=T S; ph=F; pf=P F; qu=K V; v=F; w=V; x=K S; j=Y; ng=NG; nk=NG K; th=T; ig$=IH SH
ei=AY; ai=AY; ey=AY; eu=OY; äu=OY; au=AW; ie=IY; ee=EE; aa=A; oo=OO; äh=EH; öh=OE; üh=UE; ah=A; eh=EE; ih=IY; oh=OO; uh=UW
(?<!.)ge(?!h|b(?:e|t|$)|gen|l(?:b|d|t)|r(?:n|$)|stern|i)=G AX; (?<!.)be(?!i|tt|st(?:e|$)|ss|rg|rl|t(?:e|$)|ck|nn|ll)=B AX; (?<!.)ver=F EH RX; (?<!.)er(?=.)=EH RX
(?<=V.*)er$=AX; (?<=V.*)ern$=AX N; (?<=V.*)el$=AX L; (?<=V.*)en$=AX N; (?<=V.*)em$=AX M; (?<=V.*)es$=AX S; (?<=V.*)et$=AX T; (?<=V.*)e$=AX
a(?=CC)=A; a=A; e(?=CC)=EH; e=EE; i(?=C(?:C|$))=IH; i=IY; o(?=CC)=AO; o=OO; u(?=CC)=UH; u=UW; ä=EH; ö=OE; ü=UE; y=UE
h(?=V)=HH; h=; (?<!.)s(?=V)=Z; (?<=V)s(?=V)=Z; b$=P; d$=T; g$=K; r=RX; b=B; c=K; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; q=K; s=S; t=T; é=EE; à=A`,
  },
  dutch: {
    stress: "first",
    rules: `
(?<!.)de$=D AX; (?<!.)je$=Y AX; (?<!.)[wz]e$=V AX; (?<!.)me$=M AX; (?<!.)het$=AX T; (?<!.)een$=AX N; (?<!.)ge(?=CV|CCV)=KH AX; (?<!.)be(?=CV|CCV)=B AX; (?<!.)ver=V AX RR
sch$=S; sch=S KH; ch=KH; ng=NG; nk=NG K; sj=SH; tj=CH; ij=EY; ei=EY; ui=OE Y; ou=AW; au=AW; oe=UW; ie=IY; eu=OE; aa=A; ee=EE; oo=OO; uu=UE
(?<=V.*)en$=AX; (?<=V.*)er$=AX RR; (?<=V.*)el$=AX L; (?<=V.*)e$=AX; a=A; e(?=CC|C$)=EH; e=EE; i=IH; o(?=CC|C$)=AO; o=OO; u(?=CC|C$)=AH; u=UE; y=IY; é=EE; ë=EH
b$=P; d$=T; b=B; c(?=[eiy])=S; c=K; d=D; f=F; g=KH; h=HH; j=Y; k=K; l=L; m=M; n=N; p=P; q=K; r=RR; s=S; t=T; v=V; w=V; x=K S; z=Z`,
  },
  swedish: {
    stress: "first",
    rules: `
(?<!.)och$=AO K; (?<!.)jag$=Y A; (?<!.)det$=D EE; (?<!.)mig$=M EY; (?<!.)dig$=D EY; (?<!.)sig$=S EY; (?<!.)de$=D AO M; (?<!.)är$=EH RR
skj=SH; stj=SH; sj=SH; sk(?=[eiyäö])=SH; tj=SH; kj=SH; (?<!.)k(?=[eiyäö])=SH; (?<!.)g(?=[eiyäö])=Y; (?<!.)[dghl]j=Y; ng=NG; nk=NG K; ck=K; ch=SH; tion=SH OO N
å(?=CC)=AO; å=OO; ä=EH; ö=OE; y=UE; a=A; e(?=CC|C$)=EH; e$=EH; e=EE; i(?=CC)=IH; i=IY; o(?=CC)=AO; o=UW; u(?=CC)=UH; u=UW; é=EE; æ=EH; ø=OE
b=B; c(?=[eiy])=S; c=K; d=D; f=F; g=G; h=HH; j=Y; k=K; l=L; m=M; n=N; p=P; q=K; r=RR; s=S; t=T; v=V; w=V; x=K S; z=S`,
  },
  polish: {
    stress: "penult always",
    rules: `
szcz=SH CH; rz$=SH; rz=ZH; sz=SH; cz=CH; dź=JH; dż=JH; dzi(?=V)=JH; dzi=JH IY; dz=D Z; ch=KH; ci(?=V)=CH; ci=CH IY; si(?=V)=SH; si=SH IY; zi(?=V)=ZH; zi=ZH IY; ni(?=V)=NY; ni=NY IY
ą(?=[bp])=AO M; ą(?=[tdckgz])=AO N; ą=ON; ę$=EH; ę(?=[bp])=EH M; ę(?=[tdckg])=EH N; ę=EN; ó=UW; y=IH; a=A; e=EH; é=EH; i(?=V)=Y; i=IY; o=AO; u=UW; (?<=V)ł=W; ł=W
b$=P; d$=T; g$=K; ż$=SH; ź$=SH; w$=F; z$=S; ś=SH; ć=CH; ź=ZH; ż=ZH; ń=NY; w=V; c=T S; j=Y; h=HH; r=RR; b=B; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; q=K; s=S; t=T; v=V; x=K S; z=Z`,
  },
  czech: {
    stress: "first",
    rules: `
ch=KH; dž=JH; mě=M NY EH; [nň]ě=NY EH; tě=T Y EH; dě=D Y EH; ě=Y EH; ou=OW; au=AW; eu=EH W; ň=NY; ni=NY IY; ní=NY IY; ti=T Y IY; tí=T Y IY; di=D Y IY; dí=D Y IY; č=CH; š=SH; ž=ZH; ř=RR ZH; ť=T Y; ď=D Y
á=A; é=EH; í=IY; ó=AO; ú=UW; ů=UW; ý=IY; y=IY; a=A; e=EH; i=IY; o=AO; u=UW; ä=EH; ô=UW AO; ľ=L Y; ĺ=AX L; ŕ=ER
(?<!V)r(?!V)=ER; (?<=C)l(?!V)=AX L; (?<!.)v$=V; b=B; c=T S; d=D; f=F; g=G; h=HH; j=Y; k=K; l=L; m=M; n=N; p=P; q=K V; r=RR; s=S; t=T; v=V; w=V; x=K S; z=Z`,
  },
  finnish: {
    stress: "first",
    rules: `
aa=A; ää=AE; ee=EE; ii=IY; oo=OO; uu=UW; yy=UE; öö=OE; uo=W AO; yö=Y OE; ie=Y EH; au=AW; ou=OW; ai=AY; äi=AY; ei=EY; oi=OY; öi=OE Y; ui=UW Y; yi=UE Y; eu=EH W; iu=IY W; öy=OE Y; äy=AE Y; ey=EH Y
ä=AE; ö=OE; y=UE; å=OO; a=A; e=EH; i=IY; o=AO; u=UW; nk=NG K; ng=NG; j=Y; w=V; h=HH; r=RR; c=K; z=T S; x=K S; q=K; š=SH; ž=ZH; b=B; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; s=S; t=T; v=V`,
  },
  turkish: {
    stress: "last",
    rules: `
ç=CH; c=JH; ş=SH; ğ=; ı=AX; ö=OE; ü=UE; j=ZH; â=A; î=IY; û=UW; a=A; e=EH; i=IY; o=AO; u=UW; y=Y; h=HH; r=RR; w=V; x=K S; q=K; b=B; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; s=S; t=T; v=V; z=Z`,
  },
  japanese: {
    stress: "penult always",
    rules: `
(?<!.)wo$=AO; sh=SH; t?ch=CH; ts=T S; j=JH; y=Y; n(?=[bpm])=M; [ou]u=OO; oo=OO; ō=OO; aa=A; ā=A; ii=IY; ī=IY; ū=UW; ee=EH; ē=EH; ei=EY; a=A; i=IY; u=UW; e=EH; o=AO
r=RR; l=RR; h=HH; f=F; w=W; z=Z; g=G; k=K; s=S; t=T; d=D; n=N; b=B; p=P; m=M; v=V; c=K; q=K; x=K S`,
  },
  other: {
    stress: "penult",
    rules: `
sh=SH; ch=CH; cs=CH; zs=ZH; tz=T S; dž=JH; đ=D; [sșşš]z=S; ș=SH; ş=SH; š=SH; ś=SH; č=CH; ć=CH; ç=CH; ț=T S; ţ=T S; ž=ZH; ź=ZH; ż=ZH; ñ=NY; ň=NY; ń=NY; ny(?=V)=NY; nj(?=V)=NY; nh(?=V)=NY; gy=D Y; ł=W; ph=F; th=T; kh=KH; ng$=NG; nk=NG K; qu=K W
aa=A; ee=EE; ii=IY; oo=OO; uu=UW; au=AW; a[iy](?!V)=AY; ei=EY; oi=OY; å=OO; æ=EH; ø=OE; ö=OE; ő=OE; ü=UE; ű=UE; ä=EH; ă=AX; â=AX; î=IH; ı=AX; á=A; à=A; ã=AN; ā=A; é=EH; è=EH; ê=EE; ë=EH; ē=EH; ě=Y EH; í=IY; ì=IY; ī=IY; ó=AO; ò=AO; ô=OO; õ=OE; ō=OO; ú=UW; ù=UW; û=UW; ů=UW; ū=UW; ý=IY
a=A; e=EH; i(?=V)=Y; i=IY; o=AO; u=UW; y(?=V)=Y; y=IY; c(?=[eiéí])=CH; c=K; j=Y; h=HH; w=W; x=K S; q=K; r=RR; b=B; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; s=S; t=T; v=V; z=Z`,
  },
} as const;
