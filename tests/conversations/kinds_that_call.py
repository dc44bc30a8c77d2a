"""A process that lets another one do a part, and the one that is called."""

from datetime import timedelta

from pydantic import BaseModel

from softrail import Ask, Call, Done, Process, Turn, ask, step
from softrail.core.outcomes import Outcome


class Sum(BaseModel):
    who: str = ""
    heard: list[str] = []


class AddContact(Process, name="add_contact", confirm=False):
    """Somebody to send money to."""

    starts_on = ("add a contact",)
    retention = timedelta(days=1)
    idle_timeout = timedelta(minutes=10)

    class Answers(BaseModel):
        name: str = ask("What is their name?")
        number: str = ask("And their number?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(
            f"{answers.name} is in your contacts.", value={"name": answers.name, "number": answers.number}
        )


class Transfer(Process, name="transfer"):
    """Money for somebody."""

    starts_on = ("send money",)
    idle_timeout = timedelta(minutes=30)

    @step(asks="Who gets it?", goes_to=("use_it", "amount"))
    async def who(self, said: Turn, data: Sum) -> Outcome:
        if said.message == "new":
            return Call("add_contact", then="use_it", say="Then I need to know them.")
        return Ask(f"How much for {said.message}?", step="amount", data=Sum(who=said.message))

    @step(goes_to=("amount", "who"))
    async def use_it(self, said: Turn, data: Sum) -> Outcome:
        assert said.result is not None
        if said.result.left:
            heard = [*data.heard, said.result.left]
            return Ask("Who gets it, then?", step="who", data=data.model_copy(update={"heard": heard}))
        who = said.result.value["name"]
        return Ask(f"How much for {who}?", step="amount", data=data.model_copy(update={"who": who}))

    @step()
    async def amount(self, said: Turn, data: Sum) -> Outcome:
        return Done(f"{said.message} for {data.who}. Heard: {data.heard}.")
