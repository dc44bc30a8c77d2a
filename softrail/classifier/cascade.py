"""The five stages: split, exemplars, model, outcome; a hint never comes here."""

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from softrail.classifier.asking import Answer, ask
from softrail.classifier.conflict import Read, Wish, wanted
from softrail.classifier.encoder import MINILM, Encoder, encoder
from softrail.classifier.extract import filled, keeps
from softrail.classifier.plain import certain
from softrail.classifier.reading import Bars, Reading, asks_about, read, unread
from softrail.classifier.review import ReviewQueue
from softrail.classifier.served import may_be_served, served_first
from softrail.classifier.settle import settled
from softrail.classifier.split import Segment, joined, split
from softrail.classifier.text import READ, words
from softrail.classifier.words import cues
from softrail.core.errors import SoftrailError
from softrail.core.intents import GENERAL, GREETING, Candidate, Intent, IntentDefinition
from softrail.core.ports import Model, Prompts
from softrail.language import language

if TYPE_CHECKING:
    from softrail.classifier.head import Scores
    from softrail.classifier.heads import Heads, Known

log = logging.getLogger(__name__)

#: Messages expected to be none of the intents; the same as `head.STRANGERS`, which cannot be imported without numpy.
STRANGERS = 0.10

LEARN_FROM = 0.90  #: what the model was this sure of may become an example
IDLE = 0.90  #: talk beside a wish is left out only when it is this sure: a fact may look like talk


class Cascade:
    """Reads what a person wants: sure from the exemplars alone most of the time, else it asks a model or back.

    Implements `softrail.core.ports.Classifier`. What `classify` understands in `context`: `turns`, the last ones as
    mappings with `role` and `content`; `state`, one line about the project; `instead`, intents that cannot be meant
    as things are, with what is meant then (no artifact yet: "show me the report" asks about progress); `likelier`,
    intents that are meant so many times more often as things are than elsewhere; `offered`, the intent that begins
    what was just offered, where the message is neither a yes nor a no.
    """

    def __init__(
        self,
        *,
        encoder: Encoder | str | None = MINILM,
        cache: Path | None = None,
        prompts: Prompts | None = None,
        bars: Bars | None = None,
        strangers: float = STRANGERS,
        review: ReviewQueue | None = None,
    ) -> None:
        """Make one; nothing heavy is loaded before the first message or `warm`.

        Args:
            encoder: "minilm", "none", the name of a sentence-transformers model, or an object that encodes.
            cache: A folder for vectors and fitted heads; None keeps them in memory only.
            prompts: Where the model stage finds its prompt; None: the bundled text.
            bars: What decides.
            strangers: The share of messages expected to be none of the intents.
            review: Takes messages that only the model was sure of, as examples for a person to accept.

        Raises:
            DefinitionError: The encoder needs a package that is not installed.
        """
        self._encoder = _encoder(encoder)
        self._folder = cache
        self._prompts = prompts
        self._strangers = strangers
        self._review = review
        self._heads: Heads | None = None
        self.bars = bars if bars is not None else Bars()

    async def warm(self, candidates: Sequence[IntentDefinition]) -> None:
        """Load and fit now what the first message would wait for."""
        await asyncio.to_thread(self._warm, candidates)

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        """The intent among `candidates`; never raises for any text."""
        context = context or {}
        definitions = {d.name: d for d in candidates}
        if not words(message):
            return Intent(
                name=GENERAL, confidence=0.0, tier="default", explanation="there are no words in it"
            )
        if GREETING in definitions and language().is_greeting(message):
            return certain(GREETING, None)
        segments = settled(split(message))
        readings = await asyncio.to_thread(self._readings, message, segments, candidates, context)
        if isinstance(readings, Intent):
            return filled(readings, definitions, message, message)
        if readings:
            decided = self._decide(message, segments, readings, definitions)
            unserved = context.get("unserved") or ()
            if may_be_served(decided, candidates, unserved):
                served = self._ready(), self.bars, str(context.get("under_way") or ""), unserved
                decided = await asyncio.to_thread(served_first, decided, message, candidates, *served)
            log.debug("%s", decided.explanation)
            if model is None or decided.tier == "exemplars":
                return decided
        else:
            decided = Intent(
                name=GENERAL, confidence=0.0, tier="default", explanation="no intent has examples"
            )
        if model is None or not candidates:
            return decided
        asked = await ask(
            model,
            message,
            candidates,
            prompts=self._prompts,
            context=context,
            candidates=decided.candidates,
        )
        if asked.answer is None:  # what was read without it stays
            why = f"{decided.explanation}; {asked.why}".removeprefix("; ")
            return replace(decided, explanation=why, prompts=(*decided.prompts, asked.prompt), unheard=True)
        told = self._told(asked.answer, asked.prompt, decided, definitions, decided.text or message)
        if self._review is not None and told.confidence >= LEARN_FROM and told.name != GENERAL:
            await asyncio.to_thread(_proposed, self._review, message, told, context)
        return told

    # -- 3 exemplars

    def _ready(self) -> "Heads":
        from softrail.classifier.heads import heads

        if self._heads is None:
            self._heads = heads(self._encoder, self._folder, strangers=self._strangers)
        return self._heads

    def _warm(self, candidates: Sequence[IntentDefinition]) -> None:
        self._ready().known(candidates).scores(["warm"])

    def _readings(
        self,
        message: str,
        segments: Sequence[Segment],
        candidates: Sequence[IntentDefinition],
        context: Mapping[str, Any],
    ) -> list[Reading] | Intent:
        """The whole message and each segment as the exemplars see them; an Intent when it is an exemplar itself."""
        known = self._ready().known(candidates)
        instead, likelier = _instead(context), _likelier(context)
        for said in dict.fromkeys([message, known.mended(message)]):
            if (same := known.exactly(said)) is not None and same[0] not in instead:
                return certain(*same)
        # An aside says nothing about what is wanted, not even as a part of the whole.
        asked = [s.text for s in segments if not s.aside]
        untouched = len(asked) == len(segments) and not any(s.settled for s in segments)
        whole = message if untouched or not asked else " ".join(asked)
        texts = list(dict.fromkeys([whole, *asked]))
        definitions = {d.name: d for d in candidates}
        scored = dict(zip(texts, known.scores([known.mended(t[:READ]) for t in texts]), strict=False))

        def reading(text: str, doubted: str = "") -> Reading:
            if known.foreign(text):
                return unread(text)
            scores = scored[text]
            return read(
                text,
                dict(zip(scores.intents, map(float, scores.probabilities), strict=True)),
                scores.in_scope,
                scores.nearest,
                definitions,
                bars=self.bars,
                instead=instead,
                keeps=known.keeping,
                doubted=doubted,
                likelier=likelier,
            )

        if not scored:
            return []
        read_whole = reading(whole)
        if (begins := self._on_offer(known, context, whole, scored[whole], read_whole)) is not None:
            return begins
        if len(segments) == 1:
            return [read_whole]
        # An aside stands for the whole: nobody asks what it alone would mean.
        parts = [reading(whole if s.aside else s.text) for s in segments]
        denied = next(
            (p.doubted for p, s in zip(parts, segments, strict=True) if p.doubted and not s.aside), ""
        )
        return [reading(whole, denied) if denied else read_whole, *parts]

    def _on_offer(
        self, known: "Known", context: Mapping[str, Any], said: str, scores: "Scores", reading: Reading
    ) -> Intent | None:
        """What was just offered, where the words may well mean that and are no sure wish for something else."""
        if not context.get("offered") or known.head is None or reading.doubted or known.foreign(said):
            return None
        definitions = {d.name: d for d in known.definitions}
        offered, read_as = definitions.get(context["offered"]), definitions.get(reading.label)
        # A courtesy is named below the floor; whatever else is talk, and named, is a wish that is declined.
        named = read_as.bar if read_as is not None and "." in reading.label else None
        wish = reading.best.intent != GENERAL or (named is not None and named > self.bars.floor)
        if offered is None or (reading.sure and wish):
            return None
        if language().is_question(said) and not cues().requests.match(said):
            return None  # a question about it is no consent
        from softrail.classifier.offered import taken_up

        chance = taken_up(known.head, offered, known.mended(said[:READ]), scores)
        if chance < self.bars.bar:
            return None
        why = f"{offered.name} was offered, and is meant at {chance:.2f}; {reading.explain()}"
        return Intent(name=offered.name, confidence=chance, tier="exemplars", explanation=why)

    # -- 2 and 5: which parts count, and the outcome

    def _decide(
        self,
        message: str,
        segments: Sequence[Segment],
        readings: Sequence[Reading],
        definitions: Mapping[str, IntentDefinition],
    ) -> Intent:
        whole, parts = readings[0], readings[1:]
        heard = [_heard(s, r, definitions) for s, r in zip(segments, parts, strict=False)]
        found = wanted(heard) if heard else None
        if found is None:
            said = joined(message, segments, [i for i, s in enumerate(segments) if not s.aside or s.corrects])
            said = said or message
            text = said if said != message.strip() else ""
            return replace(self._outcome(whole, definitions, said, whole.text), text=text)
        first, *also = (
            self._wished(wish, joined(message, segments, wish.parts), parts, definitions)
            for wish in found.wishes
        )
        return replace(first, also=tuple(also), left_over=joined(message, segments, found.left))

    def _wished(
        self, wish: Wish, said: str, parts: Sequence[Reading], definitions: Mapping[str, IntentDefinition]
    ) -> Intent:
        lead = parts[wish.lead]
        return replace(self._outcome(lead, definitions, said, lead.text), text=said)

    def _outcome(
        self, reading: Reading, definitions: Mapping[str, IntentDefinition], said: str, about: str
    ) -> Intent:
        """The intent without a model; `said` gives its parameters, `about` its target."""
        best, shown = reading.best, tuple(reading.intents)
        found = Intent(
            name=reading.label,
            confidence=best.confidence,
            tier="exemplars" if reading.sure else "floor",
            candidates=shown,
            explanation=reading.explain(),
            scores=reading.scores,
        )
        if not reading.sure and reading.torn(self.bars):
            why = f"torn between {shown[0].intent} and {shown[1].intent}"
            found = replace(found, ambiguous=True, explanation=f"{why}: {reading.explain()}")
        elif best.confidence < self.bars.floor:
            return replace(
                found, name=GENERAL, tier="default", explanation=f"{reading.explain()}: too unsure"
            )
        return filled(found, definitions, said, about)

    # -- 4 model

    def _told(
        self,
        answer: Answer,
        prompt: str,
        before: Intent,
        definitions: Mapping[str, IntentDefinition],
        message: str,
    ) -> Intent:
        """What the model's answer makes of it."""
        found = Intent(
            name=GENERAL,
            confidence=0.0,
            tier="model",
            candidates=before.candidates,
            scores=before.scores,
            prompts=(prompt,),
            text=before.text,
        )
        readings = [Candidate(intent=answer.intent, confidence=answer.confidence)]
        if answer.alternative is not None:
            name, confidence = answer.alternative
            readings = sorted(
                [*readings, Candidate(intent=name, confidence=confidence)], key=lambda c: -c.confidence
            )
        found = replace(
            found,
            confidence=answer.confidence,
            candidates=tuple(readings),
            explanation=f"the model read {answer.intent} at {answer.confidence:.2f}",
        )
        values = answer.parameters
        if _torn(readings, self.bars):
            found = replace(found, name=readings[0].intent, confidence=readings[0].confidence, ambiguous=True)
            values = values if readings[0].intent == answer.intent else {}
        elif answer.confidence < self.bars.model or answer.intent == GENERAL:
            return found
        else:
            found = replace(found, name=answer.intent)
        return filled(found, definitions, message, message, values)


def default_cache() -> Path:
    """Where caches of this person belong: `$XDG_CACHE_HOME/softrail`, else `~/.cache/softrail`."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "softrail"


def _proposed(review: ReviewQueue, message: str, told: Intent, context: Mapping[str, Any]) -> None:
    """Puts a message in the queue; a queue that cannot take it costs an example, never a turn."""
    try:
        review.propose(
            message,
            told.name,
            why=f"the model read it so at {told.confidence:.2f}",
            person_id=str(context.get("person_id") or ""),
            session_id=str(context.get("session_id") or ""),
        )
    except (OSError, SoftrailError) as error:
        log.warning("A message is not kept for review: %s", error)


def _torn(readings: Sequence[Candidate], bars: Bars) -> bool:
    if len(readings) < 2 or GENERAL in {r.intent for r in readings}:
        return False
    one, two = readings
    return two.confidence >= bars.floor and one.confidence - two.confidence <= bars.close + 1e-9


def _heard(segment: Segment, reading: Reading, definitions: Mapping[str, IntentDefinition]) -> Read:
    meant = definitions.get(reading.label)
    return Read(
        segment,
        reading.label,
        reading.sure and (reading.label != GENERAL or reading.best.confidence >= IDLE),
        keeps=meant is not None and keeps(meant),
        denies="" if segment.aside else reading.doubted,
        asks=asks_about(segment.text),
    )


def _instead(context: Mapping[str, Any]) -> Mapping[str, str]:
    found = context.get("instead")
    return found if isinstance(found, Mapping) else {}


def _likelier(context: Mapping[str, Any]) -> Mapping[str, float]:
    found = context.get("likelier")
    return found if isinstance(found, Mapping) else {}


def _encoder(wanted: Encoder | str | None) -> Encoder | None:
    return encoder(wanted) if isinstance(wanted, str) else wanted
