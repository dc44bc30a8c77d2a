"""What is meant for a plan for certain: whole messages that are commands to it, and words that bind to attached data."""

import re
from typing import Final

from softrail import Turn
from softrail.plans.aside import Aside
from softrail.plans.binding import asks_for_values, may_ask_for_values
from softrail.plans.choosing import names_a_place
from softrail.plans.data.databases import Catalogue
from softrail.plans.forms.reasons import Reasons, asks_why, reasons
from softrail.plans.intents import (
    CANCEL,
    DATA,
    DETAIL,
    EXACT,
    FILE,
    LOOKUP,
    MODE,
    PICTURE,
    RESUME,
    RETRY,
    STATUS,
    TABLE,
    WAIT,
    WHY,
    asks_about_a_mode,
    asks_for_a_deed,
    asks_of_steps,
    asks_what_there_is,
    goes_on,
    stops,
    waits,
    wants_a_mode,
)
from softrail.plans.offered import table_in
from softrail.plans.pictures import wants_a_file, wants_a_picture
from softrail.plans.requests import Requests, may_be_one
from softrail.plans.values import Standing
from softrail.plans.work import Plans
from softrail.plugin import language, normal

#: What “go on” is meant for, by how the run of the plan stands.
_GOING_ON: Final = {"cancelled": RESUME, "failed": RETRY, "running": STATUS}

#: What was found, pointed at: “where does that number come from” asks of it, and for no number of rows.
_POINTED: Final = re.compile(
    r"\b(?:this|that|these|those)\s+(?:numbers?|figures?|amounts?|values?|results?)\b", re.IGNORECASE
)


class Recogniser:
    """Tells the intents of such messages."""

    def __init__(self, plans: Plans, requests: Requests, offered: Catalogue, aside: Aside) -> None:
        self._plans = plans
        self._requests = requests
        self._offered = offered
        self._aside = aside

    async def intent(self, words: str, said: Turn) -> str | None:
        """The intent of a message; None: it is none of these."""
        known = EXACT.get(normal(words))
        if known is not None:
            return known
        if stops(words) or waits(words):
            run = (await self._plans.glance(said.session_id)).run
            meant = CANCEL if stops(words) else WAIT
            return meant if run is not None and run.state == "running" else None
        if goes_on(words):
            standing = await self._plans.glance(said.session_id)
            run = standing.run
            return _GOING_ON.get(run.state) if run is not None and run.plan_id == standing.plan_id else None
        if asks_about_a_mode(words) or wants_a_mode(words):
            return MODE
        if asks_of_steps(words) and (await self._standing(said)).waits:
            return DETAIL
        if asks_why(words) and await self._has_found(said) and await self.reasons(said) is not None:
            return WHY
        if wants_a_picture(words) and await self._has_found(said):
            return PICTURE
        if wants_a_file(words) and (await self._standing(said)).plan is not None:
            return FILE
        if asks_what_there_is(words) and await self._requests.attached(said):
            return DATA
        if await self._requests.described(words, said):
            return DATA
        if await self._asks_for_table(words, said):
            return TABLE
        wanted = None
        if may_be_one(words) and not names_a_place(words):
            wanted = await self._requests.intent(words, said, await self._standing(said))
            if wanted is not None and await self._asks_of_it_alone(words, said):
                wanted = None
        if wanted is None and may_ask_for_values(words):
            standing = await self._standing(said)
            wanted = LOOKUP if asks_for_values(words, standing.facts.values(), standing.plan) else None
        return wanted

    async def _has_found(self, said: Turn) -> bool:
        """The last plan of the conversation has come to its end: a picture or a reason is wanted of what it found."""
        standing = await self._standing(said)
        run = standing.run
        return run is not None and run.state == "done" and run.plan_id == standing.plan_id

    async def _asks_of_it_alone(self, words: str, said: Turn) -> bool:
        """A question of what was found, which is pointed at, and of nothing that the data has besides."""
        bare, pointed = _POINTED.subn("it", words)
        if not pointed or not language().is_question(words) or asks_for_a_deed(words):
            return False
        return await self._has_found(said) and not await self._requests.names(bare, said)

    async def _asks_for_table(self, words: str, said: Turn) -> bool:
        """A table that is offered, or one that nobody knows: what is attached is no reason to look further."""
        wanted = table_in(words, self._offered)
        if wanted is None or self._offered.find(wanted) is not None:
            return wanted is not None
        return table_in(words, self._offered, await self._requests.attached(said)) is not None

    async def reasons(self, said: Turn) -> Reasons | None:
        """What is known of the thing whose reason is asked for."""
        standing, sources = await self._standing(said), await self._requests.attached(said)
        if standing.plan is None:
            return None
        known = standing.plan, standing.facts, sources, said.at.date()
        return await self._aside.run(reasons, said.message, *known)

    async def _standing(self, said: Turn) -> Standing:
        return await self._plans.standing(said.session_id)
