"""What a decision record says of answers: how they were heard, what was kept, what was not, and what that took."""

from typing import Final

from softrail.core.commits import TurnRow
from softrail.core.decisions import Captured, Decision, Heard, Refused
from softrail.core.turns import Reply

_WANTED: Final = {
    "text": "words",
    "list": "one thing or several",
    "bool": "yes or no",
    "number": "a number",
    "date": "a day",
    "time": "a time",
    "choice": "one of its options",
    "confirm": "a yes to what was shown",
    "own": "whatever its step makes of it",
}
_BY: Final = {
    "exact": "exact words",
    "learned": "the small model",
    "model": "the language model",
    "code": "no message: a prefill, a step, or what follows from another answer",
}
_HIDDEN: Final = "(not shown)"


def heard(record: Decision) -> list[str]:
    """What each question wanted, what was read instead or besides, and how likely that had to be."""
    return [line for one in record.heard for line in _heard(one)]


def _heard(one: Heard) -> list[str]:
    asked = f" ({one.field})" if one.field else ""
    lines = [f"The question wanted:  {_WANTED[one.wanted]}{asked}"]
    for act in one.read:
        by = f"  {act.act:8} by {_BY[act.layer]}"
        if act.layer == "exact":
            lines.append(f"{by}: certain")
        else:
            enough = "enough by itself" if act.likely >= act.needs else "not enough"
            lines.append(f"{by}: {act.likely:.2f} likely, {act.needs:.2f} is needed: {enough}")
    if not one.read:
        lines.append("  nothing was read that is certain; nobody else was asked")
    return lines


def answers(record: Decision) -> list[str]:
    """What was kept, changed and taken back, and what could not be used."""
    kept = [_captured(one) for one in record.captured]
    refused = [_refused(one) for one in record.refused]
    return [
        *(["Answers:", *kept] if kept else []),
        *(["Not usable:", *refused] if refused else []),
    ]


def _captured(one: Captured) -> str:
    name = f"  {one.process}.{one.field}"
    if not one.shown:
        return f"{name} {one.how} {_HIDDEN}, by {_BY[one.by]}"
    if one.how == "given":
        what = f": {_quoted(one.old)} → {_quoted(one.new)}"
    else:
        what = f" {one.how}" + (f", it was {_quoted(one.old)}" if one.old is not None else "")
    if one.how == "taken back":
        return name + what
    read = ""
    if one.span is not None:
        read = f", from {_quoted(one.text)} (letters {one.span[0] + 1} to {one.span[1]})"
    elif one.text is not None:
        read = f", from {_quoted(one.text)}"
    sure = f" at {one.likely:.2f}" if one.likely is not None and one.by not in ("exact", "code") else ""
    return f"{name}{what}{read}, by {_BY[one.by]}{sure}"


def _refused(one: Refused) -> str:
    name = f"  {one.process}.{one.field} ({one.why})"
    if not one.shown:
        return f"{name} {_HIDDEN}"
    tried = f" {_quoted(one.text)}:" if one.text is not None else ""
    return f"{name}:{tried} {one.told}".rstrip(": ")


def _quoted(value: str | None) -> str:
    return "nothing" if value is None else f"“{' '.join(value.split())}”"


def said_at_once(row: TurnRow, record: Decision) -> list[str]:
    """What was said before the turn was over, by whom and when; in words only where nothing of it is to be hidden."""
    if not record.said:
        return []
    reply = Reply.model_validate_json(row.reply) if row.reply is not None else None
    messages = (reply.messages if reply is not None else None) or []
    lines = []
    for one in record.said:
        seen = one.message < len(messages) and not record.hides
        words = _quoted(messages[one.message]) if seen else _HIDDEN
        lines.append(f"  after {one.milliseconds or 0:.1f} ms  {words}, by {one.by}")
    return ["Said at once:", *lines] if lines else []


def took(record: Decision) -> list[str]:
    """How long steps, checks and readers ran, the longest first."""
    lines = []
    for one in sorted(record.took, key=lambda t: -t.milliseconds):
        given = f", with {', '.join(one.services)}" if one.services else ""
        failed = f", and failed ({one.failed})" if one.failed else ""
        lines.append(f"  {one.milliseconds:8.1f} ms  {one.what}{given}{failed}")
    lines += [
        f"  {one.milliseconds:8.1f} ms  {one.what}, holding up the whole worker" for one in record.stalls
    ]
    return ["How long it took:", *lines] if lines else []
