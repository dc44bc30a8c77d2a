"""An option that is spoken of and may not be chosen: "my sister hated the Blue Suites", "we were at the Grand in May"."""

from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Place
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, open_query
from softrail.reader.learned import Marker, query

_GIVEN: Final = 0.9  #: a clause that gives an option as surely as this chooses it, whatever else it says
_MEANT: Final = 0.35  #: and such of which it is as likely that it says yes to it


def is_spoken_ill_of(message: str, value: str, place: Place, language: Language) -> bool:
    """The clause that calls the option speaks ill of it, or one behind it that calls no other."""
    option = _option(value, place)
    if option is None or _asks_for_ill(place, language):
        return False
    own, called = _words_of(option), False
    others = set().union(*(_words_of(o) for o in _options(place) if o is not option)) - own
    for start, end in clauses(message):
        said = [normal(word) for word in message[start:end].split()]
        called = bool(own & {*said}) or (called and not others & {*said})
        if called and language.speaks_ill(" ".join(word for word in said if word not in own)):
            return True
    return False


def is_only_spoken_of(message: str, value: str, place: Place, marker: Marker, language: Language) -> bool:
    """The clause that calls the option says more of it than chooses it, and hardly that it is meant."""
    option = _option(value, place)
    if option is None or _asks_for_ill(place, language):
        return False
    said, own = language.without_reason(message), _words_of(option)
    calling = [said[a:b] for a, b in clauses(said) if own & _told(said[a:b])]
    beside = _told(calling[-1]) - own if calling else set[str]()
    if all(map(language.is_choosing_word, beside)):
        return False
    [given, meant] = marker.mark(calling[-1], [open_query(place), query("bool", f"Is it {option.label}?")])
    sure = given.acts.get("inform", 0.0) * given.value
    return sure < _GIVEN and meant.acts.get("affirm", 0.0) < _MEANT


def _asks_for_ill(place: Place, language: Language) -> bool:
    """What is asked for is what is wrong: "What isn't working?"."""
    asks = place.question.asks if place.question is not None else ""
    return language.says_not(asks) or language.speaks_ill(asks)


def _options(place: Place) -> tuple[Option, ...]:
    return place.question.options if place.question is not None else ()


def _option(value: str, place: Place) -> Option | None:
    return next((o for o in _options(place) if (o.value or o.label) == value), None)


def _words_of(option: Option) -> set[str]:
    return {word for name in (option.label, *option.words) for word in _told(name)}


def _told(words: str) -> set[str]:
    return {normal(word) for word in WORD.findall(words)}
