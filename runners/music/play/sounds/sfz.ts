/**
 * SFZ files as text: headers, opcodes, `#define` and `#include`, and what a region inherits. Opcodes as sfzformat.com describes them, of
 * version 1 and those of ARIA that sampled instruments use; what is not known is told, for it may change the sound.
 */

/** Opcodes of one region, with what it inherited, in small letters. */
export type Opcodes = ReadonlyMap<string, string>;

export interface SfzText {
  readonly regions: readonly Opcodes[];
  /** Opcodes that are read over, each once. */
  readonly unknown: readonly string[];
  /** Files that it includes, as they are written. */
  readonly included: readonly string[];
}

/** A file that is no SFZ, or one that goes beyond its folder. */
export class SfzError extends Error {
  override readonly name = "SfzError";
}

const INCLUDES_MAX = 256;
const REGIONS_MAX = 50_000;

/** Each inherits from those before it, and ends what was said below it. */
const LEVELS = ["global", "master", "group", "region"] as const;
/** Said of the file, and inherited by nothing. */
const SILENT = new Set(["curve", "effect", "midi", "sample"]);

const KNOWN = new Set(
  `sample default_path note_offset octave_offset key lokey hikey pitch_keycenter pitch_keytrack lovel hivel lorand hirand seq_length seq_position
  trigger rt_decay offset end loop_mode loopmode loop_start loop_end loopstart loopend tune pitch transpose volume gain amplitude pan
  amp_veltrack group off_by off_mode group_volume master_volume global_volume ampeg_delay ampeg_attack ampeg_hold ampeg_decay ampeg_sustain
  ampeg_release cutoff resonance fil_type fil_veltrack fil_keytrack fil_keycenter xfin_lovel xfin_hivel xfout_lovel xfout_hivel sw_last
  sw_default sw_lokey sw_hikey sw_label region_label group_label master_label global_label locc64 hicc64 lochan hichan`.split(
    /\s+/u,
  ),
);

/**
 * @param include gives the text of an included file
 * @throws SfzError
 */
export function parseSfz(text: string, include: (path: string) => string): SfzText {
  const defined = new Map<string, string>();
  const unknown = new Set<string>();
  const included: string[] = [];
  const said: Record<(typeof LEVELS)[number] | "control", Map<string, string>> = {
    control: new Map(),
    global: new Map(),
    master: new Map(),
    group: new Map(),
    region: new Map(),
  };
  const regions: Opcodes[] = [];
  let header: keyof typeof said | null = null;

  const endRegion = (): void => {
    if (header !== "region") return;
    if (regions.length >= REGIONS_MAX) throw new SfzError(`it has more than ${REGIONS_MAX} regions`);
    regions.push(new Map(LEVELS.flatMap((level) => [...said[level]]).concat(own(said.control))));
  };

  const read = (source: string, depth: number): void => {
    const plain = source.replace(/\/\*[\s\S]*?\*\//gu, " ").replace(/\/\/.*$/gmu, "");
    for (const line of plain.split(/\r?\n/u)) readLine(line.trim(), depth);
  };

  const readLine = (line: string, depth: number): void => {
    const define = /^#define\s+\$(\w+)\s+(\S+)/u.exec(line);
    if (define !== null) {
      defined.set(define[1]!, define[2]!);
      return;
    }
    const file = /^#include\s+"([^"]+)"/u.exec(line);
    if (file !== null) {
      const path = filled(file[1]!).replaceAll("\\", "/");
      if (depth >= 8 || included.length >= INCLUDES_MAX) throw new SfzError(`it includes "${path}" too deep`);
      included.push(path);
      read(include(path), depth + 1);
      return;
    }
    // A value goes on over spaces until the next name or header: paths have spaces.
    for (const [, tag, name, value] of line.matchAll(/<(\w+)>|([\w$]+)=(.*?)(?=\s+[\w$]+=|\s*<\w+>|$)/gu)) {
      if (tag !== undefined) open(tag.toLowerCase());
      else if (header !== null) {
        const opcode = filled(name!).toLowerCase();
        if (!KNOWN.has(opcode) && header !== "control") unknown.add(opcode);
        said[header].set(opcode, filled(value!).trim());
      }
    }
  };

  const open = (tag: string): void => {
    endRegion();
    if (SILENT.has(tag)) {
      header = null;
      return;
    }
    if (tag === "control") {
      header = tag;
      return;
    }
    const level = (LEVELS as readonly string[]).indexOf(tag);
    if (level === -1) throw new SfzError(`there is no header <${tag}>`);
    for (const below of LEVELS.slice(level)) said[below].clear();
    header = LEVELS[level]!;
  };

  /** `$NAME` in a value; the longest name that is defined, as ARIA does it. */
  const filled = (value: string): string =>
    value.includes("$")
      ? value.replace(/\$(\w+)/gu, (whole, name: string) => {
          for (let length = name.length; length > 0; length--) {
            const known = defined.get(name.slice(0, length));
            if (known !== undefined) return known + name.slice(length);
          }
          return whole;
        })
      : value;

  read(text, 0);
  endRegion();
  if (regions.length === 0) throw new SfzError("it has no <region>");
  return { regions, unknown: [...unknown].sort(), included };
}

/** What <control> says of every region. */
const own = (control: ReadonlyMap<string, string>): [string, string][] =>
  ["default_path", "note_offset", "octave_offset"].flatMap((name) => {
    const value = control.get(name);
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
