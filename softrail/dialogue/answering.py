"""The rows of whoever asked last: an offer, a late answer, an answer, or what is said instead of one."""

from softrail.core.instances import Instance, State
from softrail.core.questions import Pending
from softrail.core.reading import APPROVED, Command, Reading, log_odds
from softrail.dialogue.claims import (
    AnswerHolder,
    AnswerLate,
    AnswerOffer,
    AskAgain,
    Claim,
    Human,
    Leave,
    PassOn,
    Way,
    Word,
)
from softrail.dialogue.doubts import (
    INSTEAD,
    OPEN,
    doubted_beside,
    doubted_change,
    doubted_consent,
    doubted_nearest,
    doubted_none,
    doubted_option,
    doubted_place,
    doubted_refusal,
    doubted_refusal_to_answer,
    doubted_remark,
    in_doubt,
    may_be_none,
)
from softrail.dialogue.view import (
    ECHO_WORDS,
    View,
    answers,
    asks_back,
    asks_for_it,
    asks_here,
    asks_with_it,
    chooses,
    clear,
    gives,
    is_a_deed,
    is_a_remark,
    is_answer,
    is_learned,
    is_none,
    may_be_a_wish,
    takes_anything,
    unsure_changes,
)

_CLEAR = 0.85  #: an answer surer than this is taken although it sounds like leaving
_TELLS_AHEAD = 1.0  #: log odds by which there is none ahead of an answer that is given with it
_NEARLY = 0.05  #: by which a wish to leave must be likelier than a no to a summary
_SURELY_TALK = (
    0.98  #: what is less surely talk may be told, where any words may be: "the driver laughed at me"
)
_FAINT = 0.15  #: what is less likely is not asked about
_HARDLY = 0.1  #: the same of a yes or a no, where nothing else is known of the message


def offered(reading: Reading, view: View) -> Claim | None:
    """What is said to an open offer is said to that."""
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
        if word == "yes" and view.names_another:
            continue  # "yeah, the standup" is no consent to anything else
        rival = other.confidence if other is not None else 0.0
        if word == "yes" and on is not None and on.layer != "exact" and beside >= view.bars.other:
            continue  # "yes, but first tell me …" is a question: it is no consent
        if on is not None and on.confidence >= bar and on.confidence > rival:
            return word, on  # type: ignore[return-value] # two of the words
    if asks is not None and asks.act == "ask" and beside >= view.bars.other and pending.misses == 0:
        return ("question" if len(reading.message.split()) > ECHO_WORDS else "echo"), asks
    if view.names_another:
        return "other", None
    faint = reading.likely("affirm", "negate")
    if faint >= bars.other and pending.misses == 0 and reading.likely("request", "inform") < faint:
        return "echo", reading.of("affirm", "negate")  # no consent on a guess: the offer is named again
    return "other", None


def late_answer(reading: Reading, view: View) -> Claim | None:
    """The question of a process that timed out: the next message, however late, may answer it."""
    asker = view.asker
    if asker is None or asker.state is not State.SUSPENDED or not view.known or view.hint:
        return None  # a hint says that it is a wish
    no_answer = reading.exactly("start", "slash", "undo", "pause", "leave", "ask")
    if no_answer is not None or reading.exactly("social", target="greeting") is not None:
        return None
    if is_learned(reading) and not is_answer(reading, view):
        anything = view.wanted == "own" or takes_anything(asker)
        if not anything or reading.likely("leave", "pause", "human", *INSTEAD) >= view.bars.other:
            return None
    return AnswerLate(instance=asker, reading=reading, why=f"A late answer to {asker.process}.")


def question_asked(reading: Reading, view: View) -> Claim | None:
    """Where questions pass, one is answered the normal way; the process waits and asks again."""
    holder, on = view.holder, reading.exactly("ask")
    if holder is None or on is None or view.contract != "questions_pass" or is_learned(reading):
        return None
    if chooses(reading) or takes_anything(holder):
        return None
    why = f"A question: {holder.process} waits and asks again."
    return PassOn(on=on, instance=holder, waits=True, why=why)


def so_far_asked(reading: Reading, view: View) -> Claim | None:
    """It asks what was told up to now: that is read back, and the question comes again."""
    who = asks_here(view)
    if who is None or not view.so_far or takes_anything(who) or chooses(reading):
        return None
    why = f"It asks what was told so far: {who.process} waits and asks again."
    if view.wanted == "confirm":
        return AskAgain(instance=who, after="repeat", why=why)  # the summary is just that
    return PassOn(instance=who, waits=True, asks=True, so_far=True, why=why)


def question_again(reading: Reading, view: View) -> Claim | None:
    """It asks for the question once more, or what one of the answers is: it is told, and the question comes again."""
    who = asks_here(view)
    if who is None or takes_anything(who) or chooses(reading):
        return None
    if view.again:
        return AskAgain(instance=who, after="repeat", why=f"It asks what {who.process} asked: it asks again.")
    if view.means:
        why = f"It asks what {view.means} is: {who.process} waits and asks again."
        return PassOn(instance=who, waits=True, asks=True, means=view.means, why=why)
    return None


# -- an answer, or what is said instead of one, as the layers above the exact one read it


def wish_to_leave(reading: Reading, view: View) -> Claim | None:
    """A wish to leave, or for a person: obeyed when it is clear, asked when it may be an answer."""
    who = asks_here(view)
    if who is None or not is_learned(reading):
        return None
    bars, given = view.bars, answers(reading, view)
    thinking = reading.likely("hold") >= bars.other  # "one moment" is no wish to pause
    human, away = reading.likely("human"), reading.likely(*(("leave",) if thinking else ("pause", "leave")))
    refuses = reading.likely("none", "open") >= bars.other  # "none of your business. they can email"
    if human >= bars.other and human > max(given, away) and not (refuses and view.may_be_left_out):
        return Human(on=reading.of("human"), instance=who, why="A person is wanted.")
    rather = view.wanted == "confirm" and away - given < _NEARLY  # a no to it, or to all of it
    if away >= bars.other and away > given and not rather:
        if view.wanted in OPEN and (given >= bars.doubt or away < bars.leave):
            return in_doubt(reading, view, who, ("answer", "pause"))
        if view.wanted not in OPEN and away < bars.leave and takes_anything(who):
            return None  # whoever hears anything may know better what it is
        if view.wanted not in OPEN and away < bars.leave_closed and not view.asks_to_pause:
            return in_doubt(reading, view, who, ("pause",))
        on, why = reading.of("pause", "leave"), f"The person wants to leave {who.process}."
        besides = reading.message if reading.likely("ask", "request") >= bars.other else ""
        return Leave(on=on, instance=who, manner="escape", rest=besides, why=why)
    if away >= bars.other and (refused := doubted_refusal(reading, view, who)) is not None:
        return refused
    if away >= bars.doubt and bars.doubt <= given < _CLEAR:
        if view.yes_no and _changes_something(reading, view):
            return None
        if (may_be := doubted_consent(reading, view, who, ways=("yes", "no", "pause"))) is not None:
            return may_be
        closed: tuple[Way, ...] = ("pause",) if away >= bars.other or not gives(reading) else ()
        return in_doubt(reading, view, who, ("answer", "pause") if view.wanted in OPEN else closed)
    return None


def _changes_something(reading: Reading, view: View) -> bool:
    """Something is to change, and nobody has said yet to what."""
    told = any(c.values for c in reading.commands if c.act == "correct")
    return not told and reading.likely("correct") >= view.bars.correct


def _weighs(reading: Reading, view: View) -> Instance | None:
    """Whoever asked, where the reading can be sure or unsure: not by exact words, nor where any words will do."""
    who = asks_here(view)
    return who if who is not None and is_learned(reading) and not takes_anything(who) else None


def answer_given(reading: Reading, view: View) -> Claim | None:
    """It gives what was asked for, changes what was given, or says that there is no such thing."""
    who = _weighs(reading, view)
    if who is None:
        return None
    sure = clear(reading, view.bars)
    asks = sure.of("ask", "request") is not None and not asks_for_it(sure) and not is_a_deed(sure)
    if unsure_changes(sure, view.bars, reading.likely("affirm")):
        if reading.likely("correct") >= view.bars.correct or not is_answer(reading, view):
            return doubted_change(sure, view, who)
        sure = sure.without("correct")
    if may_be_a_wish(reading, view) and not view.doubted:
        return in_doubt(reading, view, who, ("answer", "request"))
    if is_answer(reading, view):
        if (more := doubted_beside(reading, view, who)) is not None:
            return more
        on = sure.of("affirm", "negate") if view.yes_no else sure.of("inform", "affirm", "negate")
        several = who.question is not None and who.question.several  # "that's about it": a yes, or no more
        meant = sure.without("open") if several else sure.without("none", "open")
        return AnswerHolder(on=on, instance=who, reading=meant, asks=asks, why=_holds(who, view))
    told = any(c.values and (c.act == "correct" or c.target == "other") for c in sure.commands)
    if told or (sure.of("correct") is not None and not asks):
        may_be: Claim | None = None
        if not told and _rather_yes(reading):
            may_be = doubted_consent(reading, view, who)
        may_be = may_be or doubted_place(reading, view, who)
        if may_be is not None:
            return may_be
        on = sure.of("correct", "inform")
        meant = sure.without("affirm", *(() if is_none(reading, view) else ("none",)), "open")
        return AnswerHolder(on=on, instance=who, reading=meant, asks=asks, why=_holds(who, view))
    if is_none(reading, view):
        meant = sure.without("inform", "affirm", "negate", "open")
        return AnswerHolder(on=sure.of("none"), instance=who, reading=meant, asks=asks, why=_holds(who, view))
    on = sure.of("none", "open")
    thinking = reading.likely("hold") >= view.bars.other and on is not None and on.act == "open"
    if on is not None and not thinking and on.confidence >= reading.likely(*INSTEAD):
        if view.none and on.act == "none":
            return doubted_none(reading, view, who)
        if view.required:  # "dunno, it just stopped"
            behind: tuple[Way, ...] = ("answer",) if gives(reading) and not view.doubted else ()
            return in_doubt(reading, view, who, (*behind, "pause"))
        ahead = log_odds(on.confidence) - log_odds(answers(reading, view))
        if gives(reading) and ahead < _TELLS_AHEAD and not view.doubted:
            # "no deadline as such, but May would be good"
            return in_doubt(reading, view, who, ("answer", "none"))
        if on.confidence < view.bars.refuse and (on.act == "none" or view.wanted in OPEN):
            words: tuple[Way, ...] = ("answer",) if on.act == "open" else ()
            return in_doubt(reading, view, who, (*words, "none"))  # nothing is left out on a guess
        meant = sure.without("inform", "affirm", "negate")
        return AnswerHolder(on=on, instance=who, reading=meant, asks=asks, why=_holds(who, view))
    return None


def _rather_yes(reading: Reading) -> bool:
    """Likelier a yes than a change, of which nothing is told: "yes, I have read of it"."""
    return reading.likely("affirm") > reading.likely("correct")


def said_instead(reading: Reading, view: View) -> Claim | None:
    """What is said instead of an answer: the question comes again, after a word or an answer to it."""
    who = _weighs(reading, view)
    if who is None:
        return None
    on = reading.of(*INSTEAD)
    if on is None or on.confidence < view.bars.other:
        return None
    rather = reading.likely("affirm", "negate") >= on.confidence and reading.exactly("ask") is None
    if rather and (may_be := doubted_consent(reading, view, who)) is not None:
        return may_be
    if on.act in ("ask", "request"):
        if asks_with_it(reading) and answers(reading, view) >= view.bars.inform:
            return in_doubt(reading, view, who, ("answer", "ask"))
        if on.act == "request" and view.about:  # its own subject: what is clear for neither is asked
            return in_doubt(reading, view, who, ("answer", "request"))
        waits = on.act == "ask" or view.contract != "exclusive"
        what = "A question" if on.act == "ask" else "Something else is wanted"
        why = f"{what}: {who.process} {'waits and asks again' if waits else 'was paused'}."
        asks = on.act == "ask" and reading.likely("request") < view.bars.other
        deed = on.act == "request" and is_a_remark(reading, view)
        otherwise = doubted_remark(reading, who) if deed else None  # "write a short story", as homework
        if otherwise is None and on.act == "request":
            otherwise = doubted_refusal_to_answer(reading, view, who)  # "email only"
        return PassOn(on=on, instance=who, waits=waits, asks=asks, otherwise=otherwise, why=why)
    if on.act == "social":
        if (may_be := doubted_consent(reading, view, who)) is not None:
            return may_be
        if on.confidence < _SURELY_TALK and is_a_remark(reading, view):
            return doubted_remark(reading, who)
    why = f"No answer ({on.act}): {who.process} asks again."
    return AskAgain(on=on, instance=who, after=on.act, why=why)  # type: ignore[arg-type] # the other three


def nothing_clear(reading: Reading, view: View) -> Claim | None:
    """Nothing is clear: what it may be is asked, and the second time the question itself."""
    who = _weighs(reading, view)
    if who is None:
        return None
    if reading.overheard and reading.likely("pause", "leave") < view.bars.doubt:
        why = f"No answer to what {who.process} asks, and one to a question to come."
        return AnswerHolder(instance=who, reading=clear(reading, view.bars), why=why)
    if reading.likely("pause", "leave") < view.bars.doubt and (where := doubted_place(reading, view, who)):
        return where
    if view.wanted in ("text", "list") and reading.likely("affirm") >= view.bars.consent and not view.doubted:
        if reading.exactly("affirm", target=APPROVED) and (view.none or not view.required):
            return doubted_none(reading, view, who)  # "looks good": that there is nothing to tell?
        why = f"A yes to a question for words: {who.process} waits for them."  # "yes" to "Any blockers?"
        return AskAgain(on=reading.of("affirm"), instance=who, after="tell_me", why=why)
    if view.wanted not in OPEN:
        if reading.likely("pause", "leave") >= view.bars.doubt and not view.asks_to_pause:
            return in_doubt(reading, view, who, ("pause",))  # a wish to leave is never swallowed
        may_be = doubted_consent(reading, view, who) or doubted_option(reading, view, who)
        if may_be is not None:
            return may_be
        if may_be_none(reading, view) and not view.doubted:
            return doubted_none(reading, view, who)
        if (refused := doubted_refusal_to_answer(reading, view, who)) is not None:
            return refused
        given, near = reading.of("inform", target=""), doubted_nearest(reading, view, who)
        if given is not None and not given.values and given.confidence >= view.bars.inform:
            if near is not None:
                return near
            why = f"An answer to {who.process} that its type cannot read: it says why."
            return AnswerHolder(on=given, instance=who, reading=reading, why=why)
        likely = max(_HARDLY, reading.likely("social"))
        why = f"No answer that is clear: {who.process} waits, if it is a wish of another kind."
        return PassOn(
            instance=who,
            waits=True,
            clear=True,
            choice=view.wanted == "choice",
            otherwise=near or doubted_consent(reading, view, who, least=likely),
            why=why,
        )
    ways: list[Way] = []
    words = view.wanted in ("text", "list")  # of which it is asked whether they are the answer
    if words or reading.likely("inform") >= _FAINT or reading.likely(*INSTEAD) < _FAINT:
        ways.append("answer")
    if may_be_none(reading, view) or (not view.required and reading.likely("none") >= view.bars.doubt):
        ways.append("none")
    if reading.likely("pause", "leave") >= _FAINT:
        ways.append("pause")
    if reading.likely("ask", "request") >= _FAINT:
        ways.append("ask")
    return in_doubt(reading, view, who, tuple(ways))


def option_meant(reading: Reading, view: View) -> Claim | None:
    """An option is likely meant by what is said to a question that hears anything: that is asked."""
    who = asks_here(view)
    if who is None or not takes_anything(who) or not is_learned(reading) or chooses(reading):
        return None
    if reading.exactly("affirm", "negate") is not None:
        return None  # its step knows what a yes is said to
    if asks_back(who) and view.yes_no:
        hardly = reading.likely("negate") < reading.likely("affirm") < view.bars.agreed
        return doubted_consent(reading, view, who, least=view.bars.other) if hardly else None
    if gives(reading) and answers(reading, view) >= view.bars.inform:
        return None
    return doubted_option(reading, view, who)


def whoever_holds(reading: Reading, view: View) -> Claim | None:
    """Whoever asked last in the background, else the holder, gets what nobody else claimed."""
    who = asks_here(view)
    if who is None:
        return None
    behind = reading.exactly("affirm", "negate")
    rest = behind.rest if behind is not None else ""
    return AnswerHolder(instance=who, reading=reading, rest=rest, why=_holds(who, view))


def _holds(who: Instance, view: View) -> str:
    if who is view.holder:
        return f"{who.process} holds the session ({view.contract})."
    return f"An answer to {who.process}."
