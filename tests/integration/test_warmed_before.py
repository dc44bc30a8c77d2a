"""What the classifier of plans asks of the one inside it is made ready before anybody says anything."""

from collections.abc import Mapping, Sequence
from typing import Any

from softrail import Intent, IntentDefinition, Model
from softrail.plans.data.sources import Sources
from softrail.plans.hearing import PlanningClassifier
from softrail.plans.readings import Readings
from softrail.settings import BUNDLED
from tests.integration.plan_server import plan, planned, sum_of
from tests.integration.test_data_of_plans import attach
from tests.integration.test_words_about_data import ORDERS


class Recording:
    """A classifier that tells for which sets of intents it was made ready, and for which it was asked."""

    def __init__(self) -> None:
        self.ready = list[frozenset[tuple[str, int]]]()
        self.asked = list[frozenset[tuple[str, int]]]()

    async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
        self.ready.append(known(candidates))

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        self.asked.append(known(candidates))
        return Intent(name="general_conversation", confidence=0.0, tier="default")


def known(candidates: Sequence[IntentDefinition]) -> frozenset[tuple[str, int]]:
    return frozenset((one.name, len(one.examples)) for one in candidates)


async def test_every_set_of_intents_that_plans_ask_for_is_made_ready_first() -> None:
    async with planned(bundled=BUNDLED) as ada:
        await attach(ada, "orders.csv", ORDERS)
        registry, inner = ada.dispatcher.registry, Recording()
        hears = PlanningClassifier(inner, ada.store, registry.service(Sources), registry.service(Readings))
        free, beside = registry.candidates(), registry.candidates([registry.get("planning")])
        for one in (free, beside):
            await hears.warm(one)
        here = {"person_id": ada.person.id, "session_id": ada.here, "project_id": None}

        await hears.classify("what about the net amount up north", free, context=here)
        await ada.say(plan(sum_of("price", "12.50"), problem="What does it cost?"))
        await hears.classify("what about the net amount up north", beside, context=here)

    assert len(set(inner.asked)) >= 4
    assert set(inner.asked) <= set(inner.ready)
