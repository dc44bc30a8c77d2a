"""The guided processes `add_contact` and `remove_contact`."""

from pydantic import BaseModel
from softrail import Done, Forget, Process, Record, Turn, Wrong, ask, check

from bank.accounts import Accounts


class AddContact(Process, name="add_contact", confirm=False):
    """Somebody to send money to."""

    title = "the new contact"
    contract = "questions_pass"
    starts_on = ("add a contact", "I want to save a new contact")

    class Answers(BaseModel):
        name: str = ask("What is their name?")
        number: str = ask("What is their account number? It has eight digits.", pattern=r"^\d{8}$")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        kept = Record("contact", answers, key=answers.name.casefold())
        return Done(f"{answers.name} is in your contacts.", value=answers.name, effects=[kept])


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
