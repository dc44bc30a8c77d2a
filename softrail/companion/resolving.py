"""Which notes the clauses of a wish mean, where several are there: every way it can be read, as what becomes of each note."""

from collections.abc import Mapping, Sequence

from softrail.companion.values import NoteState
from softrail.companion.wishes import Which, Wish, Wishes

Plan = Mapping[int, NoteState]  #: what is to become of notes, by their numbers


def plans(
    read: Wishes, *, waiting: Sequence[int], kept: Sequence[int], spoken: Sequence[int]
) -> Sequence[Plan]:
    """The plans that a wish may stand for, the narrowest first; none where it is not clear.

    Args:
        read: The wish, every word of which is understood.
        waiting: The person's own notes that wait.
        kept: Those and their saved ones.
        spoken: The notes spoken of last.
    """
    pools = [waiting, kept] if any(_open(wish) for wish in read.acts) else [waiting]
    found: list[Plan] = []
    for pool in pools:
        plan = _plan(read.clauses, pool=sorted(pool), waiting=sorted(waiting), spoken=spoken)
        if plan is not None and plan not in found:
            found.append(plan)
    return found


def _open(wish: Wish) -> bool:
    """It takes back "all" or "the last" notes, which may be those that wait or any."""
    which = wish.which
    return (
        wish.state == "withdrawn"
        and not which.numbers
        and not which.waiting
        and bool(which.all or which.last)
    )


def _plan(
    clauses: Sequence[Wish], *, pool: Sequence[int], waiting: Sequence[int], spoken: Sequence[int]
) -> Plan | None:
    plan: dict[int, NoteState] = {}
    for wish in clauses:
        if wish.negated:
            which = wish.which
            spared = list(plan) if which.it or which.all else _meant(which, pool, waiting, spoken)
            for number in spared or ():
                if wish.state in (None, plan.get(number)):
                    plan.pop(number, None)
            continue
        if wish.state is None or (wish.which.it and not wish.which.all and plan):
            return None
        numbers = _meant(wish.which, pool, waiting, spoken)
        if numbers is None or any(plan.get(number, wish.state) != wish.state for number in numbers):
            return None
        plan |= dict.fromkeys(numbers, wish.state)
    return plan


def _meant(
    which: Which, pool: Sequence[int], waiting: Sequence[int], spoken: Sequence[int]
) -> Sequence[int] | None:
    if which.numbers:
        found = list(which.numbers)
    elif which.all or which.waiting:
        found = list(waiting if which.waiting else pool)
        found = found[-which.last :] if which.last else found
    elif which.last:
        found = list(pool)[-which.last :]
    else:
        found = list(spoken)
    but = which.but
    if but is None:
        return found
    if but.it or but.all or but.waiting:
        return None
    last = set(found[-but.last :]) if but.last else set()
    return [number for number in found if number not in last and number not in but.numbers]
