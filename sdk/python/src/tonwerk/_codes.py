"""Written by scripts/sdk.ts from the OpenAPI document. Change that, not this."""

from __future__ import annotations

from typing import Literal

ErrorCode = Literal[
    "malformed_request",
    "api_key_missing",
    "api_key_malformed",
    "api_key_invalid",
    "address_not_allowed",
    "sign_in_required",
    "insufficient_credits",
    "key_budget_exceeded",
    "key_scope_missing",
    "download_url_invalid",
    "role_forbids",
    "form_foreign",
    "leak_report_refused",
    "not_found",
    "operation_not_found",
    "file_not_found",
    "resource_not_found",
    "method_not_allowed",
    "body_too_slow",
    "conflict",
    "body_too_large",
    "unsupported_media_type",
    "range_not_satisfiable",
    "misdirected",
    "invalid_request",
    "idempotency_key_reused",
    "same_source",
    "audio_invalid",
    "format_unavailable",
    "rate_limited",
    "too_many_long_polls",
    "too_many_uploads",
    "upload_quota_reached",
    "free_work_used_up",
    "redelivered_too_often",
    "internal_error",
    "unavailable",
    "no_room",
]
"""Codes of refusals."""

FailureCode = Literal[
    "internal_error",
    "generation_timeout",
    "timed_out",
    "canceled",
    "source_unreachable",
    "source_forbidden_address",
    "source_timeout",
    "source_too_large",
    "source_too_long",
    "source_too_short",
    "source_unsupported_format",
    "source_undecodable",
    "source_silent",
    "target_duration_too_long",
    "same_source",
    "tos_violation",
    "content_policy",
]
"""Codes of operations that ended as `failed`."""
