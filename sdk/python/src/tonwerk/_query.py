"""What stands in paths, queries and bodies."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from ._session import write_time


def segment(id: str) -> str:
    """Of a path."""
    return quote(id, safe="")


def written(body: Mapping[str, Any]) -> dict[str, Any]:
    """Without what nobody asked for."""
    return {name: value for name, value in body.items() if value is not None}


def with_key(body: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    return {"idempotency_key": key or str(uuid.uuid4()), **body}


def query_of(filters: Mapping[str, Any]) -> str:
    """`metadata` is a pair each; of several values all stand in one."""
    pairs: list[tuple[str, str]] = []
    for name, value in written(filters).items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}[{key}]", str(one)) for key, one in value.items()]
        elif isinstance(value, Iterable) and not isinstance(value, str):
            pairs.append((name, ",".join(value)))
        else:
            pairs.append((name, write_time(value) if isinstance(value, datetime) else str(value)))
    return urlencode(pairs)
