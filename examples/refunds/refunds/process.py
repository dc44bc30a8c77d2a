"""The guided process `refund`."""

import re
from datetime import timedelta

from pydantic import BaseModel
from softrail import Ask, Done, Effect, Goto, Option, Outcome, Process, Record, Turn, step

from refunds.orders import Orders, SampleOrders

MONEY_BACK = timedelta(days=30)  #: after delivery; later there is a voucher

_NUMBER = re.compile(r"\bA-?(\d{4})\b", re.IGNORECASE)

BROKEN = Option(label="It arrived broken", value="broken", words=("damaged", "it was damaged"))
WRONG = Option(label="It is not what I ordered", value="wrong", words=("the wrong thing",))
MIND = Option(label="I changed my mind", value="changed_mind", words=("I don't like it",))
YES_NO = (Option(label="Yes"), Option(label="No"))


class Case(BaseModel):
    """What is known of a refund. Every field has a default: a case begins empty."""

    order: str = ""
    item: str = ""
    paid: str = ""
    voucher: bool = False
    reason: str = ""
    damage: str = ""


class Refund(Process, name="refund", version=1):
    """Money back, or a voucher, for an order."""

    title = "the refund"
    idle_timeout = timedelta(minutes=20)
    starts_on = ("I want my money back", "I'd like a refund", "I want a refund for an order")
    names = ("return",)
    subject = ("order", "refund", "voucher", "money")

    def __init__(self, orders: Orders | None) -> None:
        self._orders = orders or SampleOrders()

    @step(first=True, goes_to=("order", "too_late", "reason"))
    async def begin(self, said: Turn, data: Case) -> Outcome:
        """The order number may be in the very first message: then it is not asked for."""
        return await self._found(said, data) or Goto("order")

    @step(asks="Which order is it about? Its number looks like A-1001.", goes_to=("too_late", "reason"))
    async def order(self, said: Turn, data: Case) -> Outcome:
        return await self._found(said, data) or Ask("I can't find that order. What is its number?")

    @step(
        asks="Your order of {item} came more than 30 days ago, so I can only offer a voucher of {paid}. Is that fine?",
        options=YES_NO,
        goes_to=("reason",),
    )
    async def too_late(self, said: Turn, data: Case) -> Outcome:
        if said.choice == "Yes":
            return Goto("reason", data=data.model_copy(update={"voucher": True}))
        return Done("All right, then nothing changes.")

    @step(asks="What was wrong with {item}?", options=(BROKEN, WRONG, MIND), goes_to=("damage", "check"))
    async def reason(self, said: Turn, data: Case) -> Outcome:
        data.reason = said.choice or ""
        return Goto("damage" if said.choice == "broken" else "check", data=data)

    @step(asks="What is broken? One sentence is enough.", goes_to=("check",), takes_anything=True)
    async def damage(self, said: Turn, data: Case) -> Outcome:
        return Goto("check", data=data.model_copy(update={"damage": said.message.strip()}))

    @step(goes_to=("confirmed",))
    async def check(self, said: Turn, data: Case) -> Outcome:
        """Asks, and leaves the answer to the next step."""
        what = "a voucher" if data.voucher else "your money"
        text = f"So you get {what} back for {data.item}: {data.paid}. Shall I do that?"
        return Ask(text, step="confirmed", kind="confirm", options=YES_NO)

    @step()
    async def confirmed(self, said: Turn, data: Case) -> Outcome:
        if said.choice != "Yes":
            return Done("All right, then nothing changes.")
        return Done(
            "Done. You will hear from us within two days.",
            effects=[
                # The key is the order: a second refund of it replaces the first, and is not paid twice.
                Record("refund", data, key=data.order, summary=f"Refund for {data.order} noted"),
                Effect(
                    kind="accounts_told",
                    summary="Told our accounts department",
                    payload=data.model_dump(mode="json"),
                    after_commit=True,
                ),
            ],
        )

    def kept(self, data: Case) -> str:
        """What is told when it is paused or resumed."""
        return f"It is about {data.item} ({data.order})." if data.order else ""

    async def _found(self, said: Turn, data: Case) -> Goto | None:
        number = _NUMBER.search(said.message)
        order = await self._orders.find(f"A-{number[1]}") if number else None
        if order is None:
            return None
        known = data.model_copy(update={"order": order.number, "item": order.item, "paid": order.paid})
        late = said.at - order.delivered_at > MONEY_BACK
        return Goto("too_late" if late else "reason", data=known)
