"""The judge of what became of a line, on cases made by hand."""

from typing import Any

import pytest

from benchmarks.reading.judge import DOUBT, Seen, judge
from benchmarks.reading.lines import CONFIRM, OFFER, Line, Slot, own, tape

SLOTS = (
    Slot("name", "What is it called?", "text"),
    Slot("day", "Which day?", "text"),
    Slot("people", "For how many?", "int"),
    Slot("ok", "Shall I?", "bool"),
    Slot("note", "Anything to note?", "text", optional=True),
)


def said(label: str, message: str = "…", *, open: str = "day", **more: Any) -> Line:
    more.setdefault("own", False)
    return Line(id="x", slots=SLOTS, open=open, question="?", message=message, label=label, **more)


def seen(asks: str | None = "day", *, before: Any = None, state: Any = "active", **more: Any) -> Seen:
    before = {"name": "Ada"} if before is None else before
    after = more.pop("after", before)
    return Seen(before=before, after=after, state=state, asks=asks, words="…", **more)


ADA = {"name": "Ada"}
OWN: dict[str, Any] = {"own": True}
FULL = {"name": "Ada", "day": "Friday", "people": 2, "ok": True}
ON_FRIDAY = seen("people", after={**ADA, "day": "on Friday"})

CASES: dict[str, tuple[str, Line, Seen]] = {
    "an answer of the tape may keep its framing": (
        "right",
        said("answer", "on Friday", wants={"day": ["Friday"]}),
        ON_FRIDAY,
    ),
    "a marked answer must be in what is stored": (
        "stored",
        said("answer", "on Friday", wants={"day": ["Monday"]}),
        ON_FRIDAY,
    ),
    "an own answer keeps nothing but itself": (
        "stored",
        said("answer", "on Friday", wants={"day": ["Friday"]}, **OWN),
        ON_FRIDAY,
    ),
    "case and outer punctuation do not matter": (
        "right",
        said("answer", wants={"day": ["the 2nd"]}, **OWN),
        seen("people", after={**ADA, "day": "“The 2nd.”"}),
    ),
    "articles do": (
        "stored",
        said("answer", wants={"day": ["the 2nd"]}, **OWN),
        seen("people", after={**ADA, "day": "2nd"}),
    ),
    "an answer nobody marked is at least what was said": (
        "stored",
        said("answer", "on Friday"),
        seen("people", after={**ADA, "day": "Monday"}),
    ),
    "an answer that is asked for again was ignored": ("ignored", said("answer"), seen(unclear=True)),
    "an answer that paused the flow left it": ("left", said("answer"), seen(None, state="left")),
    "an answer in doubt is asked about": ("asked", said("answer"), seen(DOUBT)),
    "a number is the number": (
        "stored",
        said("answer", "4 and 4", open="people", means=8),
        seen("ok", after={**ADA, "people": 4}),
    ),
    "half of what was said is not all": (
        "ignored",
        said("several", open="people", wants={"people": [4], "day": ["Friday"]}, **OWN),
        seen("day", before={}, after={"people": 4}),
    ),
    "what is stored besides is wrong": (
        "stored",
        said("answer", wants={"day": ["Friday"]}, **OWN),
        seen("ok", after={**ADA, "day": "Friday", "people": 2}),
    ),
    "but for what may be": (
        "right",
        said("answer", wants={"day": ["Friday"]}, may={"people": [2]}, **OWN),
        seen("ok", after={**ADA, "day": "Friday", "people": 2}),
    ),
    "a question that became a value": (
        "stored",
        said("question", "how far?"),
        seen("people", after={**ADA, "day": "how far?"}),
    ),
    "a question answered outside, the flow waiting": (
        "right",
        said("question"),
        seen(None, state="left", passed=True),
    ),
    "a question met by the words for nonsense": ("ignored", said("question"), seen(unclear=True)),
    "a question met by the question alone": ("ignored", said("question"), seen(again=True)),
    "a question answered in place": ("right", said("question"), seen()),
    "a question read as thanks": ("ignored", said("question"), seen(acts=frozenset({"social"}))),
    "a question taken for a yes to everything": (
        "stored",
        said("question", open=CONFIRM),
        seen(None, before=FULL, state="completed"),
    ),
    "what do you mean, and the flow goes away": ("left", said("ask"), seen(None, state="left", passed=True)),
    "say that again, and it is said again": ("right", said("repeat"), seen(again=True)),
    "no idea, and the next is asked": ("right", said("open"), seen("people")),
    "a wish to leave is obeyed": ("right", said("leave"), seen(None, state="left")),
    "a wish to leave is heard, and the flow stays": ("ignored", said("leave"), seen()),
    "thinking aloud is no leaving": ("left", said("hold"), seen(None, state="left")),
    "a person is called": ("right", said("human"), seen(None, state="left", handed_over=True)),
    "yes to the summary": (
        "right",
        said("answer", open=CONFIRM, means="yes"),
        seen(None, before=FULL, state="completed"),
    ),
    "no to the summary taken as yes": ("stored", said("no", open=CONFIRM), seen(None, state="completed")),
    "no to the summary, what is wrong is asked": ("right", said("no", open=CONFIRM), seen(CONFIRM)),
    "no to a question of the flow": (
        "right",
        said("no", open="ok", **OWN),
        seen("note", after={**ADA, "ok": False}),
    ),
    "yes to it, stored as no": (
        "stored",
        said("answer", open="ok", means="yes"),
        seen("note", after={**ADA, "ok": False}),
    ),
    "yes to an offer": ("right", said("yes", open=OFFER), seen("name", before={})),
    "yes to an offer, which lapses": (
        "ignored",
        said("yes", open=OFFER),
        seen(None, before={}, state="left", passed=True),
    ),
    "no to an offer that begins": ("stored", said("no", open=OFFER), seen("name", before={})),
    "a correction carried out": (
        "right",
        said("correction", "make it Monday", open=CONFIRM, wants={"day": ["monday"]}),
        seen(CONFIRM, before=FULL, after={**FULL, "day": "Monday"}),
    ),
    "a correction kept with its framing": (
        "stored",
        said("correct", "make it Monday", open=CONFIRM, wants={"day": ["Monday"]}, **OWN),
        seen(CONFIRM, before=FULL, after={**FULL, "day": "it Monday"}),
    ),
    "a correction of the wrong field": (
        "stored",
        said("correct", "3", open=CONFIRM, wants={"people": [3]}, **OWN),
        seen(CONFIRM, before=FULL, after={**FULL, "note": "3"}),
    ),
    "one of two corrections, the other asked for": (
        "asked",
        said("correct", open=CONFIRM, wants={"people": [3], "day": ["Monday"]}, **OWN),
        seen("day", before=FULL, after={**FULL, "people": 3}),
    ),
    "a correction stored as the open answer": (
        "stored",
        said("correct", "no, call it Foo", wants={"name": ["Foo"]}, **OWN),
        seen("people", after={**ADA, "day": "no, call it Foo"}),
    ),
    "the day is wrong, and it is asked for": (
        "right",
        said("correct", open=CONFIRM, about="day", **OWN),
        seen("day", before=FULL),
    ),
    "the day is wrong, and another is asked for": (
        "ignored",
        said("correct", open=CONFIRM, about="day", **OWN),
        seen("name", before=FULL),
    ),
    "none is kept as none": (
        "right",
        said("none", wants={"note": [None]}, open="note", **OWN),
        seen(CONFIRM),
    ),
    "none is kept as a word": (
        "stored",
        said("none", wants={"note": [None]}, open="note", **OWN),
        seen(CONFIRM, after={**ADA, "note": "none"}),
    ),
    "who cannot say, and is asked how to go on, was understood": (
        "right",
        said("refuse", "I can't remember it"),
        seen(DOUBT, acts=frozenset({"open"})),
    ),
    "whether they cannot say is a doubt": (
        "asked",
        said("refuse", "I can't remember it"),
        seen(DOUBT, acts=frozenset({"unclear"})),
    ),
    "so is what was read as something else, too": (
        "asked",
        said("open", "you choose"),
        seen(DOUBT, acts=frozenset({"open", "pause"})),
    ),
}


@pytest.mark.parametrize(("verdict", "line", "found"), CASES.values(), ids=CASES)
def test_the_verdict_is(verdict: str, line: Line, found: Seen) -> None:
    assert judge(line, found) == verdict


def test_lists_are_the_same_wherever_their_items_end() -> None:
    line = said("answer", wants={"name": [["tests", "docs"]]}, **OWN)

    assert judge(line, seen(before={}, after={"name": ["tests and docs"]})) == "right"


def test_every_line_has_its_place() -> None:
    for line in (*tape(), *own()):
        assert line.open in (CONFIRM, OFFER) or line.slot(line.open) is not None
        assert all(line.slot(name) for name in (*line.wants, *line.may))
