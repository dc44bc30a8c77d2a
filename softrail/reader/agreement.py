"""Where a yes and a value are no surer than they may be; here, and nowhere else, is either lowered.

The small model is as sure of "almost" as of any yes, and marks the day in "I was going to do Sunday, but I have a
wedding". Asked another way it is not: what sounds like a yes to a question that wants no yes is one, and who means a day
does not deny it. Where the two readings do not agree, it is asked what was meant; nothing is ever taken for their sake.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Act, Bars, Command, Place, Reading, Value, at_most, just_below
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import TYPED, is_of_another_deed, sentences
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks, query
from softrail.reader.unasked import YES_NO

_ELSEWHERE: Final = query("text", "What do you think?")  #: a question that nobody answers by yes or no
_IS_RIGHT: Final = "Is that right?"  #: what everything is shown with
_SHOWN: Final = query("confirm", _IS_RIGHT)
_MEANT: Final = 0.93  #: from here on a yes is meant beside a no, in words that nobody has listed
_AGAINST: Final[Sequence[Act]] = ("negate", "correct", "pause", "leave")
_INSTEAD: Final[Sequence[Act]] = ("hold", "open", "ask", "request", "repeat")
_HARDLY: Final = 0.49  #: a yes with more behind it is no surer than this, and asked about
_FAINT: Final = 0.05  #: a yes of words of its own that is less likely there is none that is clear
_HARDLY_GIVEN: Final = 0.3  #: words that are less likely a value are asked about, whatever the message does
_TAKEN_BACK: Final = 0.5  #: from here on a number, a day or a time with a "but" behind it is denied


def with_a_clear_yes(message: str, hearing: Hearing, marks: Marks) -> Marks:
    """The marks, with a yes that is only as sure as everything else that is said lets it be."""
    place, language = hearing.place, hearing.language
    likely, needed = marks.acts.get("affirm", 0.0), hearing.bars.needed("affirm", place)
    if (agreed := _without_courtesy(message, hearing, marks)) is not None:
        return agreed
    if (
        language.hedges(message)
        or _has_more_to_it(message, hearing, marks)
        or _is_behind_a_remark(message, hearing)
    ):
        likely = min(likely, _HARDLY)
    elif _agrees(message, hearing, marks):
        likely = max(likely, needed)
    elif (
        likely >= needed
        and place.yes_no
        and not place.offer
        and not _is_yes(message, hearing.marker, language)
    ):
        likely = just_below(needed)
    return replace(marks, acts={**marks.acts, "affirm": likely}) if "affirm" in marks.acts else marks


def _agrees(message: str, hearing: Hearing, marks: Marks) -> bool:
    """Both models take it for a yes to what is shown, and nothing else is done with it: "spot on", "nothing to change"."""
    place, marker, bars = hearing.place, hearing.marker, hearing.bars
    likely = marks.acts.get("affirm", 0.0)
    if place.wanted != "confirm" or place.decides or likely < max(bars.other, _likeliest(marks, *_AGAINST)):
        return False
    [read] = marker.mark(message, [_ELSEWHERE])
    if max(_likeliest(marks, *_INSTEAD), _likeliest(read, "open", "pause", "leave")) >= bars.doubt:
        return False  # "hm", "fine whatever", "yes, later"
    return marker.choose(message, _IS_RIGHT, YES_NO).options[0] >= _MEANT


def _likeliest(marks: Marks, *acts: Act) -> float:
    return max(marks.acts.get(act, 0.0) for act in acts)


def _without_courtesy(message: str, hearing: Hearing, marks: Marks) -> Marks | None:
    """The marks of a yes to what is shown, of a message with thanks or a farewell at one end: "all ok thank you, goodbye".

    None where there is none, or what is left is no clear yes.
    """
    place, bars = hearing.place, hearing.bars
    said = list(clauses(message))
    polite = marks.acts.get("social", 0.0) >= bars.other
    if place.wanted != "confirm" or place.decides or len(said) < 2 or not polite:
        return None
    for courtesy, told in (
        (message[slice(*said[-1])], message[: said[-2][1]]),
        (message[slice(*said[0])], message[said[1][0] :]),
    ):
        [[aside], [read]] = [hearing.marker.mark(one, [_SHOWN]) for one in (courtesy, told)]
        if aside.acts.get("social", 0.0) >= bars.other:
            agreed = with_a_clear_yes(told, hearing, read)
            if agreed.acts.get("affirm", 0.0) >= bars.agreed:
                return replace(marks, acts=agreed.acts)
    return None


def _has_more_to_it(message: str, hearing: Hearing, marks: Marks) -> bool:
    """It says what nobody asked for, sets a condition for what is asked back, or wants an answer first.

    "Save it" is no yes to a question about food; and nothing is done for "sure, but what does it cost?".
    """
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if place.asks_back:  # what is asked about is about to be done
        return marks.acts.get("affirm", 0.0) < bars.agreed or language.has_a_condition(message)
    if place.offer:  # what begins can be left: "I'd be grateful if you did" is a yes, "only if …" is none
        return language.excludes(normal(message).partition(" ")[0])
    if place.decides and (language.has_a_proviso(message) or language.has_a_condition(message)):
        return True  # "yes, but only two days" is not what was asked
    if place.wanted == "confirm":
        told = _without_questions(message, language)
        rest = language.consent_and_more(told)[1]
        first, _, behind = rest.partition(" ")
        if language.has_a_proviso(told) or language.asks_besides(behind if language.adds(first) else rest):
            return True  # "once he has paid"; "sounds good, and can we have the window?"
        if marks.acts.get("correct", 0.0) >= bars.doubt and any(map(language.is_more, normal(rest).split())):
            return True  # "ok and yesterday I also rang Mette"
        return _likeliest(marks, "ask", "request") >= bars.other and language.has_a_reserve(told)
    return is_of_another_deed(message, place, language)


def with_its_reserve(reading: Reading, place: Place, bars: Bars, language: Language) -> Reading:
    """The reading of a yes with a "but" behind it that changes nothing it is known of: "ok but take it to the back door"."""
    if place.wanted != "confirm" or reading.exactly("affirm") is not None or not reading.does("affirm"):
        return reading
    changes = any(command.values and command.confidence >= bars.correct for command in reading.commands)
    if changes or not language.has_a_reserve(_without_questions(reading.message, language)):
        return reading
    hardly = [at_most(one, _HARDLY) if one.act == "affirm" else one for one in reading.commands]
    return reading.evolve(commands=tuple(hardly))


def with_a_bare_consent(reading: Reading, place: Place, bars: Bars) -> Reading:
    """The reading of a yes or a no that answers no question for words: "k" is no name, where it is not surely one."""
    given = reading.of("inform", target="")
    bare = reading.exactly("affirm", "negate") is not None and place.wanted == "text"
    if not bare or given is None or given.layer == "exact" or given.confidence >= bars.sure_of_words:
        return reading
    return reading.with_other(given, at_most(given, just_below(bars.doubt)))


def with_what_is_asked_for(reading: Reading, place: Place, bars: Bars) -> Reading:
    """The reading of who decides on what another asks for: what is told beside that would change it, and agrees to nothing.

    All that can be told there was told by the other: "he can have 5", of three days.
    """
    told = reading.of("inform", target="other")
    if not place.decides or told is None or reading.exactly("affirm", "negate") is not None:
        return reading
    if told.confidence < max(bars.other, reading.likely("affirm", "negate")):
        return reading
    changes = Command(act="correct", confidence=told.confidence, layer=told.layer, values=told.values)
    return reading.with_other(told, changes)


def _without_questions(message: str, language: Language) -> str:
    """The message without the sentences behind its first that only ask: they are heard on their own, and are no condition."""
    first, *more = [message[start:end].strip() for start, end in sentences(message)]
    return " ".join([first, *(said for said in more if not language.is_question(said))])


def _is_behind_a_remark(message: str, hearing: Hearing) -> bool:
    """Something is let be done for a reason that is none: "he's away, so yes"; "it all fits, so yes" is a yes."""
    place = hearing.place
    if (place.wanted != "confirm" and not place.decides) or place.offer:
        return False
    if not (before := hearing.language.before_its_yes(message)):
        return False
    [read] = hearing.marker.mark(before, [_SHOWN])
    return max(read.acts.get("affirm", 0.0), read.acts.get("none", 0.0)) < hearing.bars.other


def _is_yes(message: str, marker: Marker, language: Language) -> bool:
    """It is one elsewhere, too, where hardly a pause or an opinion is likelier, unless it has words of a yes."""
    [read] = marker.mark(message, [_ELSEWHERE])
    yes, no = read.acts.get("affirm", 0.0), read.acts.get("negate", 0.0)
    instead = max(_FAINT, read.acts.get("hold", 0.0), read.acts.get("inform", 0.0))
    in_words = "yes" in (language.consent_and_more(message)[0], language.consent(message))
    return no <= yes and (in_words or yes >= instead)


def surely_meant(message: str, hearing: Hearing, marks: Marks, here: Value) -> float:
    """How sure the value is, which is not where a name is still to come, or something is said against the value behind it.

    "Something with bees" is no name, and "I was going to do Sunday, but I have a wedding that day" is no Sunday.
    """
    place, bars, language = hearing.place, hearing.bars, hearing.language
    likely = marks.acts.get("inform", 0.0)
    asks = place.question.asks if place.question is not None else ""
    no_name = place.wanted == "text" and language.is_no_name_yet(message, asks)
    if no_name or (place.wanted in ("text", "list") and marks.value < _HARDLY_GIVEN):
        return min(likely, bars.doubt)
    if place.wanted not in TYPED or place.own or not language.has_a_reserve(message[marks.start :]):
        return likely
    [read] = hearing.marker.mark(message, [query("bool", f"Is it {here.text}?")])
    no, yes = read.acts.get("negate", 0.0), read.acts.get("affirm", 0.0)
    return min(likely, just_below(bars.inform)) if no >= max(yes, _TAKEN_BACK) else likely
