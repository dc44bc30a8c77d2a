"""What somebody hears who has no project yet: what they tell begins one on a yes, and what needs one is said so."""

from typing import Any, Final

from softrail import Clarify, Option, Prompts, RouteResult, Turn
from softrail.companion.catalogue import (
    CLARIFICATION,
    CREATE,
    LABELS,
    OF_PROJECTS,
    ORGANISE,
    SAVING,
    SEED,
    SHOW,
    starting_phrase,
)
from softrail.companion.understanding.phrases import phrases
from softrail.companion.voice.telling import varied
from softrail.plugin import IntentReading as Reading

_RESUME: Final = "resume"
_MAKE_ONE: Final = (SEED, "onboarding")  #: processes that come to a project
#: What the wishes are called that are of no use without a project.
NEEDS_ONE: Final = frozenset(
    [SAVING.label, ORGANISE.label, SHOW.label, *(LABELS[name] for name in OF_PROJECTS if name in LABELS)]
)


def needs_a_project(prompts: Prompts, turn: Turn) -> RouteResult | Clarify:
    """That there is no project; whoever tells what one would be about is asked whether to begin it."""
    if turn.holder is not None and turn.holder.title and turn.holder.process != CLARIFICATION:
        text = prompts.render("replies/no_project_meanwhile", process=turn.holder.title)
        return RouteResult(text=text, suggested_actions=[starting_phrase()])
    if turn.paused is not None and turn.paused.process in _MAKE_ONE:
        kept = f"{turn.paused.kept} " if turn.paused.kept else ""
        text = prompts.render("replies/no_project_paused", process=turn.paused.title, kept=kept)
        return RouteResult(text=text, suggested_actions=[_RESUME])
    text = prompts.render(varied(prompts, "replies/no_project", turn))
    return begin_with_it(prompts, RouteResult(text=text, suggested_actions=[starting_phrase()]))


def begin_with_it(prompts: Prompts, otherwise: RouteResult | Clarify | None = None) -> Clarify:
    """Whether a project shall begin with what was told, where it tells what one would be about."""
    return Clarify(
        question=prompts.render("replies/begin_with"),
        options=[beginning(prompts)],
        why="confirm",
        if_told=SEED,
        otherwise=otherwise,
    )


def beginning(prompts: Prompts, **parameters: Any) -> Reading:
    """The choice to begin a project, with what is known of it."""
    begin = Option(label=prompts.render("replies/choice_begin_with"), words=phrases().begins_one)
    return Reading(option=begin, intent=CREATE, parameters=parameters)
