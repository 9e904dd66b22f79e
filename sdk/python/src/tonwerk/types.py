"""Requests, operations and answers: what the methods of a client take and return."""

from ._generated import *  # noqa: F403
