"""A model that lies wherever it is asked for words beside a plan: no number of its own reaches the person."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from softrail.cli.attaching import attach
from softrail.core.commits import Item
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.models.scripted import ScriptedModel
from softrail.plugin import ModelUnavailable
from softrail.testing.contracts.counting import until
from tests.integration.plan_server import Planned, plan, planned, sum_of
from tests.unit.plans.test_numbers_of_models import LINES, lies

#: How many of the five hundred are told: a tenth here, all with SOFTRAIL_LIES=500.
TOLD = int(os.environ.get("SOFTRAIL_LIES", "50"))
FINDINGS, PASSAGES, KNOWLEDGE = "phrase_findings", "planning/from_documents", "planning/from_knowledge"
STEPS = tuple(
    {**sum_of(name.lower(), number.partition(" ")[0], unit="EUR"), "title": name}
    for name, number in LINES.items()
)
REPORT = "Takings of the year. " + " ".join(f"Revenue in {name} is {one}." for name, one in LINES.items())
ASKED = {
    FINDINGS: "/redo",
    PASSAGES: "what does the report say about the takings?",
    KNOWLEDGE: "what is the value of the margin?",
}
TRUE = {one.partition(" ")[0] for one in LINES.values()}
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
#: What is told beside the findings: numbers of steps and lines, and the hash of a file.
_COUNTED = re.compile(r"\d+ steps?|line \d+|step \d+|^\d+\. ", re.MULTILINE)


class Liar(ScriptedModel):
    """Lies where it is asked to say what was found, read or known; it does nothing else."""

    def __init__(self, told: Iterable[str]) -> None:
        super().__init__([])
        self._told = iter(told)
        self.asked: list[str] = []

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        if request.purpose not in (FINDINGS, PASSAGES, KNOWLEDGE):
            raise ModelUnavailable("It only lies.", purpose=request.purpose)
        self.asked.append(request.purpose)
        lie = next(self._told)
        return ModelAnswer(
            text=lie if request.purpose == FINDINGS else json.dumps({"answer": lie}), model="liar"
        )


def made_up(text: str) -> Sequence[str]:
    """The numbers in a text that no fact and no document has, and that count nothing."""
    return [one for one in _NUMBER.findall(_COUNTED.sub(" ", text)) if one not in TRUE]


async def hears(ada: Planned, purpose: str, lie: str) -> str:
    """What reaches a person when a model lies like that."""
    [last] = await newest(ada, 1)
    said = (await ada.say(ASKED[purpose])).companion_message
    if purpose != FINDINGS:
        return said
    told: list[str] = []

    async def done() -> bool:
        told[:] = [i.content for i in await newest(ada, 3) if i.seq > last.seq and "Done:" in i.content]
        return bool(told)

    await until(done, 60)
    return told[-1]


async def newest(ada: Planned, count: int) -> Sequence[Item]:
    """The last items of the conversation."""
    return await ada.store.items(ada.person.id, session_id=ada.here, before=2**62, limit=count)


async def test_none_of_five_hundred_lies_about_findings_documents_and_the_world_is_told(
    tmp_path: Path,
) -> None:
    (tmp_path / "report.md").write_text(REPORT)
    chosen = lies()[:: 500 // TOLD]
    purposes = [(FINDINGS, PASSAGES, KNOWLEDGE)[n % 3] for n in range(len(chosen))]
    model = Liar(["Nothing.", *chosen])
    wrong = list[tuple[str, str]]()
    async with planned(model=model) as ada:
        ada.session_id, _ = await attach(ada.dispatcher, ada.person, None, tmp_path / "report.md")
        await ada.say(plan(*STEPS, problem="Revenue by Region"))
        await ada.say("yes")
        await ada.heard("Done:")
        for purpose, lie in zip(purposes, chosen, strict=True):
            said = await hears(ada, purpose, lie)
            if lie in said or made_up(said):
                wrong.append((lie, said))

    assert wrong == []
    assert len(chosen) >= TOLD
    assert model.asked == [FINDINGS, *purposes]  # each lie was told where it was meant to be
