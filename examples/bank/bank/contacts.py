"""Adding a contact, also as a part of a transfer, and removing one."""

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
        known = await accounts.knows(turn.person.id, answers.name)
        return None if known else Wrong("name", f"{answers.name} is not in your contacts.")

    async def summary(self, answers: Answers, turn: Turn) -> str:
        return f"{answers.name} leaves your contacts."

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.name} is removed.", effects=[Forget("contact", answers.name.casefold())])
