"""Counts what a provider's cache could keep of the requests a double received, as its documentation has it.

A token is taken as four characters: what counts is shares, and the same ruler for both.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

CHARACTERS = 4
MOST_MARKS = 4
LOOKED_AT = 20  #: blocks before a mark
AUTOMATIC = 1_024  #: tokens from which on servers of the other kind keep a beginning by themselves


@dataclass(frozen=True, kw_only=True)
class Counted:
    """One request, in tokens."""

    whole: int
    cacheable: int  #: up to the last mark, or all but this turn where no marks are needed
    read: int  #: of that, the same bytes were sent before, and kept
    form: str  #: "respond" or "classify"

    @property
    def fresh(self) -> int:
        """What is read at the full price."""
        return self.whole - self.read


def counted(requests: Sequence[Mapping[str, Any]], *, marked: bool, fewest: int = AUTOMATIC) -> list[Counted]:
    """Every request, in order; a beginning shorter than `fewest` tokens is not kept. `marked`: only marked ones are."""
    kept: set[str] = set()
    sent: list[str] = []
    found = []
    for request in requests:
        whole, ends, marks = _marked(request) if marked else (_plain(request), [], [])
        form = "classify" if "output_config" in request or "response_format" in request else "respond"
        if marked:
            assert len(marks) <= MOST_MARKS, "a request has more marks than the provider takes"
            long = [whole[:at] for at in marks if at >= fewest * CHARACTERS]
            seen = {at for mark in marks for at in _back(ends, mark) if whole[:at] in kept}
            read = max(seen, default=0)
            kept.update(long)
            cacheable = max(map(len, long), default=0)
        else:
            read = max((_same(whole, earlier) for earlier in sent), default=0)
            read = read if read >= fewest * CHARACTERS else 0
            cacheable = _same(whole, whole[: whole.rindex('{"role": "user"')])
            sent.append(whole)
        found.append(
            Counted(
                whole=len(whole) // CHARACTERS,
                cacheable=cacheable // CHARACTERS,
                read=read // CHARACTERS,
                form=form,
            )
        )
    return found


def _marked(request: Mapping[str, Any]) -> tuple[str, list[int], list[int]]:
    """A request in the order it is read in, where its blocks end, and at which of these ends a mark stands."""
    text = json.dumps([request.get("output_config", {}), request.get("tools", [])])
    ends, marks = [], []
    blocks = list(request.get("system", []))
    for message in request["messages"]:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        blocks += [{**part, "role": message["role"]} for part in parts]
    for block in blocks:
        text += json.dumps({name: value for name, value in block.items() if name != "cache_control"})
        ends.append(len(text))
        if "cache_control" in block:
            marks.append(len(text))
    return text, ends, marks


def _back(ends: Sequence[int], mark: int) -> Sequence[int]:
    """The ends of blocks at which the provider looks for what it has kept: that of the mark, and twenty before it."""
    at = ends.index(mark)
    return ends[max(0, at - LOOKED_AT) : at + 1]


def _plain(request: Mapping[str, Any]) -> str:
    schema = request.get("response_format", {})
    return json.dumps([schema, request.get("tools", []), *request["messages"]])


def _same(one: str, other: str) -> int:
    """How long both begin alike."""
    for at, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return at
    return min(len(one), len(other))
