"""What is told beside the question that is open: kept as a note, offered as one, or left to what it was taken for."""

import re
from collections.abc import Sequence
from dataclasses import replace

from softrail.core.intents import HUMAN, Intent
from softrail.core.reading import Command, Place, Reading
from softrail.dialogue.claims import AnswerHolder, Aside, AskAgain, Claim, Doubt, Human, Keep, PassOn, Way
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.hearing import Hearing
from softrail.dialogue.view import View, asks_here, is_learned, takes_anything
from softrail.language import Language

_CLAUSE = re.compile(r"[,;:–—]\s+(?:and\s+)?")
_FEWEST = 3  #: words of what may be told without words that say so
_OR_NOTE: Sequence[Way] = ("note", "neither")


def told_beside(claim: Claim, reading: Reading, view: View) -> Claim:
    """The claim, or that it may be told beside what is asked: where words say so, or where nothing is clear."""
    who = asks_here(view)
    if who is None or view.offer is not None or view.hint or not is_learned(reading) or takes_anything(who):
        return claim
    unclear = (
        (isinstance(claim, Doubt) and tuple(claim.ways) == ("answer", "neither") and not claim.answers)
        or (isinstance(claim, AskAgain) and claim.after in ("social", "not_understood"))
        or (isinstance(claim, PassOn) and claim.clear and claim.otherwise is None)
    )
    takes_it = isinstance(claim, AnswerHolder | Doubt | AskAgain | PassOn)
    if view.mends and takes_it:
        why = "It may put right what was kept last."
        return Aside(instance=who, told=view.beside, mends=True, otherwise=claim, why=why)
    if isinstance(claim, Human) and reading.exactly("ask") is not None:  # "can anybody else read this?"
        why = "It asks, and may want no person."
        return Aside(instance=who, told=None, elsewhere=True, otherwise=claim, why=why)
    says_so = view.beside is not None and (unclear or isinstance(claim, AnswerHolder | Doubt | PassOn))
    asks = reading.exactly("ask") is not None or len(reading.message.split()) < _FEWEST
    if not says_so and (asks or not unclear):
        return claim
    return Aside(instance=who, told=view.beside, otherwise=claim, why="It may be told beside what is asked.")


def asked_in(message: str, language: Language) -> str:
    """The clauses that ask, to the end of their sentences: "does that count?" of "two, does that count? say one"."""
    asked = []
    for sentence in re.split(r"(?<=[.!?;])\s+", message.strip()):
        begins = [0, *(found.end() for found in _CLAUSE.finditer(sentence))]
        ends = [*begins[1:], len(sentence)]
        clauses = zip(begins, ends, strict=True)
        asking = [start for start, end in clauses if language.is_question(sentence[start:end])]
        asked += [sentence[start:] for start in asking[:1]]
    return " ".join(asked)


class Asides:
    """Weighs it against what people tell elsewhere."""

    def __init__(self, parts: Parts, hearing: Hearing) -> None:
        self._parts = parts
        self._hearing = hearing

    async def weighed(self, draft: Draft, claim: Aside) -> Claim:
        """What is to be done: nothing is stored on a guess, neither as an answer nor as a note."""
        registry, then, told = self._parts.registry, claim.otherwise, claim.told
        keeper = registry.keeper()
        if keeper is None:
            return then
        found = await self._hearing.alone(draft)
        if (
            claim.mends
            and found.confidence >= 1.0
            and found.name != keeper.name
            and registry.acts(_act(found))
        ):
            return PassOn(instance=claim.instance, waits=True, why="It puts right what was kept last.")
        if claim.elsewhere and found.sure and found.name != HUMAN and registry.acts(_act(found)):
            return PassOn(instance=claim.instance, waits=True, asks=True, why="It asks for something else.")
        if claim.elsewhere or (claim.mends and not claim.told):
            return then
        alone = not (found.ambiguous or found.also)
        sure = found.tier == "exemplars" and found.sure and alone
        tells = found.name == keeper.name and alone
        if not (tells or (told and told.surely)) or (sure and not tells and registry.acts(_act(found))):
            return then
        if isinstance(then, AnswerHolder):
            open_field = self._parts.open_field(claim.instance)
            return _or_an_answer(then, claim, draft.message, open_field, surely=tells and sure)
        if isinstance(then, Doubt) and ("answer" in then.ways or _has_words(then)):
            return replace(then, ways=(*then.ways[:-1], *_OR_NOTE))
        text = told.text if told else str(found.parameters.get(keeper.keeps) or draft.message)
        if tells and sure:
            return Keep(instance=claim.instance, text=text, why="It is told beside what is asked.")
        why = "It may be told beside what is asked: asked."
        return Doubt(instance=claim.instance, ways=tuple(_OR_NOTE), text=text, why=why)

    async def behind_a_yes(self, draft: Draft, claim: Claim, place: Place, words: Language) -> Claim:
        """A yes to a summary, with what is said behind it: a question is answered when all is done, and what is told is kept before."""
        if place.wanted != "confirm" or not place.of_a_form or not isinstance(claim, AnswerHolder | Doubt):
            return claim
        rest = words.behind_its_yes(draft.message, place.done_words)
        agrees = isinstance(claim, AnswerHolder) and claim.on is not None and claim.on.act == "affirm"
        remembers = words.is_to_remember(rest)
        if not rest or not (agrees or remembers):
            return claim
        if isinstance(claim, AnswerHolder) and claim.asks:
            return replace(claim, rest=rest, asks=False)
        keeps = self._parts.registry.keeper() is not None
        if keeps and (remembers or await self._is_told(draft, rest, words)):
            draft.hear(rest)  # it is kept with what is agreed to, which is put once more
            return PassOn(instance=claim.instance, waits=True, why="Something is told behind the yes.")
        if agrees and (remembers or await self._hearing.is_a_wish(draft, rest)):
            draft.left_over = rest
        return claim

    async def _is_told(self, draft: Draft, rest: str, words: Language) -> bool:
        """It tells something that would be kept, and no reason for the yes."""
        return not words.gives_a_reason(rest) and await self._hearing.is_told(draft, rest)


def _or_an_answer(then: AnswerHolder, claim: Aside, message: str, open_field: str, *, surely: bool) -> Claim:
    """It was read as an answer, in words that say that it is told beside it: which of the two is asked.

    What changes another answer in words of its own, or agrees, is no remark unless it surely is one.
    """
    told = [c for c in then.reading.commands if c.act in ("inform", "correct") and c.values]
    if not told and then.reading.of("affirm", "negate", "none", "open") is not None:
        return then
    if not surely and told and not any(_answers(c, open_field) for c in told):
        return then
    why = "It may be an answer, or told beside it: asked."
    if not told:
        nothing = then.reading.of("correct") is not None  # and nobody has said what
        ways: Sequence[Way] = _OR_NOTE if nothing else ("answer", *_OR_NOTE)
        text = claim.told.text if nothing and claim.told else message.strip()
        return Doubt(instance=claim.instance, ways=tuple(ways), text=text, why=why)
    values = tuple(value for command in told for value in command.values)
    changes: Sequence[Way] = ("change", *_OR_NOTE)
    return Doubt(on=then.on, instance=claim.instance, ways=tuple(changes), changes=[values], why=why)


def _answers(command: Command, open_field: str) -> bool:
    return command.act == "inform" and any(value.field in ("", open_field) for value in command.values)


def _has_words(doubt: Doubt) -> bool:
    """It is asked about words that would be stored."""
    return any(value.text for way in doubt.changes for value in way)


def _act(found: Intent) -> str:
    """The intent, where it is no kind of talk."""
    return "" if found.is_talk else found.name
