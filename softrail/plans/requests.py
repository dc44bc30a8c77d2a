"""Words about attached data, as planning meets them: whether they are a request, and the plan or question they come to."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import BaseModel

from softrail import Turn
from softrail.plans.data.profile import Source
from softrail.plans.data.sources import Sources
from softrail.plans.forms.behind import behind
from softrail.plans.forms.choices import LEFT_OUT, alike, leaves_out
from softrail.plans.forms.describing import may_be_described
from softrail.plans.forms.form import Drawn, Form, Question, Read
from softrail.plans.forms.leading import LONGEST, QUESTIONS, lead_of
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.small_words import carry_nothing
from softrail.plans.forms.steps import plan_of
from softrail.plans.forms.tokens import tokens
from softrail.plans.intents import CONTINUE, NEW
from softrail.plans.phases import Phase
from softrail.plans.pictures import wants_a_picture
from softrail.plans.plan import Plan
from softrail.plans.readings import Readings, Said
from softrail.plans.values import Standing
from softrail.plugin import encoder, language

_TYPO: Final = 0.75  #: a word as like a title as that is meant to be it
#: The verbs by which a sentence says how something is or was.
_TELLS: Final = frozenset(
    {
        *(
            "is",
            "are",
            "was",
            "were",
            "has",
            "have",
            "had",
            "will",
            "should",
            "must",
            "came",
            "went",
            "stands",
        ),
        *("fell", "rose", "grew", "dropped", "lost", "made", "says", "said", "heard", "think", "believe"),
    }
)
_LONGEST_SENSE: Final = 3  #: words with which something is left out: "leave out", "everything but"
PATIENCE: Final = (
    4.0  #: seconds that a turn waits for its words to be read over data; going on costs nobody anything
)
#: What words of a form do; a message with none of them is none, and nobody looks anything up for it.
_TELLING: Final = (
    *("roles", "aggregates", "grains", "relative", "extremes", "relations"),
    *("comparing", "along", "stepwise", "rest", "order"),
)


class Asked(BaseModel):
    """A question about a word that is open: what it is about, and what was said and chosen so far."""

    message: str
    new: bool  #: it was a request of its own, and no change of the plan
    phase: Phase  #: in which it was said
    about: str
    chosen: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Heard:
    """What words came to: a plan, a question, or neither."""

    plan: Plan | None
    question: Question | None
    sources: Sequence[Source]
    late: bool = False  #: it is still being read


class Requests:
    """Reads words about the data of a conversation."""

    def __init__(self, sources: Sources, readings: Readings) -> None:
        self._sources = sources
        self._readings = readings

    async def intent(self, message: str, said: Turn, standing: Standing) -> str | None:
        """The intent of a message that is about the attached data; None: it is not, or nothing is attached."""
        sources = await self._sources.of(said.session_id)
        if not sources or (standing.plan is None and tells(message)):
            return None
        asked = Said(message, sources, said.at.date(), before=_form(standing), waits=standing.waits)
        try:
            async with asyncio.timeout(PATIENCE):
                new, changed = await self._readings.intent(asked)
        except (
            TimeoutError
        ):  # much data, and a worker with much to do: what surely asks for a plan is told so
            return NEW if lead_of(message).is_strong else None
        return CONTINUE if changed is not None else NEW if new is not None else None

    async def heard(
        self,
        message: str,
        said: Turn,
        standing: Standing,
        *,
        new: bool,
        chosen: Mapping[str, str],
        waits: bool = False,
    ) -> Heard:
        """What a message comes to, as a request of its own or as a change of the plan, which `waits` for a yes.

        What a language model may understand is not asked about.
        """
        sources = await self._sources.of(said.session_id)
        before = None if new else _form(standing)
        asked = Said(message, sources, said.at.date(), before, chosen, surely=not said.has_model, waits=waits)
        try:
            async with asyncio.timeout(PATIENCE):
                found, plan = await self._readings.heard(asked)
                if isinstance(found, Question) and (small := await _small_words(message, found)):
                    asked = replace(asked, chosen={**chosen, found.about: small})
                    found, plan = await self._readings.heard(asked)
                if new and (form := _form(standing)) is not None and plan is None:
                    plan = await self._as_before(asked, found, form)
                    found = None if plan is not None else found
        except TimeoutError:
            return Heard(plan=None, question=None, sources=sources, late=True)
        question = await _ranked(found) if isinstance(found, Question) else None
        return Heard(plan=plan, question=question, sources=sources)

    async def _as_before(self, asked: Said, found: Form | Question | None, form: Form) -> Plan | None:
        """“Which month was the highest?”, asked of a plan: of the number that it tells, of the rows that count there."""
        if not isinstance(found, Question) or found.about != "?measure" or len(form.measures) != 1:
            return None
        [measure] = form.measures
        if measure.over or (measure.column and measure.aggregate not in ("sum", "mean", "count")):
            return None
        chosen = {**asked.chosen, "?measure": measure.column or "rows"}
        again, plan = await self._readings.heard(replace(asked, chosen=chosen))
        if not isinstance(again, Form) or again.table != form.table or again.measures != form.measures:
            return None
        if again.where or again.sides or not form.where:
            return plan
        reads = (*again.reads, *(Read(said="", means=one.told()) for one in form.where))
        return plan_of(again.model_copy(update={"where": form.where, "reads": reads}), asked.sources)

    async def drawn(self, said: Turn, form: Form, kind: Drawn) -> Plan:
        """The plan of a form whose charts are drawn otherwise."""
        sources = await self._sources.of(said.session_id)
        return plan_of(form.model_copy(update={"drawn": kind}), sources)

    async def described(self, message: str, said: Turn) -> str:
        """What each column holds that the message asks about; "" where it asks for anything else, or nothing is attached."""
        sources = await self._sources.of(said.session_id) if may_be_described(message) else ()
        return await self._readings.described(message, sources) if sources else ""

    async def names(self, message: str, said: Turn) -> bool:
        """Some word of a message names something in the attached data, or a time."""
        sources = await self._sources.of(said.session_id)
        return await self._readings.words(Said(message, sources, said.at.date())) > 0

    async def attached(self, said: Turn) -> Sequence[Source]:
        """The sources of the conversation."""
        return await self._sources.of(said.session_id)


async def _small_words(message: str, question: Question) -> str:
    """The key of the choice that leaves out what carries nothing of the words that nothing fits; "" where all may say something."""
    unfit = next((one.key for one in question.choices if leaves_out(one)), "")
    if question.why != "no_fit" or not unfit:
        return ""
    unknown = unfit.removeprefix(LEFT_OUT).split("|")
    small = await asyncio.to_thread(carry_nothing, message, unknown)
    return LEFT_OUT + "|".join(small) if small else ""


async def _ranked(question: Question) -> Question:
    """The choices for a word that nothing fits, the nearest in meaning first, unless one is nearly spelt like it."""
    near = any(alike(question.said, one.label) > _TYPO for one in question.choices)
    meaning = encoder() if question.why == "no_fit" and len(question.choices) > 1 and not near else None
    if meaning is None:
        return question
    texts = [question.said, *(one.label for one in question.choices)]
    word, *labels = await asyncio.to_thread(meaning.encode, texts)
    close = {one.key: float(vector @ word) for one, vector in zip(question.choices, labels, strict=True)}
    ordered = tuple(sorted(question.choices, key=lambda one: (leaves_out(one), -close[one.key])))
    return question.model_copy(update={"choices": ordered})


def _form(standing: Standing) -> Form | None:
    return standing.plan.form if standing.plan is not None else None


def may_be_one(message: str) -> bool:
    """Whether a message has words that forms are made with: only then is anything looked up for it."""
    if len(message) > LONGEST or "\n" in message or message.startswith("/"):
        return False
    words = tokens(message)
    if lead_of(message).name or behind(message).words != message.strip():
        return True
    if wants_a_picture(message) or any(one.word[:1].isdecimal() for one in words):
        return True
    senses = lexicon().senses
    if any(set(_TELLING) & set(senses.get((one.word,), {})) for one in words):
        return True
    runs = (words[at : at + size] for size in range(2, _LONGEST_SENSE + 1) for at in range(len(words)))
    return any("not" in senses.get(tuple(one.word for one in run), {}).get("roles", ()) for run in runs)


def tells(message: str) -> bool:
    """A sentence that says how something is: it has a verb for that, and does not begin as a request or a question does.

    Whether a plan is wanted all the same is not decided by that, but by whoever weighs it against what people tell.
    """
    lead = lead_of(message)
    if lead.name or language().is_question(message) or lead.first in QUESTIONS:
        return False
    return any(one.word in _TELLS for one in tokens(message)[1:])


def same_measures(one: Plan | None, other: Plan) -> bool:
    """Both are about the same numbers of the same table."""
    if one is None or one.form is None or other.form is None:
        return False
    columns = {measure.column for measure in one.form.measures}
    here = (one.form.source, one.form.table) == (other.form.source, other.form.table)
    return here and columns >= {measure.column for measure in other.form.measures}
