"""Where a yes and a value are no surer than they may be; here, and nowhere else, is either lowered.

The small model is as sure of "almost" as of any yes, and marks the day in "any day but Monday". Asked another way it is
not: what sounds like a yes to a question that wants no yes is one, and who means a value does not deny it. Where the two
readings do not agree, it is asked what was meant; nothing is ever taken for their sake.
"""

from dataclasses import replace
from typing import Final

from softrail.core.reading import Bars, Place, Reading, Value
from softrail.language import Language, normal
from softrail.reader.fields import TYPED, WORD, is_of_another_deed, sentences
from softrail.reader.learned import Marker, Marks, query
from softrail.reader.remarks import is_only_spoken_of, is_spoken_ill_of

_ELSEWHERE: Final = query("text", "What do you think?")  #: a question that nobody answers by yes or no
_SHOWN: Final = query("confirm", "Is that right?")  #: what everything is shown with
_HARDLY: Final = 0.49  #: a yes with more behind it is no surer than this, and asked about
_FAINT: Final = 0.05  #: a yes of words of its own that is less likely there is none that is clear
_DENIED: Final = 0.7  #: from here on a number, a day or a time is denied
_DENIED_BY_MORE: Final = 0.3  #: the same, and of an option, where other words are marked with it
_TAKEN_BACK: Final = 0.5  #: the same, where a "but" stands behind it
_PLACED: Final = 0.75  #: words that are surer than that are the value, whatever else is said
_SECOND: Final = 0.6  #: from here on what else is said may be it


def with_a_clear_yes(
    message: str, place: Place, marks: Marks, marker: Marker, bars: Bars, language: Language
) -> Marks:
    """The marks, with a yes that is only as sure as everything else that is said lets it be."""
    likely, needed = marks.acts.get("affirm", 0.0), bars.needed("affirm", place)
    if _has_more_to_it(message, place, marks, bars, language) or _is_behind_a_remark(
        message, place, marker, bars, language
    ):
        likely = min(likely, _HARDLY)
    elif likely >= needed and place.yes_no and not place.offer and not _is_yes(message, marker, language):
        likely = _below(needed)
    return replace(marks, acts={**marks.acts, "affirm": likely}) if "affirm" in marks.acts else marks


def _has_more_to_it(message: str, place: Place, marks: Marks, bars: Bars, language: Language) -> bool:
    """It says what nobody asked for, sets a condition for what is asked back, or wants an answer first.

    "Save it" is no yes to a question about food; and nothing is done for "sure, but what does it cost?".
    """
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
        asks = max(marks.acts.get(act, 0.0) for act in ("ask", "request"))
        return asks >= bars.other and language.has_a_reserve(told)
    return is_of_another_deed(message, place, language)


def with_its_reserve(reading: Reading, place: Place, bars: Bars, language: Language) -> Reading:
    """The reading of a yes with a "but" behind it that changes nothing it is known of: "ok but take it to the back door"."""
    if place.wanted != "confirm" or reading.exactly("affirm") is not None or not reading.does("affirm"):
        return reading
    changes = any(command.values and command.confidence >= bars.correct for command in reading.commands)
    if changes or not language.has_a_reserve(_without_questions(reading.message, language)):
        return reading
    hardly = [
        replace(one, confidence=min(one.confidence, _HARDLY)) if one.act == "affirm" else one
        for one in reading.commands
    ]
    return reading.evolve(commands=tuple(hardly))


def _without_questions(message: str, language: Language) -> str:
    """The message without the sentences behind its first that only ask: they are heard on their own, and are no condition."""
    first, *more = [message[start:end].strip() for start, end in sentences(message)]
    return " ".join([first, *(said for said in more if not language.is_question(said))])


def _is_behind_a_remark(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> bool:
    """Something is let be done for a reason that is none: "he's away, so yes"; "it all fits, so yes" is a yes."""
    if (place.wanted != "confirm" and not place.decides) or place.offer:
        return False
    if not (before := language.before_its_yes(message)):
        return False
    [read] = marker.mark(before, [_SHOWN])
    return max(read.acts.get("affirm", 0.0), read.acts.get("none", 0.0)) < bars.other


def _is_yes(message: str, marker: Marker, language: Language) -> bool:
    """It is one elsewhere, too, where hardly a pause or an opinion is likelier, unless it has words of a yes."""
    [read] = marker.mark(message, [_ELSEWHERE])
    yes, no = read.acts.get("affirm", 0.0), read.acts.get("negate", 0.0)
    instead = max(_FAINT, read.acts.get("hold", 0.0), read.acts.get("inform", 0.0))
    in_words = "yes" in (language.consent_and_more(message)[0], language.consent(message))
    return no <= yes and (in_words or yes >= instead)


def value_that_is_meant(
    message: str, place: Place, marks: Marks, here: Value, marker: Marker, bars: Bars, language: Language
) -> tuple[float, Value]:
    """How sure the value is, which is not where the message denies it, and its least words: "any day but Monday"."""
    likely = marks.acts.get("inform", 0.0)
    asks = place.question.asks if place.question is not None else ""
    if place.wanted == "text" and language.is_no_name_yet(message, asks):
        return min(likely, bars.doubt), here
    if place.wanted not in (*TYPED, "choice") or (place.own and place.wanted != "choice"):
        return likely, here  # of any words "cancels subscriptions" sounds like a denial, too
    value = _least(here.text, place) if place.wanted in TYPED else _label(here.text, place)
    least = here if place.wanted == "choice" else replace(here, text=value)  # what it is asked for
    if likely < bars.inform:
        return likely, least
    if place.wanted == "choice" and is_spoken_ill_of(message, here.text, place, language):
        return min(likely, _below(bars.inform)), least
    if place.wanted == "choice" and language.leaves_out(message, value):
        return min(likely, _below(bars.doubt)), least
    if place.wanted == "choice" and _is_denied_behind(message[marks.end :], language):
        return min(likely, _below(bars.inform)), least
    more = _has_more(said := message[marks.start : marks.end], _all_of_it(said, value, place), language)
    if place.wanted == "choice" and not (more and _has_a_no(message, language)):
        # Called by its own words alone, or with nothing denied: "a new identity card" denies no identity card.
        remark = is_only_spoken_of(message, here.text, place, marker, language)
        return (min(likely, _below(bars.inform)) if remark else likely), here
    if normal(value) == normal(message):
        return likely, here  # it is called by its own words alone
    if place.wanted in TYPED and any(language.negates(word.lower()) for word in WORD.findall(value)):
        return likely, here  # "no later than the 20th": what is denied is a part of the value
    [read] = marker.mark(message, [query("bool", f"Is it {value}?")])
    no, yes = read.acts.get("negate", 0.0), read.acts.get("affirm", 0.0)
    bar = _DENIED_BY_MORE if more else _TAKEN_BACK if _has_a_but_behind(value, message, language) else _DENIED
    if no < bar or (no < yes and not more):
        return likely, here
    return min(likely, _below(bars.inform)), least


def _has_a_but_behind(value: str, message: str, language: Language) -> bool:
    """Something is said against the value behind it: "I was going to do Sunday, but I have a wedding that day"."""
    said, words = normal(message), normal(value)
    return language.has_a_reserve(said[max(0, said.find(words)) :])


def _is_denied_behind(rest: str, language: Language) -> bool:
    """What is said behind an option may be of it, and says no: "… is my old employer, so not that one"."""
    words = [normal(word) for word in WORD.findall(rest)]
    return bool(words) and language.is_choosing_word(words[-1]) and language.says_not(rest)


def _has_a_no(message: str, language: Language) -> bool:
    """A word of it turns something round, or may leave something out: "any day but Monday"."""
    return language.says_not(message) or any(
        language.negates(word) or language.denies(word) or language.excludes(word)
        for word in map(normal, WORD.findall(message))
    )


def _below(bar: float) -> float:
    """Just not enough for a bar: below that of `inform` it is asked about, below that of `doubt` it is not."""
    return bar - 0.01


def _least(words: str, place: Place) -> str:
    """The fewest of those words that give the same value: "Monday" of "any day but Monday"."""
    asked = place.open_field()
    if asked is None or asked.parses is None:
        return words
    value, left = asked.parses(words), words.split()
    while len(left) > 1 and asked.parses(" ".join(left[1:])) == value:
        left = left[1:]
    while len(left) > 1 and asked.parses(shorter := " ".join(left[:-1])) == value:
        if asked.widened(" ".join(left), 0, len(shorter))[1] > len(shorter):
            break  # "one in the afternoon"
        left = left[:-1]
    return " ".join(left)


def _all_of_it(said: str, value: str, place: Place) -> str:
    """The value with the words that belong to it though it is the same without them: "last Thursday"."""
    asked, at = place.open_field(), said.find(value)
    if asked is None or at < 0 or place.wanted not in TYPED:
        return value
    return said[slice(*asked.widened(said, at, at + len(value)))]


def _label(text: str, place: Place) -> str:
    """What the person calls the option of that value; the words themselves where there is none."""
    options = place.question.options if place.question is not None and place.wanted == "choice" else ()
    return next((o.label for o in options if (o.value or o.label) == text), text)


def _has_more(said: str, value: str, language: Language) -> bool:
    """They call a value by its words, and have others that do not stand around any choice."""
    words, own = (set(map(normal, WORD.findall(text))) for text in (said, value))
    return bool(words & own) and any(not language.is_choosing_word(word) for word in words - own)
