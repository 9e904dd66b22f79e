"""`python -m tonwerk_sidecar`: serves the example, or a model of yours (`--model package.module:Class`)."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

import uvicorn

from . import create_app
from .model import Model


def main() -> None:
    words = argparse.ArgumentParser(prog="tonwerk_sidecar")
    words.add_argument("--model", default="tonwerk_sidecar.example:Example", metavar="MODULE:CLASS")
    words.add_argument("--host", default="127.0.0.1")
    words.add_argument("--port", type=int, default=8001)
    words.add_argument("--uds", help="a socket in the file system instead of host and port")
    words.add_argument("--token-file", type=Path, help="a file with the token that callers must have")
    given = words.parse_args()
    module, _, name = given.model.partition(":")
    kind = getattr(importlib.import_module(module), name)
    model = kind()
    if not isinstance(model, Model):
        words.error(f"{given.model} is no Model")
    token = None if given.token_file is None else given.token_file.read_text(encoding="utf-8").strip()
    where = {"uds": given.uds} if given.uds is not None else {"host": given.host, "port": given.port}
    uvicorn.run(create_app(model, token), log_level="warning", **where)


if __name__ == "__main__":
    main()
