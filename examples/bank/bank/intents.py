"""What may be asked at any time, also in the middle of a transfer."""

from softrail import Intent, IntentDefinition, RouteResult, Turn
from softrail.plugin import Intents

from bank.accounts import Accounts

BALANCE = IntentDefinition(
    name="check_balance",
    description="They ask how much money is on their account.",
    examples=(
        "what's my balance?",
        "how much money do I have?",
        "how much is on my account",
        "show me my account balance",
        "can I afford it?",
    ),
    label="Check your balance",
)
CONTACTS = IntentDefinition(
    name="list_contacts",
    description="They ask whom they have in their contacts.",
    examples=(
        "who is in my contacts?",
        "list my contacts",
        "show my contacts",
        "whom can I send money to?",
        "which contacts do I have",
    ),
    label="List your contacts",
)


def register(intents: Intents) -> None:
    accounts = intents.service(Accounts)

    async def balance(turn: Turn, intent: Intent) -> RouteResult:
        return RouteResult(text=f"You have {await accounts.balance(turn.person.id)}.")

    async def contacts(turn: Turn, intent: Intent) -> RouteResult:
        known = await accounts.contacts(turn.person.id)
        return RouteResult(
            text=f"Your contacts: {', '.join(known)}." if known else "You have no contacts yet."
        )

    intents.register_intent(BALANCE, balance)
    intents.register_intent(CONTACTS, contacts)
