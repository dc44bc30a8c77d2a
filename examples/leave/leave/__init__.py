"""Days off: one person asks, another decides, and a third one when the second does not answer within a day."""

from datetime import date, timedelta

from pydantic import BaseModel
from softrail import Assign, Done, Process, Turn, ask, step

BOSS, DEPUTY = "boss@example.org", "deputy@example.org"


class Leave(Process, name="leave", version=1):
    """Days off that somebody else approves."""

    title = "the leave"
    starts_on = ("I need some days off", "I'd like to take a leave")

    class Answers(BaseModel):
        first: date = ask("From which day on?")
        days: int = ask("How many days?", gt=0, le=30)

    async def complete(self, answers: Answers, turn: Turn) -> Assign:
        wanted = {"who": turn.person.display_name or turn.person.email, **answers.model_dump()}
        wait, say = timedelta(days=1), "I have asked. You will hear of it here."
        return Assign(
            "approve_leave", to=BOSS, prefill=wanted, then="decided", until=wait, substitute=DEPUTY, say=say
        )

    @step()
    async def decided(self, said: Turn, answers: Answers) -> Done:
        if said.result is None or said.result.left:
            return Done("Nobody has decided about your leave. Please talk to somebody.")
        return Done("Your leave is approved." if said.result.value else "Your leave is not approved.")


class ApproveLeave(Process, name="approve_leave", version=1, confirm=False):
    """Decides about somebody's days off."""

    title = "a decision about days off"

    class Answers(BaseModel):
        who: str = ask("Who wants days off?")
        first: date = ask("From which day on?")
        days: int = ask("How many days?")
        agreed: bool = ask("{who} would like {days} days off from {first} on. Do you agree?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Thank you, I pass it on.", value=answers.agreed)
