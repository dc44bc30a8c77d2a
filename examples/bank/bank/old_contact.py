"""The guided process `remove_contact`."""

from pydantic import BaseModel
from softrail import Done, Forget, Process, Turn, Wrong, ask, check

from bank.accounts import Accounts


class RemoveContact(Process, name="remove_contact"):
    """Takes somebody out of the contacts."""

    title = "removing a contact"
    starts_on = ("remove a contact", "delete somebody from my contacts")

    class Answers(BaseModel):
        name: str = ask("Whom shall I remove?")

    @check("name")
    async def known(self, answers: Answers, turn: Turn, accounts: Accounts) -> Wrong | None:
        if answers.name.casefold() not in await accounts.contacts(turn.person.id):
            return Wrong("name", f"{answers.name} is not in your contacts.")
        return None

    async def summary(self, answers: Answers, turn: Turn) -> str:
        return f"{answers.name} leaves your contacts."

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.name} is removed.", effects=[Forget("contact", answers.name.casefold())])
