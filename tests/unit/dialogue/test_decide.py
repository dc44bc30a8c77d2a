"""Whose a turn is, row by row: every row of the table claims what it should and yields where another comes first."""

from dataclasses import replace
from typing import Any

import pytest

from softrail.core.instances import Instance, State
from softrail.core.intents import Intent
from softrail.core.questions import Doubted, Pending, Question
from softrail.core.reading import Act, Command, Reading, Value
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
    PassOn,
    Resume,
    RunCommand,
    Stale,
    StartAnother,
    StartOver,
    TakeBack,
    Tell,
)
from softrail.dialogue.decide import decide
from softrail.dialogue.view import View


def instance(process: str = "standup", state: State = State.ACTIVE, **more: Any) -> Instance:
    given: dict[str, Any] = {
        "id": process,
        "holds": state is State.ACTIVE,
        "question": Question(prompt="What?"),
    } | more
    return Instance(person_id="p", session_id="s", process=process, version=1, state=state, **given)


def said(act: Act, target: str = "", rest: str = "", *, message: str = "…") -> Reading:
    return Reading(message=message, commands=(Command(act=act, target=target, rest=rest),))


HELD = View(holder=instance(), front=instance())
OFFERED = View(
    offer=instance("tour", State.OFFERED),
    pending=Pending(question=Question(kind="offer", prompt="?"), instance_id="tour", seq=1),
)
RESUME_OFFERED = View(
    offer=instance("tour", State.SUSPENDED),
    pending=Pending(question=Question(kind="offer", prompt="?"), instance_id="tour", seq=1, resume=True),
    paused=(instance("tour", State.SUSPENDED),),
)
PAUSED = instance("trip", State.SUSPENDED)
PASSING = View(holder=instance(), front=instance(), contract="questions_pass")
NOTHING = Reading(message="fixed the login")


def learned(*, message: str = "…", **acts: float) -> Reading:
    """What the small model reads; an answer comes with its value."""
    value = (Value(field="name", text=message),)
    return Reading(
        message=message,
        commands=tuple(
            Command(act=act, confidence=sure, layer="learned", values=value if act == "inform" else ())  # type: ignore[arg-type] # names of acts
            for act, sure in acts.items()
        ),
    )


def changes(*, sure: float, to: str = "Lisbon", **acts: float) -> Reading:
    """What the small model reads, with the new value of an answer given before."""
    reading = learned(message="…", **acts)
    value = Value(field="goal", text=to, confidence=sure, placed=0.9)
    told = Command(act="correct", confidence=sure, layer="learned", values=(value,))
    return reading.evolve(commands=(*reading.commands, told))


def questioned(*, message: str = "Who Framed Roger?", **acts: float) -> Reading:
    """The same of a message that is a question by its form."""
    reading = learned(message=message, **acts)
    return reading.evolve(commands=(Command(act="ask", target="echo"), *reading.commands))


def asked_with(value: str) -> Reading:
    """A message in which the likely answer is what is asked about: "sorry, project?"."""
    told = Command(act="inform", confidence=0.7, layer="learned", values=(Value(field="name", text=value),))
    return Reading(message=f"sorry, {value}?", commands=(told,))


ASKED = View(holder=instance(), front=instance(), wanted="text")
DOUBTED = replace(
    ASKED,
    pending=Pending(
        question=Question(prompt="?"), instance_id="standup", seq=1, doubted=Doubted(message="ugh")
    ),
)
CONFIRMS = View(holder=instance(), front=instance(), wanted="confirm")
FREE = instance(question=Question(prompt="What?", takes_anything=True))
ANYTHING = View(holder=FREE, front=FREE, wanted="text")
OWN = ("standup", Intent(name="blockers", confidence=1.0, tier="pattern"))
OF_THE_JOB = ("job", Intent(name="pause_job", confidence=1.0, tier="pattern"))
LATE = instance(state=State.SUSPENDED)

ROWS: list[tuple[str, Reading, View, type[Claim]]] = [
    ("a slash command comes first", said("slash", "help"), HELD, RunCommand),
    ("an escape word declines an offer", said("pause", "escape"), OFFERED, AnswerOffer),
    ("undo takes back", said("undo"), View(undo=PAUSED), TakeBack),
    ("resume takes back, too", said("resume"), View(undo=PAUSED, paused=(PAUSED,)), TakeBack),
    ("resume picks up what is paused", said("resume"), View(paused=(PAUSED,)), Resume),
    ("what is named and not paused is told", said("resume", "trip"), View(), Resume),
    ("a bare resume with nothing paused is talk", said("resume"), View(), Free),
    ("start over begins again", said("start_over"), HELD, StartOver),
    ("start over of nothing is told", said("start_over"), View(), StartOver),
    ("start over after a resume offer is its answer", said("start_over"), RESUME_OFFERED, AnswerOffer),
    ("another process by its words", said("start", "trip"), HELD, StartAnother),
    ("starting one with nothing in front is free talk", said("start", "trip"), View(), Free),
    ("undo with nothing to undo may be of what was done beside it", said("undo"), HELD, PassOn),
    ("resume of what is under way asks again", said("resume", "standup"), HELD, AskAgain),
    ("a greeting is returned", said("social", "greeting"), HELD, AskAgain),
    ("an escape word pauses", said("pause", "escape"), HELD, Leave),
    ("an exit ends", said("leave", "exit"), HELD, Leave),
    ("escape words are talk when nothing is active", said("pause", "escape"), View(), Free),
    ("a question passes where questions pass", said("ask"), PASSING, PassOn),
    ("a question is the holder's where they do not", said("ask"), HELD, AnswerHolder),
    ("yes accepts an offer", said("affirm"), OFFERED, AnswerOffer),
    ("a late answer", NOTHING, View(asker=instance(state=State.SUSPENDED)), AnswerLate),
    ("a question is no late answer", said("ask"), View(asker=instance(state=State.SUSPENDED)), Free),
    (
        "an answer to who asked in the background",
        NOTHING,
        View(asker=instance(holds=False), front=instance(holds=False)),
        AnswerHolder,
    ),
    ("the holder gets the rest", NOTHING, HELD, AnswerHolder),
    ("nobody's", NOTHING, View(), Free),
    ("words of the holder's own", NOTHING, replace(HELD, own=OWN), Tell),
    ("words of its own are no answer", learned(inform=0.95), replace(ASKED, own=OWN), Tell),
    ("an escape word is nobody's own", said("pause", "escape"), replace(HELD, own=OWN), Leave),
    ("a slash command is nobody's own", said("slash", "help"), replace(HELD, own=OWN), RunCommand),
    ("starting another is nobody's own", said("start", "trip"), replace(HELD, own=OWN), StartAnother),
    ("an option wins over words of its own", said("inform", "option"), replace(HELD, own=OWN), AnswerHolder),
    ("words of another are the holder's to take", NOTHING, replace(HELD, own=OF_THE_JOB), AnswerHolder),
    ("words of its own where nothing is asked", NOTHING, View(own=OF_THE_JOB), Tell),
    ("words of its own before a late answer", NOTHING, View(asker=LATE, own=OF_THE_JOB), Tell),
    ("an offer is answered first", said("affirm"), replace(OFFERED, own=OF_THE_JOB), AnswerOffer),
    ("a clear answer is the holder's", learned(inform=0.95), ASKED, AnswerHolder),
    ("an answer and a question are both heard", learned(inform=0.9, ask=0.8), ASKED, AnswerHolder),
    ("a question that hardly answers passes", learned(inform=0.3, ask=0.9), ASKED, PassOn),
    ("a clear wish to leave is obeyed", learned(leave=0.95), ASKED, Leave),
    ("one that is less clear is asked about", learned(leave=0.7), ASKED, Doubt),
    ("one that may be an answer is asked about", learned(leave=0.95, inform=0.5), ASKED, Doubt),
    ("thinking aloud is no wish to pause", learned(hold=0.8, pause=0.95), ASKED, AskAgain),
    ("a person is wanted", learned(human=0.9), ASKED, Human),
    ("to hear it again", learned(repeat=0.9), ASKED, AskAgain),
    ("chat", learned(social=0.9), ASKED, AskAgain),
    ("a change of an earlier answer", learned(correct=0.9), ASKED, AnswerHolder),
    ("nothing to say, where that is possible", learned(none=0.9), ASKED, AnswerHolder),
    ("what may hardly be nothing to say", learned(none=0.6), ASKED, Doubt),
    ("nothing to say, where it is needed", learned(open=0.9), replace(ASKED, required=True), Doubt),
    ("an answer that may be the words for having none", learned(inform=0.7, none=0.2), ASKED, Doubt),
    ("an answer that is hardly those words", learned(inform=0.9, none=0.2), ASKED, AnswerHolder),
    ("an answer that may be a wish", learned(inform=0.7, request=0.3), ASKED, Doubt),
    ("a sure answer that is hardly a wish", learned(inform=0.9, request=0.3), ASKED, AnswerHolder),
    ("nothing that is clear", learned(inform=0.4), ASKED, Doubt),
    ("nothing that is clear, twice", learned(inform=0.4), DOUBTED, AskAgain),
    ("a yes", learned(affirm=0.9), CONFIRMS, AnswerHolder),
    ("half a yes lets nothing be done", learned(affirm=0.65), CONFIRMS, Doubt),
    ("“yes?”, however sure, lets nothing be done", questioned(message="yes?", affirm=0.99), CONFIRMS, PassOn),
    ("half a yes, twice", learned(affirm=0.65), replace(DOUBTED, wanted="confirm"), PassOn),
    ("half a yes of somebody who thanks", learned(affirm=0.4, social=0.9), CONFIRMS, Doubt),
    ("a yes that hardly changes anything", learned(affirm=0.8, correct=0.6), CONFIRMS, Doubt),
    ("a yes with a change is the change", learned(affirm=0.9, correct=0.9), CONFIRMS, AnswerHolder),
    ("a yes with a change that is not sure", changes(affirm=0.95, sure=0.7), CONFIRMS, Doubt),
    ("a change that is sure", changes(correct=0.9, sure=0.9), CONFIRMS, AnswerHolder),
    ("a change of who knows what", changes(correct=0.9, sure=0.5), CONFIRMS, Doubt),
    ("a question about the words that would be stored", asked_with("project"), ASKED, Doubt),
    (
        "a change that runs on into the next sentence",
        changes(correct=0.9, sure=0.9, to="Lisbon. Anyway, I go"),
        CONFIRMS,
        Doubt,
    ),
    (
        "a change to a name with a point",
        changes(correct=0.9, sure=0.9, to="Dr. Morgan"),
        CONFIRMS,
        AnswerHolder,
    ),
    ("a question that would be stored whole", questioned(inform=0.7), ASKED, Doubt),
    ("a question that is a name all the same", questioned(inform=0.95), ASKED, AnswerHolder),
    ("a yes that may be a wish to leave", learned(affirm=0.8, leave=0.6), CONFIRMS, Doubt),
    ("what may be anything is taken where anything is", learned(ask=0.9), ANYTHING, AnswerHolder),
]


@pytest.mark.parametrize(("reading", "view", "kind"), [r[1:] for r in ROWS], ids=[r[0] for r in ROWS])
def test_the_first_row_that_fits_claims_the_turn(reading: Reading, view: View, kind: type[Claim]) -> None:
    assert type(decide(reading, view)) is kind


def test_an_option_of_the_question_is_its_answer_whatever_else_it_means() -> None:
    reading = Reading(
        message="Stop",
        commands=(Command(act="inform", target="option"), Command(act="pause", target="escape")),
    )

    assert isinstance(decide(reading, HELD), AnswerHolder)


@pytest.mark.parametrize(
    ("reading", "word"),
    [
        (said("affirm"), "yes"),
        (said("negate"), "no"),
        (said("negate", "never"), "never"),
        (said("ask", "echo", message="should we?"), "echo"),
        (said("ask", "echo", message="how long does that take?"), "question"),
        (NOTHING, "other"),
    ],
)
def test_an_offer_hears(reading: Reading, word: str) -> None:
    claim = decide(reading, OFFERED)

    assert isinstance(claim, AnswerOffer)
    assert claim.word == word


def test_a_second_question_lets_an_offer_lapse() -> None:
    assert OFFERED.pending is not None
    missed = OFFERED.pending.model_copy(update={"misses": 1})

    claim = decide(said("ask", "echo"), View(offer=OFFERED.offer, pending=missed))

    assert isinstance(claim, AnswerOffer)
    assert claim.word == "other"


def test_continue_is_the_yes_to_a_resume_offer_and_to_a_yes_or_no_question() -> None:
    offered = decide(said("resume"), RESUME_OFFERED)
    asked = decide(said("resume"), View(holder=instance(), front=instance(), wanted="bool", paused=(PAUSED,)))

    assert isinstance(offered, AnswerOffer)
    assert offered.word == "yes"
    assert isinstance(asked, AnswerHolder)


def test_what_waits_beneath_is_left_by_its_name() -> None:
    below = instance("trip", holds=False)
    view = View(holder=instance(), front=instance(), others={"trip": below})

    claim = decide(said("leave", "other:trip", "what's next?"), view)

    assert claim == Leave(
        instance=below,
        manner="refusal",
        rest="what's next?",
        front=False,
        on=Command(act="leave", target="other:trip", rest="what's next?"),
        why="The person left trip.",
    )


@pytest.mark.parametrize("view", [HELD, OFFERED, RESUME_OFFERED, PASSING, View()])
def test_an_answer_to_another_question_consents_to_nothing(view: View) -> None:
    stale = replace(view, stale=True)
    for act in ("affirm", "negate", "inform", "leave", "undo", "resume", "start_over", "start"):
        assert isinstance(decide(said(act), stale), Stale), act


def test_an_answer_to_another_question_may_still_be_a_way_out() -> None:
    stale = replace(HELD, stale=True)
    assert isinstance(decide(said("slash", "help"), stale), RunCommand)
    assert isinstance(decide(said("pause"), stale), Leave)
    assert isinstance(decide(said("pause", message="Not now"), stale), Stale)
