"""What was given before and is wrong, where nobody says what is right: "that's not a project", "I never said that"."""

from collections.abc import Sequence
from math import inf
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Place, Reading, Value, log_odds
from softrail.reader.fields import is_named, spaced
from softrail.reader.learned import Marker, query

_MOST: Final = 3  #: answers that are asked about
_DENIED: Final = 0.7  #: from here on an answer is taken back
_AHEAD: Final = 1.0  #: log odds by which it must be ahead of the others
_MAYBE: Final = 0.3  #: from here on it may be that one


def with_taken_back(
    reading: Reading,
    place: Place,
    denied: Sequence[tuple[float, Field]],
    marker: Marker,
    bars: Bars,
    instead: float,
) -> Reading:
    """The reading with the answer that is taken back, or those that may be; it is kept until there is another.

    `denied` is how likely each answer given before is called wrong; `instead` how likely the message does something else.
    """
    if place.own or place.offer or place.asks_back or not denied:
        return reading
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
    meant = (
        [field for _, field in named]
        or _meant(reading.message, denied)
        or [f for p, f in ranked if p >= _MAYBE]
        or [f for _, f in denied if f.wanted != "bool"]
    )
    meant = meant if len(meant) <= _MOST else meant[-_MOST:]
    return reading.evolve(maybe=tuple(Value(field=f.name, text="", confidence=says_so) for f in meant))


def _meant(message: str, denied: Sequence[tuple[float, Field]]) -> list[Field]:
    """The one answer whose words the message repeats: "forget Saltmarsh"."""
    said = f" {spaced(message)} "
    called = [f for _, f in denied if f.present and f" {spaced(f.present)} " in said]
    return called if len(called) == 1 else []
