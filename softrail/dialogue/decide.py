"""Whose turn it is: one table in order of priority, pure. It reads values and returns a claim, nothing else."""

from collections.abc import Callable, Sequence

from softrail.core.attachments import wants_file
from softrail.core.instances import Instance, State
from softrail.core.questions import Pending
from softrail.core.reading import Act, Command, Reading, Wanted
from softrail.dialogue.claims import (
    AnswerHolder,
    AnswerLate,
    AnswerOffer,
    AskAgain,
    Claim,
    Doubt,
    Free,
    Human,
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
    Word,
)
from softrail.dialogue.offers import ANSWERS
from softrail.dialogue.view import (
    ECHO_WORDS,
    View,
    answers,
    asks_here,
    asks_with_it,
    chooses,
    clear,
    gives,
    is_answer,
    is_learned,
    takes_anything,
    unsure_changes,
    ways_to_change,
)
from softrail.language import normal

_INSTEAD: tuple[Act, ...] = ("hold", "repeat", "social", "ask", "request")
_OPEN: tuple[Wanted, ...] = ("text", "list", "own")  #: what any words may answer
_CLEAR = 0.85  #: an answer surer than this is taken although it sounds like leaving
_FAINT = 0.15  #: what is less likely is not asked about

Row = Callable[[Reading, View], Claim | None]


def decide(reading: Reading, view: View) -> Claim:
    """The first row that claims the turn; `Free` when none does."""
    for row in ROWS:
        claim = row(reading, view)
        if claim is not None:
            return claim
    late = view.asker if view.asker is not None and view.asker.state is State.SUSPENDED else None
    return Free(lapsed=late, why=f"{late.process} stays paused." if late else "No process owns it.")


# -- the ways that no plugin can swallow


def _slash(reading: Reading, view: View) -> Claim | None:
    on = reading.exactly("slash")
    return (
        RunCommand(on=on, name=on.target, argument=on.rest, why=f"The command /{on.target}.") if on else None
    )


def _stale(reading: Reading, view: View) -> Claim | None:
    """An answer to a question that is not open consents to nothing; only an escape word still counts.

    "Not now" is one, and a button of every offer: there it was said of the old one.
    """
    if not view.stale:
        return None
    button = normal(reading.message) in {normal(option.label) for option in ANSWERS}
    away = _left(reading, view) if view.offer is None and not button else None
    if away is not None and away.on is not None and away.on.act == "pause":
        return away
    return Stale(why="It answers a question that is no longer open.")


def _valued(reading: Reading, view: View) -> Claim | None:
    """A value answers the open question and means nothing else, where that has a form for it."""
    on, asker = reading.exactly("inform", target="value"), view.asker
    if on is None:
        return None
    if asker is None or view.pending is None or view.pending.question.answer_schema is None:
        return Stale(on=on, outcome="no_value", why="The open question takes no value.")
    if asker.state is State.SUSPENDED:
        return AnswerLate(on=on, instance=asker, reading=reading, why=f"A late value for {asker.process}.")
    return AnswerHolder(on=on, instance=asker, reading=reading, why=f"A value for {asker.process}.")


def _filed(reading: Reading, view: View) -> Claim | None:
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


def _settled(reading: Reading, view: View) -> Claim | None:
    """A doubt is answered with one of its buttons: what was said before counts as that says."""
    on = reading.exactly("inform", target="doubt")
    return _settles(on.values[0].text, on, view) if on is not None else None


def _settles(chosen: str, on: Command, view: View) -> Claim | None:
    if view.asker is None or view.pending is None or view.pending.doubted is None:
        return None
    doubted = view.pending.doubted
    change = doubted.changes[int(chosen)] if chosen.isdecimal() else ()
    way: Way = "change" if change else chosen  # type: ignore[assignment] # the values of our own buttons
    why = f"It was meant as: {way}."
    return Settle(on=on, instance=view.asker, way=way, doubted=doubted, change=change, why=why)


def _undecided(reading: Reading, view: View) -> Claim | None:
    """A yes or a no while it is asked what was meant is said to that: it agrees to nothing that lies beneath."""
    on = reading.of("affirm", "negate")
    if not view.doubted or view.pending is None or on is None or on.confidence < view.bars.consent:
        return None
    told = any(c.values and c.confidence >= view.bars.inform for c in reading.commands)
    if (told and on.layer != "exact") or reading.exactly(
        "pause", "leave", "none", "undo", "resume", "start_over"
    ) is not None:
        return None
    ways = [option.value or "" for option in view.pending.question.options]
    said = "yes" if on.act == "affirm" else "no"
    if said in ways:
        return _settles(said, on, view)
    if said == "no":
        return _settles("neither", on, view)
    meant = [way for way in ways if way != "neither"]
    if len(meant) == 1:
        return _settles(meant[0], on, view)
    return Stale(on=on, outcome="which_is_meant", why="A yes to several ways to read it: asked again.")


def _offer_left(reading: Reading, view: View) -> Claim | None:
    """After an offer, words of leaving decline it. What is left of the message is still to be answered."""
    on = reading.exactly("pause", "leave")
    if view.offer is None or on is None or on.target.startswith("other:"):
        return None
    why = f"The offer of {view.offer.process} was refused."
    return AnswerOffer(on=on, instance=view.offer, word="no", rest=on.rest, why=why)


def _taken_back(reading: Reading, view: View) -> Claim | None:
    on = reading.exactly("undo") or reading.exactly("resume", target="")
    if chooses(reading) or view.undo is None or on is None:
        return None
    how = "declined" if view.undo.state is State.DECLINED else "left"
    return TakeBack(on=on, instance=view.undo, why=f"{view.undo.process} was {how} on the turn before.")


def _resumed(reading: Reading, view: View) -> Claim | None:
    on = reading.exactly("resume")
    if chooses(reading) or on is None:
        return None
    named = {c.target for c in reading.commands if c.act == "resume" and c.target}
    offered = view.offer is not None and view.pending is not None and view.pending.resume and not named
    if offered or (view.holder is not None and view.yes_no):
        return None  # "continue" is the yes to that question
    for instance in view.paused:
        if not named or instance.process in named:
            why = f"{instance.process} was paused and is picked up."
            return Resume(on=on, instance=instance, why=why)
    if view.front is None and named:
        return Resume(on=on, instance=None, why="A process was named that is not paused.")
    return None  # a bare "go on" may be meant for the talk itself


def _start_over(reading: Reading, view: View) -> Claim | None:
    on = reading.exactly("start_over")
    if chooses(reading) or on is None or view.offer is not None or _own(reading, view) is not None:
        return None
    if view.front is None:
        return StartOver(on=on, instance=None, why="There was nothing in front to start over.")
    return StartOver(on=on, instance=view.front, why=f"{view.front.process} begins again.")


def _another(reading: Reading, view: View) -> Claim | None:
    """Asking by name for another process suspends the holder, says so, and starts the new one."""
    if chooses(reading) or view.front is None:
        return None
    on = reading.exactly("start")
    wanted = on.target if on is not None else view.hinted
    if wanted is None:
        return None
    standing = view.standing.get(wanted)
    held = "is under way already" if standing is not None else "was asked for while another held"
    return StartAnother(on=on, process=wanted, standing=standing, why=f"{wanted} {held}.")


def _nothing_to_come_back_to(reading: Reading, view: View) -> Claim | None:
    """With nothing to come back to, "resume" and "undo" are no answer either: the question comes again."""
    if chooses(reading) or view.front is None or view.yes_no or not view.known:
        return None
    why = f"There was nothing to come back to: {view.front.process} asks again."
    if (on := reading.exactly("undo")) is not None:
        return AskAgain(on=on, instance=view.front, after="nothing_to_undo", why=why)
    on = reading.exactly("resume", target="") or reading.exactly("resume", target=view.front.process)
    return AskAgain(on=on, instance=view.front, after="already_in", why=why) if on is not None else None


def _greeted(reading: Reading, view: View) -> Claim | None:
    """A greeting answers no question: it is returned, and the question is asked again."""
    on = reading.exactly("social", target="greeting")
    front = view.front
    if chooses(reading) or on is None or front is None or not view.known:
        return None
    if front.question is None or front.question.takes_anything:
        return None
    return AskAgain(
        on=on, instance=front, after="greeted", why=f"A greeting is no answer: {front.process} asks again."
    )


def _left(reading: Reading, view: View) -> Claim | None:
    """An escape word pauses what is in front, an exit or a refusal ends it."""
    on = reading.exactly("pause", "leave")
    front = view.front
    if chooses(reading) or on is None or on.target.startswith("other:"):
        return None
    if front is None:
        return _let_go(on, view)
    if on.act == "pause":
        return Leave(on=on, instance=front, manner="escape", why=f"An escape word paused {front.process}.")
    manner: Manner = "exit" if on.target == "exit" else "refusal"
    return Leave(on=on, instance=front, manner=manner, rest=on.rest, why=f"The person left {front.process}.")


def _let_go(on: Command, view: View) -> Claim | None:
    """Where nothing is in front, what goes on in the background is told of it, if it has asked to be."""
    if view.quiet is None or view.offer is not None or on.target == "exit":
        return None
    why = f"Words of leaving, and {view.quiet.process} goes on in the background."
    return Leave(on=on, instance=view.quiet, manner="escape", rest=on.rest, quiet=True, why=why)


def _left_by_name(reading: Reading, view: View) -> Claim | None:
    """The same for what waits underneath or goes on in the background, by its name."""
    if chooses(reading):
        return None
    for on in reading.commands:
        instance = view.others.get(on.target.removeprefix("other:"))
        if instance is not None and on.act in ("pause", "leave"):
            manner: Manner = "exit" if on.act == "pause" or not on.rest else "refusal"
            why = f"The person left {instance.process}."
            return Leave(on=on, instance=instance, manner=manner, rest=on.rest, front=False, why=why)
    return None


def _own(reading: Reading, view: View) -> Claim | None:
    """Words that a process knows for its own, where nothing is asked, or said to the one that asks."""
    if view.own is None or view.offer is not None or chooses(reading):
        return None
    process, intent = view.own
    if view.front is not None and view.front.process != process:
        return None
    return Tell(process=process, intent=intent, why=f"Words of {process}'s own: {intent.name}.")


def _noted(reading: Reading, view: View) -> Claim | None:
    """Something is to be remembered: that is for whoever keeps notes, whatever is asked."""
    on, front = reading.exactly("request"), view.front
    if on is None or front is None or view.offer is not None or chooses(reading) or takes_anything(front):
        return None
    return PassOn(on=on, instance=front, waits=True, why=f"Something to remember: {front.process} waits.")


def _hinted(reading: Reading, view: View) -> Claim | None:
    """What the frontend says that the person wants is no answer; where questions pass, it goes the free way."""
    front = view.front
    if not view.hint or front is None or view.offer is not None or chooses(reading):
        return None
    if view.contract == "exclusive" or reading.exactly("none", target="done"):
        return None
    why = f"A hint says what is wanted: {front.process} waits."
    return PassOn(instance=front, waits=True, why=why)


# -- whoever asked last


def _offer(reading: Reading, view: View) -> Claim | None:
    if view.offer is None or view.pending is None:
        return None
    word, on = _word(reading, view, view.pending)
    why = f"“{word}” to the offer of {view.offer.process}."
    return AnswerOffer(on=on, instance=view.offer, word=word, why=why)


def _word(reading: Reading, view: View, pending: Pending) -> tuple[Word, Command | None]:
    """What is said to an open offer: a question is no consent and no refusal, and is heard once."""
    if pending.resume and (on := reading.exactly("start_over", target="")) is not None:
        return "restart", on
    if pending.resume and (on := reading.exactly("resume", target="")) is not None:
        return "yes", on
    if (on := reading.exactly("negate", target="never")) is not None:
        return "never", on
    asks = reading.of("ask", "request")
    beside = asks.confidence if asks is not None else 0.0
    yes, no = reading.of("affirm"), reading.of("negate", "pause", "leave")
    bars = view.bars
    for word, on, other, bar in (("yes", yes, no, bars.begin), ("no", no, yes, bars.refuse)):
        rival = other.confidence if other is not None else 0.0
        if word == "yes" and on is not None and on.layer != "exact" and beside >= view.bars.other:
            continue  # "yes, but first tell me …" is a question: it is no consent
        if on is not None and on.confidence >= bar and on.confidence > rival:
            return word, on  # type: ignore[return-value] # two of the words
    if asks is not None and asks.act == "ask" and beside >= view.bars.other and pending.misses == 0:
        return ("question" if len(reading.message.split()) > ECHO_WORDS else "echo"), asks
    faint = reading.likely("affirm", "negate")
    if faint >= bars.other and pending.misses == 0 and reading.likely("request", "inform") < faint:
        return "echo", reading.of("affirm", "negate")  # no consent on a guess: the offer is named again
    return "other", None


def _late(reading: Reading, view: View) -> Claim | None:
    """The question of a process that timed out: the next message, however late, may answer it."""
    asker = view.asker
    if asker is None or asker.state is not State.SUSPENDED or not view.known:
        return None
    no_answer = reading.exactly("start", "slash", "undo", "pause", "leave", "ask")
    if no_answer is not None or reading.exactly("social", target="greeting") is not None:
        return None
    if is_learned(reading) and not is_answer(reading, view):
        anything = view.wanted == "own" or takes_anything(asker)
        if not anything or reading.likely("leave", "pause", "human", *_INSTEAD) >= view.bars.other:
            return None
    return AnswerLate(instance=asker, reading=reading, why=f"A late answer to {asker.process}.")


def _question(reading: Reading, view: View) -> Claim | None:
    """Where questions pass, one is answered the normal way; the process waits and asks again."""
    holder, on = view.holder, reading.exactly("ask")
    if holder is None or on is None or view.contract != "questions_pass" or is_learned(reading):
        return None
    if chooses(reading) or takes_anything(holder):
        return None
    why = f"A question: {holder.process} waits and asks again."
    return PassOn(on=on, instance=holder, waits=True, why=why)


# -- an answer, or what is said instead of one, as the layers above the exact one read it


def _away(reading: Reading, view: View) -> Claim | None:
    """A wish to leave, or for a person: obeyed when it is clear, asked when it may be an answer."""
    who = asks_here(view)
    if who is None or not is_learned(reading):
        return None
    bars, given = view.bars, answers(reading, view)
    thinking = reading.likely("hold") >= bars.other  # "one moment" is no wish to pause
    human, away = reading.likely("human"), reading.likely(*(("leave",) if thinking else ("pause", "leave")))
    if human >= bars.other and human > max(given, away):
        return Human(on=reading.of("human"), instance=who, why="A person is wanted.")
    if away >= bars.other and away > given:
        if view.wanted in _OPEN and (given >= bars.doubt or away < bars.leave):
            return _doubt(reading, view, who, ("answer", "pause"))
        if view.wanted not in _OPEN and away < bars.leave and takes_anything(who):
            return None  # whoever hears anything may know better what it is
        if view.wanted not in _OPEN and away < bars.leave_closed and not view.doubted:
            return _doubt(reading, view, who, ("pause",))
        on, why = reading.of("pause", "leave"), f"The person wants to leave {who.process}."
        besides = reading.message if reading.likely("ask", "request") >= bars.other else ""
        return Leave(on=on, instance=who, manner="escape", rest=besides, why=why)
    if away >= bars.doubt and bars.doubt <= given < _CLEAR:
        closed: tuple[Way, ...] = ("pause",) if away >= bars.other else ()
        return _doubt(reading, view, who, ("answer", "pause") if view.wanted in _OPEN else closed)
    return None


def _weighs(reading: Reading, view: View) -> Instance | None:
    """Whoever asked, where the reading can be sure or unsure: not by exact words, nor where any words will do."""
    who = asks_here(view)
    return who if who is not None and is_learned(reading) and not takes_anything(who) else None


def _answered(reading: Reading, view: View) -> Claim | None:
    """It gives what was asked for, changes what was given, or says that there is no such thing."""
    who = _weighs(reading, view)
    if who is None:
        return None
    sure = clear(reading, view.bars)
    asks = sure.of("ask", "request") is not None
    if unsure_changes(sure, view.bars):
        if reading.likely("correct") >= view.bars.correct or not is_answer(reading, view):
            return _doubted_change(sure, view, who)
        sure = sure.without("correct")
    if is_answer(reading, view):
        on = sure.of("affirm", "negate") if view.yes_no else sure.of("inform", "affirm", "negate")
        meant = sure.without("none", "open")
        return AnswerHolder(on=on, instance=who, reading=meant, asks=asks, why=_holds(who, view))
    told = any(c.values and (c.act == "correct" or c.target == "other") for c in sure.commands)
    if told or (sure.of("correct") is not None and not asks):
        may_be = _doubted_consent(reading, view, who) if not told and _rather_yes(reading) else None
        may_be = may_be or _doubted_place(reading, view, who)
        if may_be is not None:
            return may_be
        on = sure.of("correct", "inform")
        meant = sure.without("affirm", "none", "open")
        return AnswerHolder(on=on, instance=who, reading=meant, asks=asks, why=_holds(who, view))
    on = sure.of("none", "open")
    thinking = reading.likely("hold") >= view.bars.other and on is not None and on.act == "open"
    if on is not None and not thinking and on.confidence >= reading.likely(*_INSTEAD):
        if view.required:
            return _doubt(reading, view, who, ("pause",))
        meant = sure.without("inform", "affirm", "negate")
        return AnswerHolder(on=on, instance=who, reading=meant, asks=asks, why=_holds(who, view))
    return None


def _rather_yes(reading: Reading) -> bool:
    """Likelier a yes than a change, of which nothing is told: "yes, I have read of it"."""
    return reading.likely("affirm") > reading.likely("correct")


def _doubted_change(reading: Reading, view: View, who: Instance) -> Claim:
    """Nothing is changed on a guess: what may be meant is on buttons, and the second time the question comes again."""
    if view.doubted:
        return _doubt(reading, view, who, ())
    changes = ways_to_change(reading)
    why = f"It may change {' or '.join(v.field for way in changes for v in way)}: asked."
    return Doubt(on=reading.of("correct"), instance=who, ways=("change", "neither"), changes=changes, why=why)


def _instead(reading: Reading, view: View) -> Claim | None:
    """What is said instead of an answer: the question comes again, after a word or an answer to it."""
    who = _weighs(reading, view)
    if who is None:
        return None
    on = reading.of(*_INSTEAD)
    if on is None or on.confidence < view.bars.other:
        return None
    if on.act in ("ask", "request"):
        if asks_with_it(reading) and answers(reading, view) >= view.bars.inform:
            return _doubt(reading, view, who, ("answer", "ask"))
        if on.act == "request" and view.about:  # its own subject: what is clear for neither is asked
            return _doubt(reading, view, who, ("answer", "request"))
        waits = on.act == "ask" or view.contract != "exclusive"
        what = "A question" if on.act == "ask" else "Something else is wanted"
        why = f"{what}: {who.process} {'waits and asks again' if waits else 'was paused'}."
        asks = on.act == "ask" and reading.likely("request") < view.bars.other
        return PassOn(on=on, instance=who, waits=waits, asks=asks, why=why)
    may_be = _doubted_consent(reading, view, who) if on.act == "social" else None
    if may_be is not None:
        return may_be
    why = f"No answer ({on.act}): {who.process} asks again."
    return AskAgain(on=on, instance=who, after=on.act, why=why)  # type: ignore[arg-type] # the other three


def _unsure(reading: Reading, view: View) -> Claim | None:
    """Nothing is clear: what it may be is asked, and the second time the question itself."""
    who = _weighs(reading, view)
    if who is None:
        return None
    if reading.likely("pause", "leave") < view.bars.doubt and (where := _doubted_place(reading, view, who)):
        return where
    if view.wanted not in _OPEN:
        if reading.likely("pause", "leave") >= view.bars.doubt and not view.doubted:
            return _doubt(reading, view, who, ("pause",))  # a wish to leave is never swallowed
        if (may_be := _doubted_consent(reading, view, who)) is not None:
            return may_be
        if (may_be := _doubted_option(reading, view, who)) is not None:
            return may_be
        why = f"No answer that is clear: {who.process} waits, if it is a wish of another kind."
        return PassOn(instance=who, waits=True, clear=True, choice=view.wanted == "choice", why=why)
    ways: list[Way] = []
    if reading.likely("inform") >= _FAINT or reading.likely(*_INSTEAD) < _FAINT:
        ways.append("answer")
    if reading.likely("pause", "leave") >= _FAINT:
        ways.append("pause")
    if reading.likely("ask", "request") >= _FAINT:
        ways.append("ask")
    return _doubt(reading, view, who, tuple(ways))


def _doubted_place(reading: Reading, view: View, who: Instance) -> Claim | None:
    """It tells something, and for which answer is not sure: that is asked, once."""
    if not reading.maybe or view.doubted:
        return None
    changes = [(value,) for value in reading.maybe]
    why = f"It may be {' or '.join(v.field for v in reading.maybe)}: asked."
    return Doubt(on=reading.of("inform"), instance=who, ways=("change", "neither"), changes=changes, why=why)


def _doubted_consent(reading: Reading, view: View, who: Instance) -> Claim | None:
    """It may be a yes or a no, and is sure for neither: that is asked, once; None where it is hardly one."""
    if not view.yes_no or view.doubted or reading.likely("affirm", "negate") < view.bars.doubt:
        return None
    if who.question is not None and who.question.kind == "approve":
        return None  # what is no clear yes there is a wish for something else, and never begins anything
    on = reading.of("affirm", "negate")
    return Doubt(
        on=on, instance=who, ways=("yes", "no"), text=reading.message.strip(), why="A yes or a no: asked."
    )


def _doubted_option(reading: Reading, view: View, who: Instance) -> Claim | None:
    """An option is likely meant, and not surely: it is asked, once."""
    given = reading.of("inform", target="likely") or reading.of("inform", target="")
    if view.wanted != "choice" or view.doubted or given is None or not given.values:
        return None
    rival = max(reading.likely(*_INSTEAD), reading.likely("negate", "none", "open"))
    if given.confidence < max(view.bars.doubt, rival):
        return None
    likely = given.values[0].text
    why = f"It may be the option {likely!r}: asked."
    return Doubt(instance=who, ways=("answer", "neither"), text=likely, why=why)


def _doubt(reading: Reading, view: View, who: Instance, ways: tuple[Way, ...]) -> Claim:
    if view.doubted or not ways or (view.wanted not in _OPEN and ways != ("pause",)):
        return AskAgain(
            instance=who, after="not_understood", why=f"Not understood: {who.process} asks again."
        )
    why = f"It may be {' or '.join(ways)}: asked."
    return Doubt(
        on=reading.of("inform"), instance=who, ways=(*ways, "neither"), text=reading.message.strip(), why=why
    )


def _meant(reading: Reading, view: View) -> Claim | None:
    """An option is likely meant by what is said to a question that hears anything: that is asked."""
    who = asks_here(view)
    if who is None or not takes_anything(who) or not is_learned(reading) or chooses(reading):
        return None
    if gives(reading) and answers(reading, view) >= view.bars.inform:
        return None
    return _doubted_option(reading, view, who)


def _holder(reading: Reading, view: View) -> Claim | None:
    """Whoever asked last in the background, else the holder, gets what nobody else claimed."""
    who = asks_here(view)
    if who is None:
        return None
    return AnswerHolder(instance=who, reading=reading, why=_holds(who, view))


def _holds(who: Instance, view: View) -> str:
    if who is view.holder:
        return f"{who.process} holds the session ({view.contract})."
    return f"An answer to {who.process}."


ROWS: Sequence[Row] = (
    _slash,
    _stale,
    _valued,
    _filed,
    _settled,
    _undecided,
    _offer_left,
    _taken_back,
    _resumed,
    _start_over,
    _another,
    _nothing_to_come_back_to,
    _greeted,
    _left,
    _left_by_name,
    _own,
    _noted,
    _hinted,
    _offer,
    _late,
    _question,
    _away,
    _answered,
    _instead,
    _unsure,
    _meant,
    _holder,
)
