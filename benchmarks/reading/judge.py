"""What became of a line, from what a frontend sees and what is stored; see `docs/reference/reading.md`."""

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from benchmarks.reading.lines import ANSWERS, CONFIRM, FREE, OFFER, Line

#: `stored` of an answer: something else was stored than what was said. Of anything else: it became a value, or
#: a consent.
Verdict = Literal["right", "asked", "ignored", "stored", "left"]
_FROM_BEST: tuple[Verdict, ...] = ("right", "asked", "ignored")
DOUBT = "doubt"
#: What may be passed on and answered the normal way.
PASSES = frozenset({"question", "new_task", "chat", "request", "social"})
LEAVES = frozenset({"leave", "postpone", "pause"})
AGAIN = frozenset({"clarify", "repeat"})
GIVES_NONE = frozenset({"refuse", "open", "postpone", "none", "other_slot"})
#: "Three tickets" are 3: the sources mark figures, people say words.
_NUMBERS = {
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
}
#: Which acts of a decision record, where it names any, a label may be read as.
ACTS: dict[str, frozenset[str]] = {
    "question": frozenset({"ask", "request"}),
    "new_task": frozenset({"request"}),
    "request": frozenset({"request"}),
    "ask": frozenset({"ask", "repeat"}),
    "clarify": frozenset({"ask", "repeat", "open"}),
    "repeat": frozenset({"repeat", "ask"}),
    "human": frozenset({"human"}),
    "chat": frozenset({"social", "hold", "ask", "request", "unclear"}),
    "social": frozenset({"social"}),
    "hold": frozenset({"hold", "open"}),
    "open": frozenset({"open", "none", "hold"}),
    "refuse": frozenset({"open", "none", "hold", "negate", "ask"}),
    "postpone": frozenset({"pause", "hold", "open", "leave"}),
}
#: What is read where nothing is given now, whatever is said beside it.
_GIVEN_NONE = frozenset({"open", "none", "hold", "social"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Seen:
    """One line said: the answers stored before and after it, and the reply as a frontend sees it."""

    before: dict[str, Any]
    after: dict[str, Any]
    state: Literal["active", "left", "completed"]
    asks: (
        str | None
    )  #: the slot asked for now, CONFIRM, DOUBT: what was meant is asked, or OFFER; None: nothing
    words: str
    passed: bool = False  #: answered the normal way, outside the flow
    unclear: bool = False  #: the words are those that nonsense gets in the same place
    again: bool = False  #: nothing but the question once more
    handed_over: bool = False  #: a person was called
    acts: frozenset[str] = field(
        default_factory=frozenset
    )  #: what the decision record says was read, if it says
    layer: str = ""  #: the last layer that it says was asked

    @property
    def changed(self) -> frozenset[str]:
        """The answers that are not what they were."""
        names = self.before.keys() | self.after.keys()
        return frozenset(n for n in names if plain(self.before.get(n)) != plain(self.after.get(n)))


def judge(line: Line, seen: Seen) -> Verdict:
    """What became of the line; the best of it, where several things may be meant."""
    found = [_told(one, seen) for one in (line, *line.otherwise)]
    return next((verdict for verdict in _FROM_BEST if verdict in found), found[0])


def _told(line: Line, seen: Seen) -> Verdict:
    if seen.asks != DOUBT or seen.state != "active" or _told_how_to_go_on(line, seen):
        return _judge(line, seen)
    if not seen.changed:
        return "asked"
    verdict = _judge(line, seen)
    return "asked" if verdict == "stored" and _right_so_far(line, seen) else verdict


def _told_how_to_go_on(line: Line, seen: Seen) -> bool:
    """Nothing is given, and that was read: what is asked is how to go on without it, not what was meant."""
    return line.label in ("refuse", "open") and bool(seen.acts) and seen.acts <= _GIVEN_NONE


def _judge(line: Line, seen: Seen) -> Verdict:
    if line.own and line.label in ("answer", "answer_ask", "several"):
        return _as_meant(line, seen)
    if line.label in ("yes", "no") or (line.label in ANSWERS and line.kind in (CONFIRM, OFFER)):
        return _consent(line, seen)
    if line.label in ANSWERS:
        return _answer(line, seen)
    if line.label in ("correct", "correction"):
        return _correction(line, seen)
    if line.label == "none":
        return _none(line, seen)
    return _other(line, seen)


def _as_meant(line: Line, seen: Seen) -> Verdict:
    if seen.state == "left":
        return "left"
    if not _right_so_far(line, seen):
        return "stored"
    kept = all(plain(seen.after.get(n)) in _plains(v) for n, v in line.wants.items())
    return "right" if kept else "ignored"


def _right_so_far(line: Line, seen: Seen) -> bool:
    allowed = {**line.may, **line.wants}
    return all(n in allowed and plain(seen.after.get(n)) in _plains(allowed[n]) for n in seen.changed)


def _consent(line: Line, seen: Seen) -> Verdict:
    slot = line.slot(line.open)
    yes = line.means == "yes" if line.means else line.label == "yes"
    if slot is not None:  # a question of the flow that is answered by yes or no
        if line.open in seen.changed:
            return "right" if seen.after[line.open] is yes and len(seen.changed) == 1 else "stored"
        return "left" if seen.state == "left" else "ignored"
    if line.label == "answer_correction":  # "okay, but I would prefer …"
        return _correction(line, seen)
    if line.kind == OFFER:
        if yes:
            return "right" if seen.state == "active" and seen.asks not in (OFFER, None) else "ignored"
        if seen.state == "left":
            return "ignored" if seen.passed else "right"
        return "stored" if seen.state == "active" and seen.asks not in (OFFER, None) else "ignored"
    if seen.changed:
        more = line.label in ("answer_extra", "answer_request")  # "no, on Friday, please"
        return "right" if more and not yes and _said_in(line, seen) else "stored"
    if yes:
        return "right" if seen.state == "completed" else _lost(seen)
    if seen.state == "completed":
        return "stored"
    return "ignored" if seen.state == "active" and (seen.unclear or seen.again) else "right"


def _lost(seen: Seen) -> Verdict:
    return "left" if seen.state == "left" else "ignored"


def _answer(line: Line, seen: Seen) -> Verdict:
    if seen.state == "left" and line.open not in seen.changed:
        return "left"
    if line.open not in seen.changed:
        return "stored" if seen.changed else "ignored"
    return "right" if fits(line, seen.after[line.open]) else "stored"


def fits(line: Line, value: Any) -> bool:
    """Whether a stored answer of the tape is, or contains, what is meant."""
    if line.means is not None:
        wanted = {"yes": True, "no": False}.get(line.means, line.means) if line.kind == "bool" else line.means
        return bool(plain(value) == plain(wanted))
    wanted = line.wants.get(line.open)
    if not isinstance(value, str):
        return value is not None
    if not wanted:  # nothing is marked: it must at least be words that were said
        return bool(_words(value)) and _holds(line.message, value)
    if line.kind == "digits" or line.kind not in FREE:
        return _digits(value) in {_digits(w) for w in wanted}
    return any(_holds(value, w) for w in wanted)


def _correction(line: Line, seen: Seen) -> Verdict:
    if seen.state == "completed":
        return "stored"
    if line.wants:
        done = {n for n, values in line.wants.items() if _corrected(line, seen, n, values)}
        extra = seen.changed - line.wants.keys() - line.may.keys()
        if extra or any(n in seen.changed and n not in done for n in line.wants):
            return "stored"
        if len(done) == len(line.wants):
            return "right"
        if seen.state == "left":
            return "left"
        if not seen.changed and seen.asks in line.wants and line.wants[seen.asks] == [None]:
            return "right"  # what is wrong, and nobody said what is right, is asked for again
        if seen.asks in (DOUBT, *(n for n in line.wants if n not in done)) and seen.asks != line.open:
            return "asked"
        return "ignored"
    if seen.changed:
        return (
            "right" if not line.own and line.open not in seen.changed and _said_in(line, seen) else "stored"
        )
    if seen.state == "left":
        return "left"
    if seen.asks != line.open:
        return "right" if line.about in (None, seen.asks) else "ignored"
    return "ignored" if seen.unclear or seen.again or line.about else "right"


def _corrected(line: Line, seen: Seen, name: str, values: list[Any]) -> bool:
    now = seen.after.get(name)
    if line.own:
        return plain(now) in _plains(values)
    if name not in seen.changed:
        return False
    if isinstance(now, bool):
        return now == (str(values[0]).casefold() == "true")
    if isinstance(now, int):
        return str(now) in {_digits(str(v)) for v in values}
    # The source says what the value must hold; a whole sentence that holds it is no value.
    return any(_holds(str(now), v) and len(_words(str(now))) <= len(_words(v)) + 4 for v in values)


def _none(line: Line, seen: Seen) -> Verdict:
    if seen.state == "left":
        return "left"
    if any(
        n not in line.wants or plain(seen.after.get(n)) not in _plains(line.wants[n]) for n in seen.changed
    ):
        return "stored"
    return "right" if seen.asks != line.open or not (seen.unclear or seen.again) else "ignored"


def _other(line: Line, seen: Seen) -> Verdict:
    label = line.label
    if seen.changed:
        return (
            "right"
            if label == "other_slot" and line.open not in seen.changed and _said_in(line, seen)
            else "stored"
        )
    if seen.state == "completed":
        return "stored"
    if label in LEAVES and seen.state == "left":
        return "right"
    if label == "human" and seen.handed_over:
        return "right"
    if seen.passed and label in PASSES:
        return "right"
    if seen.state == "left":
        return "left"
    if seen.asks != line.open and seen.asks is not None:
        return "right" if label in GIVES_NONE else "ignored"
    if label in AGAIN and not seen.unclear:
        return "right"
    if seen.unclear or seen.again or seen.passed or label == "leave":
        return "ignored"
    read = ACTS.get(label)
    return "ignored" if seen.acts and read and not seen.acts & read else "right"


# -- comparing values


def plain(value: Any) -> Any:
    """A value for comparing: no case, no outer punctuation, blanks as one; nothing is nothing, however it is kept."""
    if value is None or value == "" or value == []:
        return None
    if isinstance(value, list):
        return " ".join(
            w for w in _words(", ".join(value)) if w not in ("and", "then")
        )  # where items end is open
    if isinstance(value, str):
        return _bare(value)
    return value


def _bare(text: str) -> str:
    text = " ".join(text.casefold().replace("’", "'").split())
    text = re.sub(r"^(\d\d:\d\d):00$", r"\1", text)  # a time of day, with its seconds or without
    return re.sub(r"^[^\w]+|[^\w]+$", "", text)


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'/.@-]*\w", text.casefold().replace("’", "'"))


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _plains(values: list[Any]) -> list[Any]:
    return [plain(v) for v in values]


def _holds(text: str, wanted: str) -> bool:
    return _cardinal(wanted) in _cardinal(text)


def _cardinal(text: str) -> str:
    words = (re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", _NUMBERS.get(w, w)) for w in _words(text))
    return f" {' '.join(words)} "


def _said_in(line: Line, seen: Seen) -> bool:
    """Whether what was stored beside the open answer are words of the message."""
    said = set(_words(line.message))
    return all(
        isinstance(seen.after.get(n), bool) or set(_words(str(seen.after.get(n)))) <= said
        for n in seen.changed - {line.open}
    )
