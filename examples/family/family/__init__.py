"""A family, told in three levels: whom to add, who of them it is, and what there is to say of them."""

from pydantic import BaseModel
from softrail import Ask, Call, Done, Goto, Outcome, Process, Record, Turn, ask, step

RELATIVES = {"Parent": ("Father", "Mother"), "Child": ("Son", "Daughter")}
OR = ("Show", "Back")


class Member(BaseModel):
    who: str
    name: str | None = None
    age: int | None = None


class Known(BaseModel):
    members: list[Member] = []
    level: str = ""

    def __str__(self) -> str:
        told = [f"- {one.who}: {one.name or 'no name'}, {one.age or 'no age'}" for one in self.members]
        return "\n".join(told) or "Nobody so far."


class DescribeMember(Process, name="describe_member"):
    """Says who somebody of the family is."""

    title = "the description"

    class Answers(BaseModel):
        who: str = ask("Who is it?")
        name: str | None = ask("What is their name?", default=None)
        age: int | None = ask("How old are they?", default=None, gt=0, lt=150)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.who} is noted.", value=answers.model_dump())


class Family(Process, name="family"):
    """Notes who belongs to a family."""

    title = "your family"
    starts_on = ("I want to tell you about my family", "note my family")

    @step(
        asks="Whom shall I add?",
        options=("Relative", "Myself", "Show", "Done"),
        goes_to=("menu", "level", "added"),
    )
    async def menu(self, said: Turn, data: Known) -> Outcome:
        if said.choice == "Done":
            return Done("See you around!", effects=[Record("family", data, key="all")])
        if said.choice == "Myself":
            return Call("describe_member", prefill={"who": "Myself"}, then="added")
        return Goto("level") if said.choice == "Relative" else Goto("menu", say=str(data))

    @step(asks="A parent or a child?", options=(*RELATIVES, *OR), goes_to=("menu", "level", "relative"))
    async def level(self, said: Turn, data: Known) -> Goto:
        if said.choice not in RELATIVES:
            return Goto("menu") if said.choice == "Back" else Goto("level", say=str(data))
        return Goto("relative", data=data.model_copy(update={"level": said.choice}))

    @step(goes_to=("chosen",))
    async def relative(self, said: Turn, data: Known) -> Ask:
        options = (*RELATIVES[data.level], *OR)
        return Ask(f"Which {data.level.lower()}?", options=options, step="chosen")

    @step(goes_to=("level", "relative", "added"))
    async def chosen(self, said: Turn, data: Known) -> Outcome:
        if said.choice in OR:
            return Goto("level") if said.choice == "Back" else Goto("relative", say=str(data))
        return Call("describe_member", prefill={"who": said.choice}, then="added")

    @step(goes_to=("menu", "level"))
    async def added(self, said: Turn, data: Known) -> Goto:
        if said.result is None or said.result.left:
            return Goto("menu")
        data.members.append(Member(**said.result.value))
        return Goto("menu" if data.members[-1].who == "Myself" else "level", data=data)
