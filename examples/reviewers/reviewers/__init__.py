"""Whoever takes part in a review: their name, their age, and up to two companies out of a list."""

from pydantic import BaseModel
from softrail import Ask, Done, Goto, Process, Record, Turn, ask, step

COMPANIES = ("Amber Foods", "Blue Suites", "Cedar Design", "Delta Imports")
ENOUGH, OLD_ENOUGH, MOST = "That is all", 25, 2


class Chosen(BaseModel):
    companies: list[str] = []
    enough: bool = False


class TakePart(Process, name="take_part", confirm=False):
    """Takes part in a review of companies."""

    title = "the review"
    starts_on = ("I'd like to take part", "review some companies")

    class Answers(BaseModel):
        name: str = ask("What is your name?")
        age: int = ask("How old are you?", gt=0, lt=150)

    async def complete(self, answers: Answers, turn: Turn, data: Chosen) -> Goto | Done:
        if answers.age < OLD_ENOUGH:
            return Done(f"Reviewers are {OLD_ENOUGH} or older. Thank you all the same, {answers.name}.")
        if not data.enough:
            return Goto("choose")
        kept = Record("reviewer", {**answers.model_dump(), "companies": data.companies}, key="me")
        about = " and ".join(data.companies) or "no company"
        return Done(f"Thank you, {answers.name}: you review {about}.", effects=[kept])

    @step(goes_to=("chosen",))
    async def choose(self, said: Turn, data: Chosen) -> Ask:
        left = [company for company in COMPANIES if company not in data.companies]
        other = " other" if data.companies else ""
        return Ask(f"Which{other} company will you review?", options=(*left, ENOUGH), step="chosen")

    @step(goes_to=("gathering",))
    async def chosen(self, said: Turn, data: Chosen) -> Goto:
        if said.choice is not None and said.choice != ENOUGH:
            data.companies.append(said.choice)
        data.enough = said.choice == ENOUGH or len(data.companies) == MOST
        return Goto("gathering", data=data)
