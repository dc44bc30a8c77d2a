"""What was given before and is wrong, where nobody says what is right: "that's not a project", "I never said that"."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Place, Reading, Value, log_odds
from softrail.language import Language
from softrail.reader.changes.parts import runs
from softrail.reader.changes.spoken_of import likeness, spoken_of
from softrail.reader.fields import is_named, names_of, spaced
from softrail.reader.learned import Marker, query

_MOST: Final = 3  #: answers that are asked about
_DENIED: Final = 0.7  #: from here on an answer is taken back
_UNKNOWN: Final = 0.1  #: how likely one is that was not put to the model
_SPOKEN: Final = 1.0  #: how much the words must speak of a yes or no for it to be on a button
_AHEAD: Final = 1.0  #: log odds by which it must be ahead of the others
#: What a message hardly does besides that takes an answer back by its name.
_ELSE: Final[Sequence[Act]] = (
    *("inform", "none", "open", "negate", "affirm", "correct", "social", "ask", "request", "hold"),
    *("repeat", "pause", "leave", "human"),
)


def with_taken_back(
    reading: Reading,
    place: Place,
    denied: Sequence[tuple[float, Field]],
    marker: Marker,
    bars: Bars,
    instead: float,
    language: Language,
) -> Reading:
    """The reading with the answer that is taken back, or those that may be; it is kept until there is another.

    `denied` is how likely each answer given before is called wrong; `instead` how likely the message does something else.
    """
    if place.own or place.offer or place.asks_back or not denied:
        return reading
    given = [field for field in place.fields() if field.given and field.present]
    said_so = language.takes_back(reading.message)
    if said_so and (back := _by_name(reading, given, bars, language)) is not None:
        return back
    told = any(c.values and c.confidence >= bars.doubt for c in reading.commands)
    if told or reading.likely("inform") >= bars.inform:
        return reading
    options = place.question.options if place.question is not None and place.wanted == "choice" else ()
    if any(f" {spaced(option.label)} " in f" {spaced(reading.message)} " for option in options):
        return reading  # "not the bar please" is of what is asked
    left_out: Sequence[Act] = () if place.required else ("open",)
    nothing = reading.likely("none", "negate", *left_out) if place.none or not place.required else 0.0
    if not place.yes_no and nothing >= max(bars.doubt, reading.likely("correct")):
        return reading  # there is none of what is asked for, and that is an answer, or may be left out
    named = [one for one in denied if is_named(one[1], reading.message)]
    if len(named) > 1:
        return reading  # it speaks of more than one, and nobody says which of them is meant
    if not named and not place.yes_no:  # there any no denies everything
        asked = [query("bool", f"Is {field.present} right?") for _, field in denied]
        no = [marks.acts.get("negate", 0.0) for marks in marker.mark(reading.message, asked)]
        denied = [(max(likely, other), field) for (likely, field), other in zip(denied, no, strict=True)]
    ranked = sorted(denied, key=lambda one: -one[0])
    likely, wrong = ranked[0]
    ahead = log_odds(likely) - log_odds(ranked[1][0]) if len(ranked) > 1 else inf
    repeated = _meant(reading.message, denied)
    says_so = reading.likely("correct")
    if repeated:
        wrong, likely, ahead = repeated[0], max(likely, says_so), inf
    if named:  # "forget the weight": that one or none
        (likely, wrong), ahead = (max(named[0][0], says_so), named[0][1]), inf
    if likely >= _DENIED and ahead >= _AHEAD and likely >= instead:
        value = Value(field=wrong.name, text="", confidence=likely, placed=1.0)
        command = Command(act="correct", confidence=likely, layer="learned", values=(value,))
        rest = reading.without("inform", "none", "open", "negate", "social", "correct")
        return rest.evolve(commands=(*rest.commands, command))
    least = bars.correct if named else max(bars.correct, instead)
    if max(says_so, likely if likely >= bars.other else 0.0) < least:
        return reading
    like = likeness(reading.message, given, language)
    meant = [field for _, field in named] or _meant(reading.message, denied) or _nearest(given, denied, like)
    return reading.evolve(maybe=tuple(_wrong(field, says_so) for field in meant))


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


def _by_name(reading: Reading, given: Sequence[Field], bars: Bars, language: Language) -> Reading | None:
    """The one answer that is called in words that take it back: it is asked for anew, and kept until then.

    Of a yes, and of an item of several, it is asked whether that is meant. None where no answer is called, or the message
    says what takes its place.
    """
    called = [field for field in given if is_named(field, reading.message)]
    meant = called if len(called) == 1 else spoken_of(reading.message, given, language)
    new = [
        value
        for command in reading.commands
        for value in command.values
        if command.confidence >= bars.changed and value.text and not language.takes_back(value.text)
    ]
    answers = reading.of("inform", target="")
    kept = answers is not None and answers.confidence >= bars.sure_of_words
    if len(meant) != 1 or new or kept:
        return None
    [field] = meant
    said = reading.without(*_ELSE).evolve(maybe=(), beside=())
    rest = _without_item(field, reading.message, language)
    if field.wanted == "bool" or rest:
        text = rest or "no"
        if field.wanted == "bool" and field.present != "True":
            return None
        value = Value(field=field.name, text=text, confidence=bars.sure, placed=0.0)
    else:
        value = Value(field=field.name, text="", confidence=bars.sure, placed=1.0)
    command = Command(act="correct", confidence=bars.sure, layer="learned", values=(value,))
    return said.evolve(commands=(*said.commands, command))


def _without_item(field: Field, message: str, language: Language) -> str:
    """The items of a list without the one that is spoken of, one a line; "" where it is none of several."""
    items = (field.present or "").split("; ")
    if field.wanted != "list" or len(items) == 1:
        return ""
    names = {word for name in names_of(field) for word in name.split()}
    said = " ".join(
        run.key for run in runs(message) if run.key not in names
    )  # "the streets" are no one street
    one = [Field(name=str(at), wanted="text", question="", label=item) for at, item in enumerate(items)]
    gone = {item.name for item in spoken_of(said, one, language)}
    return "\n".join(item for at, item in enumerate(items) if str(at) not in gone) if gone else ""


def _meant(message: str, denied: Sequence[tuple[float, Field]]) -> list[Field]:
    """The one answer whose words the message repeats: "forget Saltmarsh"."""
    said = f" {spaced(message)} "
    called = [f for _, f in denied if f.present and f" {spaced(f.present)} " in said]
    return called if len(called) == 1 else []
