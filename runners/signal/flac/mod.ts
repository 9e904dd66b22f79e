/** FLAC (RFC 9639), written and read without a process or a package: the same bytes on every machine and runtime. */
export { decodeFlac, FlacDecoder, type FlacDecoderOptions, type FlacFrame } from "./decode.ts";
export { encodeFlac, encodeFlacToBytes, type FlacEnd, type FlacSource } from "./encode.ts";
export { FlacError, type FlacFault } from "./error.ts";
export { type FlacFile, type FlacWritten, readBack, readFlacFile, writeFlacFile, writeFlacFiles } from "./file.ts";
export { readComments, type StreamInfo } from "./metadata.ts";
export { packPcm } from "./pcm_bytes.ts";
