"""Closed questions answered in words of one's own: which option is meant, or whether it is a yes or a no.

The small model of one question reads *that* something is answered; which of a few things is meant is read by another, beside
all of them. Where that is sure, it is the answer; where it is not, what it holds for likeliest is asked about first. The
other closed questions of a form are put to it as well: a message may answer them besides, or change what they have.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import MEANT, Act, Command, Field, Place, Reading, Value, at_most, just_below
from softrail.language import Language, normal
from softrail.reader.both_options import both_meant, called_in
from softrail.reader.changes.spoken_of import is_of_the_question, likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, is_named
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker
from softrail.reader.options import MOST, option_called, words_of
from softrail.reader.several_options import several_called
from softrail.reader.unasked import YES_NO, is_spoken_of, said_by_name

_AT_ODDS: Final = 0.7  #: how surely something else must be meant for what was read to be asked about
_HARDLY: Final = 0.1  #: and how unlikely what was read; as likely as that it is then
_SPOKEN_OF: Final = (
    0.7  #: from here on an option that is called is only spoken of: "my sister hated the Grand"
)
_ASIDE: Final = 0.3  #: the same where the option itself is not as likely as that
_AGREED: Final = 0.7  #: how sure of a yes or no both readings must be, where neither is surer
_ODD: Final = 0.2  #: what is read as surely as may be is asked about where it is hardly meant
_BESIDES: Final = 0.8  #: the same of an option that nobody asked for: where one is told, it is hardly another
_SURELY: Final = 0.85  #: and of a yes or no that nobody asked for, and of what is to change
_FOR_CERTAIN: Final = (
    0.95  #: and of one to the open question, where something else is read: another answer changes, no opinion
)
_BY_NAME: Final = 0.94  #: and of one that is called by its name where something else may be wanted
_SAID_BESIDES: Final = 3  #: words from which on a message may answer another question, too
_TAKEN: Final = frozenset({"none", "open", "hold"})  #: what a message that answers does not do as well
_AWAY: Final[Sequence[Act]] = ("request", "human", "pause", "leave")
_INSTEAD: Final[Sequence[Act]] = ("ask", "repeat", "hold", "social", "open", *_AWAY)
_CONFIDENCE: Final = attrgetter("confidence")


def with_what_is_meant(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with what the message means as an answer to the open question, and to the others that are closed."""
    place = hearing.place
    if place.question is None or place.own or place.offer or place.asks_back:
        return reading
    words = len(WORD.findall(reading.message))
    if words and place.wanted == "choice":
        reading = _with_an_option(reading, hearing)
        reading = _if_spoken_of(reading, hearing) if place.begins else reading
    elif words and place.wanted == "bool" and not place.decides:
        reading = _with_a_yes_or_no(reading, hearing)
    elif words and place.wanted == "list":
        reading = _instead(reading, told) if (told := several_called(reading, hearing)) else reading
    if words < _SAID_BESIDES:
        return reading
    return with_what_is_told_besides(reading, hearing)


def with_what_is_told_besides(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with what the message means as an answer to the closed questions that are not open."""
    place, bars = hearing.place, hearing.bars
    answered = place.field in [value.field for value in bars.sure_values(reading)]
    away = reading.likely(*_AWAY) >= bars.other and not answered
    besides = list(_besides(reading, hearing, away=away))
    if besides and away:  # "sorry, yes to the referral" wants no person
        reading = reading.without("ask", *_AWAY)
    anew = {value.field for command in besides for value in command.values}
    wrong = _wrong_for_nothing(reading, place, hearing.language) if besides else ()
    left = reading.without_values_of({*anew, *wrong})
    left = _without_their_clauses(left, [value for c in besides for value in c.values], place)
    return left.evolve(commands=(*left.commands, *besides))


def _without_their_clauses(reading: Reading, told: Sequence[Value], place: Place) -> Reading:
    """The reading without the last clause of an answer, where that calls one of them by its name: "cooking, no licence"."""
    given, names = reading.of("inform", target=""), {value.field for value in told}
    if place.wanted not in ("text", "list") or given is None or not given.values:
        return reading
    message, text = reading.message, given.values[0].text
    *before, (start, end) = [*clauses(message)] or [(0, 0)]
    called = any(f.name in names and is_named(f, message[start:end]) for f in place.fields())
    at = message.find(text)
    if not before or not called or not at <= before[-1][1] <= start < at + len(text):
        return reading
    kept = message[at : before[-1][1]]
    if not WORD.search(kept):
        return reading
    return reading.with_other(given, replace(given, values=(replace(given.values[0], text=kept),)))


def _if_spoken_of(reading: Reading, hearing: Hearing) -> Reading:
    """The reading without an option that nobody has asked about and the message says nothing of: "lesson plan pls"."""
    asked, given = hearing.place.open_field(), reading.of("inform", target="")
    if asked is None or given is None or not given.values:
        return reading
    if is_spoken_of(reading.message, asked, given.values[0].text, hearing.marker, hearing.language):
        return reading
    return reading.without_values_of([asked.name]).without("inform")


def _with_an_option(reading: Reading, hearing: Hearing) -> Reading:
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    assert place.question is not None  # noqa: S101 - looked at before
    options = place.question.options
    if not 1 < len(options) <= MOST or reading.exactly("inform") is not None:
        return reading
    chosen = marker.choose(reading.message, place.question.asks, [option.label for option in options])
    values = _values(place, chosen.options)
    if both := both_meant(reading.message, place.question.asks, options, marker, language):
        return _asked_which(reading, [option.means for option in both], values)
    ranked = tuple(sorted(values, key=_CONFIDENCE, reverse=True))
    best, given = ranked[0], reading.of("inform", target="")
    if given is not None and given.values and given.confidence >= bars.inform:  # by its own words
        said = next((one.confidence for one in values if one.text == given.values[0].text), 1.0)
        another = best.confidence >= _AT_ODDS and said <= _HARDLY
        aside = chosen.aside >= (_SPOKEN_OF if said >= _SPOKEN_OF else _ASIDE)
        aside = aside and not _asks_for_ill(place, language)
        called = [o for o in options if o.means == given.values[0].text]
        denied = any(
            _is_left_out(reading.message, o, place, language)
            or _is_said_not(reading.message, o, place, language)
            for o in called
        )
        if not (another or aside or denied):
            return reading
        hardly = _instead(reading, replace(given, confidence=_HARDLY))
        return (
            hardly if denied else hardly.evolve(nearest=ranked)
        )  # what is not wanted is asked about by nobody
    left = [option for option in options if not _is_left_out(reading.message, option, place, language)]
    if len(left) == 1 < len(options) and reading.likely(*_INSTEAD) < bars.other:  # "not outside": inside
        meant = Value(field=place.field or "", text=left[0].means, confidence=bars.chosen)
        return _instead(
            reading, Command(act="inform", confidence=bars.chosen, layer="learned", values=(meant,))
        )
    if len(left) < len(options):
        return reading  # what is not wanted is asked about by nobody
    faint = given is not None and bool(given.values)  # it is read as the answer, and hardly
    if best.confidence < bars.chosen and not (faint and chosen.aside >= bars.other):
        best = _named(reading.message, hearing) or best
    if best.confidence >= bars.chosen > reading.likely(*_AWAY):
        told = Command(act="inform", confidence=best.confidence, layer="learned", values=(best,))
        return _instead(reading, told)
    answers = reading.likely("inform") >= bars.inform and chosen.aside < bars.other
    if reading.exactly(*_INSTEAD) is not None or not (answers or sum(chosen.options) >= bars.doubt):
        return reading
    return reading.evolve(nearest=ranked)


def _asked_which(reading: Reading, both: Sequence[str], values: Sequence[Value]) -> Reading:
    """The reading in which two options are meant, and one is to be chosen: those first, and none ahead."""
    sure = max(value.confidence for value in values)
    first = sorted((v for v in values if v.text in both), key=lambda v: both.index(v.text))
    ranked = (*(replace(v, confidence=sure) for v in first), *(v for v in values if v.text not in both))
    left = [
        replace(c, values=())
        if c.act == "inform" and c.target in ("", "likely") and c.layer != "exact"
        else c
        for c in reading.commands
    ]
    return reading.evolve(commands=tuple(left), nearest=ranked)


def _values(place: Place, likely: Sequence[float]) -> list[Value]:
    """The options of the open question as values, each as likely as it is meant."""
    assert place.question is not None  # noqa: S101 - looked at before
    return [
        Value(field=place.field or "", text=option.means, confidence=sure)
        for option, sure in zip(place.question.options, likely, strict=True)
    ]


def _named(message: str, hearing: Hearing) -> Value | None:
    """The option that a clause calls by a word of it, where it means none rather: "our oven died, we live on the 4th floor"."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    assert place.question is not None  # noqa: S101 - looked at before
    options = place.question.options
    if (called := option_called(message, options, language)) is None:
        return None
    text = called.means
    for start, end in clauses(message):
        clause = message[start:end]
        if option_called(clause, options, language) is not called:
            continue
        likely = hearing.marker.choose(
            clause, place.question.asks, [option.label for option in options]
        ).options
        best = max(_values(place, likely), key=_CONFIDENCE)
        if best.text == text and best.confidence >= bars.other:
            return replace(best, confidence=max(best.confidence, bars.chosen))
    return None


def _is_left_out(message: str, option: Option, place: Place, language: Language) -> bool:
    """It is not wanted: "not the bar please", "the bar would be the worst choice", "the bar, my sister hated it"."""
    if language.leaves_out(message, option.label):
        return True
    if place.question is None or _asks_for_ill(place, language):
        return False
    (own, others), called = _words_apart(option, place.question.options), False
    for start, end in clauses(message):
        said = [normal(word) for word in message[start:end].split()]
        called = bool(own & {*said}) or (called and not others & {*said})
        if called and language.speaks_ill(" ".join(word for word in said if word not in own)):
            return True
    return False


def _words_apart(option: Option, options: Sequence[Option]) -> tuple[set[str], set[str]]:
    """The words of an option, and those that only the others have."""
    own = set(words_of(option))
    return own, set[str]().union(*(words_of(o) for o in options if o is not option)) - own


def _is_said_not(message: str, option: Option, place: Place, language: Language) -> bool:
    """The clause that calls it, and no other option, says not: "outside is not possible for us"."""
    if place.question is None or _asks_for_ill(place, language):
        return False
    own, others = _words_apart(option, place.question.options)
    for start, end in clauses(message):
        said = {normal(word) for word in message[start:end].split()}
        if own & said and not others & said:
            clause = message[start:end]
            bound = language.has_a_proviso(clause) or language.has_a_condition(clause)
            rest = " ".join(word for word in clause.split() if normal(word) not in own)
            # "Never" may be an option; "drive, as long as …" is one.
            return not bound and language.says_not(rest)
    return False


def _asks_for_ill(place: Place, language: Language) -> bool:
    """What is asked for is what is wrong: "What isn't working?"."""
    asks = place.question.asks if place.question is not None else ""
    return language.says_not(asks) or language.speaks_ill(asks)


def _with_a_yes_or_no(reading: Reading, hearing: Hearing) -> Reading:
    place, bars, language = hearing.place, hearing.bars, hearing.language
    assert place.question is not None  # noqa: S101 - looked at before
    if reading.exactly("affirm", "negate") is not None or reading.likely(*_AWAY) >= bars.other:
        return reading
    if language.hedges(reading.message):
        return reading  # it is asked which of the two it is
    yes, no = hearing.marker.choose(reading.message, place.question.asks, YES_NO).options
    act: Act = "affirm" if yes >= no else "negate"
    other: Act = "negate" if act == "affirm" else "affirm"
    likely: dict[Act, float] = {"affirm": yes, "negate": no}
    read = reading.of("affirm", "negate", target="")
    if read is not None and read.confidence >= bars.consent:
        if likely[read.act] >= _ODD:
            return reading
        return _instead(reading, replace(read, confidence=just_below(bars.consent)))
    unclear = max(reading.likely("correct"), reading.likely("open", "hold")) >= bars.other
    if unclear or language.has_a_reserve(reading.message):
        bar = _FOR_CERTAIN  # "the amount is 52 not 25" says no to nothing, "yes, but not at the moment" hardly yes
    else:
        bar = _AGREED if reading.likely(act) >= _AGREED else bars.chosen
    if likely[act] < bar:
        return reading
    told = Command(act=act, confidence=max(likely[act], bars.consent), layer="learned", target=MEANT)
    return _instead(reading, told, other)


def _instead(reading: Reading, told: Command, *never: Act) -> Reading:
    """The reading with that command in place of what was read of the open question."""
    left = []
    for one in reading.commands:
        if one.layer != "exact" and one.act == told.act and one.target in ("", "likely"):
            continue
        if one.layer != "exact" and one.act in _TAKEN.union(never):
            one = at_most(one, 1 - told.confidence)
        left.append(one)
    return reading.evolve(commands=(*left, told))


def _besides(reading: Reading, hearing: Hearing, *, away: bool) -> Iterator[Command]:
    """What the message tells of closed questions that are not open, and that nobody has surely read of it.

    `away`: it may want something else, so only what it calls by its name, and surely tells.
    """
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    sure = {value.field for value in bars.sure_values(reading)}
    fields = place.fields()
    spoken = likeness(reading.message, fields, language) if place.yes_no else {}
    for field in fields:
        if field.name == place.field or field.name in sure:
            continue
        if field.wanted == "bool" and place.yes_no and not spoken[field.name]:
            continue  # a yes is one to what was asked: "rent is due tomorrow, so yes"
        if away and not is_named(field, reading.message):
            continue
        here = place.open_field()
        asks = here.question if here is not None else ""
        if field.wanted == "bool" and is_of_the_question(reading.message, field, asks, language):
            continue
        value = said_by_name(field, reading.message, language) or _told(field, reading.message, marker)
        bar = _SURELY if field.given or field.wanted == "bool" else _BESIDES
        if value is None:
            continue
        if away:
            bar = bars.chosen if field.given else _BY_NAME
            value = replace(value, placed=0.0) if value.confidence < _BY_NAME else value  # it is asked
        sums_up = place.wanted == "confirm"  # it is about nothing but the answers
        if (
            value.confidence < bar
            and sums_up
            and not away
            and field.given
            and _calls(reading.message, field, value)
        ):
            bar, value = bars.sure, replace(value, placed=0.0)  # it is asked whether that changes, too
        if value.confidence < bar:
            continue
        asked = sums_up or place.wanted == "own"  # for all of them at once
        if not asked and not is_spoken_of(reading.message, field, value.text, marker, language):
            continue  # its own question comes in its turn
        yield Command.of_another(value, changes=field.given)


def _calls(message: str, field: Field, value: Value) -> bool:
    """It has the name of the answer that is a yes or a no, or all words of the option."""
    option = next((one for one in field.options if one.means == value.text), None)
    return called_in(message, option) if option is not None else is_named(field, message)


def _wrong_for_nothing(reading: Reading, place: Place, language: Language) -> Collection[str]:
    """Answers that were read as wrong, where the message speaks of none of them and tells another: "nothing, I just want an apology"."""
    fields = {field.name: field for field in place.fields()}
    read = (value for command in reading.commands if command.act == "correct" for value in command.values)
    wrong = {value.field for value in (*read, *reading.maybe) if not value.text and value.field in fields}
    spoken = likeness(reading.message, [*fields.values()], language)
    return [name for name in wrong if not spoken[name]]


def _told(field: Field, message: str, marker: Marker) -> Value | None:
    """What the message most likely tells of the field; None where that is what it has, or nothing is offered."""
    if field.wanted == "bool":
        yes, no = marker.choose(message, field.question, YES_NO, beside=True).options
        if field.given and (field.present == "True") == (yes >= no):
            return None
        return Value(field=field.name, text="yes" if yes >= no else "no", confidence=max(yes, no))
    if not 1 < len(field.options) <= MOST:
        return None
    labels = [option.label for option in field.options]
    likely = marker.choose(message, field.question, labels, beside=True).options
    best = field.options[likely.index(max(likely))]
    if field.given and normal(field.present or "") in (normal(best.label), normal(best.value or "")):
        return None
    return Value(field=field.name, text=best.means, confidence=max(likely))
