"""Wishes that a language model makes plans of: kept by a turn, thought about outside of it, told by a signal."""

import json
import logging
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import select, update

from softrail import Actions, Model, Prompts, Signal
from softrail.plans.plan import Plan
from softrail.plans.records import standing
from softrail.plans.tables import wishes
from softrail.plans.telling import tell
from softrail.plans.thinking.asking import repaired, request_of
from softrail.plans.thinking.checking import Checker, NoPlan, Wrong
from softrail.plans.work import BATCH, Plans
from softrail.plugin import (
    Claim,
    ConversationError,
    Decision,
    ModelKeys,
    ModelUnavailable,
    claim_stands,
    is_plain,
    now,
    turn_passing,
)

KIND: Final = "plan_wish"  #: of long work

log = logging.getLogger(__name__)


class Planner:
    """Thinks about wishes; each is one piece of long work, and its plan one item."""

    def __init__(
        self,
        plans: Plans,
        actions: Actions,
        checker: Checker,
        model: Model,
        keys: ModelKeys,
        prompts: Prompts,
    ) -> None:
        self._plans = plans
        self._store = plans.store
        self._actions = actions
        self._checker = checker
        self._model = model
        self._keys = keys
        self._prompts = prompts

    async def left(self) -> Sequence[str]:
        """Wishes that nobody was told the plan of."""
        query = (
            select(wishes.c.id)
            .where(wishes.c.told == 0, wishes.c.dropped == 0)
            .order_by(wishes.c.created_at)
            .limit(BATCH)
        )
        return await self._store.read(lambda conn: list(conn.scalars(query)))

    async def drive(self, run_id: str, claim: Claim) -> None:
        """Make the plan of a wish, once, and tell the conversation that it is ready."""
        query = select(wishes).where(wishes.c.id == run_id, wishes.c.told == 0)
        row = await self._store.read(lambda conn: conn.execute(query).first())
        if row is None:
            return
        if row.dropped:
            return  # nobody waits for it any more
        if row.body is None and row.trouble is None:
            await self._keep(claim, **await self._thought(row))
        signal = Signal("plan_ready", key=f"plan:{run_id}:ready", data={"wish_id": run_id})
        await tell(self._plans, row.session_id, signal)
        await self._keep(claim, told=1)

    async def _keep(self, claim: Claim, **values: Any) -> None:
        change = update(wishes).where(wishes.c.id == claim.run_id).values(**values)
        await self._store.write(lambda conn: claim_stands(conn, claim) and conn.execute(change))

    async def _thought(self, row: Any) -> dict[str, Any]:
        """The plan as it is kept, or why there is none: "" where no model could be asked."""
        person = await self._store.person(row.person_id)
        if person is None:
            return {"trouble": ""}
        account = Decision(id=f"wish:{row.id}", turn_id=row.id, session_id=row.session_id, seq=0, at=now())
        with turn_passing(account, None, person_id=person.id, own=await self._keys.model_of(person)):
            if is_plain(self._model):
                return {"trouble": ""}
            try:
                plan = await self._planned(row)
            except NoPlan as none:
                return {"trouble": str(none)}
            except Wrong as wrong:
                return {"trouble": wrong.faults[0] if wrong.faults else ""}
            except (ModelUnavailable, ConversationError) as error:
                log.info("No plan was made of the wish %s: %s", row.id, error)
                return {"trouble": ""}
        return {"body": json.dumps(plan.model_dump(mode="json"), ensure_ascii=False)}

    async def _planned(self, row: Any) -> Plan:
        """The plan that the model writes; what is wrong with a first one is told to it once."""
        stands = await self._store.read(lambda conn: standing(conn, row.session_id))
        sources = await self._checker.sources(row.session_id)
        request = request_of(
            row.message,
            plan=None if row.new else stands.plan,
            sources=sources,
            actions=self._actions,
            prompts=self._prompts,
        )
        first = await self._model.answer(request)
        try:
            return await self._checker.plan(first.text, sources)
        except Wrong as wrong:
            second = await self._model.answer(repaired(request, first.text, wrong.faults))
        return await self._checker.plan(second.text, sources)
