"""Checks of deliveries: Standard Webhooks 1.0, signature `v1`."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ._errors import WebhookVerificationError
from ._operation import OperationFields, fields_of


@dataclass(frozen=True)
class WebhookEvent:
    """A delivery whose sender and age are certain."""

    id: str
    """The same on every attempt: drop what you have seen."""
    type: str
    """`<action>.started`, `.ready` or `.failed`, or `ping`, which is what an endpoint gets for a test."""
    action: str
    """Of the operation; empty of a ping."""
    operation: OperationFields | None
    """As the matching GET answered then; None of a ping. URLs in a late delivery may have expired."""
    endpoint_id: str | None = None
    """Whom a ping is for."""


def verify(
    body: str | bytes,
    headers: Mapping[str, str],
    *,
    secret: str | Sequence[str],
    tolerance: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a delivery. `body` is the request's body as it came, before any parsing.

    `secret` is the account's `whsec_…`; several while one replaces another. Clocks may differ by `tolerance` seconds.
    Raises WebhookVerificationError where the signature does not fit, a header is missing, or the delivery is too old.
    """
    given = {name.lower(): value for name, value in headers.items()}

    def read(name: str) -> str:
        if not given.get(name):
            raise WebhookVerificationError(f"The header {name} is missing")
        return given[name]

    id, timestamp, signatures = read("webhook-id"), read("webhook-timestamp"), read("webhook-signature")
    try:
        age = abs((time.time() if now is None else now) - float(timestamp))
    except ValueError:
        raise WebhookVerificationError("The header webhook-timestamp is no number") from None
    if not age <= tolerance:
        raise WebhookVerificationError("The delivery is too old, or a clock is wrong")
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else secret
    if not _fits_any(secrets, signatures, b".".join((id.encode(), timestamp.encode(), raw))):
        raise WebhookVerificationError("The signature does not fit")
    type = read("webhook-type")
    parsed = json.loads(raw)
    # Accounts may choose the older envelope.
    data = parsed["data"] if isinstance(parsed.get("type"), str) and "data" in parsed else parsed
    told = next(iter(data.values()))
    if type == "ping":
        return WebhookEvent(id, type, "", None, told["id"])
    operation = fields_of(OperationFields, told)
    return WebhookEvent(id, type, type.rpartition(".")[0], operation)


def _fits_any(secrets: Sequence[str], signatures: str, signed: bytes) -> bool:
    given = [entry.removeprefix("v1,") for entry in signatures.split(" ") if entry.startswith("v1,")]
    for secret in secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise WebhookVerificationError("The secret is not base64 after whsec_") from None
        made = base64.b64encode(hmac.digest(key, signed, hashlib.sha256))
        if any(hmac.compare_digest(made, signature.encode()) for signature in given):
            return True
    return False
