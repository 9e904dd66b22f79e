"""Answers as frozen dataclasses. What a newer server sends stands in `raw`; what an older one does not send is None."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

M = TypeVar("M", bound="Model")


@dataclass(frozen=True, kw_only=True)
class Model:
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The JSON as the server sent it."""


def read_model(kind: type[M], data: Mapping[str, Any], **given: Any) -> M:
    """`given` are fields that do not stand in the data as they are."""
    known = [(name, hint) for name, hint in _hints(cast(Hashable, kind)) if name not in given]
    # A field called as a keyword of Python has an underscore behind it.
    values = {name: read_as(hint, data.get(name.rstrip("_"))) for name, hint in known}
    return kind(raw=data, **values, **given)


@cache
def _hints(kind: Any) -> tuple[tuple[str, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((one.name, hints[one.name]) for one in fields(kind) if one.init and one.name != "raw")


def read_as(hint: Any, value: Any) -> Any:
    """What was sent, as the type says."""
    if get_origin(hint) in (Union, UnionType):
        hint = next((one for one in get_args(hint) if one is not type(None)), hint)
    if get_origin(hint) is tuple:
        return tuple(read_as(get_args(hint)[0], entry) for entry in value or ())
    if hint is datetime and isinstance(value, str):
        # Python 3.10 reads no "Z".
        return datetime.fromisoformat(value.replace("Z", "+00:00"))
    if isinstance(hint, type) and issubclass(hint, Model) and isinstance(value, Mapping):
        return read_model(hint, value)
    return value
