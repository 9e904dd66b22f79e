/**
 * Spelling to sound of five languages, first match counts: `pattern=SOUNDS`, the pattern a sticky regular expression in which V is any vowel letter
 * and C any consonant letter. Standard pronunciations, as grammars give them, in the sounds that our singer has. `accent`ed letters carry the stress.
 */
export const SPELLINGS = {
  spanish: {
    stress: "ending",
    rules: `
ch=CH; ll=Y; rr=RR; qu(?=[eiéí])=K; gu(?=[eiéí])=G; gü=G W; ñ=NY; h=; j=KH; g(?=[eiéí])=KH; c(?=[eiéí])=S; z=S; v=B; x=K S; c=K; q=K; w=W
y$=Y; y(?=V)=Y; y=IY; (?<=[aeoáéó])i(?!V)=Y; (?<=[aeoáéó])u(?!V)=W; i(?=[aeouáéóú])=Y; u(?=[aeioáéíó])=W
á=A; é=EH; í=IY; ó=AO; ú=UW; ü=W; a=A; e=EH; i=IY; o=AO; u=UW
(?<!.)r=RR; r=RR; b=B; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; s=S; t=T; ç=S`,
  },
  italian: {
    stress: "penult",
    rules: `
gli(?=V)=L Y; gli=L Y IY; gn=NY; sch=S K; sci(?=[aou])=SH; sc(?=[eièéì])=SH; cci(?=[aou])=CH; cc(?=[ei])=CH; ch=K; ci(?=[aouàòù])=CH; c(?=[eièéì])=CH
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
(?<=..)ent$=; (?<=[ai])ient$=Y EH N; eaux?$=OO; eau=OO; aux$=OO; au=OO; oeu(?=[rlfnv])=OE; œu(?=[rlfnv])=OE; œu=OE; oeu=OE; œ=OE; eu=OE; oui$=W IY; ouill=UW Y; ou(?=[aei])=W; où=UW; ou=UW; oin(?!V)=W EN; oî=W A; oi=W A; oy=W A Y
aill=A Y; eill=EH Y; euil=OE Y; ueil=OE Y; ail$=A Y; eil$=EH Y; ill(?=V)=IY Y; ain(?![Vn])=EN; aim(?![Vm])=EN; ein(?![Vn])=EN; ai=EH; aî=EH; ei=EH; ay=EH Y
ien$=Y EN; ien(?=C)=Y EN; éen$=EE EN; an(?![Vn])=AN; am(?=[pb])=AN; en(?![Vn])=AN; em(?=[pb])=AN; in(?![Vn])=EN; im(?=[pb])=EN; yn(?![Vn])=EN; ym(?=[pb])=EN; un(?![Vn])=EN; um(?=[pb])=EN; on(?![Vn])=ON; om(?=[pb])=ON
ch=SH; ph=F; th=T; gn=NY; qu=K; gu(?=[eiéèê])=G; ge(?=[ao])=ZH; g(?=[eiyéèê])=ZH; c(?=[eiyéèê])=S; ç=S; j=ZH; h=; ss=S; sc(?=[ei])=S; tion=S Y ON; x$=; x=K S; w=W
er$=EE; ez$=EE; ets?$=EH; (?<=.)es$=; (?<=[^Vq])e$=; e$=; ée?s?$=EE; é=EE; è=EH; ê=EH; ë=EH; e(?=CC)=EH; e(?=[cflr]$)=EH; e=OE
[tdpsxz]+s?$=; (?<=V)s(?=V)=Z
i(?=[aeouéèêo])=Y; y(?=V)=Y; u(?=[ie])=W; â=A; à=A; a=A; î=IY; ï=IY; i=IY; y=IY; ô=OO; o(?=[szt]*$)=OO; o=AO; û=UE; ù=UE; ü=UE; u=UE
r=RX; b=B; c=K; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; q=K; s=S; t=T; v=V; z=Z`,
  },
  german: {
    stress: "first",
    rules: `
tsch=CH; sch=SH; (?<=[aou]|au)ch=KH; chs=K S; ch=SH; ck=K; (?<!.)sp=SH P; (?<!.)st=SH T; ss=S; ß=S; tz=T S; z=T S; ph=F; pf=P F; qu=K V; v=F; w=V; x=K S; j=Y; ng=NG; nk=NG K; th=T; ig$=IH SH
ei=AY; ai=AY; ey=AY; eu=OY; äu=OY; au=AW; ie=IY; ee=EE; aa=A; oo=OO; äh=EH; öh=OE; üh=UE; ah=A; eh=EE; ih=IY; oh=OO; uh=UW
er$=AX; ern$=AX N; el$=AX L; en$=AX N; em$=AX M; es$=AX S; et$=AX T; e$=AX; (?<!.)ge=G AX; (?<!.)be=B AX; (?<!.)ver=F EH RX; (?<!.)er=EH RX
a(?=CC)=A; a=A; e(?=CC)=EH; e=EE; i(?=C(?:C|$))=IH; i=IY; o(?=CC)=AO; o=OO; u(?=CC)=UH; u=UW; ä=EH; ö=OE; ü=UE; y=UE
h(?=V)=HH; h=; (?<!.)s(?=V)=Z; (?<=V)s(?=V)=Z; b$=P; d$=T; g$=K; r=RX; b=B; c=K; d=D; f=F; g=G; k=K; l=L; m=M; n=N; p=P; q=K; s=S; t=T; é=EE; à=A`,
  },
} as const;
