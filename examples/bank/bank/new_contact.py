"""The guided process `add_contact`, also a part of a transfer."""

from pydantic import BaseModel
from softrail import Done, Process, Record, Turn, ask


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
