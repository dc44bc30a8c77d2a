"""Which notes and projects the clauses of a wish mean: every way it can be read, as what becomes of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from softrail.companion.memory.values import NoteState, ProjectDetail, ProjectWish
from softrail.companion.understanding.wish_values import Which, Wish, Wishes, note_state

BOTH = 2
Plan = Mapping[int, NoteState]  #: what is to become of notes, by their numbers


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectPlan:
    """What is to become of projects, by their ids, and the one to go on with."""

    wishes: Mapping[str, ProjectWish]
    chosen: str | None = None


def project_plan(
    clauses: Sequence[Wish], *, known: Sequence[ProjectDetail], here: str | None, spoken: str | None
) -> ProjectPlan | None:
    """What the clauses about projects ask for; None where it is not clear.

    Args:
        clauses: Those of the whole message, in the order said.
        known: The person's projects.
        here: The one that "this project" means.
        spoken: The one spoken of last: "it".
    """
    plan: dict[str, ProjectWish] = {}
    chosen: str | None = None
    for wish in clauses:
        if not wish.of_project:
            continue
        found = _projects(wish, known, here, spoken)
        if wish.negated or wish.state in (None, "saved"):
            for one in found or ():
                plan.pop(one, None)
                chosen = None if chosen == one else chosen
            spoken = found[-1] if found else spoken
            continue
        if not found or (wish.state in ("renamed", "chosen") and len(found) > 1):
            return None
        if wish.state == "renamed" and not wish.text:
            return None
        if wish.state == "chosen":
            chosen = found[0]
        for one in found if wish.state != "chosen" else ():
            before = plan.get(one, ProjectWish())
            if wish.state == "renamed":
                plan[one] = replace(before, name=wish.text)
            elif before.archived not in (None, wish.state != "restored"):
                return None
            else:
                plan[one] = replace(before, archived=wish.state != "restored")
        spoken = found[-1]
    return ProjectPlan(wishes=plan, chosen=chosen)


def _projects(
    wish: Wish, known: Sequence[ProjectDetail], here: str | None, spoken: str | None
) -> Sequence[str] | None:
    which = wish.which
    if which.numbers or which.by_content or which.last or which.waiting:
        return None
    if which.projects:
        found = list(which.projects)
    elif which.all:
        found = [one.id for one in known if one.archived == (wish.state == "restored")]
    elif which.both:
        found = [one.id for one in known if one.archived == (wish.state == "restored")]
        if len(found) != BOTH:
            return None
    else:
        one = spoken if which.it else here
        found = [one] if one in {project.id for project in known} and one else []
    but = which.but
    if but is None:
        return found
    spared = {*but.projects, *([here] if but.here else []), *([spoken] if but.it else [])}
    return None if but.numbers or but.all or but.last else [one for one in found if one not in spared]


def note_plan(
    clauses: Sequence[Wish], *, waiting: Sequence[int], saved: Sequence[int] = (), spoken: Sequence[int]
) -> Mapping[int, tuple[NoteState | None, str]] | None:
    """What becomes of which notes, texts among it; None where it is not clear. "All" are those that wait."""
    states = _plan(
        [wish for wish in clauses if wish.state != "edited"],
        pool=sorted(waiting),
        waiting=sorted(waiting),
        saved=sorted(saved),
        spoken=spoken,
    )
    if states is None:
        return None
    found: dict[int, tuple[NoteState | None, str]] = {n: (state, "") for n, state in states.items()}
    for wish in clauses:
        if wish.state != "edited" or wish.negated:
            continue
        numbers = list(wish.which.numbers) or (list(spoken) if wish.which.it else [])
        if len(numbers) != 1 or not wish.text:
            return None
        found[numbers[0]] = (found.get(numbers[0], (None, ""))[0], wish.text)
    return found


def about(which: Which, numbers: Sequence[int]) -> Which:
    """The same notes by their numbers, where they were named by what they say."""
    return replace(which, numbers=tuple(dict.fromkeys(numbers)), about=())


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
        saved = sorted(set(kept) - set(waiting))
        plan = _plan(read.clauses, pool=sorted(pool), waiting=sorted(waiting), saved=saved, spoken=spoken)
        if plan is not None and plan not in found:
            found.append(plan)
    return found


def _open(wish: Wish) -> bool:
    """It takes back "all" or "the last" notes, which may be those that wait or any."""
    which = wish.which
    return (
        wish.state == "withdrawn"
        and not which.numbers
        and not (which.waiting or which.kept)
        and bool(which.all or which.both or which.last)
    )


def _plan(
    clauses: Sequence[Wish],
    *,
    pool: Sequence[int],
    waiting: Sequence[int],
    saved: Sequence[int],
    spoken: Sequence[int],
) -> Plan | None:
    plan: dict[int, NoteState] = {}
    for wish in clauses:
        if wish.negated and wish.state is not None and not plan and wish.which.numbers:
            spoken = wish.which.numbers  # "don't withdraw note 4, save it"
        if wish.negated:
            which = wish.which
            spared = list(plan) if which.it or which.all else _meant(which, pool, waiting, saved, spoken)
            for number in spared or ():
                if wish.state in (None, plan.get(number)):
                    plan.pop(number, None)
            continue
        state = note_state(wish)
        if state is None or (wish.which.it and not wish.which.all and plan):
            return None
        numbers = _meant(wish.which, pool, waiting, saved, spoken)
        if numbers is None or any(plan.get(number, state) != state for number in numbers):
            return None
        plan |= dict.fromkeys(numbers, state)
    return plan


def _meant(
    which: Which,
    pool: Sequence[int],
    waiting: Sequence[int],
    saved: Sequence[int],
    spoken: Sequence[int],
) -> Sequence[int] | None:
    if which.numbers and which.it:  # "this one and 3"
        if not spoken:
            return None
        found = list(dict.fromkeys([*spoken, *which.numbers]))
    elif which.numbers:
        found = list(which.numbers)
    elif which.both:
        found = list(spoken if len(spoken) == BOTH else pool[-BOTH:])
        if len(found) != BOTH:
            return None
    elif which.all or which.waiting or which.kept:
        named = [*(waiting if which.waiting else ()), *(saved if which.kept else ())]
        found = sorted(named) if which.waiting or which.kept else list(pool)
        found = found[-which.last :] if which.last else found
    elif which.last:
        found = list(pool)[-which.last :]
    else:
        found = list(spoken)
    but = which.but
    if but is None:
        return found
    if but.it or but.all or but.waiting or but.kept:
        return None
    last = set(found[-but.last :]) if but.last else set()
    return [number for number in found if number not in last and number not in but.numbers]
