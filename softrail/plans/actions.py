"""The actions that need no data: arithmetic over facts, and waiting."""

import asyncio
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel, Field

from softrail import Attempt, action
from softrail.plans.arithmetic import LONGEST, NotComputable, computed


class Quantity(BaseModel):
    """A value with its unit: what an action gives that knows one."""

    value: Decimal | bool
    unit: str = ""


@action(repeatable=True)
async def compute(
    expression: Annotated[str, Field(min_length=1, max_length=LONGEST, coerce_numbers_to_str=True)],
    facts: dict[str, Any],
    unit: Annotated[str, Field(max_length=20)] = "",
) -> Quantity:
    """Compute an expression over the facts of the steps it needs."""
    try:
        return Quantity(value=computed(expression, facts), unit=unit)
    except NotComputable as error:
        raise ValueError(str(error)) from error


@action(repeatable=True)
async def wait(seconds: Annotated[float, Field(ge=0, le=3600)], attempt: Attempt) -> Quantity:
    """Wait so many seconds."""
    left = seconds
    while left > 0:
        attempt.tell(seconds - left, seconds)
        await asyncio.sleep(min(left, 1.0))
        left -= 1.0
    return Quantity(value=Decimal(str(seconds)), unit="s")
