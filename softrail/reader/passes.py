"""The passes over a message that exact words did not settle, in the order in which each has what it needs.

First all of it is read, without what certain words tell of other answers. Every pass then gets that reading, and gives
one in which what it knows of is put right; it gives back what it got where it knows of nothing.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Final

from softrail.core.reading import APART, Act, Command, Reading, Value
from softrail.language import choose, items, normal
from softrail.reader.approvals import with_a_plain_yes, without_approval
from softrail.reader.behind import (
    with_an_answer_of_its_own,
    with_none_before_a_question,
    with_what_is_behind,
)
from softrail.reader.beside_words import with_what_is_of_it
from softrail.reader.bound import with_what_binds_it
from softrail.reader.by_clause import told_apart
from softrail.reader.called import with_the_one_it_calls
from softrail.reader.changes.added import with_what_is_added
from softrail.reader.changes.among import with_rearranged
from softrail.reader.changes.as_it_was import with_what_was
from softrail.reader.changes.at_odds import settled_odds
from softrail.reader.changes.behind_a_no import asked_behind_a_no, without_denied
from softrail.reader.changes.by_how_much import by_how_much
from softrail.reader.changes.deeds import with_deeds
from softrail.reader.changes.instead import instead
from softrail.reader.changes.numbers import other_number
from softrail.reader.changes.of_lists import with_changed_lists
from softrail.reader.changes.parts import tells_something
from softrail.reader.changes.put_right import with_what_is_right
from softrail.reader.changes.taken_back import mistaken, with_called_wrong, with_unsaid
from softrail.reader.changes.which_day import with_the_day_it_can_be
from softrail.reader.closed import with_what_is_meant
from softrail.reader.counted import with_what_it_comes_to
from softrail.reader.each_clause import with_each_clause
from softrail.reader.exact import exact, settled
from softrail.reader.fields import WORD, is_named
from softrail.reader.hearing import Hearing
from softrail.reader.items import with_items
from softrail.reader.items_again import with_items_put_right
from softrail.reader.just_before import put_right_now
from softrail.reader.last_word import with_the_last_word
from softrail.reader.lasting import lasting, until_it_is_over
from softrail.reader.marking import marked
from softrail.reader.meant_for import with_each_for_its_own, with_sensible_offers
from softrail.reader.moments import with_other_half
from softrail.reader.named_so import with_what_is_named_so
from softrail.reader.ranges import Parted, parted, without
from softrail.reader.repairs import with_repairs
from softrail.reader.spans import spanned
from softrail.reader.told_elsewhere import with_what_is_for_others
from softrail.reader.until import until

_Pass = Callable[[Reading, Hearing], Reading]
_ENDED: Final = re.compile(r"[.;!]\s*$")
_NOTHING: Final[tuple[Command, ...]] = ()


def read_through(reading: Reading, hearing: Hearing) -> Reading:
    """What the message tells, does and changes, after every pass over it."""
    last = with_the_last_word(reading.message, hearing.place, hearing.language)
    if last != reading.message:
        read = read_through(reading.evolve(message=last), hearing)
        return read.evolve(message=reading.message)
    read = _whole(reading, hearing)
    for one in chain(_MEANT, _WHOSE, _WRONG, _BEHIND, _BECOMES, _ELSEWHERE, _OFFERED):
        read = one(read, hearing)
    return read


def by_item(reading: Reading, hearing: Hearing) -> Reading:
    """The lists that are told as their items, and what becomes of those that were told before."""
    return with_changed_lists(with_items(reading, hearing), hearing)


def _whole(reading: Reading, hearing: Hearing) -> Reading:
    """The message read, after the values that stand in pairs and the clauses of other answers are taken out of it."""
    if (both := _agreed_besides(reading, hearing)) is not None:
        return both
    bars, language = hearing.bars, hearing.language
    message, told, left = reading.message, _NOTHING, hearing
    over = until(message, left)
    if over is not None:  # "no, from two till ten" calls no beginning wrong
        message, left = over.message, left.at(without(left.place, over.fields))
    while (change := _change(message, left)) is not None:
        message, told = change.message, (*told, *change.told)
        left = left.at(without(left.place, change.fields))
    changes, told = bool(told), (*told, *(over.told if over is not None else ()))
    for part in (lasting, until_it_is_over, spanned):
        if (one := part(message, left)) is not None:
            message, told, left = (
                one.message,
                (*told, *one.told),
                left.at(without(left.place, one.fields)),
            )
    while (two := parted(message, left)) is not None and two.message != message:
        message, told, left = two.message, (*told, *two.told), left.at(without(left.place, two.fields))
    if (two := told_apart(message, left)) is not None:
        message, told, left = two.message, (*told, *two.told), left.at(without(left.place, two.fields))
    read = reading.evolve(message=message)
    if changes and message and (said := _exactly(left, message)):
        read = read.evolve(commands=(*read.commands, *said))
    elif changes and message and language.consent(message) == "no" and _goes_on(message, reading.message):
        message = ""  # "no, not Porto, Faro": it is the change that is denied so
    elif WORD.search(message) or language.consent(message) in ("yes", "no"):  # "k" is no answer of words
        read = _marked(read, left)
    if changes:
        called = {field.name for field in left.place.fields() if is_named(field, message)}
        waits = read.likely("hold") >= bars.other  # "hold on, I said 32 but it's 23"
        kept = tuple(
            c
            for c in read.commands
            if _counts_beside_a_change(c, told, called, hearing) and not (waits and c.act == "inform")
        )
        read = read.evolve(commands=kept, maybe=())
    read = read.evolve(message=reading.message, commands=(*read.commands, *told))
    return with_what_was(read, hearing)


def _change(message: str, hearing: Hearing) -> Parted | None:
    """The first change that is told in certain words."""
    for change in (put_right_now, instead, other_number, by_how_much):
        if (found := change(message, hearing)) is not None:
            return found
    return None


def _agreed_besides(reading: Reading, hearing: Hearing) -> Reading | None:
    """A yes or no with a change behind it: "yes please. And it's 30 copies"; None where it is not surely both."""
    place, bars = hearing.place, hearing.bars
    if place.wanted != "bool" or place.own or place.offer or place.asks_back:
        return None
    said, rest = hearing.language.consent_and_more(reading.message)
    head = reading.message[: len(reading.message.rstrip()) - len(rest)]
    if said not in ("yes", "no") or (said == "no" and not _ENDED.search(head)):
        return None  # "no, it's 30" denies the other answer
    read = _whole(Reading(message=rest), hearing)
    changed = [replace(c, target=APART) for c in read.commands if c.act == "correct" and c.values]
    sure = all(bars.is_sure(value) for command in changed for value in command.values)
    if not changed or not sure or read.likely("affirm", "negate") >= bars.doubt:
        return None
    act: Act = "affirm" if said == "yes" else "negate"
    return reading.evolve(commands=(*reading.commands, Command(act=act, layer="learned"), *changed))


def _counts_beside_a_change(
    command: Command, told: Sequence[Command], called: Collection[str], hearing: Hearing
) -> bool:
    """Who says what is wrong, and what is right, hardly wants to leave with the rest, or to take back more.

    An answer that the rest has `called` by its name may be changed, too: "and make the budget 45".
    """
    bars = hearing.bars
    if command.layer == "exact":
        return True
    bar = bars.leave if command.act in ("pause", "leave") else bars.other
    if command.act == "correct":
        new = {normal(word) for c in told for value in c.values for word in WORD.findall(value.text)}
        words = {normal(word) for value in command.values for word in WORD.findall(value.text)}
        named = bool(command.values) and all(value.field in called for value in command.values)
        return bool(words - new) and command.confidence >= (bars.changed if named else bars.sure)
    return command.confidence >= bar


def _marked(reading: Reading, hearing: Hearing) -> Reading:
    """What the small models mark in those words."""
    if (read := mistaken(reading, hearing)) is not None:
        return read
    read = settled_odds(marked(reading, hearing), hearing)
    return with_other_half(asked_behind_a_no(read, hearing), hearing.place, hearing.bars)


def _clause(hearing: Hearing, message: str) -> Reading:
    """Those words as the whole message they would be; a yes with more behind it agrees to nothing that is shown."""
    place, language = hearing.place, hearing.language
    said, rest = language.consent_and_more(message)
    if place.wanted == "confirm" and said == "yes" and tells_something(rest, language):
        message = rest
    read = exact(message, place, language)
    return read if settled(read, place) else read_through(read, hearing)


def _alone(hearing: Hearing, message: str) -> Reading:
    """Those words as they would be read if they were all that is said."""
    return _marked(Reading(message=message), hearing)


def _items(hearing: Hearing, message: str) -> Sequence[str]:
    """The items of a list of which those words would be all; none where they are hardly one."""
    read = with_items(_alone(hearing, message.strip(" ,;.")), hearing)
    given = read.of("inform", target="")
    if given is None or not given.values or given.confidence < hearing.bars.inform:
        return ()
    return items(given.values[0].text, hearing.language)


def _exactly(hearing: Hearing, rest: str) -> Sequence[Command]:
    """The answer that the rest of a message is in certain words: "10:30", with "and Sunday instead of Saturday"."""
    place, language = hearing.place, hearing.language
    options = place.question.options if place.question is not None and place.wanted == "choice" else ()
    if (option := choose(rest, options, language=language, alone=True)) is not None:
        value = Value(field=place.field or "", text=option.means)
        return [Command(act="inform", values=(value,))]
    found = exact(rest, place, language).commands
    return [replace(c, target="") for c in found if c.act == "inform" and c.target == "whole"]


def _goes_on(head: str, message: str) -> bool:
    """What is said behind it belongs to it: no sentence ends there, and nothing is added."""
    return re.match(rf"\s*{re.escape(head)}\s*(?:,|\s(?!and\b|but\b|also\b|oh\b))", message) is not None


def _what_is_behind(reading: Reading, hearing: Hearing) -> Reading:
    return with_what_is_behind(reading, hearing, partial(_alone, hearing))


def _an_answer_of_its_own(reading: Reading, hearing: Hearing) -> Reading:
    return with_an_answer_of_its_own(reading, hearing, partial(_exactly, hearing))


def _items_put_right(reading: Reading, hearing: Hearing) -> Reading:
    return with_items_put_right(reading, hearing, partial(_items, hearing))


def _each_clause(reading: Reading, hearing: Hearing) -> Reading:
    return with_each_clause(reading, hearing, partial(_clause, hearing))


#: What is meant by the words, where a question takes only some answers.
_MEANT: Final[Sequence[_Pass]] = (with_what_is_meant, without_denied)
#: Which answer the words are for.
_WHOSE: Final[Sequence[_Pass]] = (with_each_for_its_own, with_what_it_comes_to)
#: Which answer is called wrong.
_WRONG: Final[Sequence[_Pass]] = (with_called_wrong, with_unsaid, with_the_one_it_calls)
#: What one clause says of the other.
_BEHIND: Final[Sequence[_Pass]] = (
    *(_what_is_behind, with_none_before_a_question),
    _an_answer_of_its_own,
)
#: What becomes of what was told before.
_BECOMES: Final[Sequence[_Pass]] = (
    *(by_item, _items_put_right, with_what_is_right, with_what_is_added, with_repairs),
    *(without_approval, with_a_plain_yes, with_deeds, with_rearranged),
)
#: What is told of other answers, and how far an answer goes.
_ELSEWHERE: Final[Sequence[_Pass]] = (
    *(with_what_is_for_others, with_what_is_named_so, with_what_is_of_it, with_the_day_it_can_be),
)
#: What is put to the person, and whether every clause was heard.
_OFFERED: Final[Sequence[_Pass]] = (with_sensible_offers, _each_clause, with_what_binds_it)
