"""What a decision rests on: where the session stands, and what a reading says of the open question."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from softrail.core.instances import Instance, State
from softrail.core.intents import Intent
from softrail.core.questions import Pending
from softrail.core.reading import APART, CONSENT, Act, Bars, Command, Reading, Value, Wanted, log_odds
from softrail.language import Beside, normal
from softrail.processes import Contract

BARS = Bars()
FEW: Sequence[Wanted] = ("choice", "number", "date", "time")  #: what few words answer
MOST_WAYS = 3  #: buttons for what a message may change
ECHO_WORDS = 2  #: "yes?", "should we?" only echo the offer; a longer question wants an answer

_SENTENCES = re.compile(r"(?:[^\W\d_]{3}\.|[!?])\s")  #: not "Dr. Morgan"
_AHEAD = 2.0  #: log odds by which "none" must be ahead of whatever else is said
_NOT_NONE: tuple[Act, ...] = (
    *("open", "hold", "ask", "request", "repeat"),
    *("correct", "human", "pause", "leave"),
)
_REMARK = 3  #: words from which on they may tell something
_BESIDE: tuple[Act, ...] = ("ask", "request", "repeat", "social", "correct")


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """What a claim may rest on besides the reading: where the session stands."""

    holder: Instance | None = None
    #: What a person would stop: the holder, or who asked last in the background.
    front: Instance | None = None
    known: bool = True  #: the code of what is in front is there
    contract: Contract = "exclusive"  #: of what is in front
    pending: Pending | None = None
    offer: Instance | None = None  #: the one that the open question offers
    names_another: bool = (
        False  #: to an offer: the message calls another process by its name, and not that one
    )
    asker: Instance | None = None  #: whoever asked last, when it is no offer
    undo: Instance | None = None  #: what the turn before left, and this one may take back
    changed: bool = False  #: asked of "undo" alone: the turn before has changed answers of what is in front
    paused: Sequence[Instance] = ()  #: loaded where the reading asks for it, the last paused first
    expired: Instance | None = None  #: loaded where nothing that is asked for is paused: it was, for too long
    #: By process: what is in front, what holds, what waits beneath.
    standing: Mapping[str, Instance] = field(default_factory=dict)
    others: Mapping[str, Instance] = field(default_factory=dict)  #: beneath or in the background, by id
    quiet: Instance | None = None  #: in the background, and told of leaving where nothing is in front
    hinted: str | None = None  #: the process that the frontend's hint starts
    hint: bool = False  #: the frontend says which intent is meant, and it is one that is known
    own: tuple[str, Intent] | None = (
        None  #: the process that knows the words, and which of its intents they are
    )
    wanted: Wanted = "own"  #: what the open question wants
    required: bool = False  #: an answer that cannot be left out is open
    none: bool = False  #: there may be none of what is asked for
    about: bool = False  #: the message holds a word of the subject of what is in front
    beside: Beside | None = None  #: what is told beside what is asked, in words that say so
    mends: bool = False  #: it denies or mends something, and a note was kept last
    another_deed: bool = (
        False  #: to a doubt: it says what is to be done, and that is not what is asked: "save"
    )
    so_far: bool = False  #: it asks what was told up to now
    again: bool = False  #: it asks for the question once more
    means: str = ""  #: the answer of what is in front of which it asks what that is
    before: Pending | None = None  #: what the turn before found open in doubt
    stale: bool = False  #: it answers a question that is not the open one
    bars: Bars = BARS

    @property
    def yes_no(self) -> bool:
        """The open question can be answered by yes or no."""
        return self.wanted in CONSENT

    @property
    def may_be_left_out(self) -> bool:
        """The open question wants a value of a type, and can be skipped."""
        return self.wanted in FEW and not self.required

    @property
    def doubted(self) -> bool:
        """The turn before was doubted, and the person was asked what was meant."""
        return self.pending is not None and self.pending.doubted is not None

    @property
    def asks_to_pause(self) -> bool:
        """What was asked in doubt is, among others, whether to pause."""
        asked = self.pending.question.options if self.pending is not None and self.doubted else ()
        return any(option.value == "pause" for option in asked)


def asks_here(view: View) -> Instance | None:
    """Whoever asked last in the background, else the holder: the answer is theirs."""
    asker = view.asker
    if asker is not None and asker.state is State.ACTIVE and not asker.holds:
        return asker
    return view.holder


def is_learned(reading: Reading) -> bool:
    """A layer above the exact one has read it."""
    return reading.learned


def chooses(reading: Reading) -> bool:
    """The message is an option that is offered, word for word: its words win."""
    return reading.exactly("inform", target="option") is not None


def asks_back(who: Instance) -> bool:
    """It waits for what was meant: "which one did you mean?"."""
    return who.question is not None and who.question.kind == "clarify"


def takes_anything(who: Instance) -> bool:
    """Its open question takes free text of any kind."""
    return who.question is not None and who.question.takes_anything


def to_come_back_to(reading: Reading) -> set[str]:
    """The processes that are named to be picked up."""
    return {command.target for command in reading.commands if command.act == "resume" and command.target}


def answers(reading: Reading, view: View) -> float:
    """How likely the message answers the open question."""
    if view.yes_no:
        return reading.likely("affirm", "negate")
    if view.wanted == "own":  # what to make of it is its author's
        return reading.likely("inform", "affirm", "negate", "correct")
    given = reading.of("inform", target="")
    return given.confidence if given is not None else 0.0


def gives(reading: Reading) -> bool:
    """A value was found for the open question."""
    given = reading.of("inform", target="")
    return given is not None and bool(given.values)


def is_answer(reading: Reading, view: View) -> bool:
    """Surer than what would end or stop the talk, and hardly less sure than what may stand beside an answer."""
    bars, given = view.bars, answers(reading, view)
    if view.yes_no:
        yes, no = reading.likely("affirm"), reading.likely("negate")
        changes = any(_turns_it(c, view) and c.confidence >= bars.correct for c in reading.commands)
        if reading.exactly("ask", target="echo") is not None and len(reading.message.split()) <= ECHO_WORDS:
            return False  # "yes?" is never consent
        needed = bars.agreed if view.wanted == "confirm" and yes > no else bars.consent
        sure = given >= needed and given > reading.likely("hold", "human", "pause", "leave")
        return sure and min(yes, no) < bars.consent and not (changes and yes >= no)
    if view.wanted != "own" and not gives(reading):
        return False
    if asks_with_it(reading) and given < bars.sure_of_words:
        return False
    if is_hardly_one(reading, view):
        return False
    stops = reading.likely("leave", "pause", "human", "open", "hold", "none")
    beside = max(
        (c.confidence for c in reading.commands if c.act in _BESIDE and c.layer != "exact"), default=0.0
    )
    return given >= bars.inform and given > stops and given >= beside - bars.beside


def _turns_it(command: Command, view: View) -> bool:
    """A change with which a yes is none; one that stands in words of its own lets a question be answered besides."""
    return command.act == "correct" and (command.target != APART or view.wanted == "confirm")


def is_hardly_one(reading: Reading, view: View) -> bool:
    """An answer that may as well be the words for having none: "can't complain at the mo", to what is in the way."""
    given = reading.of("inform", target="")
    if given is None or given.layer == "exact" or view.yes_no or view.wanted == "own":
        return False
    none = reading.of("none", "open")
    return none is not None and log_odds(given.confidence) - log_odds(none.confidence) < view.bars.hardly


def is_none(reading: Reading, view: View) -> bool:
    """There is surely none of what is asked for, and hardly anything else is said: "no complaints, just due one"."""
    none = reading.of("none")
    if not view.none or none is None or none.confidence < view.bars.none:
        return False
    if none.target == APART:
        return True
    rival = max(answers(reading, view), reading.likely(*_NOT_NONE))
    return log_odds(none.confidence) - log_odds(rival) >= _AHEAD


def may_be_a_wish(reading: Reading, view: View) -> bool:
    """All of it would be the answer, not surely, and it may as well be wanted of us: "track order 5512", to the item."""
    given, wish = reading.of("inform", target=""), reading.of("request")
    if given is None or wish is None or view.wanted not in ("text", "list") or not given.values:
        return False
    value, said = normal(given.values[0].text), normal(reading.message)
    behind_a_verb = not view.required and said.partition(" ")[2] == value  # "read chapter three", as homework
    if value != said and not (behind_a_verb and view.wanted == "text"):
        return False
    bars = view.bars
    apart = log_odds(given.confidence) - log_odds(wish.confidence)
    return bars.inform <= given.confidence < bars.sure_of_words and apart < bars.wished


def is_a_deed(reading: Reading) -> bool:
    """What would be wanted of us is all of the answer: "draw a map", as homework."""
    given, asks = reading.of("inform", target=""), reading.of("ask", "request")
    if given is None or not given.values or asks is None or asks.act == "ask":
        return False
    return normal(given.values[0].text) == normal(reading.message)


def is_a_remark(reading: Reading, view: View) -> bool:
    """Any words may answer the open question, or none, and these may: they are a few, and no question."""
    asks = reading.exactly("ask") is not None or reading.likely("ask") >= view.bars.doubt
    free = view.wanted == "text" and not view.required and not view.doubted
    return free and not asks and len(reading.message.split()) >= _REMARK


def asks_with_it(reading: Reading) -> bool:
    """The words that would be the answer are what is asked: all of a question, or what its mark stands behind."""
    given = reading.of("inform", target="")
    if given is None or not given.values:
        return False
    said = given.values[0].text
    if reading.exactly("ask") is not None and normal(said) == normal(reading.message):
        return True
    _, found, rest = reading.message.partition(said)
    return bool(found) and rest.lstrip(" \"'”’)").startswith("?")


def asks_for_it(reading: Reading) -> bool:
    """All that is asked is what is given or changed: "shoot, he is away. Can we move it to Thursday?", "can you add that it leaks"."""
    said = reading.message.strip()
    ends = [0, *(m.end() for m in _SENTENCES.finditer(said)), len(said)]
    sentences = [said[start:end].strip() for start, end in pairwise(ends)]
    asking = [one for one in sentences if one.endswith("?")] or sentences
    if len(sentences) > 1 and asking is sentences:
        return False
    values = [v for c in reading.commands if c.act in ("correct", "inform") for v in c.values]
    new = [text for value in values if (text := normal(value.text))]
    return all(any(_ends_with(one, text) for text in new) for one in asking)


def _ends_with(said: str, value: str) -> bool:
    """What is asked for stands at the end, but for a word such as "instead": "is the 5th a holiday" asks of it."""
    before, found, behind = normal(said).rpartition(value)
    return bool(before and found) and len(behind.split()) <= 1


def clear(reading: Reading, bars: Bars) -> Reading:
    """Only what is clear in a reading: whoever gets it has nothing to weigh."""
    needed = {"inform": bars.inform, "affirm": bars.consent, "negate": bars.consent, "correct": bars.correct}
    clear = [
        c for c in reading.commands if c.layer == "exact" or c.confidence >= needed.get(c.act, bars.other)
    ]
    return reading.evolve(commands=tuple(clear))


def unsure_changes(reading: Reading, bars: Bars, agrees: float) -> list[Value]:
    """What would change and is not sure: which answer it is, which words are its new value, or whether it agrees."""
    values = [v for c in reading.commands if c.act == "correct" for v in c.values]
    says_so = max(
        (c.confidence for c in reading.commands if c.act == "correct" and not c.values), default=0.0
    )
    if agrees >= bars.doubt and says_so < bars.correct:  # "yes, I hear their risotto is great"
        return [
            v
            for c in reading.commands
            if c.act == "correct"
            for v in c.values
            if c.target != APART or not _sure(v, bars)
        ]
    return [v for v in values if not _sure(v, bars)]


def _sure(value: Value, bars: Bars) -> bool:
    runs_on = _SENTENCES.search(value.text) is not None  # into what is said beside it
    return not runs_on and bars.is_sure(value)


def ways_to_change(reading: Reading, bars: Bars) -> list[tuple[Value, ...]]:
    """What the message may change: as it was read, then with one answer for another; what it tells besides comes with each."""
    values = [v for c in reading.commands if c.act == "correct" for v in c.values]
    told = [
        v
        for c in reading.commands
        if c.act == "inform" and c.target in ("", "other") and c.confidence >= bars.inform
        for v in c.values
        if v.text and not any(v.text in one.text or one.text in v.text for one in values)
    ]
    values += told
    found = [tuple(values)]
    for at, value in enumerate(values):
        found += [(*values[:at], rival, *values[at + 1 :]) for rival in value.rivals]
    ways = [way for way in found if len({v.field for v in way}) == len(way)][:MOST_WAYS]
    # Of an answer that is told twice the first counts: no doubt is without a way to settle it.
    return ways or [tuple({v.field: v for v in reversed(values)}.values())]
