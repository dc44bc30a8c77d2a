"""A fact corrected by the person: bound to one fact and one number, or it is said what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from softrail.plans.binding import named_facts, numbers_in
from softrail.plans.values import Fact, Made, Standing
from softrail.plugin import now


@dataclass(frozen=True, kw_only=True, slots=True)
class Correction:
    """What a fact is, as the person says, and what it was."""

    before: Fact
    made: Made

    @property
    def name(self) -> str:
        """The fact's name."""
        return self.before.name

    @property
    def after(self) -> Fact:
        """The fact as it is from now on; where it is kept, the turn is its source."""
        return replace(
            self.before,
            value=self.made.value,
            source="said",
            turn_id="said",
            made_at=now(),
            inputs={},
        )

    @property
    def told(self) -> Mapping[str, str]:
        """The values of the sentence that reads it back."""
        return {"name": self.name, "value": self.after.shown, "before": self.before.shown}

    def applied(self, standing: Standing) -> Standing:
        """Where planning stands with it."""
        return replace(standing, facts={**standing.facts, self.name: self.after})


def corrected(message: str, standing: Standing) -> Correction | tuple[str, Mapping[str, str]]:
    """The correction in a message; else the sentence that says what is missing, with its values."""
    facts = list(standing.facts.values())
    named = named_facts(message, facts, standing.plan)
    if not named:
        return "no_planner_change", {}
    if len(named) > 1:
        return "which_fact", {"names": ", ".join(fact.name for fact in named)}
    fact = named[0]
    if fact.type != "number":
        return "no_number", {"name": fact.name}
    numbers = list(numbers_in(message, besides=fact.name))
    if len(numbers) == 2:  # "14, not 12": the value that it has is the one it is not
        numbers = [number for number in numbers if number != Decimal(str(fact.value))]
    if len(numbers) != 1:
        return "which_value", {"name": fact.name}
    return Correction(before=fact, made=Made(value=str(numbers[0]), unit=fact.unit, type="number"))
