"""The step graph as text and as a diagram."""

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from pydantic import BaseModel

from softrail.core.outcomes import Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, Wrong, ask, check, define, step

SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)  # noqa: S314 - our own


def _far(answers: Any) -> bool:
    return bool(answers.goes == "far")


class Data(BaseModel):
    n: int = 0


class Order(Process, name="order", version=3):
    """Takes an order."""

    class Answers(BaseModel):
        what: str = ask("What?", label='thing "x"] --> [*] %% ;')
        when: str = ask("When?", default="now")

    @check("what", goes_to=("look",))
    async def there(self, answers: Answers, turn: Turn) -> Goto | None:
        return None

    @step(goes_to=("gathering",))
    async def look(self, said: Turn, data: Data) -> Outcome:
        return Done("x")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("x")


def test_a_diagram_has_every_step_and_every_way_and_no_name_is_syntax() -> None:
    diagram = define(Order).mermaid()
    ways = [line.strip() for line in diagram.splitlines() if "-->" in line]
    assert ways == [
        "[*] --> s1: start",
        "s1 --> s2: answer",
        "s1 --> s1: there refuses",
        "s1 --> s4: there",
        "s2 --> s3: answer",
        "s3 --> [*]: yes",
        "s3 --> s1: change thing #34;x#34;#93; --#62; #91;#42;#93; #37;#37; #59;",
        "s3 --> s2: change when",
        "s4 --> s1: gathering",
    ]
    for name in ("gathering_what", "gathering_when", "confirming", "look"):
        assert f'state "{name}" as' in diagram


def test_the_text_names_each_step_with_its_ways() -> None:
    lines = define(Order).text().splitlines()
    assert lines[0] == "order v3: Takes an order."
    assert "  gathering_what (exclusive, first)" in lines
    assert "  gathering_when (exclusive, skippable)" in lines
    assert "    “What?”" in lines
    assert "    -> look: there" in lines


class Trip(Process, name="trip", version=1):
    """Books a <b>trip</b>."""

    class Answers(BaseModel):
        insured: bool = ask("Are you & yours <insured>?")
        number: str = ask("Which number?", default="", when=lambda a: a.insured)
        company: str = ask(
            "Which company?",
            default="",
            shown=False,
            when=lambda a: a.insured and a.number != "none",
        )
        goes: str = ask("Where to?", takes_anything=True)
        back: str = ask("When back?", default="", when=_far)

    @check("goes", "insured")
    async def safe(self, answers: Answers, turn: Turn) -> Wrong | None:
        return None

    @step(asks="Shall we?", goes_to=("gathering", "leave"), first=True, contract="questions_pass")
    async def begin(self, said: Turn, data: Data) -> Outcome:
        return Goto("gathering")

    @step()
    async def leave(self, said: Turn, data: Data) -> Outcome:
        return Done("x")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("x")


def test_answers_are_drawn_one_by_one_with_their_conditions_and_the_way_past_them() -> None:
    assert define(Trip).edges() == [
        ("[*]", "start", "begin"),
        ("gathering_insured", "answer, if insured", "gathering_number"),
        ("gathering_insured", "answer, if insured and number != 'none'", "gathering_company"),
        ("gathering_insured", "answer, otherwise", "gathering_goes"),
        ("gathering_number", "answer, if insured and number != 'none'", "gathering_company"),
        ("gathering_number", "answer, otherwise", "gathering_goes"),
        ("gathering_company", "answer", "gathering_goes"),
        ("gathering_goes", "answer, if far", "gathering_back"),
        ("gathering_goes", "answer, otherwise", "confirming"),
        ("gathering_goes", "safe refuses", "gathering_goes"),
        ("gathering_goes", "safe refuses", "gathering_insured"),
        ("gathering_back", "answer", "confirming"),
        ("confirming", "yes", "[*]"),
        ("confirming", "change insured", "gathering_insured"),
        ("confirming", "change number", "gathering_number"),
        ("confirming", "change company", "gathering_company"),
        ("confirming", "change goes", "gathering_goes"),
        ("confirming", "change back", "gathering_back"),
        ("begin", "gathering", "gathering_insured"),
        ("begin", "", "leave"),
        ("leave", "done", "[*]"),
    ]


def test_a_diagram_says_what_each_step_asks_and_when() -> None:
    diagram = define(Trip).mermaid()
    assert "    s2 : Which number?\n    s2 : only if insured\n" in diagram
    assert "    s5 : When back?\n    s5 : only if far\n" in diagram
    assert "    s3 : not shown\n" in diagram
    assert "    s7 : questions_pass\n" in diagram


def test_a_picture_is_one_svg_with_every_step_and_way_and_no_word_is_markup() -> None:
    definition = define(Trip)
    picture = parsed(definition.svg())
    assert picture.tag == f"{SVG}svg"
    words = [text.text or "" for text in picture.iter(f"{SVG}text")]
    for name, field in definition.fields.items():
        assert f"gathering_{name}" in words
        assert f"“{field.question}”" in words
    assert {"confirming", "begin", "leave", "gathering, one by one", "safe refuses"} <= set(words)
    assert len(list(picture.iter(f"{SVG}path"))) == len(definition.edges()) + 1  # and the tip of the arrows
    assert {e.tag.removeprefix(SVG) for e in picture.iter()} <= {
        *("svg", "title", "style", "defs", "marker", "path", "rect", "text", "circle")
    }


def test_steps_do_not_lie_on_each_other_and_everything_is_within_the_picture() -> None:
    for process in (Trip, Order):
        picture = parsed(define(process).svg())
        wide, high = float(picture.attrib["width"]), float(picture.attrib["height"])
        steps = [e for e in picture.iter(f"{SVG}rect") if e.get("class") == "step"]
        tops = [(float(e.attrib["y"]), float(e.attrib["y"]) + float(e.attrib["height"])) for e in steps]
        assert all(bottom < top for (_, bottom), (top, _) in pairwise(tops))
        places = [float(n) for e in picture.iter(f"{SVG}path") for n in re.findall(r"[\d.]+", e.attrib["d"])]
        assert max(places) < max(wide, high)
        for text in picture.iter(f"{SVG}text"):
            assert 0 < float(text.attrib["x"]) < wide
            assert 0 < float(text.attrib["y"]) < high


def test_what_xml_cannot_hold_is_left_out() -> None:
    class Odd(Process, name="odd", version=1):
        """Its question rings a bell."""

        class Answers(BaseModel):
            bell: str = ask("\x07 \x00 ]]> <script>alert(1)</script> &amp; \ud800?")

        async def complete(self, answers: Answers, turn: Turn) -> Done:
            return Done("x")

    picture = define(Odd).svg()
    parsed(picture)
    assert "<script" not in picture
