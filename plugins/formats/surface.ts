/**
 * Downloads in other forms than they are stored in. The signed URL of an output takes `format`, `bits` and `preview`,
 * or `peaks`, behind its signature: whoever may have the output may have it in any form. The archive of stems has a URL
 * of its own.
 */
import { type Download, type Facade, issue, refuse, type Surface } from "../../core/surface.ts";
import { archiveBytes, type Entry, writeArchive } from "./archive.ts";
import { readAsked } from "./asked.ts";
import { DOWNLOAD_DETAIL } from "./document.ts";
import { findOutput, findOutputs, LEVELS, nameOf, type Output } from "./forms.ts";
import { createMaking } from "./making.ts";
import { peaksOf } from "./peaks.ts";
import { isShort } from "./telling_part.ts";

/** Of STREAMINFO: as far as the bits of a sample. */
const HEAD_BYTES = 22;

export default function formats(facade: Facade): Surface {
  const { bucket, serve } = facade;
  const making = createMaking(facade);

  const storedBits = async ({ audio }: Output): Promise<16 | 24> => {
    const opened = await bucket.open(audio.key, { start: 0, end: HEAD_BYTES - 1 });
    if (opened === undefined) throw refuse.notFound();
    const head = new Uint8Array(await new Response(opened.stream).arrayBuffer());
    return (((head[20]! & 1) << 4) | (head[21]! >> 4)) + 1 === 16 ? 16 : 24;
  };

  const answerPeaks = async (output: Output, bins: number): Promise<Response> => {
    const levels = await bucket.open(await making.have(output, LEVELS));
    if (levels === undefined) throw refuse.notFound();
    const bytes = Buffer.from(await new Response(levels.stream).arrayBuffer());
    return Response.json(peaksOf(bytes, output.stored.duration, bins), { headers: HEADERS });
  };

  const answerForm = async (request: Request, download: Download): Promise<Response> => {
    const asked = readAsked(download.asked);
    const output = await findOutput(facade, download.key);
    if (output === undefined)
      throw refuse.invalid([issue(["query"], "value_error", "Only outputs of operations come in other forms")]);
    if ("peaks" in asked) return answerPeaks(output, asked.peaks);
    const { format } = asked;
    const own = await storedBits(output);
    const bits = asked.bits ?? own;
    const preview = asked.preview && !isShort(output.stored);
    const is_own = format === "flac" && bits === own && !preview;
    const key = is_own ? download.key : await making.have(output, nameOf(format, bits, preview));
    return serve(request, key, dispositionOf(download, output, preview, format), download.seconds);
  };

  const answerArchive = async ({ key, asked }: Download): Promise<Response> => {
    if (asked !== "") throw refuse.invalid([issue(["query"], "extra_forbidden", "The archive has one form")]);
    const outputs = await findOutputs(facade, key);
    if (outputs.length === 0 || !key.startsWith(outputs[0]!.audio.key.replace(/[^/]+$/u, ""))) throw refuse.notFound();
    const entries = outputs.map(
      (output): Entry => ({
        name: `${partOf(output)}.flac`,
        bytes: output.stored.bytes,
        open: async () => (await bucket.open(output.audio.key))?.stream,
      }),
    );
    for (const { audio } of outputs) if ((await bucket.stat(audio.key)) === undefined) throw refuse.notFound();
    return new Response(writeArchive(entries), {
      headers: {
        ...HEADERS,
        "content-type": "application/zip",
        "content-length": String(archiveBytes(entries)),
        "content-disposition": `attachment; filename="${outputs[0]!.action}.zip"`,
        "accept-ranges": "none",
      },
    });
  };

  return {
    name: "formats",
    download_detail: DOWNLOAD_DETAIL,
    deliver(request, download) {
      if (download.key.endsWith(".zip")) return answerArchive(download);
      return download.asked === "" ? undefined : answerForm(request, download);
    },
    async stop() {
      making.stop();
    },
  };
}

const HEADERS = { "cache-control": "private, no-store", "x-content-type-options": "nosniff" };

/** `vocals` or `2`. */
const partOf = ({ stored, index }: Output): string => stored.kind ?? String(index + 1);

/** As it was signed, with a name that says what it is. */
function dispositionOf({ disposition }: Download, output: Output, preview: boolean, format: string): string {
  const [kind] = disposition.split(";");
  const [, given] = /filename="(.+?)(?:\.[a-z0-9]+)?"/u.exec(disposition) ?? [];
  const name = given ?? `${output.action}-${partOf(output)}`;
  return `${kind}; filename="${name}${preview ? "-preview" : ""}.${format}"`;
}
