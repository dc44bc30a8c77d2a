"""What was given before and is wrong, where nobody says what is right: "that's not a project", "I never said that"."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Final

from softrail.core.reading import (
    Act,
    Bars,
    Command,
    Field,
    Place,
    Reading,
    Value,
    at_most,
    just_below,
    log_odds,
)
from softrail.language import Language, enumerated, without_part
from softrail.reader.changes.parts import runs
from softrail.reader.changes.spoken_of import likeness, spoken_of
from softrail.reader.clauses import clauses
from softrail.reader.fields import (
    is_named,
    is_there,
    names_of,
    spaced,
)
from softrail.reader.hearing import Hearing
from softrail.reader.learned import query

_MOST: Final = 3  #: answers that are asked about
_DENIED: Final = 0.7  #: from here on an answer is taken back
_UNKNOWN: Final = 0.1  #: how likely one is that was not put to the model
_SPOKEN: Final = 1.0  #: how much the words must speak of a yes or no for it to be on a button
_TURNS: Final = 0.6  #: how likely it must be that the form is changed, for no yes or no being one
_AHEAD: Final = 1.0  #: log odds by which it must be ahead of the others
#: What a message hardly does besides that takes an answer back by its name.
_ELSE: Final[Sequence[Act]] = (
    *("inform", "none", "open", "negate", "affirm", "correct", "social", "ask", "request", "hold"),
    *("repeat", "pause", "leave", "human"),
)
#: What is said to us, and not of an answer, though it may have its words: "can you check the day's weather?".
_BESIDES: Final[Sequence[Act]] = ("ask", "request", "repeat", "human", "social")


def with_taken_back(
    reading: Reading,
    hearing: Hearing,
    denied: Sequence[tuple[float, Field]],
    instead: float,
    *,
    changes: float = 0.0,
) -> Reading:
    """The reading with the answer that is taken back, or those that may be; it is kept until there is another.

    `denied` is how likely each answer given before is called wrong, `changes` how likely one of the form is changed;
    `instead` how likely the message does something else.
    """
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form or not denied:
        return reading
    given = [f for f in place.fields() if f.given and (f.present or is_named(f, reading.message))]
    named = [field for field in given if is_named(field, reading.message)]
    called = named if len(named) == 1 else []
    meant = called or spoken_of(language.without_taking_back(reading.message), given, language)
    if language.takes_back(reading.message) and len(meant) == 1:
        back = _taken_back(reading, meant[0], bars, language)
        if back is not None:
            return back
    more = language.tells_more(reading.message) and not called and not language.says_not(reading.message)
    if more or _is_told(reading, place, bars):
        return reading  # "also Lena does the photos" calls nothing wrong
    if not named and not place.yes_no:  # there any no denies everything
        asked = [query("bool", f"Is {field.present} right?") for _, field in denied]
        no = [marks.acts.get("negate", 0.0) for marks in hearing.marker.mark(reading.message, asked)]
        denied = [(max(likely, other), field) for (likely, field), other in zip(denied, no, strict=True)]
    says_so = reading.likely("correct")
    (likely, wrong), *others = sorted(denied, key=lambda one: -one[0])
    ahead = log_odds(likely) - log_odds(others[0][0]) if others else inf
    if called:
        likely = max(says_so, next((p for p, field in denied if field is called[0]), 0.0))
        wrong, ahead = called[0], inf
    if likely >= _DENIED and ahead >= _AHEAD and likely >= instead and wrong.wanted != "bool":
        return _asked_anew(reading, wrong, likely)
    besides = [c.confidence for c in reading.commands if c.layer == "learned" and c.act in _BESIDES]
    least = _TURNS if place.wanted == "bool" else bars.correct
    if meant and max(besides, default=0.0) < bars.other and max(says_so, changes) >= least:
        return _spoken(reading, meant[0], max(says_so, changes), language)
    if max(says_so, likely if likely >= bars.other else 0.0) < max(bars.correct, instead):
        return reading
    if place.wanted != "confirm" and max(says_so, changes) < bars.rival:
        return reading  # what is no answer, and denies much, calls nothing wrong: "don't call me"
    like = likeness(reading.message, given, language)
    return reading.evolve(maybe=tuple(_wrong(field, says_so) for field in _nearest(given, denied, like)))


def mistaken(reading: Reading, hearing: Hearing) -> Reading | None:
    """The reading that something is wrong, with those that were given last, where a message says that and not what."""
    place = hearing.place
    if not place.of_a_form:
        return None
    if place.wanted in ("text", "list", "confirm"):
        return None  # "there's a mistake in it" may be the answer; to a summary it is asked what is to change
    given = [field for field in place.fields() if field.given and field.present and field.wanted != "bool"]
    if not given or not hearing.language.is_mistaken(reading.message):
        return None
    if len(given) == 1:
        return _asked_anew(reading, given[0], 1.0)
    says = Command(act="correct", layer="learned")
    maybe = tuple(_wrong(field, says.confidence) for field in given[: -_MOST - 1 : -1])
    return reading.evolve(commands=(says,), maybe=maybe)


def with_called_wrong(reading: Reading, hearing: Hearing) -> Reading:
    """The reading of an answer that is called wrong by its name where words are asked for, which it may be as well.

    "Name is misspelled" gives no name; whether "the machine is off" is what happened, or the machine is wrong, is asked.
    """
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if place.own or place.takes_anything:
        return reading
    given = {field.name: field for field in place.fields() if field.given}
    if place.of_a_form and (beside := _wrong_beside(reading, given, bars, language)):
        left = reading.without_values_of([v.field for c in beside for v in c.values])
        return left.evolve(commands=(*left.commands, *beside))
    if place.wanted not in ("text", "list"):
        return reading
    wrong = language.called_wrong(reading.message, {name: field.names for name, field in given.items()})
    if not wrong:
        return reading
    likely = max(reading.likely("correct"), bars.correct)
    answers = reading.of("inform", target="")
    rest = reading.without("none", "open", "negate", "social", "correct", "inform")
    if answers is None or answers.confidence < bars.doubt:
        return _asked_anew(rest, given[wrong[0]], likely)
    hardly = at_most(answers, just_below(bars.inform))
    return rest.evolve(commands=(*rest.commands, hardly), maybe=(_wrong(given[wrong[0]], likely),))


def _wrong_beside(
    reading: Reading, given: Mapping[str, Field], bars: Bars, language: Language
) -> Sequence[Command]:
    """Answers that a clause calls wrong by their names, beside what another clause tells: "5 pm, but the day is wrong"."""
    said = [reading.message[start:end] for start, end in clauses(reading.message)]
    sure = [value for value in bars.sure_values(reading) if value.text]
    names = {name: field.names for name, field in given.items()}
    if len(said) < 2 or not sure:
        return ()
    free = [clause for clause in said if not any(v.text in clause or clause in v.text for v in sure)]
    wrong = [name for clause in free for name in language.called_wrong(clause, names)]
    told = {value.field for value in sure}
    return [
        Command.of_another(Value(field=name, text="", placed=1.0), changes=True)
        for name in dict.fromkeys(wrong)
        if name not in told
    ]


def with_unsaid(reading: Reading, hearing: Hearing) -> Reading:
    """The reading of an answer that nobody gave, as the message says: it is asked for, and not turned into its contrary.

    "I never said anything about neighbours" is no "no"; "I didn't say 5, I said 6" gives a new one.
    """
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form or place.takes_anything or not language.was_not_said(reading.message):
        return reading
    fields = [f for f in place.fields() if f.name != place.field]
    named = [field for field in fields if is_named(field, reading.message)]
    meant = named if len(named) == 1 else spoken_of(reading.message, fields, language)
    if len(meant) != 1:
        return reading
    said = [v.text for v in bars.sure_values(reading) if v.field == meant[0].name and v.text]
    if any(text in reading.message and not is_there(meant[0], text) for text in said):
        return reading  # what is right is told with it
    rest = reading.without_values_of([meant[0].name])
    told = tuple(c for c in rest.commands if c.act == "inform" and c.values and c.confidence >= bars.inform)
    if meant[0].given:
        anew = _asked_anew(reading.evolve(commands=()), meant[0], 1.0)
        return anew.evolve(commands=(*told, *anew.commands))
    if told:
        return rest
    again = Command(act="repeat", layer="learned")  # nobody has it, and its question comes in its turn
    return reading.evolve(commands=(again,), maybe=(), beside=())


def _spoken(reading: Reading, field: Field, likely: float, language: Language) -> Reading:
    """The one answer that the words speak of is asked for anew; whether a yes turns, or an item goes, is asked."""
    left = _without_item(field, reading.message, language)
    if not left and field.wanted != "bool":
        return _asked_anew(reading.evolve(commands=()), field, likely)
    says, wrong = Command(act="correct", confidence=likely, layer="learned"), _wrong(field, likely)
    return reading.evolve(commands=(says,), maybe=(replace(wrong, text=left or wrong.text),))


def _asked_anew(reading: Reading, field: Field, likely: float) -> Reading:
    """The answer is asked for once more, and kept until there is another."""
    value = Value(field=field.name, text="", confidence=likely, placed=1.0)
    command = Command(act="correct", confidence=likely, layer="learned", values=(value,))
    rest = reading.without("inform", "none", "open", "negate", "social", "correct")
    return rest.evolve(commands=(*rest.commands, command))


def _is_told(reading: Reading, place: Place, bars: Bars) -> bool:
    """A value is given, an option named, or there is none of what is asked for: the message is about that."""
    told = any(c.values and c.confidence >= bars.doubt for c in reading.commands)
    options = place.question.options if place.question is not None and place.wanted == "choice" else ()
    named = any(f" {spaced(option.label)} " in f" {spaced(reading.message)} " for option in options)
    left_out: Sequence[Act] = () if place.required else ("open",)
    nothing = reading.likely("none", "negate", *left_out) if place.none or not place.required else 0.0
    none = not place.yes_no and nothing >= max(bars.doubt, reading.likely("correct"))
    return told or named or none or reading.likely("inform") >= bars.inform


def _nearest(
    given: Sequence[Field], denied: Sequence[tuple[float, Field]], like: Mapping[str, float]
) -> list[Field]:
    """The answers that may be meant, the likeliest first; a yes or no only where the words speak of it."""
    likely = {field.name: p for p, field in denied}
    asked = [field for field in given if field.wanted != "bool" or like[field.name] >= _SPOKEN]
    return sorted(asked, key=lambda f: -(log_odds(likely.get(f.name, _UNKNOWN)) + like[f.name]))[:_MOST]


def _wrong(field: Field, likely: float) -> Value:
    """It is to be asked for anew; a yes turns into a no."""
    turned = ("no" if field.present == "True" else "yes") if field.wanted == "bool" else ""
    return Value(field=field.name, text=turned, confidence=likely)


def _taken_back(reading: Reading, field: Field, bars: Bars, language: Language) -> Reading | None:
    """The answer is asked for anew, and kept until then; of a yes, and of an item of several, it is asked whether that is meant.

    None where the message says what takes its place, or answers the question.
    """
    new = [
        value
        for command in reading.commands
        for value in command.values
        if command.confidence >= bars.changed and value.text and not language.takes_back(value.text)
    ]
    answers = reading.of("inform", target="")
    kept = answers is not None and answers.confidence >= bars.sure_of_words
    turned = field.wanted == "bool"
    if new or kept or (turned and field.present != "True"):
        return None
    text = _without_item(field, reading.message, language) or ("no" if turned else "")
    value = Value(field=field.name, text=text, confidence=bars.sure, placed=0.0 if turned else 1.0)
    said = reading.without(*_ELSE).evolve(maybe=(), beside=())
    command = Command(act="correct", confidence=bars.sure, layer="learned", values=(value,))
    return said.evolve(commands=(*said.commands, command))


def _without_item(field: Field, message: str, language: Language) -> str:
    """The items of a list without the one that is spoken of, or the part of one, one a line; "" where nothing would be left."""
    if field.wanted != "list":
        return ""
    items = field.items
    parts = [enumerated(item, language) for item in items]
    names = {word for name in names_of(field) for word in name.split()}
    said = " ".join(
        run.key for run in runs(message) if run.key not in names
    )  # "the streets" are no one street
    one = [
        Field(name=f"{at}.{n}", wanted="text", question="", label=part)
        for at, named in enumerate(parts)
        for n, part in enumerate(named)
    ]
    if len(one) == 1 or len(gone := spoken_of(said, one, language)) != 1:
        return ""
    at, n = map(int, gone[0].name.split("."))
    if len(parts[at]) == 1:
        return "\n".join(item for other, item in enumerate(items) if other != at)
    return "\n".join([*items[:at], without_part(items[at], n, language), *items[at + 1 :]])
