"""What is asked instead of guessed: an answer, a change, a place, a yes, an option, each once."""

from collections.abc import Sequence

from softrail.core.instances import Instance
from softrail.core.reading import Act, Command, Reading, Wanted
from softrail.dialogue.claims import AskAgain, Claim, Doubt, Way
from softrail.dialogue.view import FEW, View, gives, ways_to_change

INSTEAD: tuple[Act, ...] = ("hold", "repeat", "social", "ask", "request")  #: of an answer
OPEN: tuple[Wanted, ...] = ("text", "list", "own")  #: what any words may answer
_NEARER = 0.03  #: by which an option must be nearer than the next to be asked about by itself
_ALONE: Sequence[tuple[Way, ...]] = (
    ("pause",),
    ("none",),
    ("none", "pause"),
)  #: asked about whatever answers the question


def doubted_change(reading: Reading, view: View, who: Instance) -> Claim:
    """Nothing is changed on a guess: what may be meant is on buttons, and the second time the question comes again."""
    if view.doubted:
        return in_doubt(reading, view, who, ())
    changes = ways_to_change(reading, view.bars)
    why = f"It may change {' or '.join(v.field for way in changes for v in way)}: asked."
    return Doubt(on=reading.of("correct"), instance=who, ways=("change", "neither"), changes=changes, why=why)


def doubted_place(reading: Reading, view: View, who: Instance) -> Claim | None:
    """It tells something, and for which answer is not sure: that is asked, once."""
    if not reading.maybe or view.doubted:
        return None
    asked = {value.field for value in reading.maybe}
    told = [c for c in reading.commands if c.act == "inform" and c.target == "other"]
    sure = [v for c in told if c.confidence >= view.bars.inform for v in c.values]
    besides = tuple(value for value in sure if value.text and value.field not in asked)
    if besides and not any(value.text for value in reading.maybe):
        return None  # what is told is the change: "I also called Bob" calls nothing else wrong
    changed = [c for c in reading.commands if c.act == "correct" and not c.confidence < view.bars.correct]
    besides += tuple(
        v for c in changed for v in c.values if v.text and v.field not in asked and view.bars.is_sure(v)
    )
    changes = [(*besides, value) for value in reading.maybe]
    why = f"It may be {' or '.join(v.field for v in reading.maybe)}: asked."
    return Doubt(on=reading.of("inform"), instance=who, ways=("change", "neither"), changes=changes, why=why)


def doubted_beside(reading: Reading, view: View, who: Instance) -> Claim | None:
    """It answers the question, and what else it tells is not sure: all of it is asked at once, once."""
    given = reading.of("inform", target="")
    if not reading.beside or view.doubted or given is None or not given.values:
        return None
    more = [v for c in reading.commands if c.act == "inform" and c.target == "other" for v in c.values]
    told = (
        *given.values,
        *(value for value in more if value.text),
    )  # of what there is none, nothing is asked
    why = f"The words beside it may be {' or '.join(v.field for v in reading.beside)}: asked."
    changes = [*((*told, value) for value in reading.beside), told]
    words = ", ".join(reading.beside[0].text.splitlines())
    return Doubt(on=given, instance=who, ways=("change", "neither"), text=words, changes=changes, why=why)


def doubted_consent(
    reading: Reading,
    view: View,
    who: Instance,
    *,
    least: float | None = None,
    ways: tuple[Way, ...] = ("yes", "no"),
) -> Doubt | None:
    """It may be a yes or a no, and is sure for neither: that is asked, once; None where it is hardly one.

    `least` is how likely it must be to be one; omitted: the bar of `doubt`.
    """
    least = view.bars.doubt if least is None else least
    if not view.yes_no or view.doubted or reading.likely("affirm", "negate") < least:
        return None
    if who.question is not None and who.question.kind == "approve":
        return None  # what is no clear yes there is a wish for something else, and never begins anything
    on = reading.of("affirm", "negate")
    return Doubt(on=on, instance=who, ways=ways, text=reading.message.strip(), why="A yes or a no: asked.")


def doubted_refusal(reading: Reading, view: View, who: Instance) -> Claim | None:
    """A no to a summary that may be to all of it: "I changed my mind, please don't book that"; None where it is none."""
    told = any(c.values for c in reading.commands if c.act in ("correct", "inform"))
    no = reading.of("negate")
    if view.wanted != "confirm" or view.doubted or told or no is None or no.confidence < view.bars.consent:
        return None
    why = "A no to all that is shown, or to a part of it: asked."
    return Doubt(on=no, instance=who, ways=("no", "pause"), text=reading.message.strip(), why=why)


def doubted_escape(on: Command, reading: Reading, who: Instance) -> Claim:
    """A word of leaving that may be the yes: "cancel it" to "Shall I cancel the order?" is asked."""
    why = "A yes to the question, or a word of leaving: asked."
    return Doubt(on=on, instance=who, ways=("yes", "pause"), text=reading.message.strip(), why=why)


def doubted_option(reading: Reading, view: View, who: Instance) -> Claim | None:
    """An option, a number or a day is likely meant, and not surely: it is asked, once."""
    given = reading.of("inform", target="likely") or reading.of("inform", target="")
    if view.wanted not in FEW or view.doubted or given is None or not given.values:
        return None
    rival = max(reading.likely(*INSTEAD), reading.likely("negate", "none", "open"))
    if given.confidence < max(view.bars.doubt, rival):
        return None
    likely = given.values[0].text
    why = f"It may be {likely!r}: asked."
    return Doubt(instance=who, ways=("answer", "neither"), text=likely, why=why)


def doubted_nearest(reading: Reading, view: View, who: Instance) -> Doubt | None:
    """An option is meant in words of one's own: the nearest is asked about first, once, and all others with it."""
    if view.wanted != "choice" or view.doubted or not reading.nearest:
        return None
    first, second, *others = reading.nearest
    ahead = bool(others) and first.confidence - second.confidence >= _NEARER  # of two, both are named
    why = f"It names no option, and {first.text!r} is nearest: asked."
    return Doubt(
        instance=who,
        ways=("answer", "neither"),
        text=first.text if ahead else "",
        answers=[one.text for one in reading.nearest],
        why=why,
    )


def may_be_none(reading: Reading, view: View) -> bool:
    """There may be none of what is asked for, and that would be an answer."""
    return view.none and reading.likely("none") >= view.bars.doubt


def doubted_none(reading: Reading, view: View, who: Instance) -> Claim:
    """It is asked whether there is none, or whether the words are the answer where any words may be."""
    answers = view.wanted in OPEN and reading.likely("inform") >= view.bars.doubt
    return in_doubt(reading, view, who, ("answer", "none") if answers else ("none",))


def doubted_refusal_to_answer(reading: Reading, view: View, who: Instance) -> Doubt | None:
    """Nothing that answers, and what can be left out may be: "better not" is asked about, once; None where it is not that."""
    refuses = reading.likely("negate", "none", "open", "leave", "human", "request") >= view.bars.rival
    if not (refuses and view.may_be_left_out) or view.doubted or gives(reading):
        return None
    why = "It may be meant to be left out: asked."
    return Doubt(instance=who, ways=("none", "neither"), text=reading.message.strip(), why=why)


def doubted_remark(reading: Reading, who: Instance) -> Doubt:
    """It is asked whether the words are the answer: any may be, and nobody knows them for anything else."""
    why = "Any words may be the answer: asked."
    return Doubt(instance=who, ways=("answer", "neither"), text=reading.message.strip(), why=why)


def leaving_in_doubt(who: Instance, message: str) -> Doubt:
    """Whether the process is to be paused is asked: nobody had anything else of the message."""
    why = "It may be a wish to leave: asked."
    return Doubt(instance=who, ways=("pause", "neither"), text=message.strip(), why=why)


def in_doubt(reading: Reading, view: View, who: Instance, ways: tuple[Way, ...]) -> Claim:
    """What the message may be is asked; the second time in a row the question itself comes again.

    After a doubt of another kind a wish to leave is one for the first time.
    """
    if ways == ("pause",) and view.may_be_left_out:
        ways = ("none", "pause")
    away = "pause" in ways and reading.likely("pause", "leave") >= view.bars.doubt
    if view.doubted and away and not view.asks_to_pause:
        ways = ("pause",)
    elif view.doubted or not ways or (view.wanted not in OPEN and ways not in _ALONE):
        return AskAgain(
            instance=who, after="not_understood", why=f"Not understood: {who.process} asks again."
        )
    why = f"It may be {' or '.join(ways)}: asked."
    return Doubt(
        on=reading.of("inform"), instance=who, ways=(*ways, "neither"), text=reading.message.strip(), why=why
    )
