// Written by scripts/sdk.ts from the OpenAPI document. Change that, not this.

import type { RequestOptions, Route } from "./transport.ts";

/** Codes of refusals. */
export type ErrorCode =
  | "malformed_request"
  | "api_key_missing"
  | "api_key_malformed"
  | "api_key_invalid"
  | "address_not_allowed"
  | "upload_token_invalid"
  | "sign_in_required"
  | "insufficient_credits"
  | "key_budget_exceeded"
  | "key_scope_missing"
  | "download_url_invalid"
  | "upload_token_forbidden"
  | "upload_token_origin"
  | "upload_token_spent"
  | "role_forbids"
  | "form_foreign"
  | "leak_report_refused"
  | "not_found"
  | "operation_not_found"
  | "file_not_found"
  | "resource_not_found"
  | "method_not_allowed"
  | "body_too_slow"
  | "conflict"
  | "body_too_large"
  | "unsupported_media_type"
  | "range_not_satisfiable"
  | "misdirected"
  | "invalid_request"
  | "idempotency_key_reused"
  | "same_source"
  | "audio_invalid"
  | "format_unavailable"
  | "rate_limited"
  | "too_many_long_polls"
  | "too_many_uploads"
  | "upload_quota_reached"
  | "free_work_used_up"
  | "redelivered_too_often"
  | "internal_error"
  | "unavailable"
  | "no_room";

/** Codes of operations that ended as `failed`. */
export type FailureCode =
  | "internal_error"
  | "generation_timeout"
  | "timed_out"
  | "canceled"
  | "source_unreachable"
  | "source_forbidden_address"
  | "source_timeout"
  | "source_too_large"
  | "source_too_long"
  | "source_too_short"
  | "source_unsupported_format"
  | "source_undecodable"
  | "source_silent"
  | "target_duration_too_long"
  | "same_source"
  | "tos_violation"
  | "content_policy";

export interface AudioSource {
  /** HTTPS URL of a WAV, MP3 or FLAC file, or a URL that this service signed */
  readonly url: string;
}

export interface LoudnessSettings {
  /** streaming -14 LUFS, podcast -16 LUFS, broadcast -23 LUFS */
  readonly preset?: "streaming" | "podcast" | "broadcast" | null | undefined;
  /** Integrated loudness in LUFS; not together with preset; -36 to -6 */
  readonly target_lufs?: number | null | undefined;
  /** false: only one linear gain, as far as the ceiling of -1 dBTP lets it; true where it is absent */
  readonly allow_compression?: boolean | null | undefined;
}

export interface LoudnessTarget {
  /** streaming -14 LUFS, podcast -16 LUFS, broadcast -23 LUFS */
  readonly preset?: "streaming" | "podcast" | "broadcast" | undefined;
  /** Integrated loudness in LUFS */
  readonly target_lufs: number;
  /** false: only one linear gain */
  readonly allow_compression: boolean;
}

export interface AudioOutput {
  /** Signed download URL, FLAC, 44.1 kHz. Time-limited, not to be cached */
  readonly url: string;
  /** The URL stops working then; GET again for a fresh one */
  readonly expires_at: string;
  /** Seconds */
  readonly duration: number;
  /** Measured on the delivered file */
  readonly loudness: Loudness;
  /** Length of the file */
  readonly bytes: number;
  /** Of the file, hexadecimal */
  readonly sha256: string;
  /** What made it */
  readonly engine: string;
  /** Left out of lists, unless they are expanded */
  readonly report?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface Loudness {
  /** Integrated loudness; null when silent or shorter than 400 ms */
  readonly lufs: number | null;
  /** True peak; null when silent */
  readonly true_peak_dbtp: number | null;
  /** True when anything but gain was applied */
  readonly compressed: boolean;
}

export interface CutError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent"
    | "target_duration_too_long";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface WebhookFate {
  /** How often it was sent */
  readonly attempts: number;
  /** HTTP status of the last answer; null where there was none */
  readonly last_status: number | null;
  /** When it is sent again; null: it is not */
  readonly next_attempt_at: string | null;
  /** When the receiver took it */
  readonly delivered_at: string | null;
}

export interface DuckError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "same_source"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface NormalisationError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface StemOutput {
  /** Signed download URL, FLAC, 44.1 kHz. Time-limited, not to be cached */
  readonly url: string;
  /** The URL stops working then; GET again for a fresh one */
  readonly expires_at: string;
  /** Seconds */
  readonly duration: number;
  /** Which stem it is */
  readonly kind: "vocals" | "drums" | "bass" | "other" | "instrumental";
  /** Gain that was applied, of all stems alike */
  readonly gain_db: number;
  /** Length of the file */
  readonly bytes: number;
  /** Of the file, hexadecimal */
  readonly sha256: string;
  /** What made it */
  readonly engine: string;
  /** Left out of lists, unless they are expanded */
  readonly report?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface Archive {
  /** Signed download URL, ZIP of all outputs as FLAC */
  readonly url: string;
  /** The URL stops working then; GET again for a fresh one */
  readonly expires_at: string;
}

export interface StemError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface AnalysisReport {
  /** Measured on the source as it was sent */
  readonly loudness: {
    /** BS.1770-4; null when silent */
    readonly integrated_lufs: number | null;
    /** Loudness range, EBU Tech 3342; null where there are less than 3 s */
    readonly range_lu: number | null;
    /** Loudest 400 ms, EBU Tech 3341 */
    readonly momentary_lufs_max: number | null;
    /** Loudest 3 s, EBU Tech 3341 */
    readonly short_term_lufs_max: number | null;
    /** BS.1770-4; null when silent */
    readonly true_peak_dbtp: number | null;
  };
  /** Length of the source */
  readonly seconds: number;
  /** Beats a minute; 0 where there is no beat to rely on */
  readonly tempo_bpm: number;
  /** How sure the beat is; 0 to 1 */
  readonly beat_confidence: number;
  /** 4/4, 3/4, 6/8 and the like; null where there is no beat to rely on */
  readonly metre: string | null;
  /** Seconds */
  readonly beats: readonly number[];
  /** Seconds; the first beat of each bar */
  readonly downbeats: readonly number[];
  /** As A minor or Eb major; null where nothing sounds */
  readonly key: string | null;
  /** How sure the key is; 0 to 1 */
  readonly key_confidence: number;
  /** Of the A above middle C */
  readonly tuning_hz: number;
  /** One after the other */
  readonly chords: readonly {
    /** Seconds */
    readonly start: number;
    /** Seconds */
    readonly end: number;
    /** As C, Am7, Bdim; N for none */
    readonly label: string;
  }[];
  /** One after the other */
  readonly sections: readonly {
    /** Seconds */
    readonly start: number;
    /** Seconds */
    readonly end: number;
    /** Sections of equal label repeat one another */
    readonly label: string;
    /** Mean loudness against the whole piece's */
    readonly level_db: number;
  }[];
  /** Where somebody speaks or sings */
  readonly speech: readonly {
    /** Seconds */
    readonly start: number;
    /** Seconds */
    readonly end: number;
  }[];
  /** Twice a second */
  readonly curves: {
    /** Perceived energy, 0 to 1 */
    readonly energy: {
      /** Between two values */
      readonly hop_seconds: number;
      /** From 0 s on */
      readonly values: readonly number[];
    };
    /** Loudness of 400 ms, LUFS */
    readonly momentary_lufs: {
      /** Between two values */
      readonly hop_seconds: number;
      /** From 0 s on */
      readonly values: readonly number[];
    };
  };
}

export interface AnalysisError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface GeneratedOutput {
  /** Signed download URL, FLAC, 44.1 kHz. Time-limited, not to be cached */
  readonly url: string;
  /** The URL stops working then; GET again for a fresh one */
  readonly expires_at: string;
  /** Seconds */
  readonly duration: number;
  /** Measured on the delivered file */
  readonly loudness: Loudness;
  /** Length of the file */
  readonly bytes: number;
  /** Of the file, hexadecimal */
  readonly sha256: string;
  /** What made it */
  readonly engine: string;
  /** That of this output; 0 to 4294967295 */
  readonly seed: number;
  /** Left out of lists, unless they are expanded */
  readonly report?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface EffectError {
  /** Stable, machine-readable */
  readonly code: "internal_error" | "generation_timeout" | "timed_out" | "canceled" | "tos_violation";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface InstrumentalError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "content_policy"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface SampleError {
  /** Stable, machine-readable */
  readonly code: "internal_error" | "generation_timeout" | "timed_out" | "canceled" | "tos_violation";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface SongError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "content_policy"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface InstrumentalRemixError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "content_policy"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface SongRemixError {
  /** Stable, machine-readable */
  readonly code:
    | "internal_error"
    | "generation_timeout"
    | "timed_out"
    | "canceled"
    | "content_policy"
    | "source_unreachable"
    | "source_forbidden_address"
    | "source_timeout"
    | "source_too_large"
    | "source_too_long"
    | "source_too_short"
    | "source_unsupported_format"
    | "source_undecodable"
    | "source_silent";
  /** For people */
  readonly message: string;
  /** Input that a source_* error concerns, where there are several */
  readonly source?: string | undefined;
}

export interface Understood {
  /** As people write it: drum and bass; null where it is no music, or a source says */
  readonly genre: string | null;
  /** Beats a minute; null as for genre */
  readonly tempo_bpm: number | null;
  /** As A minor or Eb major; null as for genre */
  readonly key: string | null;
  /** As 4/4; null as for genre */
  readonly metre: string | null;
  /** Asked for by name */
  readonly instruments: readonly string[];
  /** What must not be heard, in the words of the prompt */
  readonly without: readonly string[];
  /** Strongest first */
  readonly moods: readonly string[];
  /** Who sings and how; null where nothing was said */
  readonly voice: {
    /** Who may sing: baritone, tenor, alto, soprano; empty where only the manner was said */
    readonly singers: readonly string[];
    /** How: breathy, raspy, whispered, rap */
    readonly manner: readonly string[];
    /** As the words call them: woman, old man, child */
    readonly who?: readonly string[] | undefined;
    /** duet, choir, backing vocals; null for one singer */
    readonly ensemble?: string | null | undefined;
  } | null;
  /** What was asked of the course: starts with piano, drums from the second half, ends: fade out */
  readonly form: readonly string[];
  /** Length that the words ask for; null where they ask for none */
  readonly seconds: number | null;
  /** Of an effect, in order; empty where music is made */
  readonly sounds: readonly {
    /** What is heard */
    readonly sound: string;
    /** What it is of; null where nothing was said */
    readonly material: string | null;
    /** How often; null where nothing was said */
    readonly count: number | null;
    /** 0 at hand to 1 far away */
    readonly distance: number;
    /** approaching, receding, passing, rising or descending; null where nothing was said */
    readonly motion: string | null;
    /** 0 soft to 1 violent; null where nothing was said */
    readonly intensity: number | null;
    /** How much louder than what sounds beside it */
    readonly level_db: number;
    /** From 1 on; sounds of one turn are heard at once, and null is under all of it */
    readonly turn: number | null;
    /** The words that it was taken from */
    readonly said?: string | undefined;
    /** How it is: soft, huge, louder than wind */
    readonly manner?: readonly string[] | undefined;
    /** From the beginning of what is before it */
    readonly after_seconds?: number | undefined;
    /** From one time to the next */
    readonly every_seconds?: number | undefined;
    /** Where it stands or which way it crosses, where each has a place of its own */
    readonly direction?: string | undefined;
  }[];
  /** Where it is heard: church, dry; null where nothing was said */
  readonly place: string | null;
  /** What kind of clip a sample is: stroke, note, chord, roll, drum pattern, phrase, sound; null elsewhere */
  readonly clip: string | null;
  /** Of a single sound or a drum pattern: F#2, Cm7, snare */
  readonly clip_of?: readonly string[] | undefined;
  /** Where the pitch of a clip goes: rising, falling; null where it stays */
  readonly motion?: string | null | undefined;
  /** How often a single drum is struck; null where it was not said */
  readonly times?: number | null | undefined;
  /** How a clip is played: short, let ring, staccato */
  readonly articulation?: readonly string[] | undefined;
  /** Where an effect stands or which way it crosses: left to right */
  readonly direction?: string | null | undefined;
  /** What was asked in other words than those above */
  readonly taken?:
    | readonly {
        /** As they were written: kora */
        readonly words: string;
        /** Which field of what was understood: instruments */
        readonly field: string;
        /** What they are there: harp */
        readonly value: string;
      }[]
    | undefined;
  /** Bars that the words ask for; null where they ask for none */
  readonly bars?: number | null | undefined;
  /** Chords that the words ask for, a bar each: Am, F, C, G */
  readonly progression?: readonly string[] | undefined;
  /** What is louder or softer: piano soft, bass softer than piano, crescendo */
  readonly dynamics?: readonly string[] | undefined;
  /** The tempo in words: slow, getting faster, same; null where no word said any */
  readonly tempo?: string | null | undefined;
  /** What of the above no word said outright */
  readonly guessed: readonly {
    /** Which field of what was understood */
    readonly field: string;
    /** What it was taken to be */
    readonly value: string;
    /** Words that it was guessed from, or other fields; null: it was free */
    readonly from: string | null;
  }[];
  /** Words that steer nothing by what they mean */
  readonly not_understood: readonly string[];
  /** A genre that colours it */
  readonly second_genre?: string | null | undefined;
  /** Place of the off-beat: 0.5 straight, 0.67 triplets */
  readonly swing?: number | undefined;
  /** Calm to wild; 0 to 1 */
  readonly energy?: number | undefined;
  /** Sad to glad; 0 to 1 */
  readonly valence?: number | undefined;
  /** Dark to bright; 0 to 1 */
  readonly brightness?: number | undefined;
  /** Sparse to full; 0 to 1 */
  readonly density?: number | undefined;
  /** Dry to wide; 0 to 1 */
  readonly space?: number | undefined;
  /** Clean to driven; 0 to 1 */
  readonly drive?: number | undefined;
  /** Modern to worn; 0 to 1 */
  readonly age?: number | undefined;
  /** Decade such as 1980s */
  readonly era?: string | null | undefined;
  /** What a remix does with its source */
  readonly source?:
    | {
        /** What of it stays: vocals, drums */
        readonly keep: readonly string[];
        /** slower, faster, half, double, same; null where nothing was said or a number was */
        readonly tempo: string | null;
        /** How far up, or down where negative; null where nothing was said */
        readonly semitones: number | null;
      }
    | undefined;
  /** Textures that a scene calls for */
  readonly scene?: readonly string[] | undefined;
  /** Asked of the arrangement by name */
  readonly traits?: readonly string[] | undefined;
  /** Fields that the words said outright */
  readonly explicit?: readonly string[] | undefined;
  /** The same as not_understood */
  readonly unknown_words?: readonly string[] | undefined;
}

export interface Capabilities {
  /** Of the API */
  readonly version: string;
  /** Sorted by name */
  readonly actions: readonly {
    /** `group.action`, as in the path */
    readonly name: string;
    /** One sentence */
    readonly summary: string;
    /** The key that holds the operation in answers */
    readonly wrapper: string;
    /** What clients call its operations together */
    readonly resource: string;
    /** Credits, of one variation where there are several; the most where they go by the sources */
    readonly cost: number;
    /** `single`: one `output`; `report`: a `report` instead of audio; else `outputs`, which `stems` and `named` tell apart by `kind` */
    readonly output: "single" | "variations" | "stems" | "report" | "named";
    /** Who ships the action; null where no package does */
    readonly plugin: {
      /** Of the package */
      readonly name: string;
      /** Of the package */
      readonly version: string | null;
    } | null;
    /** What will most likely serve */
    readonly engine: string;
    /** cpu or a device; null where another node runs the work */
    readonly device: string | null;
    /** Models for its task, the preferred first */
    readonly models: readonly {
      /** Of the model */
      readonly id: string;
      /** ready, loading, failed or elsewhere */
      readonly state: string;
      /** Why it is not served */
      readonly reason?: string | undefined;
    }[];
  }[];
  /** What decodes and encodes; null where it could not be asked */
  readonly codec: Codec | null;
  /** Recordings that instruments are played with */
  readonly sounds: readonly {
    /** Of the recordings */
    readonly name: string;
    /** Theirs */
    readonly licence: string;
    /** What the licence wants said */
    readonly attribution: string | null;
    /** The package that brings them along; null where they are the operator's own */
    readonly source: string | null;
    /** Where the licence's text lies among the installation's packages; null where they are the operator's own */
    readonly notice: string | null;
    /** What they play; none: all that no others do, and no synthesiser */
    readonly instruments: readonly string[];
  }[];
  /** Plugins that could not be loaded */
  readonly failed?:
    | readonly {
        /** Folder or package */
        readonly origin: string;
        /** Why, in general terms */
        readonly reason: string;
      }[]
    | undefined;
}

export interface Codec {
  /** Of the program */
  readonly name: string;
  /** Of the program */
  readonly version: string;
  /** What downloads can be had as */
  readonly formats: readonly string[];
}

export interface UploadedFile {
  /** File id */
  readonly id: string;
  /** As it was given with the upload */
  readonly name: string | null;
  /** Signed; works as the url of an AudioSource */
  readonly url: string;
  /** The URL stops working then */
  readonly expires_at: string;
  /** Seconds */
  readonly duration: number;
  /** Its size */
  readonly bytes: number;
  /** By its content: `audio/wav`, `audio/mpeg` or `audio/flac` */
  readonly content_type: string;
  /** When it was uploaded */
  readonly created_at: string;
  /** It is deleted then unless it is used: 24 hours */
  readonly kept_until: string;
  /** As a source, by an operation that has not ended */
  readonly in_use: boolean;
}

export interface DeletedFile {
  /** File id */
  readonly id: string;
  /** Always true */
  readonly deleted: boolean;
  /** An operation still reads it; its bytes count until that has ended */
  readonly in_use: boolean;
}

export interface UploadToken {
  /** For `Authorization: Bearer`, of `PUT /v1/files` alone */
  readonly token: string;
  /** It is refused from then on */
  readonly expires_at: string;
  /** Files that it stands for */
  readonly uploads: number;
  /** Bytes that it stands for, of all these files together */
  readonly bytes: number;
  /** The only origin whose pages may use it */
  readonly origin: string | null;
}

export interface Account {
  /** Account id */
  readonly id: string;
  /** What is left */
  readonly credits: number;
  /** Of this account */
  readonly limits: {
    /** Requests that change something; 0: any number */
    readonly put_per_minute: number;
    /** Requests that read; 0: any number */
    readonly get_per_minute: number;
    /** Open at a time; 0: any number */
    readonly long_polls: number;
    /** Under way at a time; 0: any number */
    readonly uploads_open: number;
    /** Of all uploads that are kept */
    readonly upload_bytes: {
      /** Most; 0: any number */
      readonly limit: number;
      /** So far */
      readonly used: number;
    };
    /** Seconds of a processor for work without a charge */
    readonly free_seconds: {
      /** Most a day; 0: any number */
      readonly limit: number;
      /** So far today */
      readonly used: number;
      /** When the next day begins */
      readonly resets_at: string;
    };
  };
  /** How webhooks of this account are sent */
  readonly webhooks: {
    /** The operation as GET answers it, or `{ type, data }` around it */
    readonly body: "operation" | "envelope";
    /** Whether retries go on for a day and longer */
    readonly long_retries: boolean;
  };
  /** The key that asks */
  readonly key: CallingKey;
}

export interface CallingKey {
  /** Key id */
  readonly id: string;
  /** Whether it costs nothing and its results are made up */
  readonly test: boolean;
  /** Whether it only reads */
  readonly read_only: boolean;
  /** Actions that it may submit and see, by name or as `adapt.*`; null: all */
  readonly actions: readonly string[] | null;
  /** null: as much as the account has */
  readonly budget: KeyBudget | null;
}

export interface KeyBudget {
  /** Most a period */
  readonly credits: number;
  /** Of the calendar, in UTC */
  readonly period: "day" | "month";
  /** So far; refunds are taken off */
  readonly used: number;
  /** When the next period begins */
  readonly resets_at: string;
}

export interface WebhookEndpoint {
  /** Endpoint id */
  readonly id: string;
  /** HTTPS URL that receives events by POST; no other endpoint of the account has it */
  readonly url: string;
  /** What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready` or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed` */
  readonly events: readonly string[];
  /** For people */
  readonly description: string;
  /** Whether it is told anything */
  readonly enabled: boolean;
  /** Why it is told nothing */
  readonly disabled: {
    /** Since when */
    readonly at: string;
    /** `request`: somebody did; `failures`: nothing got through for three days and ten deliveries; `gone`: it answered 410 */
    readonly reason: "request" | "failures" | "gone";
  } | null;
  /** When it was made */
  readonly created_at: string;
  /** What became of attempts to reach it */
  readonly health: WebhookEndpointHealth;
}

export interface WebhookEndpointHealth {
  /** When the last attempt began that succeeded */
  readonly last_success_at: string | null;
  /** The last attempt that failed */
  readonly last_failure: {
    /** When the attempt began */
    readonly at: string;
    /** HTTP status; null: no answer */
    readonly status: number | null;
    /** Why there was none, or what the answer began with */
    readonly detail: string;
  } | null;
  /** When the first attempt failed since then; null: none has */
  readonly failing_since: string | null;
  /** Deliveries that were given up since then */
  readonly failures_in_a_row: number;
  /** Attempts of the last 24 hours, by whole hours */
  readonly attempts_24h: number;
  /** Of these, 0 to 1; null: there were none */
  readonly success_share_24h: number | null;
}

export interface CreatedWebhookEndpoint {
  /** A receiver of the account's events */
  readonly webhook_endpoint: WebhookEndpoint;
  /** Signs what is sent there; shown this once */
  readonly secret: string;
}

export interface NewWebhookEndpoint {
  /** HTTPS URL that receives events by POST; no other endpoint of the account has it */
  readonly url: string;
  /** What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready` or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed`; *.ready,*.failed where it is absent */
  readonly events?: readonly string[] | null | undefined;
  /** For people;  where it is absent */
  readonly description?: string | null | undefined;
  /** Whether it is told anything; true where it is absent */
  readonly enabled?: boolean | null | undefined;
}

export interface WebhookEndpointChanges {
  /** HTTPS URL that receives events by POST; no other endpoint of the account has it */
  readonly url?: string | null | undefined;
  /** What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready` or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed` */
  readonly events?: readonly string[] | null | undefined;
  /** For people */
  readonly description?: string | null | undefined;
  /** `true` also forgives what made the service disable it */
  readonly enabled?: boolean | null | undefined;
}

export interface DeletedWebhookEndpoint {
  /** Endpoint id */
  readonly id: string;
  /** That it is gone */
  readonly deleted: true;
}

export interface RotatedWebhookSecret {
  /** Signs what is sent there; shown this once */
  readonly secret: string;
  /** When the one before signs no more */
  readonly previous_until: string;
}

export interface SecretRotation {
  /** How long the secret before signs beside the new one; 86400 where it is absent; 0 to 604800 */
  readonly overlap_seconds?: number | null | undefined;
}

export interface BulkRedeliveryAnswer {
  /** How many are due again; at most 1,000 */
  readonly redelivered: number;
  /** For the next call; null: these were all */
  readonly next_cursor: string | null;
}

export interface Peaks {
  /** Seconds */
  readonly duration: number;
  /** As many as asked for, or as there are samples; 1 to 8000 */
  readonly bins: number;
  /** The smallest sample of each bin */
  readonly min: readonly number[];
  /** The largest sample of each bin */
  readonly max: readonly number[];
}

export interface CutRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Seconds. The output lies within one second of it; above the source's length whole bars repeat, up to twice that length; 5 to 300 */
  readonly target_duration: number;
  /** WAV, MP3 or FLAC, 2.5 to 600 seconds, at most 50 MB */
  readonly source: AudioSource;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface CutOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent; 5 to 300 */
  readonly target_duration: number | null;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** Null until it is ready */
  readonly output: AudioOutput | null;
  /** Null unless it failed */
  readonly error: CutError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface DuckRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Depth in dB, 0 for none; absent: 6 to 18 dB, chosen from the loudness of voice and music; 0 to 24 */
  readonly duck_db?: number | null | undefined;
  /** WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB */
  readonly music: AudioSource;
  /** WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB */
  readonly voice: AudioSource;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface DuckOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent; 0 to 24 */
  readonly duck_db: number | null;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** Null until it is ready */
  readonly output: AudioOutput | null;
  /** Null unless it failed */
  readonly error: DuckError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface NormalisationRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB */
  readonly source?: AudioSource | null | undefined;
  /** 1 to 30, each WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB */
  readonly album?: readonly AudioSource[] | null | undefined;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface NormalisationOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** Null until it is ready, and where `album` was sent */
  readonly output: AudioOutput | null;
  /** Where `album` was sent: one of each entry, in order. Null until it is ready */
  readonly outputs?: readonly AudioOutput[] | null | undefined;
  /** Null unless it failed */
  readonly error: NormalisationError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface StemRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Only these; all five where it is absent. They are delivered in the usual order */
  readonly stems?: readonly ("vocals" | "drums" | "bass" | "other" | "instrumental")[] | null | undefined;
  /** WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB */
  readonly source: AudioSource;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface StemOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly stems: readonly ("vocals" | "drums" | "bass" | "other" | "instrumental")[] | null;
  /** Null until it is ready */
  readonly outputs: readonly StemOutput[] | null;
  /** Null until it is ready */
  readonly archive: Archive | null;
  /** Null unless it failed */
  readonly error: StemError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface AnalysisRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB */
  readonly source: AudioSource;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface AnalysisOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** What made the report. Null until it is ready */
  readonly engine: string | null;
  /** Null until it is ready; left out of lists, unless they are expanded */
  readonly report?: AnalysisReport | null | undefined;
  /** Null unless it failed */
  readonly error: AnalysisError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface EffectRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Tags or sentences: genre, mood, instruments, scene, tempo, key */
  readonly prompt: string;
  /** Seconds, delivered to the sample; absent: chosen from the prompt; 0.1 to 30 */
  readonly duration?: number | null | undefined;
  /** Chosen and echoed when absent; 0 to 4294967295 */
  readonly seed?: number | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface EffectOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly prompt: string | null;
  /** As sent; null where it was absent; 0.1 to 30 */
  readonly duration: number | null;
  /** As sent, or as chosen; 0 to 4294967295 */
  readonly seed: number;
  /** Null until it is ready */
  readonly output: GeneratedOutput | null;
  /** Null unless it failed */
  readonly error: EffectError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface InstrumentalRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Tags or sentences: genre, mood, instruments, scene, tempo, key */
  readonly prompt?: string | null | undefined;
  /** Seconds, met within a bar; absent: what the words ask for, or what such music is. A song is longer where its lyrics need it; 10 to 300 */
  readonly duration?: number | null | undefined;
  /** WAV, MP3 or FLAC, 1 to 300 seconds, at most 50 MB */
  readonly reference?: AudioSource | null | undefined;
  /** Number of outputs; 1 where it is absent; 1 to 3 */
  readonly n_variations?: number | null | undefined;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** Chosen and echoed when absent; 0 to 4294967295 */
  readonly seed?: number | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface InstrumentalOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly prompt: string | null;
  /** As sent; null where it was absent */
  readonly reference: AudioSource | null;
  /** As sent; left out where it was absent; 10 to 300 */
  readonly duration?: number | undefined;
  /** Number of outputs; 1 to 3 */
  readonly n_variations: number;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** As sent, or as chosen; 0 to 4294967295 */
  readonly seed: number;
  /** Null until it is ready */
  readonly outputs: readonly GeneratedOutput[] | null;
  /** Null unless it failed */
  readonly error: InstrumentalError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface SampleRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Tags or sentences: genre, mood, instruments, scene, tempo, key */
  readonly prompt: string;
  /** Seconds, delivered to the sample; 0.5 to 60 */
  readonly duration: number;
  /** Whole bars in a ring: the end joins the beginning without a seam; false where it is absent */
  readonly loopable?: boolean | null | undefined;
  /** Chosen and echoed when absent; 0 to 4294967295 */
  readonly seed?: number | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface SampleOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly prompt: string | null;
  /** As sent; null where it was absent; 0.5 to 60 */
  readonly duration: number | null;
  /** As sent; null where it was absent */
  readonly loopable: boolean | null;
  /** As sent, or as chosen; 0 to 4294967295 */
  readonly seed: number;
  /** Null until it is ready */
  readonly output: GeneratedOutput | null;
  /** Null unless it failed */
  readonly error: SampleError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface SongRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Sections under markers on lines of their own ([Verse], [Chorus], [Bridge], [Intro], [Outro], [Instrumental]), each further line one vocal line. A marker may say bars, players and fades ([Intro: 8 bars], [Solo: guitar], [Outro: fade]). A marker without lines is played; a chorus with nothing below it is sung again as it was. "x2" to "x4" in a marker, or behind a line, repeats it */
  readonly lyrics: string;
  /** Tags or sentences: genre, mood, instruments, scene, tempo, key */
  readonly prompt?: string | null | undefined;
  /** Seconds, met within a bar; absent: what the words ask for, or what such music is. A song is longer where its lyrics need it; 10 to 300 */
  readonly duration?: number | null | undefined;
  /** WAV, MP3 or FLAC, 10 to 300 seconds, at most 50 MB */
  readonly reference?: AudioSource | null | undefined;
  /** Number of outputs; 1 where it is absent; 1 to 3 */
  readonly n_variations?: number | null | undefined;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** Chosen and echoed when absent; 0 to 4294967295 */
  readonly seed?: number | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface SongOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly lyrics: string | null;
  /** As sent; null where it was absent */
  readonly prompt: string | null;
  /** As sent; null where it was absent */
  readonly reference: AudioSource | null;
  /** As sent; left out where it was absent; 10 to 300 */
  readonly duration?: number | undefined;
  /** Number of outputs; 1 to 3 */
  readonly n_variations: number;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** As sent, or as chosen; 0 to 4294967295 */
  readonly seed: number;
  /** Null until it is ready */
  readonly outputs: readonly GeneratedOutput[] | null;
  /** Null unless it failed */
  readonly error: SongError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface InstrumentalRemixRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Tags or sentences: genre, mood, instruments, scene, tempo, key */
  readonly prompt?: string | null | undefined;
  /** Seconds, met within a bar; absent: as long as the source. A song is longer where its lyrics need it; 10 to 300 */
  readonly duration?: number | null | undefined;
  /** WAV, MP3 or FLAC, 1 to 300 seconds, at most 50 MB */
  readonly source: AudioSource;
  /** Number of outputs; 1 where it is absent; 1 to 3 */
  readonly n_variations?: number | null | undefined;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** Chosen and echoed when absent; 0 to 4294967295 */
  readonly seed?: number | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface InstrumentalRemixOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly prompt: string | null;
  /** As sent; left out where it was absent; 10 to 300 */
  readonly duration?: number | undefined;
  /** Number of outputs; 1 to 3 */
  readonly n_variations: number;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** As sent, or as chosen; 0 to 4294967295 */
  readonly seed: number;
  /** Null until it is ready */
  readonly outputs: readonly GeneratedOutput[] | null;
  /** Null unless it failed */
  readonly error: InstrumentalRemixError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface SongRemixRequest {
  /** Chosen by the client. The same key sent again returns the original response without redoing the work */
  readonly idempotency_key: string;
  /** Sections under markers on lines of their own ([Verse], [Chorus], [Bridge], [Intro], [Outro], [Instrumental]), each further line one vocal line. A marker may say bars, players and fades ([Intro: 8 bars], [Solo: guitar], [Outro: fade]). A marker without lines is played; a chorus with nothing below it is sung again as it was. "x2" to "x4" in a marker, or behind a line, repeats it */
  readonly lyrics: string;
  /** Tags or sentences: genre, mood, instruments, scene, tempo, key */
  readonly prompt: string;
  /** Seconds, met within a bar; absent: as long as the source. A song is longer where its lyrics need it; 10 to 300 */
  readonly duration?: number | null | undefined;
  /** WAV, MP3 or FLAC, 10 to 300 seconds, at most 50 MB */
  readonly source: AudioSource;
  /** Number of outputs; 1 where it is absent; 1 to 3 */
  readonly n_variations?: number | null | undefined;
  /** Normalises every output; {} means -14 LUFS */
  readonly loudness?: LoudnessSettings | null | undefined;
  /** Chosen and echoed when absent; 0 to 4294967295 */
  readonly seed?: number | null | undefined;
  /** HTTPS URL that receives the final response by POST */
  readonly callback_url?: string | null | undefined;
  /** Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512 characters */
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
  /** Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400 */
  readonly timeout_seconds?: number | null | undefined;
  /** Which events callback_url is told; ready and failed where it is absent */
  readonly webhook_events?: readonly ("started" | "ready" | "failed")[] | null | undefined;
}

export interface SongRemixOperation {
  /** Operation id */
  readonly id: string;
  /** ready and failed stay */
  readonly status: "processing" | "ready" | "failed";
  /** ISO 8601, UTC */
  readonly created_at: string;
  /** As sent, in lower case */
  readonly idempotency_key: string;
  /** As sent; empty where it was absent */
  readonly metadata: Readonly<Record<string, string>>;
  /** As sent; null where it was absent */
  readonly lyrics: string | null;
  /** As sent; null where it was absent */
  readonly prompt: string | null;
  /** As sent; left out where it was absent; 10 to 300 */
  readonly duration?: number | undefined;
  /** Number of outputs; 1 to 3 */
  readonly n_variations: number;
  /** Null where none was asked */
  readonly loudness: LoudnessTarget | null;
  /** As sent, or as chosen; 0 to 4294967295 */
  readonly seed: number;
  /** Null until it is ready */
  readonly outputs: readonly GeneratedOutput[] | null;
  /** Null unless it failed */
  readonly error: SongRemixError | null;
  /** How much of the work is done; 0 to 1 */
  readonly progress: number;
  /** What is being done, in words; null once it has ended */
  readonly stage: string | null;
  /** Jobs before this one, counted to 10,000; null once work has begun */
  readonly queue_position: number | null;
  /** When work began */
  readonly started_at: string | null;
  /** When it ended */
  readonly completed_at: string | null;
  /** Credits charged */
  readonly cost: number;
  /** Credits that came back: all where it failed, none where it was canceled after work had begun */
  readonly refunded: number;
  /** True where a test key submitted it: the result is made up. Else absent */
  readonly test?: boolean | undefined;
  /** Null without callback_url; left out of lists and webhooks */
  readonly webhook?: WebhookFate | null | undefined;
}

export interface DryRun {
  /** Dry run: credits that it would cost */
  readonly cost: number;
  /** Dry run: there where sources are still to be measured, and it may cost less */
  readonly cost_max?: number | undefined;
  /** Dry run: credits of the account */
  readonly balance: number;
  /** Dry run: whether they suffice */
  readonly sufficient: boolean;
  /** Dry run: what the words are taken to ask for; null where that cannot be told just now */
  readonly understood?: Understood | null | undefined;
}

/** What lists of operations are filtered by. */
export interface OperationFilters {
  /** Most entries of a page: 50 where it is not given; with `expand` 10, and never more */
  readonly limit?: number | undefined;
  /** Only those of these actions */
  readonly action?: readonly string[] | string | undefined;
  /** Only these */
  readonly status?: readonly ("processing" | "ready" | "failed")[] | "processing" | "ready" | "failed" | undefined;
  /** Only what was created at this time or later */
  readonly created_after?: string | Date | undefined;
  /** Only what was created before this time */
  readonly created_before?: string | Date | undefined;
  /** Only those with all of these pairs: `metadata[key]=value`, up to 10 */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Outputs with their `report`, which lists leave out: it has 100 KB and more of a long song */
  readonly expand?: "report" | undefined;
}

/** What is made of an output when it is downloaded: FLAC, whose checksum is known, where nothing is said. */
export interface DownloadForm {
  /** As it is stored where it is absent; `mp3` and `opus` need encoders, which `/v1/capabilities` names */
  readonly format?: "flac" | "wav" | "mp3" | "opus" | undefined;
  /** Of a sample, of `flac` and `wav`; as stored where it is absent */
  readonly bits?: 16 | 24 | undefined;
  /** The 30 s that tell most, in any format */
  readonly preview?: boolean | undefined;
}

/** What the client has beside actions. */
export interface Routes {
  /** Whether work can be accepted */
  health(options?: RequestOptions): Promise<"ok">;
  /** Actions, their costs and engines */
  capabilities(options?: RequestOptions): Promise<Capabilities>;
  readonly files: {
    /** The account's uploads, newest first */
    list(
      filters?: {
        /** Most entries of a page: 50 where it is not given */
        readonly limit?: number | undefined;
      },
      options?: RequestOptions,
    ): AsyncGenerator<UploadedFile, void, undefined>;
    /** An upload, with a fresh URL */
    get(id: string, options?: RequestOptions): Promise<UploadedFile>;
    /** Delete an upload */
    delete(id: string, options?: RequestOptions): Promise<DeletedFile>;
  };
  readonly uploadTokens: {
    /** A token with which a page may upload, for 15 minutes at most */
    create(
      body?: {
        /** How long it may be used; 900 where it is absent; 1 to 900 */
        readonly seconds?: number | null | undefined;
        /** Files that it stands for; 1 where it is absent; 1 to 100 */
        readonly uploads?: number | null | undefined;
        /** Bytes that it stands for, of all these files together; 50000000 where it is absent; 1 to 5000000000 */
        readonly bytes?: number | null | undefined;
        /** The only origin whose pages may use it, such as https://app.example.com */
        readonly origin?: string | null | undefined;
      },
      options?: RequestOptions,
    ): Promise<UploadToken>;
  };
  /** Credits, limits and webhook options */
  account(options?: RequestOptions): Promise<Account>;
  /** What changed, day by day */
  changelog(options?: RequestOptions): Promise<
    readonly {
      /** The day */
      readonly date: string;
      /** Of the change */
      readonly kind: "New" | "Changed" | "Deprecated" | "Removed" | "Fixed" | "Security";
      /** Markdown */
      readonly text: string;
    }[]
  >;
  readonly webhookEndpoints: {
    /** The account's webhook endpoints, with their health */
    list(options?: RequestOptions): Promise<readonly WebhookEndpoint[]>;
    /** Make a webhook endpoint */
    create(body: NewWebhookEndpoint, options?: RequestOptions): Promise<CreatedWebhookEndpoint>;
    /** A webhook endpoint, with its health */
    get(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Change a webhook endpoint, or enable it again */
    update(id: string, body?: WebhookEndpointChanges, options?: RequestOptions): Promise<WebhookEndpoint>;
    /** Delete a webhook endpoint */
    delete(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint>;
    /** Replace the secret of a webhook endpoint */
    rotateSecret(id: string, body?: SecretRotation, options?: RequestOptions): Promise<RotatedWebhookSecret>;
    /** Send a test event to a webhook endpoint */
    ping(id: string, options?: RequestOptions): Promise<string>;
  };
  readonly operations: {
    /** Send failed webhooks again, up to 1,000 at a call */
    redeliverFailed(
      body?: {
        /** Only of events at this time or later */
        readonly since?: string | null | undefined;
        /** Only of events before this time */
        readonly until?: string | null | undefined;
        /** Only to this endpoint; also to callback URLs where it is absent */
        readonly endpoint?: string | null | undefined;
        /** Only of this action */
        readonly action?: string | null | undefined;
        /** `next_cursor` of the call before */
        readonly cursor?: string | null | undefined;
      },
      options?: RequestOptions,
    ): Promise<BulkRedeliveryAnswer>;
  };
}

export const ROUTES: readonly Route[] = [
  { place: ["health"], method: "GET", path: "/health", unwrap: "status" },
  { place: ["capabilities"], method: "GET", path: "/v1/capabilities" },
  { place: ["files", "list"], method: "GET", path: "/v1/files", hasFilters: true, unwrap: "files", isPaged: true },
  { place: ["files", "get"], method: "GET", path: "/v1/files/{id}", unwrap: "file" },
  { place: ["files", "delete"], method: "DELETE", path: "/v1/files/{id}", unwrap: "file" },
  {
    place: ["uploadTokens", "create"],
    method: "POST",
    path: "/v1/upload_tokens",
    hasBody: true,
    unwrap: "upload_token",
  },
  { place: ["account"], method: "GET", path: "/v1/account", unwrap: "account" },
  { place: ["changelog"], method: "GET", path: "/v1/changelog", unwrap: "changes" },
  { place: ["webhookEndpoints", "list"], method: "GET", path: "/v1/webhook_endpoints", unwrap: "webhook_endpoints" },
  { place: ["webhookEndpoints", "create"], method: "POST", path: "/v1/webhook_endpoints", hasBody: true },
  { place: ["webhookEndpoints", "get"], method: "GET", path: "/v1/webhook_endpoints/{id}", unwrap: "webhook_endpoint" },
  {
    place: ["webhookEndpoints", "update"],
    method: "PATCH",
    path: "/v1/webhook_endpoints/{id}",
    hasBody: true,
    unwrap: "webhook_endpoint",
  },
  { place: ["webhookEndpoints", "delete"], method: "DELETE", path: "/v1/webhook_endpoints/{id}" },
  {
    place: ["webhookEndpoints", "rotateSecret"],
    method: "POST",
    path: "/v1/webhook_endpoints/{id}/secret",
    hasBody: true,
  },
  {
    place: ["webhookEndpoints", "ping"],
    method: "POST",
    path: "/v1/webhook_endpoints/{id}/ping",
    unwrap: "webhook_id",
  },
  {
    place: ["operations", "redeliverFailed"],
    method: "PUT",
    path: "/v1/operations.redeliver_failed",
    hasBody: true,
    hasKey: true,
  },
];

/** Every action: its resource in the client, what it takes and what it answers. */
export interface Actions {
  /** Trim audio to a target duration at musically natural cut points */
  "adapt.auto_cut_down": { readonly resource: "cuts"; readonly request: CutRequest; readonly operation: CutOperation };
  /** Mix a voice over music, lowering the music while the voice speaks */
  "adapt.auto_duck": { readonly resource: "ducks"; readonly request: DuckRequest; readonly operation: DuckOperation };
  /** Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP */
  "adapt.normalise_loudness": {
    readonly resource: "normalisations";
    readonly request: NormalisationRequest;
    readonly operation: NormalisationOperation;
  };
  /** Split a mix into vocals, drums, bass, other and instrumental, which sum to it */
  "adapt.separate_stems": {
    readonly resource: "stems";
    readonly request: StemRequest;
    readonly operation: StemOperation;
  };
  /** Report loudness, tempo, beats, key, chords, sections and voices of a track */
  "analyse.track": {
    readonly resource: "analyses";
    readonly request: AnalysisRequest;
    readonly operation: AnalysisOperation;
  };
  /** Make a sound effect from a description */
  "create.new_fx": {
    readonly resource: "effects";
    readonly request: EffectRequest;
    readonly operation: EffectOperation;
  };
  /** Compose and play music without vocals, from words or like a reference */
  "create.new_instrumental": {
    readonly resource: "instrumentals";
    readonly request: InstrumentalRequest;
    readonly operation: InstrumentalOperation;
  };
  /** Make a short clip of exact length from words, as a seamless loop where wanted */
  "create.new_sample": {
    readonly resource: "samples";
    readonly request: SampleRequest;
    readonly operation: SampleOperation;
  };
  /** Compose, play and sing a song from lyrics, in words or like a reference */
  "create.new_song": { readonly resource: "songs"; readonly request: SongRequest; readonly operation: SongOperation };
  /** Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune */
  "create.remix_instrumental": {
    readonly resource: "instrumentalRemixes";
    readonly request: InstrumentalRemixRequest;
    readonly operation: InstrumentalRemixOperation;
  };
  /** Sing new lyrics on a song's tempo, key, chords and tune, with another band */
  "create.remix_song": {
    readonly resource: "songRemixes";
    readonly request: SongRemixRequest;
    readonly operation: SongRemixOperation;
  };
}

export type ActionName = keyof Actions;

export const ACTIONS: {
  readonly [Name in ActionName]: { readonly resource: Actions[Name]["resource"]; readonly sources: readonly string[] };
} = {
  "adapt.auto_cut_down": { resource: "cuts", sources: ["source"] },
  "adapt.auto_duck": { resource: "ducks", sources: ["music", "voice"] },
  "adapt.normalise_loudness": { resource: "normalisations", sources: ["source", "album"] },
  "adapt.separate_stems": { resource: "stems", sources: ["source"] },
  "analyse.track": { resource: "analyses", sources: ["source"] },
  "create.new_fx": { resource: "effects", sources: [] },
  "create.new_instrumental": { resource: "instrumentals", sources: ["reference"] },
  "create.new_sample": { resource: "samples", sources: [] },
  "create.new_song": { resource: "songs", sources: ["reference"] },
  "create.remix_instrumental": { resource: "instrumentalRemixes", sources: ["source"] },
  "create.remix_song": { resource: "songRemixes", sources: ["source"] },
};
