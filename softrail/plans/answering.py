"""Answers to what is asked of a plan: from its facts, and where they say nothing from what is attached."""

from collections.abc import Callable, Sequence
from typing import Final

from softrail.plans import words
from softrail.plans.binding import named_facts, named_steps
from softrail.plans.documents.passages import Passage
from softrail.plans.forms.conclusions import conclusions, used_by
from softrail.plans.intents import DETAIL, LOOKUP, PROVENANCE
from softrail.plans.phases import Phase
from softrail.plans.records import chain
from softrail.plans.values import Fact, Standing
from softrail.plugin import normal

Say = Callable[..., str]

_MOST_OTHERS: Final = 5  #: documents that are named besides the best


def answer(intent: str, message: str, standing: Standing) -> str:
    """What is known of what was asked; "" where that is nothing."""
    facts = list(standing.facts.values())
    if intent == DETAIL and (steps := _steps(message, standing, any_fact=bool(facts))):
        return steps
    if not facts:
        return ""
    named = list(named_facts(message, facts, standing.plan))
    if intent == PROVENANCE and not named and (told := _concluded(standing)):
        return told
    if intent in (PROVENANCE, DETAIL):
        return "\n".join(_rests_on(fact, standing) for fact in named or _last(standing))
    return words.facts_in_lines(named if intent == LOOKUP else facts)


def unknown(standing: Standing, say: Say) -> str:
    """That nothing is known of what was asked, and what is."""
    if not standing.facts:
        return say("nothing_known")
    return say("no_such_fact", names=", ".join(standing.facts))


def names_something(message: str, standing: Standing) -> bool:
    """The message names a fact, a step, or what a step is to find out: it is asked about the plan."""
    plan, said = standing.plan, f" {normal(message)} "
    if named_facts(message, list(standing.facts.values()), plan):
        return True
    if plan is None:
        return False
    return bool(named_steps(message, plan)) or any(f" {normal(one.makes)} " in said for one in plan.steps)


def quoted(passages: Sequence[Passage], say: Say) -> str:
    """What the best passage says, with where it stands; the other documents by their names and places."""
    best, *others = passages
    values = {"name": best.document, "passage": best.quoted}
    if best.page:
        told = say("document_page", page=str(best.page), **values)
    elif best.heading:
        told = say("document_under", line=str(best.line), heading=best.heading, **values)
    else:
        told = say("document", line=str(best.line), **values)
    if not others:
        return told
    names = ", ".join(f"{one.document} ({one.place})" for one in others[:_MOST_OTHERS])
    return f"{told}\n{say('documents_besides', names=names)}"


def _steps(message: str, standing: Standing, *, any_fact: bool) -> str:
    """The steps that a message names, whole; all of them where it names none and nothing is known yet."""
    plan = standing.plan
    if plan is None:
        return ""
    named = named_steps(message, plan)
    ordered = list(plan.in_order())
    if not named and not any_fact:
        named = ordered
    return "\n".join(words.step_in_full(ordered.index(step) + 1, step) for step in named)


def _concluded(standing: Standing) -> str:
    """What a plan that was made from words has found out, and below it all that it rests on."""
    plan = standing.plan
    if plan is None or plan.form is None:
        return ""
    every = [*standing.facts.values(), *standing.history]
    facts = [standing.facts[name] for name in used_by(plan) if name in standing.facts]
    found = {one.id: one for fact in facts for one in chain(fact, every)}
    if not found:
        return ""
    return f"{conclusions(plan, standing.facts)}\n\n{words.chain_in_lines(list(found.values()), plan)}"


def _last(standing: Standing) -> list[Fact]:
    """The fact that the plan was made for: that of its last step which is known, else the newest."""
    if standing.plan is not None:
        made = [standing.facts[s.makes] for s in standing.plan.in_order() if s.makes in standing.facts]
        if made:
            return made[-1:]
    return list(standing.facts.values())[-1:]


def _rests_on(fact: Fact, standing: Standing) -> str:
    told = words.chain_in_lines(chain(fact, [*standing.facts.values(), *standing.history]), standing.plan)
    before = [one for one in standing.history if one.name == fact.name]
    if fact.turn_id is not None and before:
        told += f"\n  (before: {before[-1].shown})"
    return told


def status(phase: Phase, standing: Standing, say: Say, how: str) -> str:
    """Mode, phase, steps and what comes next."""
    mode, plan, run = words.MODES[standing.mode], standing.plan, standing.run
    problem = plan.problem if plan is not None else ""
    steps = words.progress_of(plan, run) if plan is not None else ""
    if phase == "executing" and run is not None:
        done = sum(step.state == "done" for step in run.steps.values())
        told = say(
            "status_executing",
            problem=problem,
            mode=mode,
            done=str(done),
            total=str(len(run.steps)),
            steps=steps,
        )
    elif phase == "awaiting_approval" and plan is not None:
        told = say("status_awaiting_approval", problem=problem, mode=mode, count=words.count_of(plan))
    elif phase == "failed":
        told = say("status_failed", problem=problem, mode=mode, steps=steps)
    elif phase == "planning":
        told = say("status_planning", mode=mode, how=how)
    else:
        known = words.facts_in_lines(standing.facts.values())
        told = say("status_idle", mode=mode, facts=known and f"Known:\n{known}").rstrip()
    if standing.queued is not None:
        told += f"\n{say('status_queued', problem=standing.queued.problem)}"
    return told
