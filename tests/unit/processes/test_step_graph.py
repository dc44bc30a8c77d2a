"""The step graph as text and as a diagram."""

from pydantic import BaseModel

from softrail.core.outcomes import Done, Goto, Outcome
from softrail.core.turns import Turn
from softrail.processes import Process, ask, check, define, step


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
        "s1 --> s4: there",
        "s2 --> s3: answer",
        "s3 --> [*]: yes",
        "s3 --> s1: change thing #34;x#34;#93; --#62; #91;#42;#93; #37;#37; #59;",
        "s3 --> s2: change when",
        "s4 --> s1",
    ]
    for name in ("gathering_what", "gathering_when", "confirming", "look"):
        assert f'state "{name}" as' in diagram


def test_the_text_names_each_step_with_its_ways() -> None:
    lines = define(Order).text().splitlines()
    assert lines[0] == "order v3: Takes an order."
    assert "  gathering_what (exclusive, first)" in lines
    assert "  gathering_when (exclusive, skippable)" in lines
    assert "    -> look: there" in lines
