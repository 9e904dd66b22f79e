"""Written by scripts/sdk.ts from the OpenAPI document. Change that, not this."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from ._async_live import AsyncOperation, AsyncOutput, AsyncRoutes
from ._live import Operation, Output, Routes
from ._model import Model
from ._operation import OperationFields, OperationStatus, first_output
from ._output import DownloadProgress, OutputFields
from ._query import segment, with_key
from ._resource import ActionSteps, AsyncResource, Resource, Source, Submission

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = [
    "Account",
    "AccountLimits",
    "AccountLimitsFreeSeconds",
    "AccountLimitsUploadBytes",
    "AccountWebhooks",
    "AnalysisFields",
    "AnalysisOperation",
    "AnalysisReport",
    "AnalysisReportChords",
    "AnalysisReportCurves",
    "AnalysisReportCurvesEnergy",
    "AnalysisReportCurvesMomentaryLufs",
    "AnalysisReportLoudness",
    "AnalysisReportSections",
    "AnalysisReportSpeech",
    "AnalysisRequest",
    "Archive",
    "AsyncAnalysisOperation",
    "AsyncAudioOutput",
    "AsyncCutOperation",
    "AsyncDuckOperation",
    "AsyncEffectOperation",
    "AsyncGeneratedOutput",
    "AsyncInstrumentalOperation",
    "AsyncInstrumentalRemixOperation",
    "AsyncNormalisationOperation",
    "AsyncSampleOperation",
    "AsyncSongOperation",
    "AsyncSongRemixOperation",
    "AsyncStemOperation",
    "AsyncStemOutput",
    "AudioOutput",
    "AudioOutputFields",
    "AudioSource",
    "BulkRedelivery",
    "BulkRedeliveryAnswer",
    "CallingKey",
    "Capabilities",
    "CapabilitiesActions",
    "CapabilitiesActionsModels",
    "CapabilitiesActionsPlugin",
    "CapabilitiesFailed",
    "CapabilitiesSounds",
    "ChangelogEntry",
    "Codec",
    "CreatedWebhookEndpoint",
    "CutFields",
    "CutOperation",
    "CutRequest",
    "DeletedFile",
    "DeletedWebhookEndpoint",
    "DryRun",
    "DuckFields",
    "DuckOperation",
    "DuckRequest",
    "EffectFields",
    "EffectOperation",
    "EffectRequest",
    "EventName",
    "FilesListFilters",
    "GeneratedOutput",
    "GeneratedOutputFields",
    "InstrumentalFields",
    "InstrumentalOperation",
    "InstrumentalRemixFields",
    "InstrumentalRemixOperation",
    "InstrumentalRemixRequest",
    "InstrumentalRequest",
    "KeyBudget",
    "Loudness",
    "LoudnessPreset",
    "LoudnessSettings",
    "LoudnessTarget",
    "NewWebhookEndpoint",
    "NormalisationFields",
    "NormalisationOperation",
    "NormalisationRequest",
    "OperationFilters",
    "RotatedWebhookSecret",
    "SampleFields",
    "SampleOperation",
    "SampleRequest",
    "SecretRotation",
    "SongFields",
    "SongOperation",
    "SongRemixFields",
    "SongRemixOperation",
    "SongRemixRequest",
    "SongRequest",
    "StemFields",
    "StemKind",
    "StemOperation",
    "StemOutput",
    "StemOutputFields",
    "StemRequest",
    "Understood",
    "UnderstoodGuessed",
    "UnderstoodSounds",
    "UnderstoodSource",
    "UnderstoodTaken",
    "UnderstoodVoice",
    "UploadToken",
    "UploadTokensCreateRequest",
    "UploadedFile",
    "WebhookEndpoint",
    "WebhookEndpointChanges",
    "WebhookEndpointDisabled",
    "WebhookEndpointHealth",
    "WebhookEndpointHealthLastFailure",
    "WebhookFate",
]

LoudnessPreset = Literal["streaming", "podcast", "broadcast"]
EventName = Literal["started", "ready", "failed"]
StemKind = Literal["vocals", "drums", "bass", "other", "instrumental"]


class LoudnessSettings(TypedDict, total=False):
    """Normalises every output; {} means -14 LUFS"""

    preset: LoudnessPreset | None
    """streaming -14 LUFS, podcast -16 LUFS, broadcast -23 LUFS"""
    target_lufs: float | None
    """Integrated loudness in LUFS; not together with preset; -36 to -6"""
    allow_compression: bool | None
    """false: only one linear gain, as far as the ceiling of -1 dBTP lets it; true where it is absent"""


class _CutRequest(TypedDict):
    target_duration: float
    """Seconds. The output lies within one second of it; above the source's length whole bars repeat, up to twice that
    length; 5 to 300
    """
    source: Source
    """WAV, MP3 or FLAC, 2.5 to 600 seconds, at most 50 MB"""


class CutRequest(_CutRequest, total=False):
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class Loudness(Model):
    lufs: float | None
    """Integrated loudness; null when silent or shorter than 400 ms"""
    true_peak_dbtp: float | None
    """True peak; null when silent"""
    compressed: bool
    """True when anything but gain was applied"""


@dataclass(frozen=True, kw_only=True)
class AudioOutputFields(OutputFields):
    loudness: Loudness
    """Measured on the delivered file"""
    report: Mapping[str, Any] | None
    """Left out of lists, unless they are expanded"""


@dataclass(frozen=True, kw_only=True)
class AudioOutput(AudioOutputFields, Output):
    pass


@dataclass(frozen=True, kw_only=True)
class AsyncAudioOutput(AudioOutputFields, AsyncOutput):
    pass


@dataclass(frozen=True, kw_only=True)
class LoudnessTarget(Model):
    preset: LoudnessPreset | None
    """streaming -14 LUFS, podcast -16 LUFS, broadcast -23 LUFS"""
    target_lufs: float
    """Integrated loudness in LUFS"""
    allow_compression: bool
    """false: only one linear gain"""


@dataclass(frozen=True, kw_only=True)
class WebhookFate(Model):
    attempts: int
    """How often it was sent"""
    last_status: int | None
    """HTTP status of the last answer; null where there was none"""
    next_attempt_at: datetime | None
    """When it is sent again; null: it is not"""
    delivered_at: datetime | None
    """When the receiver took it"""


@dataclass(frozen=True, kw_only=True)
class CutFields(OperationFields):
    """Trim audio to a target duration at musically natural cut points"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    target_duration: float | None
    """As sent; null where it was absent; 5 to 300"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class CutOperation(CutFields, Operation):
    outputs: tuple[AudioOutput, ...]

    @property
    def output(self) -> AudioOutput:
        """Raises TonwerkError until it is ready."""
        result: AudioOutput = first_output(self)
        return result


@dataclass(frozen=True, kw_only=True)
class AsyncCutOperation(CutFields, AsyncOperation):
    outputs: tuple[AsyncAudioOutput, ...]

    @property
    def output(self) -> AsyncAudioOutput:
        """Raises TonwerkError until it is ready."""
        result: AsyncAudioOutput = first_output(self)
        return result


class _DuckRequest(TypedDict):
    music: Source
    """WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB"""
    voice: Source
    """WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB"""


class DuckRequest(_DuckRequest, total=False):
    duck_db: float | None
    """Depth in dB, 0 for none; absent: 6 to 18 dB, chosen from the loudness of voice and music; 0 to 24"""
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class DuckFields(OperationFields):
    """Mix a voice over music, lowering the music while the voice speaks"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    duck_db: float | None
    """As sent; null where it was absent; 0 to 24"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class DuckOperation(DuckFields, Operation):
    outputs: tuple[AudioOutput, ...]

    @property
    def output(self) -> AudioOutput:
        """Raises TonwerkError until it is ready."""
        result: AudioOutput = first_output(self)
        return result


@dataclass(frozen=True, kw_only=True)
class AsyncDuckOperation(DuckFields, AsyncOperation):
    outputs: tuple[AsyncAudioOutput, ...]

    @property
    def output(self) -> AsyncAudioOutput:
        """Raises TonwerkError until it is ready."""
        result: AsyncAudioOutput = first_output(self)
        return result


class NormalisationRequest(TypedDict, total=False):
    """Exactly one of source, album must be sent"""

    source: Source | None
    """WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB"""
    album: Sequence[Source] | None
    """1 to 30, each WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB"""
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class NormalisationFields(OperationFields):
    """Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class NormalisationOperation(NormalisationFields, Operation):
    outputs: tuple[AudioOutput, ...]

    @property
    def output(self) -> AudioOutput:
        """Raises TonwerkError until it is ready."""
        result: AudioOutput = first_output(self)
        return result


@dataclass(frozen=True, kw_only=True)
class AsyncNormalisationOperation(NormalisationFields, AsyncOperation):
    outputs: tuple[AsyncAudioOutput, ...]

    @property
    def output(self) -> AsyncAudioOutput:
        """Raises TonwerkError until it is ready."""
        result: AsyncAudioOutput = first_output(self)
        return result


class _StemRequest(TypedDict):
    source: Source
    """WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB"""


class StemRequest(_StemRequest, total=False):
    stems: Sequence[StemKind] | None
    """Only these; all five where it is absent. They are delivered in the usual order"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class StemOutputFields(OutputFields):
    kind: StemKind
    """Which stem it is"""
    gain_db: float
    """Gain that was applied, of all stems alike"""
    report: Mapping[str, Any] | None
    """Left out of lists, unless they are expanded"""


@dataclass(frozen=True, kw_only=True)
class StemOutput(StemOutputFields, Output):
    pass


@dataclass(frozen=True, kw_only=True)
class AsyncStemOutput(StemOutputFields, AsyncOutput):
    pass


@dataclass(frozen=True, kw_only=True)
class Archive(Model):
    url: str
    """Signed download URL, ZIP of all outputs as FLAC"""
    expires_at: datetime
    """The URL stops working then; GET again for a fresh one"""


@dataclass(frozen=True, kw_only=True)
class StemFields(OperationFields):
    """Split a mix into vocals, drums, bass, other and instrumental, which sum to it"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    stems: tuple[StemKind, ...] | None
    """As sent; null where it was absent"""
    archive: Archive | None
    """Null until it is ready"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class StemOperation(StemFields, Operation):
    outputs: tuple[StemOutput, ...]

    def download_archive(self, path: str | os.PathLike[str], *, on_progress: DownloadProgress | None = None) -> None:
        """Saves all outputs as one ZIP. What breaks off begins anew."""
        self._save_archive(path, on_progress)


@dataclass(frozen=True, kw_only=True)
class AsyncStemOperation(StemFields, AsyncOperation):
    outputs: tuple[AsyncStemOutput, ...]

    async def download_archive(
        self, path: str | os.PathLike[str], *, on_progress: DownloadProgress | None = None
    ) -> None:
        """Saves all outputs as one ZIP. What breaks off begins anew."""
        await self._save_archive(path, on_progress)


class _AnalysisRequest(TypedDict):
    source: Source
    """WAV, MP3 or FLAC, 0.5 to 600 seconds, at most 50 MB"""


class AnalysisRequest(_AnalysisRequest, total=False):
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportLoudness(Model):
    integrated_lufs: float | None
    """BS.1770-4; null when silent"""
    range_lu: float | None
    """Loudness range, EBU Tech 3342; null where there are less than 3 s"""
    momentary_lufs_max: float | None
    """Loudest 400 ms, EBU Tech 3341"""
    short_term_lufs_max: float | None
    """Loudest 3 s, EBU Tech 3341"""
    true_peak_dbtp: float | None
    """BS.1770-4; null when silent"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportChords(Model):
    start: float
    """Seconds"""
    end: float
    """Seconds"""
    label: str
    """As C, Am7, Bdim; N for none"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportSections(Model):
    start: float
    """Seconds"""
    end: float
    """Seconds"""
    label: str
    """Sections of equal label repeat one another"""
    level_db: float
    """Mean loudness against the whole piece's"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportSpeech(Model):
    start: float
    """Seconds"""
    end: float
    """Seconds"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportCurvesEnergy(Model):
    hop_seconds: float
    """Between two values"""
    values: tuple[float, ...]
    """From 0 s on"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportCurvesMomentaryLufs(Model):
    hop_seconds: float
    """Between two values"""
    values: tuple[float, ...]
    """From 0 s on"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReportCurves(Model):
    energy: AnalysisReportCurvesEnergy
    """Perceived energy, 0 to 1"""
    momentary_lufs: AnalysisReportCurvesMomentaryLufs
    """Loudness of 400 ms, LUFS"""


@dataclass(frozen=True, kw_only=True)
class AnalysisReport(Model):
    loudness: AnalysisReportLoudness
    """Measured on the source as it was sent"""
    seconds: float
    """Length of the source"""
    tempo_bpm: float
    """Beats a minute; 0 where there is no beat to rely on"""
    beat_confidence: float
    """How sure the beat is; 0 to 1"""
    metre: str | None
    """4/4, 3/4, 6/8 and the like; null where there is no beat to rely on"""
    beats: tuple[float, ...]
    """Seconds"""
    downbeats: tuple[float, ...]
    """Seconds; the first beat of each bar"""
    key: str | None
    """As A minor or Eb major; null where nothing sounds"""
    key_confidence: float
    """How sure the key is; 0 to 1"""
    tuning_hz: float
    """Of the A above middle C"""
    chords: tuple[AnalysisReportChords, ...]
    """One after the other"""
    sections: tuple[AnalysisReportSections, ...]
    """One after the other"""
    speech: tuple[AnalysisReportSpeech, ...]
    """Where somebody speaks or sings"""
    curves: AnalysisReportCurves
    """Twice a second"""


@dataclass(frozen=True, kw_only=True)
class AnalysisFields(OperationFields):
    """Report loudness, tempo, beats, key, chords, sections and voices of a track"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    engine: str | None
    """What made the report. Null until it is ready"""
    report: AnalysisReport | None
    """Null until it is ready; left out of lists, unless they are expanded"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class AnalysisOperation(AnalysisFields, Operation):
    outputs: tuple[Output, ...]


@dataclass(frozen=True, kw_only=True)
class AsyncAnalysisOperation(AnalysisFields, AsyncOperation):
    outputs: tuple[AsyncOutput, ...]


class _EffectRequest(TypedDict):
    prompt: str
    """Tags or sentences: genre, mood, instruments, scene, tempo, key"""


class EffectRequest(_EffectRequest, total=False):
    duration: float | None
    """Seconds, delivered to the sample; absent: chosen from the prompt; 0.1 to 30"""
    seed: int | None
    """Chosen and echoed when absent; 0 to 4294967295"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class GeneratedOutputFields(OutputFields):
    loudness: Loudness
    """Measured on the delivered file"""
    seed: int
    """That of this output; 0 to 4294967295"""
    report: Mapping[str, Any] | None
    """Left out of lists, unless they are expanded"""


@dataclass(frozen=True, kw_only=True)
class GeneratedOutput(GeneratedOutputFields, Output):
    pass


@dataclass(frozen=True, kw_only=True)
class AsyncGeneratedOutput(GeneratedOutputFields, AsyncOutput):
    pass


@dataclass(frozen=True, kw_only=True)
class EffectFields(OperationFields):
    """Make a sound effect from a description"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    prompt: str | None
    """As sent; null where it was absent"""
    duration: float | None
    """As sent; null where it was absent; 0.1 to 30"""
    seed: int
    """As sent, or as chosen; 0 to 4294967295"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class EffectOperation(EffectFields, Operation):
    outputs: tuple[GeneratedOutput, ...]

    @property
    def output(self) -> GeneratedOutput:
        """Raises TonwerkError until it is ready."""
        result: GeneratedOutput = first_output(self)
        return result


@dataclass(frozen=True, kw_only=True)
class AsyncEffectOperation(EffectFields, AsyncOperation):
    outputs: tuple[AsyncGeneratedOutput, ...]

    @property
    def output(self) -> AsyncGeneratedOutput:
        """Raises TonwerkError until it is ready."""
        result: AsyncGeneratedOutput = first_output(self)
        return result


class InstrumentalRequest(TypedDict, total=False):
    """Exactly one of prompt, reference must be sent"""

    prompt: str | None
    """Tags or sentences: genre, mood, instruments, scene, tempo, key"""
    duration: float | None
    """Seconds, met within a bar; absent: what the words ask for, or what such music is. A song is longer where its
    lyrics need it; 10 to 300
    """
    reference: Source | None
    """WAV, MP3 or FLAC, 1 to 300 seconds, at most 50 MB"""
    n_variations: int | None
    """Number of outputs; 1 where it is absent; 1 to 3"""
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    seed: int | None
    """Chosen and echoed when absent; 0 to 4294967295"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class AudioSource(Model):
    url: str
    """HTTPS URL of a WAV, MP3 or FLAC file, or a URL that this service signed"""


@dataclass(frozen=True, kw_only=True)
class InstrumentalFields(OperationFields):
    """Compose and play music without vocals, from words or like a reference"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    prompt: str | None
    """As sent; null where it was absent"""
    reference: AudioSource | None
    """As sent; null where it was absent"""
    duration: float | None
    """As sent; left out where it was absent; 10 to 300"""
    n_variations: int
    """Number of outputs; 1 to 3"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    seed: int
    """As sent, or as chosen; 0 to 4294967295"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class InstrumentalOperation(InstrumentalFields, Operation):
    outputs: tuple[GeneratedOutput, ...]


@dataclass(frozen=True, kw_only=True)
class AsyncInstrumentalOperation(InstrumentalFields, AsyncOperation):
    outputs: tuple[AsyncGeneratedOutput, ...]


class _SampleRequest(TypedDict):
    prompt: str
    """Tags or sentences: genre, mood, instruments, scene, tempo, key"""
    duration: float
    """Seconds, delivered to the sample; 0.5 to 60"""


class SampleRequest(_SampleRequest, total=False):
    loopable: bool | None
    """Whole bars in a ring: the end joins the beginning without a seam; false where it is absent"""
    seed: int | None
    """Chosen and echoed when absent; 0 to 4294967295"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class SampleFields(OperationFields):
    """Make a short clip of exact length from words, as a seamless loop where wanted"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    prompt: str | None
    """As sent; null where it was absent"""
    duration: float | None
    """As sent; null where it was absent; 0.5 to 60"""
    loopable: bool | None
    """As sent; null where it was absent"""
    seed: int
    """As sent, or as chosen; 0 to 4294967295"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class SampleOperation(SampleFields, Operation):
    outputs: tuple[GeneratedOutput, ...]

    @property
    def output(self) -> GeneratedOutput:
        """Raises TonwerkError until it is ready."""
        result: GeneratedOutput = first_output(self)
        return result


@dataclass(frozen=True, kw_only=True)
class AsyncSampleOperation(SampleFields, AsyncOperation):
    outputs: tuple[AsyncGeneratedOutput, ...]

    @property
    def output(self) -> AsyncGeneratedOutput:
        """Raises TonwerkError until it is ready."""
        result: AsyncGeneratedOutput = first_output(self)
        return result


class _SongRequest(TypedDict):
    lyrics: str
    """Sections under markers on lines of their own ([Verse], [Chorus], [Bridge], [Intro], [Outro], [Instrumental]),
    each further line one vocal line. A marker may say bars, players and fades ([Intro: 8 bars], [Solo: guitar],
    [Outro: fade]). A marker without lines is played; a chorus with nothing below it is sung again as it was. "x2" to
    "x4" in a marker, or behind a line, repeats it
    """


class SongRequest(_SongRequest, total=False):
    """Exactly one of prompt, reference must be sent"""

    prompt: str | None
    """Tags or sentences: genre, mood, instruments, scene, tempo, key"""
    duration: float | None
    """Seconds, met within a bar; absent: what the words ask for, or what such music is. A song is longer where its
    lyrics need it; 10 to 300
    """
    reference: Source | None
    """WAV, MP3 or FLAC, 10 to 300 seconds, at most 50 MB"""
    n_variations: int | None
    """Number of outputs; 1 where it is absent; 1 to 3"""
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    seed: int | None
    """Chosen and echoed when absent; 0 to 4294967295"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class SongFields(OperationFields):
    """Compose, play and sing a song from lyrics, in words or like a reference"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    lyrics: str | None
    """As sent; null where it was absent"""
    prompt: str | None
    """As sent; null where it was absent"""
    reference: AudioSource | None
    """As sent; null where it was absent"""
    duration: float | None
    """As sent; left out where it was absent; 10 to 300"""
    n_variations: int
    """Number of outputs; 1 to 3"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    seed: int
    """As sent, or as chosen; 0 to 4294967295"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class SongOperation(SongFields, Operation):
    outputs: tuple[GeneratedOutput, ...]


@dataclass(frozen=True, kw_only=True)
class AsyncSongOperation(SongFields, AsyncOperation):
    outputs: tuple[AsyncGeneratedOutput, ...]


class _InstrumentalRemixRequest(TypedDict):
    source: Source
    """WAV, MP3 or FLAC, 1 to 300 seconds, at most 50 MB"""


class InstrumentalRemixRequest(_InstrumentalRemixRequest, total=False):
    prompt: str | None
    """Tags or sentences: genre, mood, instruments, scene, tempo, key"""
    duration: float | None
    """Seconds, met within a bar; absent: as long as the source. A song is longer where its lyrics need it; 10 to 300"""
    n_variations: int | None
    """Number of outputs; 1 where it is absent; 1 to 3"""
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    seed: int | None
    """Chosen and echoed when absent; 0 to 4294967295"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class InstrumentalRemixFields(OperationFields):
    """Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    prompt: str | None
    """As sent; null where it was absent"""
    duration: float | None
    """As sent; left out where it was absent; 10 to 300"""
    n_variations: int
    """Number of outputs; 1 to 3"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    seed: int
    """As sent, or as chosen; 0 to 4294967295"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class InstrumentalRemixOperation(InstrumentalRemixFields, Operation):
    outputs: tuple[GeneratedOutput, ...]


@dataclass(frozen=True, kw_only=True)
class AsyncInstrumentalRemixOperation(InstrumentalRemixFields, AsyncOperation):
    outputs: tuple[AsyncGeneratedOutput, ...]


class _SongRemixRequest(TypedDict):
    lyrics: str
    """Sections under markers on lines of their own ([Verse], [Chorus], [Bridge], [Intro], [Outro], [Instrumental]),
    each further line one vocal line. A marker may say bars, players and fades ([Intro: 8 bars], [Solo: guitar],
    [Outro: fade]). A marker without lines is played; a chorus with nothing below it is sung again as it was. "x2" to
    "x4" in a marker, or behind a line, repeats it
    """
    prompt: str
    """Tags or sentences: genre, mood, instruments, scene, tempo, key"""
    source: Source
    """WAV, MP3 or FLAC, 10 to 300 seconds, at most 50 MB"""


class SongRemixRequest(_SongRemixRequest, total=False):
    duration: float | None
    """Seconds, met within a bar; absent: as long as the source. A song is longer where its lyrics need it; 10 to 300"""
    n_variations: int | None
    """Number of outputs; 1 where it is absent; 1 to 3"""
    loudness: LoudnessSettings | None
    """Normalises every output; {} means -14 LUFS"""
    seed: int | None
    """Chosen and echoed when absent; 0 to 4294967295"""
    callback_url: str | None
    """HTTPS URL that receives the final response by POST"""
    metadata: Mapping[str, str] | None
    """Notes of the client's own, up to 20 pairs: keys of 1 to 64 letters, digits and _ . : -, values of up to 512
    characters
    """
    timeout_seconds: int | None
    """Fails with timed_out, refunded, where it has not ended so many seconds after its submission; 1 to 86400"""
    webhook_events: Sequence[EventName] | None
    """Which events callback_url is told; ready and failed where it is absent"""


@dataclass(frozen=True, kw_only=True)
class SongRemixFields(OperationFields):
    """Sing new lyrics on a song's tempo, key, chords and tune, with another band"""

    metadata: Mapping[str, str]
    """As sent; empty where it was absent"""
    lyrics: str | None
    """As sent; null where it was absent"""
    prompt: str | None
    """As sent; null where it was absent"""
    duration: float | None
    """As sent; left out where it was absent; 10 to 300"""
    n_variations: int
    """Number of outputs; 1 to 3"""
    loudness: LoudnessTarget | None
    """Null where none was asked"""
    seed: int
    """As sent, or as chosen; 0 to 4294967295"""
    test: bool | None
    """True where a test key submitted it: the result is made up. Else absent"""
    webhook: WebhookFate | None
    """Null without callback_url; left out of lists and webhooks"""


@dataclass(frozen=True, kw_only=True)
class SongRemixOperation(SongRemixFields, Operation):
    outputs: tuple[GeneratedOutput, ...]


@dataclass(frozen=True, kw_only=True)
class AsyncSongRemixOperation(SongRemixFields, AsyncOperation):
    outputs: tuple[AsyncGeneratedOutput, ...]


@dataclass(frozen=True, kw_only=True)
class UnderstoodVoice(Model):
    singers: tuple[str, ...]
    """Who may sing: baritone, tenor, alto, soprano; empty where only the manner was said"""
    manner: tuple[str, ...]
    """How: breathy, raspy, whispered, rap"""
    who: tuple[str, ...] | None
    """As the words call them: woman, old man, child"""
    ensemble: str | None
    """duet, choir, backing vocals; null for one singer"""


@dataclass(frozen=True, kw_only=True)
class UnderstoodSounds(Model):
    sound: str
    """What is heard"""
    material: str | None
    """What it is of; null where nothing was said"""
    count: int | None
    """How often; null where nothing was said"""
    distance: float
    """0 at hand to 1 far away"""
    motion: str | None
    """approaching, receding, passing, rising or descending; null where nothing was said"""
    intensity: float | None
    """0 soft to 1 violent; null where nothing was said"""
    level_db: float
    """How much louder than what sounds beside it"""
    turn: int | None
    """From 1 on; sounds of one turn are heard at once, and null is under all of it"""
    said: str | None
    """The words that it was taken from"""
    manner: tuple[str, ...] | None
    """How it is: soft, huge, louder than wind"""
    after_seconds: float | None
    """From the beginning of what is before it"""
    every_seconds: float | None
    """From one time to the next"""
    direction: str | None
    """Where it stands or which way it crosses, where each has a place of its own"""


@dataclass(frozen=True, kw_only=True)
class UnderstoodTaken(Model):
    words: str
    """As they were written: kora"""
    field: str
    """Which field of what was understood: instruments"""
    value: str
    """What they are there: harp"""


@dataclass(frozen=True, kw_only=True)
class UnderstoodGuessed(Model):
    field: str
    """Which field of what was understood"""
    value: str
    """What it was taken to be"""
    from_: str | None
    """Words that it was guessed from, or other fields; null: it was free"""


@dataclass(frozen=True, kw_only=True)
class UnderstoodSource(Model):
    keep: tuple[str, ...]
    """What of it stays: vocals, drums"""
    tempo: str | None
    """slower, faster, half, double, same; null where nothing was said or a number was"""
    semitones: float | None
    """How far up, or down where negative; null where nothing was said"""


@dataclass(frozen=True, kw_only=True)
class Understood(Model):
    genre: str | None
    """As people write it: drum and bass; null where it is no music, or a source says"""
    tempo_bpm: float | None
    """Beats a minute; null as for genre"""
    key: str | None
    """As A minor or Eb major; null as for genre"""
    metre: str | None
    """As 4/4; null as for genre"""
    instruments: tuple[str, ...]
    """Asked for by name"""
    without: tuple[str, ...]
    """What must not be heard, in the words of the prompt"""
    moods: tuple[str, ...]
    """Strongest first"""
    voice: UnderstoodVoice | None
    """Who sings and how; null where nothing was said"""
    form: tuple[str, ...]
    """What was asked of the course: starts with piano, drums from the second half, ends: fade out"""
    seconds: float | None
    """Length that the words ask for; null where they ask for none"""
    sounds: tuple[UnderstoodSounds, ...]
    """Of an effect, in order; empty where music is made"""
    place: str | None
    """Where it is heard: church, dry; null where nothing was said"""
    clip: str | None
    """What kind of clip a sample is: stroke, note, chord, roll, drum pattern, phrase, sound; null elsewhere"""
    clip_of: tuple[str, ...] | None
    """Of a single sound or a drum pattern: F#2, Cm7, snare"""
    motion: str | None
    """Where the pitch of a clip goes: rising, falling; null where it stays"""
    times: float | None
    """How often a single drum is struck; null where it was not said"""
    articulation: tuple[str, ...] | None
    """How a clip is played: short, let ring, staccato"""
    direction: str | None
    """Where an effect stands or which way it crosses: left to right"""
    taken: tuple[UnderstoodTaken, ...] | None
    """What was asked in other words than those above"""
    bars: float | None
    """Bars that the words ask for; null where they ask for none"""
    progression: tuple[str, ...] | None
    """Chords that the words ask for, a bar each: Am, F, C, G"""
    dynamics: tuple[str, ...] | None
    """What is louder or softer: piano soft, bass softer than piano, crescendo"""
    tempo: str | None
    """The tempo in words: slow, getting faster, same; null where no word said any"""
    guessed: tuple[UnderstoodGuessed, ...]
    """What of the above no word said outright"""
    not_understood: tuple[str, ...]
    """Words that steer nothing by what they mean"""
    second_genre: str | None
    """A genre that colours it"""
    swing: float | None
    """Place of the off-beat: 0.5 straight, 0.67 triplets"""
    energy: float | None
    """Calm to wild; 0 to 1"""
    valence: float | None
    """Sad to glad; 0 to 1"""
    brightness: float | None
    """Dark to bright; 0 to 1"""
    density: float | None
    """Sparse to full; 0 to 1"""
    space: float | None
    """Dry to wide; 0 to 1"""
    drive: float | None
    """Clean to driven; 0 to 1"""
    age: float | None
    """Modern to worn; 0 to 1"""
    era: str | None
    """Decade such as 1980s"""
    source: UnderstoodSource | None
    """What a remix does with its source"""
    scene: tuple[str, ...] | None
    """Textures that a scene calls for"""
    traits: tuple[str, ...] | None
    """Asked of the arrangement by name"""
    explicit: tuple[str, ...] | None
    """Fields that the words said outright"""
    unknown_words: tuple[str, ...] | None
    """The same as not_understood"""


@dataclass(frozen=True, kw_only=True)
class DryRun(Model):
    cost: int
    """Dry run: credits that it would cost"""
    cost_max: int | None
    """Dry run: there where sources are still to be measured, and it may cost less"""
    balance: int
    """Dry run: credits of the account"""
    sufficient: bool
    """Dry run: whether they suffice"""
    understood: Understood | None
    """Dry run: what the words are taken to ask for; null where that cannot be told just now"""


class OperationFilters(TypedDict, total=False):
    limit: int | None
    """Most entries of a page: 50 where it is not given; with `expand` 10, and never more; 1 to 100"""
    action: str | Sequence[str] | None
    """Only those of these actions"""
    status: OperationStatus | Sequence[OperationStatus] | None
    """Only these"""
    created_after: datetime | None
    """Only what was created at this time or later"""
    created_before: datetime | None
    """Only what was created before this time"""
    metadata: Mapping[str, str] | None
    """Only those with all of these pairs: `metadata[key]=value`, up to 10"""
    expand: Literal["report"] | None
    """Outputs with their `report`, which lists leave out: it has 100 KB and more of a long song"""


@dataclass(frozen=True, kw_only=True)
class UploadedFile(Model):
    id: str
    """File id"""
    name: str | None
    """As it was given with the upload"""
    url: str
    """Signed; works as the url of an AudioSource"""
    expires_at: datetime
    """The URL stops working then"""
    duration: float
    """Seconds"""
    bytes: int
    """Its size"""
    content_type: str
    """By its content: `audio/wav`, `audio/mpeg` or `audio/flac`"""
    created_at: datetime
    """When it was uploaded"""
    kept_until: datetime
    """It is deleted then unless it is used: 24 hours"""
    in_use: bool
    """As a source, by an operation that has not ended"""


@dataclass(frozen=True, kw_only=True)
class DeletedFile(Model):
    id: str
    """File id"""
    deleted: bool
    """Always true"""
    in_use: bool
    """An operation still reads it; its bytes count until that has ended"""


class FilesListFilters(TypedDict, total=False):
    limit: int | None
    """Most entries of a page: 50 where it is not given; 1 to 100"""


@dataclass(frozen=True, kw_only=True)
class UploadToken(Model):
    token: str
    """For `Authorization: Bearer`, of `PUT /v1/files` alone"""
    expires_at: datetime
    """It is refused from then on"""
    uploads: int
    """Files that it stands for"""
    bytes: int
    """Bytes that it stands for, of all these files together"""
    origin: str | None
    """The only origin whose pages may use it"""


class UploadTokensCreateRequest(TypedDict, total=False):
    seconds: int | None
    """How long it may be used; 900 where it is absent; 1 to 900"""
    uploads: int | None
    """Files that it stands for; 1 where it is absent; 1 to 100"""
    bytes: int | None
    """Bytes that it stands for, of all these files together; 50000000 where it is absent; 1 to 5000000000"""
    origin: str | None
    """The only origin whose pages may use it, such as https://app.example.com"""


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointDisabled(Model):
    at: datetime
    """Since when"""
    reason: Literal["request", "failures", "gone"]
    """`request`: somebody did; `failures`: nothing got through for three days and ten deliveries; `gone`: it answered
    410
    """


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointHealthLastFailure(Model):
    at: datetime
    """When the attempt began"""
    status: int | None
    """HTTP status; null: no answer"""
    detail: str
    """Why there was none, or what the answer began with"""


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointHealth(Model):
    last_success_at: datetime | None
    """When the last attempt began that succeeded"""
    last_failure: WebhookEndpointHealthLastFailure | None
    """The last attempt that failed"""
    failing_since: datetime | None
    """When the first attempt failed since then; null: none has"""
    failures_in_a_row: int
    """Deliveries that were given up since then"""
    attempts_24h: int
    """Attempts of the last 24 hours, by whole hours"""
    success_share_24h: float | None
    """Of these, 0 to 1; null: there were none"""


@dataclass(frozen=True, kw_only=True)
class WebhookEndpoint(Model):
    id: str
    """Endpoint id"""
    url: str
    """HTTPS URL that receives events by POST; no other endpoint of the account has it"""
    events: tuple[str, ...]
    """What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready`
    or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed`
    """
    description: str
    """For people"""
    enabled: bool
    """Whether it is told anything"""
    disabled: WebhookEndpointDisabled | None
    """Why it is told nothing"""
    created_at: datetime
    """When it was made"""
    health: WebhookEndpointHealth
    """What became of attempts to reach it"""


@dataclass(frozen=True, kw_only=True)
class CreatedWebhookEndpoint(Model):
    webhook_endpoint: WebhookEndpoint
    """A receiver of the account's events"""
    secret: str
    """Signs what is sent there; shown this once"""


class _NewWebhookEndpoint(TypedDict):
    url: str
    """HTTPS URL that receives events by POST; no other endpoint of the account has it"""


class NewWebhookEndpoint(_NewWebhookEndpoint, total=False):
    """A webhook endpoint to be"""

    events: Sequence[str] | None
    """What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready`
    or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed`; *.ready,*.failed where
    it is absent
    """
    description: str | None
    """For people;  where it is absent"""
    enabled: bool | None
    """Whether it is told anything; true where it is absent"""


class WebhookEndpointChanges(TypedDict, total=False):
    """What is to be other than it is"""

    url: str | None
    """HTTPS URL that receives events by POST; no other endpoint of the account has it"""
    events: Sequence[str] | None
    """What it is told: `*` for everything, or `<action>.<event>` with `*` for either, such as `create.new_song.ready`
    or `*.failed`. Events are `started` (once, and not after the end), `ready` and `failed`
    """
    description: str | None
    """For people"""
    enabled: bool | None
    """`true` also forgives what made the service disable it"""


@dataclass(frozen=True, kw_only=True)
class DeletedWebhookEndpoint(Model):
    id: str
    """Endpoint id"""
    deleted: bool
    """That it is gone"""


@dataclass(frozen=True, kw_only=True)
class RotatedWebhookSecret(Model):
    secret: str
    """Signs what is sent there; shown this once"""
    previous_until: datetime
    """When the one before signs no more"""


class SecretRotation(TypedDict, total=False):
    """How a secret is replaced"""

    overlap_seconds: int | None
    """How long the secret before signs beside the new one; 86400 where it is absent; 0 to 604800"""


@dataclass(frozen=True, kw_only=True)
class BulkRedeliveryAnswer(Model):
    redelivered: int
    """How many are due again; at most 1,000"""
    next_cursor: str | None
    """For the next call; null: these were all"""


class BulkRedelivery(TypedDict, total=False):
    """Which failed deliveries are sent again"""

    since: datetime | None
    """Only of events at this time or later"""
    until: datetime | None
    """Only of events before this time"""
    endpoint: str | None
    """Only to this endpoint; also to callback URLs where it is absent"""
    action: str | None
    """Only of this action"""
    cursor: str | None
    """`next_cursor` of the call before"""


@dataclass(frozen=True, kw_only=True)
class CapabilitiesActionsPlugin(Model):
    name: str
    """Of the package"""
    version: str | None
    """Of the package"""


@dataclass(frozen=True, kw_only=True)
class CapabilitiesActionsModels(Model):
    id: str
    """Of the model"""
    state: str
    """ready, loading, failed or elsewhere"""
    reason: str | None
    """Why it is not served"""


@dataclass(frozen=True, kw_only=True)
class CapabilitiesActions(Model):
    name: str
    """`group.action`, as in the path"""
    summary: str
    """One sentence"""
    wrapper: str
    """The key that holds the operation in answers"""
    resource: str
    """What clients call its operations together"""
    cost: int
    """Credits, of one variation where there are several; the most where they go by the sources"""
    output: Literal["single", "variations", "stems", "report", "named"]
    """`single`: one `output`; `report`: a `report` instead of audio; else `outputs`, which `stems` and `named` tell
    apart by `kind`
    """
    plugin: CapabilitiesActionsPlugin | None
    """Who ships the action; null where no package does"""
    engine: str
    """What will most likely serve"""
    device: str | None
    """cpu or a device; null where another node runs the work"""
    models: tuple[CapabilitiesActionsModels, ...]
    """Models for its task, the preferred first"""


@dataclass(frozen=True, kw_only=True)
class Codec(Model):
    name: str
    """Of the program"""
    version: str
    """Of the program"""
    formats: tuple[str, ...]
    """What downloads can be had as"""


@dataclass(frozen=True, kw_only=True)
class CapabilitiesSounds(Model):
    name: str
    """Of the recordings"""
    licence: str
    """Theirs"""
    attribution: str | None
    """What the licence wants said"""
    source: str | None
    """The package that brings them along; null where they are the operator's own"""
    notice: str | None
    """Where the licence's text lies among the installation's packages; null where they are the operator's own"""
    instruments: tuple[str, ...]
    """What they play; none: all that no others do, and no synthesiser"""


@dataclass(frozen=True, kw_only=True)
class CapabilitiesFailed(Model):
    origin: str
    """Folder or package"""
    reason: str
    """Why, in general terms"""


@dataclass(frozen=True, kw_only=True)
class Capabilities(Model):
    version: str
    """Of the API"""
    actions: tuple[CapabilitiesActions, ...]
    """Sorted by name"""
    codec: Codec | None
    """What decodes and encodes; null where it could not be asked"""
    sounds: tuple[CapabilitiesSounds, ...]
    """Recordings that instruments are played with"""
    failed: tuple[CapabilitiesFailed, ...] | None
    """Plugins that could not be loaded"""


@dataclass(frozen=True, kw_only=True)
class AccountLimitsUploadBytes(Model):
    limit: int
    """Most; 0: any number"""
    used: int
    """So far"""


@dataclass(frozen=True, kw_only=True)
class AccountLimitsFreeSeconds(Model):
    limit: int
    """Most a day; 0: any number"""
    used: float
    """So far today"""
    resets_at: datetime
    """When the next day begins"""


@dataclass(frozen=True, kw_only=True)
class AccountLimits(Model):
    put_per_minute: int
    """Requests that change something; 0: any number"""
    get_per_minute: int
    """Requests that read; 0: any number"""
    long_polls: int
    """Open at a time; 0: any number"""
    uploads_open: int
    """Under way at a time; 0: any number"""
    upload_bytes: AccountLimitsUploadBytes
    """Of all uploads that are kept"""
    free_seconds: AccountLimitsFreeSeconds
    """Seconds of a processor for work without a charge"""


@dataclass(frozen=True, kw_only=True)
class AccountWebhooks(Model):
    body: Literal["operation", "envelope"]
    """The operation as GET answers it, or `{ type, data }` around it"""
    long_retries: bool
    """Whether retries go on for a day and longer"""


@dataclass(frozen=True, kw_only=True)
class KeyBudget(Model):
    credits: int
    """Most a period"""
    period: Literal["day", "month"]
    """Of the calendar, in UTC"""
    used: int
    """So far; refunds are taken off"""
    resets_at: datetime
    """When the next period begins"""


@dataclass(frozen=True, kw_only=True)
class CallingKey(Model):
    id: str
    """Key id"""
    test: bool
    """Whether it costs nothing and its results are made up"""
    read_only: bool
    """Whether it only reads"""
    actions: tuple[str, ...] | None
    """Actions that it may submit and see, by name or as `adapt.*`; null: all"""
    budget: KeyBudget | None
    """null: as much as the account has"""


@dataclass(frozen=True, kw_only=True)
class Account(Model):
    id: str
    """Account id"""
    credits: int
    """What is left"""
    limits: AccountLimits
    """Of this account"""
    webhooks: AccountWebhooks
    """How webhooks of this account are sent"""
    key: CallingKey
    """The key that asks"""


@dataclass(frozen=True, kw_only=True)
class ChangelogEntry(Model):
    date: str
    """The day"""
    kind: Literal["New", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    """Of the change"""
    text: str
    """Markdown"""


SOURCES: Mapping[str, tuple[str, ...]] = {
    "adapt.auto_cut_down": ("source",),
    "adapt.auto_duck": ("music", "voice"),
    "adapt.normalise_loudness": ("source", "album"),
    "adapt.separate_stems": ("source",),
    "analyse.track": ("source",),
    "create.new_fx": (),
    "create.new_instrumental": ("reference",),
    "create.new_sample": (),
    "create.new_song": ("reference",),
    "create.remix_instrumental": ("source",),
    "create.remix_song": ("source",),
}
"""Fields of actions that are audio."""


OPERATIONS: Mapping[str, type[Operation]] = {
    "adapt.auto_cut_down": CutOperation,
    "adapt.auto_duck": DuckOperation,
    "adapt.normalise_loudness": NormalisationOperation,
    "adapt.separate_stems": StemOperation,
    "analyse.track": AnalysisOperation,
    "create.new_fx": EffectOperation,
    "create.new_instrumental": InstrumentalOperation,
    "create.new_sample": SampleOperation,
    "create.new_song": SongOperation,
    "create.remix_instrumental": InstrumentalRemixOperation,
    "create.remix_song": SongRemixOperation,
}


class Cuts(Resource[CutOperation]):
    """Trim audio to a target duration at musically natural cut points"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[CutRequest]
    ) -> CutOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[CutRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Ducks(Resource[DuckOperation]):
    """Mix a voice over music, lowering the music while the voice speaks"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[DuckRequest]
    ) -> DuckOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[DuckRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Normalisations(Resource[NormalisationOperation]):
    """Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP"""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Unpack[NormalisationRequest],
    ) -> NormalisationOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[NormalisationRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Stems(Resource[StemOperation]):
    """Split a mix into vocals, drums, bass, other and instrumental, which sum to it"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[StemRequest]
    ) -> StemOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[StemRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Analyses(Resource[AnalysisOperation]):
    """Report loudness, tempo, beats, key, chords, sections and voices of a track"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[AnalysisRequest]
    ) -> AnalysisOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[AnalysisRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Effects(Resource[EffectOperation]):
    """Make a sound effect from a description"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[EffectRequest]
    ) -> EffectOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[EffectRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Instrumentals(Resource[InstrumentalOperation]):
    """Compose and play music without vocals, from words or like a reference"""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Unpack[InstrumentalRequest],
    ) -> InstrumentalOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[InstrumentalRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Samples(Resource[SampleOperation]):
    """Make a short clip of exact length from words, as a seamless loop where wanted"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[SampleRequest]
    ) -> SampleOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[SampleRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class Songs(Resource[SongOperation]):
    """Compose, play and sing a song from lyrics, in words or like a reference"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[SongRequest]
    ) -> SongOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[SongRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class InstrumentalRemixes(Resource[InstrumentalRemixOperation]):
    """Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune"""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Unpack[InstrumentalRemixRequest],
    ) -> InstrumentalRemixOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[InstrumentalRemixRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class SongRemixes(Resource[SongRemixOperation]):
    """Sing new lyrics on a song's tempo, key, chords and tune, with another band"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[SongRemixRequest]
    ) -> SongRemixOperation:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    def dry_run(self, **body: Unpack[SongRemixRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return self._dry_run(body, DryRun)


class FilesRoutes(Routes):
    def get(self, id: str) -> UploadedFile:
        """An upload, with a fresh URL"""
        result: UploadedFile = self._ask(UploadedFile, "GET", f"/v1/files/{segment(id)}", unwrap="file")
        return result

    def delete(self, id: str) -> DeletedFile:
        """Delete an upload"""
        result: DeletedFile = self._ask(DeletedFile, "DELETE", f"/v1/files/{segment(id)}", unwrap="file")
        return result

    def list(self, **filters: Unpack[FilesListFilters]) -> Iterator[UploadedFile]:
        """The account's uploads, newest first"""
        return self._pages(UploadedFile, "/v1/files", filters, "files")


class UploadTokens(Routes):
    def create(self, **body: Unpack[UploadTokensCreateRequest]) -> UploadToken:
        """A token with which a page may upload, for 15 minutes at most"""
        result: UploadToken = self._ask(UploadToken, "POST", "/v1/upload_tokens", body=body, unwrap="upload_token")
        return result


class WebhookEndpoints(Routes):
    def create(self, **body: Unpack[NewWebhookEndpoint]) -> CreatedWebhookEndpoint:
        """Make a webhook endpoint"""
        result: CreatedWebhookEndpoint = self._ask(CreatedWebhookEndpoint, "POST", "/v1/webhook_endpoints", body=body)
        return result

    def get(self, id: str) -> WebhookEndpoint:
        """A webhook endpoint, with its health"""
        result: WebhookEndpoint = self._ask(
            WebhookEndpoint, "GET", f"/v1/webhook_endpoints/{segment(id)}", unwrap="webhook_endpoint"
        )
        return result

    def update(self, id: str, **body: Unpack[WebhookEndpointChanges]) -> WebhookEndpoint:
        """Change a webhook endpoint, or enable it again"""
        result: WebhookEndpoint = self._ask(
            WebhookEndpoint, "PATCH", f"/v1/webhook_endpoints/{segment(id)}", body=body, unwrap="webhook_endpoint"
        )
        return result

    def delete(self, id: str) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint"""
        result: DeletedWebhookEndpoint = self._ask(
            DeletedWebhookEndpoint, "DELETE", f"/v1/webhook_endpoints/{segment(id)}"
        )
        return result

    def rotate_secret(self, id: str, **body: Unpack[SecretRotation]) -> RotatedWebhookSecret:
        """Replace the secret of a webhook endpoint"""
        result: RotatedWebhookSecret = self._ask(
            RotatedWebhookSecret, "POST", f"/v1/webhook_endpoints/{segment(id)}/secret", body=body
        )
        return result

    def ping(self, id: str) -> str:
        """Send a test event to a webhook endpoint"""
        result: str = self._ask(str, "POST", f"/v1/webhook_endpoints/{segment(id)}/ping", unwrap="webhook_id")
        return result

    def list(self) -> tuple[WebhookEndpoint, ...]:
        """The account's webhook endpoints, with their health"""
        result: tuple[WebhookEndpoint, ...] = self._ask(
            tuple[WebhookEndpoint, ...], "GET", "/v1/webhook_endpoints", unwrap="webhook_endpoints"
        )
        return result


class OperationsRoutes(Routes):
    def redeliver_failed(
        self, *, idempotency_key: str | None = None, **body: Unpack[BulkRedelivery]
    ) -> BulkRedeliveryAnswer:
        """Send failed webhooks again, up to 1,000 at a call"""
        result: BulkRedeliveryAnswer = self._ask(
            BulkRedeliveryAnswer, "PUT", "/v1/operations.redeliver_failed", body=with_key(body, idempotency_key)
        )
        return result


class Resources(Routes):
    """Every action that this version knows, and what else the server has."""

    @property
    def cuts(self) -> Cuts:
        """Trim audio to a target duration at musically natural cut points"""
        steps = ActionSteps(self._session, "adapt.auto_cut_down", ("source",), CutOperation)
        return Cuts(self._session, steps)

    @property
    def ducks(self) -> Ducks:
        """Mix a voice over music, lowering the music while the voice speaks"""
        steps = ActionSteps(self._session, "adapt.auto_duck", ("music", "voice"), DuckOperation)
        return Ducks(self._session, steps)

    @property
    def normalisations(self) -> Normalisations:
        """Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP"""
        steps = ActionSteps(self._session, "adapt.normalise_loudness", ("source", "album"), NormalisationOperation)
        return Normalisations(self._session, steps)

    @property
    def stems(self) -> Stems:
        """Split a mix into vocals, drums, bass, other and instrumental, which sum to it"""
        steps = ActionSteps(self._session, "adapt.separate_stems", ("source",), StemOperation)
        return Stems(self._session, steps)

    @property
    def analyses(self) -> Analyses:
        """Report loudness, tempo, beats, key, chords, sections and voices of a track"""
        steps = ActionSteps(self._session, "analyse.track", ("source",), AnalysisOperation)
        return Analyses(self._session, steps)

    @property
    def effects(self) -> Effects:
        """Make a sound effect from a description"""
        steps = ActionSteps(self._session, "create.new_fx", (), EffectOperation)
        return Effects(self._session, steps)

    @property
    def instrumentals(self) -> Instrumentals:
        """Compose and play music without vocals, from words or like a reference"""
        steps = ActionSteps(self._session, "create.new_instrumental", ("reference",), InstrumentalOperation)
        return Instrumentals(self._session, steps)

    @property
    def samples(self) -> Samples:
        """Make a short clip of exact length from words, as a seamless loop where wanted"""
        steps = ActionSteps(self._session, "create.new_sample", (), SampleOperation)
        return Samples(self._session, steps)

    @property
    def songs(self) -> Songs:
        """Compose, play and sing a song from lyrics, in words or like a reference"""
        steps = ActionSteps(self._session, "create.new_song", ("reference",), SongOperation)
        return Songs(self._session, steps)

    @property
    def instrumental_remixes(self) -> InstrumentalRemixes:
        """Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune"""
        steps = ActionSteps(self._session, "create.remix_instrumental", ("source",), InstrumentalRemixOperation)
        return InstrumentalRemixes(self._session, steps)

    @property
    def song_remixes(self) -> SongRemixes:
        """Sing new lyrics on a song's tempo, key, chords and tune, with another band"""
        steps = ActionSteps(self._session, "create.remix_song", ("source",), SongRemixOperation)
        return SongRemixes(self._session, steps)

    @property
    def upload_tokens(self) -> UploadTokens:
        return UploadTokens(self._session)

    @property
    def webhook_endpoints(self) -> WebhookEndpoints:
        return WebhookEndpoints(self._session)

    def health(self) -> Literal["ok"]:
        """Whether work can be accepted"""
        result: Literal["ok"] = self._ask(Literal["ok"], "GET", "/health", unwrap="status")
        return result

    def capabilities(self) -> Capabilities:
        """Actions, their costs and engines"""
        result: Capabilities = self._ask(Capabilities, "GET", "/v1/capabilities")
        return result

    def account(self) -> Account:
        """Credits, limits and webhook options"""
        result: Account = self._ask(Account, "GET", "/v1/account", unwrap="account")
        return result

    def changelog(self) -> tuple[ChangelogEntry, ...]:
        """What changed, day by day"""
        result: tuple[ChangelogEntry, ...] = self._ask(
            tuple[ChangelogEntry, ...], "GET", "/v1/changelog", unwrap="changes"
        )
        return result


ASYNC_OPERATIONS: Mapping[str, type[AsyncOperation]] = {
    "adapt.auto_cut_down": AsyncCutOperation,
    "adapt.auto_duck": AsyncDuckOperation,
    "adapt.normalise_loudness": AsyncNormalisationOperation,
    "adapt.separate_stems": AsyncStemOperation,
    "analyse.track": AsyncAnalysisOperation,
    "create.new_fx": AsyncEffectOperation,
    "create.new_instrumental": AsyncInstrumentalOperation,
    "create.new_sample": AsyncSampleOperation,
    "create.new_song": AsyncSongOperation,
    "create.remix_instrumental": AsyncInstrumentalRemixOperation,
    "create.remix_song": AsyncSongRemixOperation,
}


class AsyncCuts(AsyncResource[AsyncCutOperation]):
    """Trim audio to a target duration at musically natural cut points"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[CutRequest]
    ) -> Submission[AsyncCutOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[CutRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncDucks(AsyncResource[AsyncDuckOperation]):
    """Mix a voice over music, lowering the music while the voice speaks"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[DuckRequest]
    ) -> Submission[AsyncDuckOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[DuckRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncNormalisations(AsyncResource[AsyncNormalisationOperation]):
    """Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP"""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Unpack[NormalisationRequest],
    ) -> Submission[AsyncNormalisationOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[NormalisationRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncStems(AsyncResource[AsyncStemOperation]):
    """Split a mix into vocals, drums, bass, other and instrumental, which sum to it"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[StemRequest]
    ) -> Submission[AsyncStemOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[StemRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncAnalyses(AsyncResource[AsyncAnalysisOperation]):
    """Report loudness, tempo, beats, key, chords, sections and voices of a track"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[AnalysisRequest]
    ) -> Submission[AsyncAnalysisOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[AnalysisRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncEffects(AsyncResource[AsyncEffectOperation]):
    """Make a sound effect from a description"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[EffectRequest]
    ) -> Submission[AsyncEffectOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[EffectRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncInstrumentals(AsyncResource[AsyncInstrumentalOperation]):
    """Compose and play music without vocals, from words or like a reference"""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Unpack[InstrumentalRequest],
    ) -> Submission[AsyncInstrumentalOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[InstrumentalRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncSamples(AsyncResource[AsyncSampleOperation]):
    """Make a short clip of exact length from words, as a seamless loop where wanted"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[SampleRequest]
    ) -> Submission[AsyncSampleOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[SampleRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncSongs(AsyncResource[AsyncSongOperation]):
    """Compose, play and sing a song from lyrics, in words or like a reference"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[SongRequest]
    ) -> Submission[AsyncSongOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[SongRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncInstrumentalRemixes(AsyncResource[AsyncInstrumentalRemixOperation]):
    """Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune"""

    def create(
        self,
        *,
        idempotency_key: str | None = None,
        test_outcome: str | None = None,
        **body: Unpack[InstrumentalRemixRequest],
    ) -> Submission[AsyncInstrumentalRemixOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[InstrumentalRemixRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncSongRemixes(AsyncResource[AsyncSongRemixOperation]):
    """Sing new lyrics on a song's tempo, key, chords and tune, with another band"""

    def create(
        self, *, idempotency_key: str | None = None, test_outcome: str | None = None, **body: Unpack[SongRemixRequest]
    ) -> Submission[AsyncSongRemixOperation]:
        """Submits. The same request under the same key is accepted and charged once, however often it is sent.

        `test_outcome`: with a test key, `ready` or the code that it is to fail with.
        """
        return self._create(body, idempotency_key, test_outcome)

    async def dry_run(self, **body: Unpack[SongRemixRequest]) -> DryRun:
        """What `create` would cost and answer; nothing is made."""
        return await self._dry_run(body, DryRun)


class AsyncFilesRoutes(AsyncRoutes):
    async def get(self, id: str) -> UploadedFile:
        """An upload, with a fresh URL"""
        result: UploadedFile = await self._ask(UploadedFile, "GET", f"/v1/files/{segment(id)}", unwrap="file")
        return result

    async def delete(self, id: str) -> DeletedFile:
        """Delete an upload"""
        result: DeletedFile = await self._ask(DeletedFile, "DELETE", f"/v1/files/{segment(id)}", unwrap="file")
        return result

    def list(self, **filters: Unpack[FilesListFilters]) -> AsyncIterator[UploadedFile]:
        """The account's uploads, newest first"""
        return self._pages(UploadedFile, "/v1/files", filters, "files")


class AsyncUploadTokens(AsyncRoutes):
    async def create(self, **body: Unpack[UploadTokensCreateRequest]) -> UploadToken:
        """A token with which a page may upload, for 15 minutes at most"""
        result: UploadToken = await self._ask(
            UploadToken, "POST", "/v1/upload_tokens", body=body, unwrap="upload_token"
        )
        return result


class AsyncWebhookEndpoints(AsyncRoutes):
    async def create(self, **body: Unpack[NewWebhookEndpoint]) -> CreatedWebhookEndpoint:
        """Make a webhook endpoint"""
        result: CreatedWebhookEndpoint = await self._ask(
            CreatedWebhookEndpoint, "POST", "/v1/webhook_endpoints", body=body
        )
        return result

    async def get(self, id: str) -> WebhookEndpoint:
        """A webhook endpoint, with its health"""
        result: WebhookEndpoint = await self._ask(
            WebhookEndpoint, "GET", f"/v1/webhook_endpoints/{segment(id)}", unwrap="webhook_endpoint"
        )
        return result

    async def update(self, id: str, **body: Unpack[WebhookEndpointChanges]) -> WebhookEndpoint:
        """Change a webhook endpoint, or enable it again"""
        result: WebhookEndpoint = await self._ask(
            WebhookEndpoint, "PATCH", f"/v1/webhook_endpoints/{segment(id)}", body=body, unwrap="webhook_endpoint"
        )
        return result

    async def delete(self, id: str) -> DeletedWebhookEndpoint:
        """Delete a webhook endpoint"""
        result: DeletedWebhookEndpoint = await self._ask(
            DeletedWebhookEndpoint, "DELETE", f"/v1/webhook_endpoints/{segment(id)}"
        )
        return result

    async def rotate_secret(self, id: str, **body: Unpack[SecretRotation]) -> RotatedWebhookSecret:
        """Replace the secret of a webhook endpoint"""
        result: RotatedWebhookSecret = await self._ask(
            RotatedWebhookSecret, "POST", f"/v1/webhook_endpoints/{segment(id)}/secret", body=body
        )
        return result

    async def ping(self, id: str) -> str:
        """Send a test event to a webhook endpoint"""
        result: str = await self._ask(str, "POST", f"/v1/webhook_endpoints/{segment(id)}/ping", unwrap="webhook_id")
        return result

    async def list(self) -> tuple[WebhookEndpoint, ...]:
        """The account's webhook endpoints, with their health"""
        result: tuple[WebhookEndpoint, ...] = await self._ask(
            tuple[WebhookEndpoint, ...], "GET", "/v1/webhook_endpoints", unwrap="webhook_endpoints"
        )
        return result


class AsyncOperationsRoutes(AsyncRoutes):
    async def redeliver_failed(
        self, *, idempotency_key: str | None = None, **body: Unpack[BulkRedelivery]
    ) -> BulkRedeliveryAnswer:
        """Send failed webhooks again, up to 1,000 at a call"""
        result: BulkRedeliveryAnswer = await self._ask(
            BulkRedeliveryAnswer, "PUT", "/v1/operations.redeliver_failed", body=with_key(body, idempotency_key)
        )
        return result


class AsyncResources(AsyncRoutes):
    """Every action that this version knows, and what else the server has."""

    @property
    def cuts(self) -> AsyncCuts:
        """Trim audio to a target duration at musically natural cut points"""
        steps = ActionSteps(self._session, "adapt.auto_cut_down", ("source",), AsyncCutOperation)
        return AsyncCuts(self._session, steps)

    @property
    def ducks(self) -> AsyncDucks:
        """Mix a voice over music, lowering the music while the voice speaks"""
        steps = ActionSteps(self._session, "adapt.auto_duck", ("music", "voice"), AsyncDuckOperation)
        return AsyncDucks(self._session, steps)

    @property
    def normalisations(self) -> AsyncNormalisations:
        """Normalise a track to a target integrated loudness, with true peaks at or below -1 dBTP"""
        steps = ActionSteps(self._session, "adapt.normalise_loudness", ("source", "album"), AsyncNormalisationOperation)
        return AsyncNormalisations(self._session, steps)

    @property
    def stems(self) -> AsyncStems:
        """Split a mix into vocals, drums, bass, other and instrumental, which sum to it"""
        steps = ActionSteps(self._session, "adapt.separate_stems", ("source",), AsyncStemOperation)
        return AsyncStems(self._session, steps)

    @property
    def analyses(self) -> AsyncAnalyses:
        """Report loudness, tempo, beats, key, chords, sections and voices of a track"""
        steps = ActionSteps(self._session, "analyse.track", ("source",), AsyncAnalysisOperation)
        return AsyncAnalyses(self._session, steps)

    @property
    def effects(self) -> AsyncEffects:
        """Make a sound effect from a description"""
        steps = ActionSteps(self._session, "create.new_fx", (), AsyncEffectOperation)
        return AsyncEffects(self._session, steps)

    @property
    def instrumentals(self) -> AsyncInstrumentals:
        """Compose and play music without vocals, from words or like a reference"""
        steps = ActionSteps(self._session, "create.new_instrumental", ("reference",), AsyncInstrumentalOperation)
        return AsyncInstrumentals(self._session, steps)

    @property
    def samples(self) -> AsyncSamples:
        """Make a short clip of exact length from words, as a seamless loop where wanted"""
        steps = ActionSteps(self._session, "create.new_sample", (), AsyncSampleOperation)
        return AsyncSamples(self._session, steps)

    @property
    def songs(self) -> AsyncSongs:
        """Compose, play and sing a song from lyrics, in words or like a reference"""
        steps = ActionSteps(self._session, "create.new_song", ("reference",), AsyncSongOperation)
        return AsyncSongs(self._session, steps)

    @property
    def instrumental_remixes(self) -> AsyncInstrumentalRemixes:
        """Orchestrate an instrumental anew, keeping its tempo, key, chords, form and tune"""
        steps = ActionSteps(self._session, "create.remix_instrumental", ("source",), AsyncInstrumentalRemixOperation)
        return AsyncInstrumentalRemixes(self._session, steps)

    @property
    def song_remixes(self) -> AsyncSongRemixes:
        """Sing new lyrics on a song's tempo, key, chords and tune, with another band"""
        steps = ActionSteps(self._session, "create.remix_song", ("source",), AsyncSongRemixOperation)
        return AsyncSongRemixes(self._session, steps)

    @property
    def upload_tokens(self) -> AsyncUploadTokens:
        return AsyncUploadTokens(self._session)

    @property
    def webhook_endpoints(self) -> AsyncWebhookEndpoints:
        return AsyncWebhookEndpoints(self._session)

    async def health(self) -> Literal["ok"]:
        """Whether work can be accepted"""
        result: Literal["ok"] = await self._ask(Literal["ok"], "GET", "/health", unwrap="status")
        return result

    async def capabilities(self) -> Capabilities:
        """Actions, their costs and engines"""
        result: Capabilities = await self._ask(Capabilities, "GET", "/v1/capabilities")
        return result

    async def account(self) -> Account:
        """Credits, limits and webhook options"""
        result: Account = await self._ask(Account, "GET", "/v1/account", unwrap="account")
        return result

    async def changelog(self) -> tuple[ChangelogEntry, ...]:
        """What changed, day by day"""
        result: tuple[ChangelogEntry, ...] = await self._ask(
            tuple[ChangelogEntry, ...], "GET", "/v1/changelog", unwrap="changes"
        )
        return result
