"""The rows that come first: commands, answers to older questions, coming and going. No process can swallow them."""

from collections.abc import Sequence
from typing import Final

from softrail.core.attachments import wants_file
from softrail.core.instances import State
from softrail.core.questions import Pending
from softrail.core.reading import ASKED, TOLD, Act, Command, Reading
from softrail.dialogue.claims import (
    AnswerHolder,
    AnswerLate,
    AnswerOffer,
    AskAgain,
    Claim,
    Leave,
    Manner,
    PassOn,
    Resume,
    RunCommand,
    Settle,
    Stale,
    StartAnother,
    StartOver,
    TakeBack,
    Tell,
    Way,
)
from softrail.dialogue.doubts import OPEN, doubted_escape, in_doubt
from softrail.dialogue.offers import ANSWERS
from softrail.dialogue.view import (
    View,
    asks_back,
    chooses,
    takes_anything,
    to_come_back_to,
)
from softrail.language import normal

_GOES_ON: Final[Sequence[Act]] = ("none", "resume")  #: "that's all", "go on": to what is shown a yes


def slash_word(reading: Reading, view: View) -> Claim | None:
    """A command wins over everything else."""
    on = reading.exactly("slash")
    return (
        RunCommand(on=on, name=on.target, argument=on.rest, why=f"The command /{on.target}.") if on else None
    )


def stale_answer(reading: Reading, view: View) -> Claim | None:
    """An answer to a question that is not open consents to nothing; only an escape word still counts.

    "Not now" is one, and a button of every offer: there it was said of the old one.
    """
    if not view.stale:
        return None
    button = normal(reading.message) in {normal(option.label) for option in ANSWERS}
    away = left_in_front(reading, view) if view.offer is None and not button else None
    if away is not None and away.on is not None and away.on.act == "pause":
        return away
    return Stale(why="It answers a question that is no longer open.")


def valued(reading: Reading, view: View) -> Claim | None:
    """A value answers the open question and means nothing else, where that has a form for it."""
    on, asker = reading.exactly("inform", target="value"), view.asker
    if on is None:
        return None
    if asker is None or view.pending is None or view.pending.question.answer_schema is None:
        return Stale(on=on, outcome="no_value", why="The open question takes no value.")
    if asker.state is State.SUSPENDED:
        return AnswerLate(on=on, instance=asker, reading=reading, why=f"A late value for {asker.process}.")
    return AnswerHolder(on=on, instance=asker, reading=reading, why=f"A value for {asker.process}.")


def filed(reading: Reading, view: View) -> Claim | None:
    """A file answers the question that asks for one, and no other; it stays in the session all the same."""
    on, who = reading.exactly("inform", target="file"), view.asker
    if (lost := reading.exactly("inform", target="lost")) is not None:
        return Stale(on=lost, outcome="file_gone", why="A file that it brings is not there.")
    if on is None:
        return None
    if who is None and view.offer is None:
        who = view.front
    if who is None or who.question is None or not wants_file(who.question.answer_schema):
        return Stale(on=on, outcome="no_file", why="Nobody asks for a file.")
    if who.state is State.SUSPENDED:
        return AnswerLate(on=on, instance=who, reading=reading, why=f"A late file for {who.process}.")
    return AnswerHolder(on=on, instance=who, reading=reading, why=f"A file for {who.process}.")


def doubt_settled(reading: Reading, view: View) -> Claim | None:
    """A doubt is answered with one of its buttons: what was said before counts as that says.

    A reply later, too, where it says what changes; any other button answers what is no longer open.
    """
    on = reading.exactly("inform", target="doubt")
    if on is not None:
        return _settles(on.values[0].text, on, view, view.pending)
    late, before = reading.exactly("inform", target="before"), view.before
    if late is None or chooses(reading):
        return None
    claim = _settles(late.values[0].text, late, view, before)
    same = before is not None and view.asker is not None and before.instance_id == view.asker.id
    if same and isinstance(claim, Settle) and claim.way in ("change", "neither"):
        return claim
    return Stale(on=late, why="It answers a question that is no longer open.")


def _settles(chosen: str, on: Command, view: View, pending: Pending | None) -> Claim | None:
    if view.asker is None or pending is None or pending.doubted is None:
        return None
    doubted = pending.doubted
    if doubted.answers and chosen.isdecimal():
        meant = doubted.model_copy(update={"text": doubted.answers[int(chosen) - 1]})
        return Settle(
            on=on, instance=view.asker, way="answer", doubted=meant, why=f"It was meant as: {meant.text}."
        )
    change = doubted.changes[int(chosen) - 1] if chosen.isdecimal() else ()
    way: Way = "change" if change else chosen  # type: ignore[assignment] # the values of our own buttons
    why = f"It was meant as: {way}."
    return Settle(on=on, instance=view.asker, way=way, doubted=doubted, change=change, why=why)


def said_to_a_doubt(reading: Reading, view: View) -> Claim | None:
    """A yes or a no while it is asked what was meant is said to that: it agrees to nothing that lies beneath.

    A yes to none of what is on the buttons leaves the doubt: what lies beneath is put again as it is.
    """
    if not view.doubted or view.pending is None:
        return None
    on, shown = reading.of("affirm", "negate"), view.wanted == "confirm"
    if shown and (on is None or on.confidence < view.bars.consent):
        on = reading.exactly(*_GOES_ON)
    if on is None or on.confidence < view.bars.consent or view.beside is not None:
        return None
    told = any(c.values and c.confidence >= view.bars.inform for c in reading.commands)
    other: Sequence[Act] = ("pause", "leave", "undo", "start_over", *(() if shown else _GOES_ON))
    if (told and on.layer != "exact") or reading.exactly(*other) is not None:
        return None
    ways = [option.value or "" for option in view.pending.question.options]
    said = "yes" if on.act == "affirm" else "no"
    if said == "no" or view.another_deed:  # what is to be done is not what was asked
        return _settles("no" if on.act == "negate" and "no" in ways else "neither", on, view, view.pending)
    if said in ways:
        return _settles(said, on, view, view.pending)
    if view.pending.doubted is not None and view.pending.doubted.answers and view.pending.doubted.text:
        return _settles("1", on, view, view.pending)  # "Is that student?"
    meant = [way for way in ways if way != "neither"]
    return _settles(meant[0] if len(meant) == 1 else "neither", on, view, view.pending)


def offer_left(reading: Reading, view: View) -> Claim | None:
    """After an offer, words of leaving decline it. What is left of the message is still to be answered."""
    on = reading.exactly("pause", "leave")
    if view.offer is None or on is None or on.target.startswith("other:"):
        return None
    why = f"The offer of {view.offer.process} was refused."
    return AnswerOffer(on=on, instance=view.offer, word="no", rest=on.rest, why=why)


def taken_back(reading: Reading, view: View) -> Claim | None:
    """What the turn before left or refused is back on the next one."""
    if view.undo is None:
        return None
    on = reading.exactly("undo") or reading.exactly("resume", target="")
    if on is None or chooses(reading):
        return None
    how = "declined" if view.undo.state is State.DECLINED else "left"
    return TakeBack(on=on, instance=view.undo, why=f"{view.undo.process} was {how} on the turn before.")


def resumed(reading: Reading, view: View) -> Claim | None:
    """What was paused is picked up: by its name, else the last one."""
    on = reading.exactly("resume")
    if on is None or chooses(reading):
        return None
    named = to_come_back_to(reading)
    offered = view.offer is not None and view.pending is not None and view.pending.resume and not named
    if offered or (view.holder is not None and view.yes_no and not asks_back(view.holder)):
        return None  # "continue" is the yes to that question
    for instance in view.paused:
        if not named or instance.process in named:
            why = f"{instance.process} was paused and is picked up."
            return Resume(on=on, instance=instance, why=why)
    if view.expired is not None:
        why = f"{view.expired.process} was paused for too long."
        return Resume(on=on, instance=view.expired, expired=True, why=why)
    if view.front is None and named:
        return Resume(on=on, instance=None, why="A process was named that is not paused.")
    return None  # a bare "go on" may be meant for the talk itself


def begun_again(reading: Reading, view: View) -> Claim | None:
    """What is in front begins again, with nothing answered."""
    on = reading.exactly("start_over")
    if on is None or view.offer is not None or chooses(reading) or own_words(reading, view) is not None:
        return None
    if view.front is None:
        return StartOver(on=on, instance=None, why="There was nothing in front to start over.")
    return StartOver(on=on, instance=view.front, why=f"{view.front.process} begins again.")


def another_wanted(reading: Reading, view: View) -> Claim | None:
    """Asking by name for another process suspends the holder, says so, and starts the new one."""
    if view.front is None:
        return None
    on = reading.exactly("start")
    wanted = on.target if on is not None else view.hinted
    if wanted is None or chooses(reading):
        return None
    standing = view.standing.get(wanted)
    held = "is under way already" if standing is not None else "was asked for while another held"
    return StartAnother(on=on, process=wanted, standing=standing, why=f"{wanted} {held}.")


def answers_taken_back(reading: Reading, view: View) -> Claim | None:
    """What the turn before has changed of the answers is as it was before, and the question comes again."""
    on = reading.exactly("undo")
    if on is None or not view.changed or view.front is None or chooses(reading):
        return None
    why = f"The turn before has changed answers of {view.front.process}."
    return AnswerHolder(on=on, instance=view.front, reading=reading.evolve(commands=(on,)), why=why)


def nothing_to_come_back_to(reading: Reading, view: View) -> Claim | None:
    """With nothing to come back to, "resume" and "undo" are no answer either: the question comes again.

    What was done beside the process may still be undone, by whoever did it.
    """
    if view.front is None or view.yes_no or not view.known or chooses(reading):
        return None
    why = f"There was nothing to come back to: {view.front.process} asks again."
    if (on := reading.exactly("undo")) is not None:
        return PassOn(on=on, instance=view.front, waits=True, clear=True, aside="nothing_to_undo", why=why)
    on = reading.exactly("resume", target="") or reading.exactly("resume", target=view.front.process)
    return AskAgain(on=on, instance=view.front, after="already_in", why=why) if on is not None else None


def greeted(reading: Reading, view: View) -> Claim | None:
    """A greeting answers no question: it is returned, and the question is asked again."""
    on = reading.exactly("social", target="greeting")
    front = view.front
    if on is None or front is None or not view.known or chooses(reading):
        return None
    if front.question is None or front.question.takes_anything:
        return None
    return AskAgain(
        on=on, instance=front, after="greeted", why=f"A greeting is no answer: {front.process} asks again."
    )


def left_in_front(reading: Reading, view: View) -> Claim | None:
    """An escape word pauses what is in front, an exit or a refusal ends it."""
    on = reading.exactly("pause", "leave")
    front = view.front
    if on is None or on.target.startswith("other:") or chooses(reading):
        return None
    if front is None:
        return _let_go(on, view)
    if on.target == ASKED and view.known and not view.doubted:  # said once more, it leaves
        return doubted_escape(on, reading, front)
    if on.act == "pause" or on.target == ASKED:
        return Leave(on=on, instance=front, manner="escape", why=f"An escape word paused {front.process}.")
    manner: Manner = "exit" if on.target == "exit" else "refusal"
    return Leave(on=on, instance=front, manner=manner, rest=on.rest, why=f"The person left {front.process}.")


def _let_go(on: Command, view: View) -> Claim | None:
    """Where nothing is in front, what goes on in the background is told of it, if it has asked to be."""
    if view.quiet is None or view.offer is not None or on.target == "exit":
        return None
    why = f"Words of leaving, and {view.quiet.process} goes on in the background."
    return Leave(on=on, instance=view.quiet, manner="escape", rest=on.rest, quiet=True, why=why)


def left_by_name(reading: Reading, view: View) -> Claim | None:
    """The same for what waits underneath or goes on in the background, by its name."""
    if not view.others or chooses(reading):
        return None
    for on in reading.commands:
        instance = view.others.get(on.target.removeprefix("other:"))
        if instance is not None and on.act in ("pause", "leave"):
            manner: Manner = "exit" if on.act == "pause" or not on.rest else "refusal"
            why = f"The person left {instance.process}."
            return Leave(on=on, instance=instance, manner=manner, rest=on.rest, front=False, why=why)
    return None


def own_words(reading: Reading, view: View) -> Claim | None:
    """Words that a process knows for its own, where nothing is asked, or said to the one that asks."""
    if view.own is None or view.offer is not None or chooses(reading):
        return None
    process, intent = view.own
    if view.front is not None and view.front.process != process:
        return None
    return Tell(process=process, intent=intent, why=f"Words of {process}'s own: {intent.name}.")


def asked_for(reading: Reading, view: View) -> Claim | None:
    """Something is to be remembered, or asked for in the words that people are told to say for it: that is no answer.

    Where any words may be one, those that are told may be meant as the answer: which of the two is asked.
    """
    on, front = reading.exactly("request"), view.front
    if on is None or front is None or view.offer is not None or chooses(reading):
        return None
    if on.target == TOLD and view.hint:
        return None  # it is said what is wanted
    if on.target == TOLD and view.wanted in OPEN and view.known:
        return in_doubt(reading, view, front, ("answer", "request"))
    if takes_anything(front):
        return None
    what = "Something that is told to be said" if on.target == TOLD else "Something to remember"
    return PassOn(on=on, instance=front, waits=True, why=f"{what}: {front.process} waits.")


def hinted(reading: Reading, view: View) -> Claim | None:
    """What the frontend says that the person wants is no answer; where questions pass, it goes the free way."""
    front = view.front
    if not view.hint or front is None or view.offer is not None or chooses(reading):
        return None
    if view.contract == "exclusive" or reading.exactly("none", target="done"):
        return None
    why = f"A hint says what is wanted: {front.process} waits."
    return PassOn(instance=front, waits=True, why=why)
