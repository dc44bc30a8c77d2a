"""The guided process `transfer`."""

from decimal import Decimal

from pydantic import BaseModel
from softrail import Call, Done, Goto, Process, Record, Turn, Wrong, ask, check, step

from bank.accounts import Accounts


class Transfer(Process, name="transfer"):
    """Sends money to a contact."""

    starts_on = ("send money", "I want to send money to somebody", "transfer some money")
    contract = "questions_pass"  # whoever asks for their balance or contacts meanwhile gets them
    one = "person"  # two at a time could each be within the balance, and together not

    class Answers(BaseModel):
        recipient: str = ask("Who gets it?")
        amount: Decimal = ask("How much?", gt=0, decimal_places=2)

    @check("recipient", goes_to=("add",))
    async def known(self, answers: Answers, turn: Turn, accounts: Accounts) -> Goto | None:
        added = turn.result.value if turn.result else None  # in this very turn: it is kept together with it
        known = answers.recipient == added or await accounts.knows(turn.person.id, answers.recipient)
        return None if known else Goto("add")

    @check("amount")
    async def affordable(self, answers: Answers, turn: Turn, accounts: Accounts) -> Wrong | None:
        balance = await accounts.balance(turn.person.id)
        return Wrong("amount", f"You have {balance}.") if answers.amount > balance else None

    @step(goes_to=("added",))
    async def add(self, said: Turn, data: Answers) -> Call:
        return Call("add_contact", prefill={"name": data.recipient}, then="added", say="That name is new.")

    @step(goes_to=("gathering",))
    async def added(self, said: Turn, data: Answers) -> Goto:
        left = said.result is None or said.result.left
        return Goto("gathering", forget=("recipient",) if left else ())

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"Sent {answers.amount} to {answers.recipient}.", effects=[Record("transfer", answers)])
