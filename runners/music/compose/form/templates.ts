import type { SectionKind } from "../score.ts";

/** One section of a form before its length is fitted. */
export interface Slot {
  readonly kind: SectionKind;
  readonly label: string;
  readonly bars: number;
  /** 0 to 1; absent: by kind and turn. */
  readonly energy?: number;
  /** Where the piece is to be shorter this goes, the highest first; 0 stays. */
  readonly spare: number;
}

/**
 * Forms as lines of sections: `kind`, with `.label` where it is not the kind's own name, `:bars`, `@energy` in percent, and `?` once or more for what a shorter piece leaves out.
 */
const FORMS = {
  song: [
    "intro:4? verse:8 prechorus:4? chorus:8 verse:8? prechorus:4? chorus:8 bridge:8?? chorus:8 outro:4?",
    "intro:4? verse:8 verse:8?? chorus:8 verse:8? chorus:8 solo:8??? bridge:4?? chorus:8 outro:4?",
    "intro:4? chorus:8?? verse:8 prechorus:4? chorus:8 verse:8? prechorus:4?? chorus:8 break:4?? chorus:8 outro:4?",
    "intro:8? verse:8 prechorus:8?? chorus:8 verse:8? chorus:8 bridge:8? break:4??? chorus:8 chorus:8?? outro:2?",
  ],
  ballad: [
    "intro:4? verse:8 verse:8?? chorus:8 verse:8? chorus:8 bridge:8?? chorus:8 outro:4?",
    "intro:4? verse:8 chorus:8 verse:8? chorus:8 solo:8?? chorus:8 outro:4?",
    "intro:2? verse:8 verse:8? bridge:8?? verse:8? chorus:8 chorus:8?? outro:4?",
  ],
  rock: [
    "intro:8? verse:8 chorus:8 verse:8? chorus:8 solo:16?? chorus:8 outro:4?",
    "intro:4? theme.riff:4? verse:8 chorus:8 theme.riff:4?? verse:8? chorus:8 bridge:8?? solo:8?? chorus:8 theme.riff:4? outro:2?",
    "intro:4? verse:8 prechorus:4? chorus:8 verse:8? prechorus:4? chorus:8 break:4?? solo:8?? chorus:8 outro:4?",
  ],
  groove: [
    "intro:4? verse:8 chorus:8 verse:8? chorus:8 break:4?? solo:8?? chorus:8 outro:4?",
    "intro:8? theme.A:8 theme.B:8? theme.A:8? break:4? solo:8?? theme.B:8 theme.A:8 outro:4?",
    "intro:4? chorus:8? verse:8 chorus:8 verse:8? bridge:8?? break:4?? chorus:8 chorus:8?? outro:4?",
  ],
  rap: [
    "intro:4? verse:16 chorus:8 verse:16? chorus:8 break:4?? chorus:8? outro:4?",
    "intro:4? chorus:8? verse:16 chorus:8 verse:16? bridge:8?? chorus:8 outro:4?",
    "intro:8? verse:8 chorus:8 verse:8 chorus:8 break:4?? verse:8? chorus:8 outro:4?",
  ],
  beat: [
    "intro:4? theme.A:8 theme.B:8 theme.A:8? break:4? theme.B:8 theme.A:8? outro:4?",
    "intro:4? theme.A:8 theme.A:8? theme.B:8 break:4?? theme.A:8? theme.C:8?? theme.B:8 outro:4?",
    "intro:8? theme.A:8 theme.B:8 break:4? theme.C:8?? theme.A:8 theme.B:8? outro:4?",
  ],
  blues: [
    "intro:4? theme.head:12 theme.head:12? solo:12 solo:12?? theme.head:12 outro:2?",
    "intro:4? verse:12 verse:12? solo:12 break:4?? verse:12 outro:4?",
    "intro:2? theme.head:12 solo:12 solo:12? chorus:12?? theme.head:12 outro:2?",
  ],
  head: [
    "intro:4? theme.A:8 theme.A:8? theme.B:8 theme.A:8 solo.A:8?? solo.A:8? solo.B:8?? solo.A:8? theme.B:8? theme.A:8 outro:4?",
    "intro:4? theme.A:8 theme.B:8 solo.A:8 solo.B:8? solo.A:8?? solo.B:8?? theme.A:8 theme.B:8? outro:2?",
    "intro:8?? theme.A:16 solo.A:16 break:4?? solo.A:16? theme.A:16 outro:4?",
  ],
  strains: [
    "intro:4? theme.A:8 theme.A:8? theme.B:8 theme.B:8? theme.A:8 break.C:8? theme.C:8 theme.C:8? theme.A:8? outro:2?",
    "intro:4? theme.A:8 theme.A:8? theme.B:8 theme.A:8? bridge.C:8?@45 theme.C:8 theme.D:8??? theme.C:8@100 outro:2??",
  ],
  club: [
    "intro:16? theme.A:16 break:8 build:8 drop:16 theme.A:8? break.C:16? build:8? drop:16@100 outro:8?",
    "intro:8? build.A:8? drop.A:16 break:8? build:8? drop.B:16 theme.A:8?? break:8? drop.B:16@100 outro:8?",
    "intro:8? theme.A:8 theme.B:8 drop.A:16 break.C:8 build:8? drop.A:16@100 drop.B:8?? outro:8?",
  ],
  trance: [
    "intro:16? theme.A:8? break:16@30 build:8 drop:16 theme.A:8?? break:8?@35 build:8? drop:16@100 outro:8?",
    "intro:8? theme.A:16? break:16@25 build:8 drop:16 drop:16??@100 outro:8?",
    "intro:8? build.A:8? drop.A:8? break:16@30 build:8 drop:16@100 drop:16??@97 outro:8?",
  ],
  drop: [
    "intro:8? build:8 drop:16 break:8 verse:8?? build:8? drop:16@100 outro:4?",
    "intro:8? verse:8 build:8 drop:16 verse:8? build:8? drop:16@100 outro:4?",
    "intro:8? theme.A:8? build:4 drop.A:16 break:8? build:8? drop.B:16@100 outro:8?",
  ],
  drift: [
    "intro:4? theme.A:8@40 theme.A:8?@50 theme.B:8@62 theme.C:8?@80 theme.B:8?@90 theme.A:8@55 outro:4?",
    "intro:8? theme.A:16@45 theme.B:8@70 break:8?@35 theme.B:16?@92 theme.A:8?@60 outro:4?",
    "intro:4? theme.A:8@35 theme.B:8@55 theme.C:8?@72 theme.D:8?@95 theme.C:8?@60 outro:8?",
  ],
  loop_tune: [
    "intro:4? theme.A:8 theme.A:8? theme.B:8 theme.C:8? theme.A:8 bridge:4?? theme.B:8? theme.C:8 outro:2?",
    "intro:2? theme.A:8 theme.B:8 theme.A:8? break:4? theme.C:8 theme.B:8? theme.A:8 outro:2?",
    "intro:4? verse:8 chorus:8 verse:8? chorus:8 bridge:8? chorus:8 outro:2?",
  ],
  dance_tune: [
    "intro:4? theme.A:8 theme.A:8? theme.B:8 theme.B:8? theme.A:8 theme.A:8?? theme.B:8 break.A:8??@45 theme.A:8? theme.B:8?@100 outro:2?",
    "intro:2? theme.A:8 theme.A:8? theme.B:8 theme.B:8? solo.A:8? solo.B:8?? theme.A:8 theme.B:8@100 outro:2?",
    "intro:4? theme.A:8 theme.B:8 theme.C:8? theme.C:8?? theme.A:8 theme.B:8? theme.C:8?@100 outro:2?",
  ],
  tune: [
    "intro:4? theme.A:8 theme.A:8? theme.B:8 theme.A:8 break.A:8??@40 theme.B:8? theme.A:8? outro:4?",
    "intro:4? verse:8 chorus:8 verse:8? chorus:8 bridge:8?? chorus:8? outro:4?",
    "intro:2? theme.A:8 theme.B:8 theme.C:8?? theme.A:8? theme.B:8@100 outro:4?",
  ],
  binary: [
    "intro:4?? theme.A:8 theme.A:8? theme.B:8 theme.B:8? theme.A:8 theme.B:8?@100 outro:2?",
    "intro:4? theme.A:8 theme.B:8 theme.A:8? bridge.C:8?@45 theme.C:8?? theme.A:8 theme.B:8@100 outro:4?",
    "intro:2?? theme.A:16 theme.B:16 break.A:8??@40 theme.A:8? theme.B:8@100 outro:2?",
  ],
  classical: [
    "theme.A:8 theme.A:8? theme.B:8 theme.A:8 theme.C:16? theme.B:8?? theme.A:8@100 outro:4?",
    "intro:4? theme.A:8 theme.B:8? theme.A:8 theme.C:8@70 theme.C:8?@85 theme.A:8@100 theme.B:8?? outro:4?",
    "theme.A:8 theme.B:8 theme.A:8? bridge.C:8@55 build.D:8?@80 theme.A:8@95 theme.B:8?@100 outro:4?",
  ],
  process: [
    "intro:4? theme.A:8@35 theme.A:8?@48 theme.B:8@60 theme.B:8?@72 theme.C:8@85 theme.C:8?@100 theme.A:8?@60 outro:4?",
    "theme.A:16@45 theme.B:8@70 theme.C:8?@85 break.A:8?@35 theme.B:8?@80 theme.C:16?@100 outro:4?",
  ],
  arc: [
    "intro:4? theme.A:8@40 theme.A:8?@52 theme.B:8@65 build:4?@72 chorus.A:8@88 break.B:8?@32 build:4?@65 chorus.A:8@100 outro:4?",
    "intro:8? theme.A:8@42 theme.B:8@60 break:4?@30 theme.A:8?@68 build:8?@80 chorus.B:8@100 chorus.B:8??@95 outro:4?",
    "intro:4? theme.A:8@38 build:4?@55 theme.B:8@70 theme.A:8?@50 bridge.C:8?@60 build:4?@78 chorus.B:8@100 outro:8?",
  ],
  rise: [
    "intro:4?@15 theme.A:8@35 theme.A:8?@50 build:8@68 break:2??@12 drop.B:8@90 build:4??@80 drop.B:8?@100 outro:2?",
    "intro:4?@18 build.A:8@40 theme.A:8@60 build.C:8?@75 chorus.B:8@92 break:2??@15 chorus.B:8?@100 outro:4?",
    "intro:8?@15 theme.A:8@42 theme.B:8@62 build:4?@75 drop.A:8@90 theme.B:4??@40 build:4?@78 drop.A:8@100 outro:2?",
  ],
  lift: [
    "intro:4? verse:8 chorus:8 verse:8? chorus:8 break:4? build:4?? chorus:8 outro:4?",
    "intro:4? theme.A:8 theme.B:8 theme.A:8? break:8? theme.B:8@95 theme.B:8??@100 outro:4?",
    "intro:8? theme.A:8 build:4? chorus:8 theme.A:8? bridge:8?? chorus:8@100 outro:4?",
  ],
} as const satisfies Record<string, readonly string[]>;

export type FormName = keyof typeof FORMS;

const SECTION = /^([a-z]+)(?:\.(\w+))?:(\d+)(\?*)(?:@(\d+))?$/u;

/** All templates of a form, read. */
export function templatesOf(form: FormName): Slot[][] {
  return FORMS[form].map(parseForm);
}

/** @throws {RangeError} for a section that it cannot read */
export function parseForm(line: string): Slot[] {
  return line.split(" ").map((section) => {
    const found = SECTION.exec(section);
    if (found === null) throw new RangeError(`Cannot read section "${section}"`);
    const [, kind, label, bars, spare, energy] = found;
    return {
      kind: kind as SectionKind,
      label: label ?? kind!,
      bars: Number(bars),
      spare: spare!.length,
      ...(energy === undefined ? {} : { energy: Number(energy) / 100 }),
    };
  });
}

/** Energy of a section whose template says nothing: 0 to 1, for the first time that its label comes. */
export const ENERGY: Readonly<Record<SectionKind, number>> = {
  intro: 0.3,
  verse: 0.52,
  prechorus: 0.66,
  chorus: 0.86,
  bridge: 0.55,
  solo: 0.78,
  break: 0.32,
  build: 0.66,
  drop: 0.93,
  theme: 0.62,
  outro: 0.34,
  loop: 0.85,
};
