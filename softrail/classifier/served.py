"""What an application's author serves comes before talk: a second look at what was read as talk, among the author's intents alone.

People say thousands of things that are told of talk, and of wishes that nothing here serves; an author writes three examples.
Beside those thousands the three are hardly ever likely, however near they are: whoever has a bakery take orders is told
that nothing can be ordered. So what is talk by all that is known is looked at once more by what the author wrote alone: by a
head of it, and by how near the words are to it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from softrail.classifier.extract import filled
from softrail.classifier.nearness import FAR_AHEAD, SURELY_NEAR, nearest, nearness
from softrail.classifier.reading import Bars, Reading, read
from softrail.classifier.text import READ
from softrail.classifier.words import cues
from softrail.core.intents import CONFIDENCE_THRESHOLD, GENERAL, Candidate, Intent, IntentDefinition
from softrail.core.reading import just_below
from softrail.language import language

if TYPE_CHECKING:
    from softrail.classifier.head import Head
    from softrail.classifier.heads import Heads, Known

#: How likely it is to be meant beside all talk, at least, to begin; below it is asked. Measured, with `ASKED`, on eleven
#: applications made of public sets: docs/reference/classifier.md
BESIDE_TALK: Final = 0.005
#: How near words must be to one of the author's intents to be put beside a wish that is read.
_NEARER: Final = 0.55
ASKED: Final = 0.60  #: how likely it is among the author's intents alone, to be asked about


def may_be_served(
    found: Intent, candidates: Sequence[IntentDefinition], unserved: Collection[str] = ()
) -> bool:
    """Something that an author serves may be meant, or by a further wish of the message.

    `unserved`: intents that are of no use to who said it.
    """
    wishes = (found, *found.also)
    return bool(_authors(candidates)) and any(_is_open(one, unserved) or _acts(one) for one in wishes)


def served_first(
    found: Intent,
    message: str,
    candidates: Sequence[IntentDefinition],
    heads: "Heads",
    bars: Bars,
    within: str,
    unserved: Collection[str] = (),
) -> Intent:
    """With what an author serves in place of talk that rather means it, wish by wish; `within`: the process under way."""
    own, definitions = _authors(candidates), {one.name: one for one in candidates}
    known, whole = heads.known(own), heads.known(candidates).head
    head = known.head
    if head is None or head.encoder is None or whole is None:
        return found

    def meant(wish: Intent) -> Intent:
        said = wish.text or message
        if known.foreign(said):
            return wish
        if not _is_open(wish, unserved):
            return _or_nearer(wish, own, head, whole, said) if not within else wish
        bar = definitions[wish.name].bar if wish.name in definitions else None
        courtesy = "." in wish.name and bar is not None and bar <= bars.floor
        other = rather(
            wish, _read_alone(known, said, definitions, bars), bars, within=within, courtesy=courtesy
        )
        if not within and (other is None or other.is_talk):
            least = nearness(whole, wish.name, said) if courtesy else 0.0
            near = _near(wish, own, head, known.mended(said[:READ]), least=least)
            other = near if other is None or (near is not None and not near.is_talk) else other
        return wish if other is None else filled(other, definitions, said, said)

    return replace(meant(found), also=tuple(map(meant, found.also)), left_over=found.left_over)


def _authors(candidates: Sequence[IntentDefinition]) -> tuple[IntentDefinition, ...]:
    """The author's intents, where others stand beside them of which thousands of messages are known; else none."""
    if not any(one.voices for one in candidates):
        return ()
    return tuple(one for one in candidates if one.authors_own)


def _is_open(found: Intent, unserved: Collection[str]) -> bool:
    """It was read as talk, or as what is of no use here, or is not sure: something that the author serves may be meant."""
    return (
        not found.ambiguous
        and found.confidence < 1.0
        and (found.is_talk or found.name in unserved or found.tier in ("floor", "default"))
    )


def _acts(found: Intent) -> bool:
    """It was read as a wish that is none of the author's, and is not certain."""
    return found.tier == "exemplars" and not (found.ambiguous or found.is_talk) and found.confidence < 1.0


def _near(
    found: Intent, own: Sequence[IntentDefinition], head: "Head", said: str, *, least: float
) -> Intent | None:
    """What of the author's intents the words are near to: it begins, or is asked about; None where none is near.

    `least`: how near they must be at least, as they are to what they are read as; to begin they must be far nearer.
    """
    if found.name in head.intents:
        return None  # it is one of them already
    near = nearest(head, own, said)
    if not near or near[0].near < least:
        return None
    likely = [Candidate(intent=one.intent, confidence=one.near) for one in near]
    why = f"near to {' and '.join(sorted(one.intent for one in near))} at {near[0].near:.2f}"
    meant = _meant(found, likely, why)
    asks = language().is_question(said) and not cues().requests.match(said)
    if len(near) > 1 or near[0].near < max(SURELY_NEAR, least + FAR_AHEAD) or asks:
        return replace(meant, name=GENERAL, tier="default", confidence=0.0)
    return meant


def _or_nearer(
    found: Intent, own: Sequence[IntentDefinition], head: "Head", whole: "Head", said: str
) -> Intent:
    """A wish, or which of the two is meant where the words are nearer to one of the author's intents."""
    if not _acts(found) or found.name in head.intents:
        return found
    near = nearest(head, own, said)
    if not near or near[0].near < max(_NEARER, nearness(whole, found.name, said)):
        return found
    both = (
        Candidate(intent=found.name, confidence=found.confidence),
        Candidate(intent=near[0].intent, confidence=near[0].near),
    )
    why = f"{found.explanation}; nearer to {near[0].intent} at {near[0].near:.2f}"
    return replace(found, ambiguous=True, candidates=both, explanation=why)


def _read_alone(
    known: "Known", said: str, definitions: Mapping[str, IntentDefinition], bars: Bars
) -> Reading:
    """The reading of a text among the author's intents, and talk for what is left."""
    scores = known.scores([known.mended(said[:READ])])[0]
    chances = dict(zip(scores.intents, map(float, scores.probabilities), strict=True))
    among = {name: one for name, one in definitions.items() if name in chances or name == GENERAL}
    return read(
        said, chances, scores.in_scope, scores.nearest, among, bars=bars, instead={}, keeps=known.keeping
    )


def rather(
    found: Intent, own: Reading, bars: Bars, *, within: str = "", courtesy: bool = False
) -> Intent | None:
    """What is meant by the author's intents alone: it begins, or is asked about; None: it is as it was read.

    In the middle of a process (`within`) it is only asked about, for what is said there is mostly an answer; and so it is
    where a word of `courtesy` was read: "you booked the wrong table".
    """
    best = own.best
    if best.intent == GENERAL or own.doubted or best.confidence < ASKED or found.name == best.intent:
        return None
    sure, left = best.confidence >= bars.bar, 1.0 - best.confidence
    beside = max((one.confidence for one in found.candidates if one.intent == best.intent), default=0.0)
    meant = _meant(found, [best], f"of what is served here it is {best.intent} at {best.confidence:.2f}")
    asked = replace(meant, name=GENERAL, tier="default", confidence=left)
    if within and best.intent == f"start_{within}":
        return replace(
            asked, candidates=meant.candidates[1:]
        )  # it speaks of what is under way: nothing is declined
    if not sure and (within or courtesy):
        return None
    if within:
        return replace(meant, tier="floor", confidence=min(best.confidence, just_below(CONFIDENCE_THRESHOLD)))
    return meant if sure and beside >= BESIDE_TALK and not courtesy else asked


def _meant(found: Intent, likely: Sequence[Candidate], why: str) -> Intent:
    """The first of these in place of what was found, with all else as likely as it leaves."""
    best, names = likely[0], {one.intent for one in likely}
    others = (_at_most(one, 1.0 - best.confidence) for one in found.candidates if one.intent not in names)
    return replace(
        found,
        name=best.intent,
        tier="exemplars",
        confidence=best.confidence,
        candidates=(*likely, *others),
        explanation=f"{found.explanation}; {why}",
    )


def _at_most(one: Candidate, most: float) -> Candidate:
    return replace(one, confidence=min(one.confidence, most))
