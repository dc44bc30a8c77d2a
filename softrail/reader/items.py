"""A list that was told in one breath, as its items: "a lamp, two chairs and what is left of the desk"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from softrail.core.reading import Act, Bars, Field, Reading, Value, just_below
from softrail.language import Language
from softrail.language import items as as_written
from softrail.reader.changes.parts import only_points
from softrail.reader.fields import WORD, Span, blanked, is_named, meets, places_of, question_query, sentences
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks, Piece, trimmed
from softrail.reader.uneven import with_parts_passed_over

_MOST: Final = 4  #: parts behind what was found of a list that are read
_JOINT: Final = re.compile(r"[,;:.!?&+/()]|[^\W\d_]+")
_SIGN: Final = re.compile(r"[,;:]|[.!](?=\s)")
_INSTEAD: Final[Sequence[Act]] = ("none", "open", "ask", "request", "social", "hold", "leave", "pause")
_FIGURE: Final = re.compile(r"\d")
_ELSE: Final = 0.3  #: from here on a message may do something else than tell a text, which is weighed with all of its words
_FRAMED: Final = 3  #: words from which on a text may have something around it
_NOTHING: Final = Piece(start=0, end=0, begins=0.0, inside=0.0)
_BEGINS: Final = 0.6  #: from here on an item begins; set on lists that were kept back from training
_IS_ONE: Final = 0.5  #: from here on a word is of an item, wherever that begins
_SURE: Final = 0.9  #: how sure it must be of every word, for the items to be those that are marked; set on lists that were kept back
_INSIDE: Final = 0.3  #: from here on a word behind the beginning of an item is of it


def with_the_rest(message: str, query: str, marks: Marks, marker: Marker, bars: Bars) -> str:
    """The words that were found of a list, with those around them as far as a part of them is of it, or may be.

    Whatever it is, nothing of it is lost: what may be two items is one.
    """
    start, end = marks.start, marks.end
    signs = [one.span() for one in _SIGN.finditer(message)]
    before = [(0, 0), *(one for one in signs if one[1] <= start)]
    behind = [*(one for one in signs if one[0] >= end), (len(message), len(message))]
    parts = [(a[1], b[0]) for a, b in (*[*pairwise(before)][-_MOST:], *[*pairwise(behind)][:_MOST])]
    for first, last in parts:
        part = message[first:last]
        if len(WORD.findall(part)) < 2:
            continue
        [read] = marker.mark(part, [query])
        given = read.acts.get("inform", 0.0)
        if min(read.value, given) >= bars.inform:
            first, last = first + read.start, first + read.end
        elif given < bars.other or given <= max(read.acts.get(act, 0.0) for act in _INSTEAD):
            continue
        start, end = min(start, first), max(end, last)
    return message[start:end].strip()


def behind_a_nothing(message: str, hearing: Hearing, marks: Marks) -> Marks:
    """The marks of who makes little of a list and tells some of it: "nothing much, just emails" is the emails.

    Where it is not sure what that is, it is at least not sure that there is none.
    """
    bars = hearing.bars
    field, none = hearing.place.open_field(), marks.acts.get("none", 0.0)
    answers = max(none, marks.acts.get("inform", 0.0))
    if field is None or any(likely > answers for likely in marks.acts.values()):
        return marks
    pieces = hearing.marker.items(message, question_query(field))
    found = list(marked(message, pieces))
    if not found:
        return marks
    [_, first_end], *more = sentences(message)
    elsewhere = bool(more) and found[0].span[0] >= first_end
    if not surely_marked(message, pieces) or (
        elsewhere and hearing.language.consent(message.split()[0]) == "no"
    ):
        # "No, he eats everything. Swims, too": that answers something else
        return replace(marks, acts={**marks.acts, "none": min(none, just_below(bars.other))})
    likely = min(one.likely for one in found)
    acts = {**marks.acts, "inform": max(answers, likely), "none": min(none, just_below(bars.doubt))}
    start, end = found[0].span[0], found[-1].span[1]
    return replace(
        marks, acts=acts, start=start, end=end, value=max(marks.value, likely), span=max(marks.span, likely)
    )


def with_items(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with every list that it tells item by item, one a line, and the words alone of a text that was asked for."""
    place, language = hearing.place, hearing.language
    asked = {field.name: question_query(field) for field in place.fields() if field.wanted == "list"}
    field = place.open_field()
    text = None
    if (
        field is not None
        and field.wanted == "text"
        and not field.options
        and reading.likely(*_INSTEAD) < _ELSE
    ):
        text, asked[field.name] = field.name, question_query(field)
    if not asked:
        return reading
    values = [value for command in reading.commands for value in command.values if value.field != text]
    # Whatever "it" is, in "we have a cat, add it to the pets": the list is read for that.
    pointing = {v.field for v in values if v.field in asked and only_points(v.text, language)}
    reading = reading.without_values_of(pointing) if pointing else reading
    told: dict[str, list[str]] = {}
    for value in (value for command in reading.commands for value in command.values if value.text):
        told.setdefault(value.field, []).append(value.text)
    edit = language.edit(reading.message, {field.name: field.names for field in place.fields()})
    anew = (edit.field, edit.text) if edit is not None and edit.op == "change" and edit.text else ("", "")
    lists = _Lists(
        reading.message, asked, place.field, text, told, anew, place.fields(), hearing.marker, language
    )
    commands = tuple(replace(c, values=lists.cut(c.values)) if c.values else c for c in reading.commands)
    return reading.evolve(commands=commands, maybe=lists.cut(reading.maybe), beside=lists.cut(reading.beside))


class Marked(NamedTuple):
    """An item as the model marks it, where it stands, how likely one begins there, and that it counts for one."""

    text: str
    span: Span
    likely: float
    one: float


class _Lists(NamedTuple):
    """The lists that a message may tell, and the text that is asked for, and what cuts them."""

    message: str
    asked: Mapping[str, str]  #: what is asked of the model, by field
    open: str | None  #: the field that is asked for
    text: str | None  #: the same, if it is one of words that are no list
    told: Mapping[str, Sequence[str]]  #: what the message tells of each field
    anew: tuple[str | None, str]  #: the field that it calls, and all that is to be in it: "set X to …"
    fields: Sequence[Field]
    marker: Marker
    language: Language

    def cut(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """Those of lists with an item a line, that of a text without what frames it."""
        return tuple(self._each(value) for value in values)

    def _each(self, value: Value) -> Value:
        value = replace(value, rivals=self.cut(value.rivals)) if value.rivals else value
        asked = self.asked.get(value.field)
        if asked is None or not value.text:
            return value
        if value.field == self.anew[0] and value.text in self.anew[1] and value.field != self.text:
            value = replace(value, text=self.anew[1])
        is_text = value.field == self.text
        if is_text and len(WORD.findall(value.text)) < _FRAMED:
            return value
        if not is_text and len(as_written(value.text, self.language)) > 1:
            return value
        at = self.message.find(value.text)
        message, at = (self.message, at) if at >= 0 else (value.text, 0)
        if len(WORD.findall(message)) < 2:
            return value
        pieces = self.marker.items(message, asked)
        told, further = (at, at + len(value.text)), value.field == self.open and not is_text
        others = [text for name, texts in self.told.items() if name != value.field for text in texts]
        each = self._surely(value.field, message, told, pieces, others, further=further)
        if is_text:
            return replace(value, text=message[slice(*each[0])]) if len(each) == 1 else value
        each = each or items(message, told, pieces, self.language, further=further and not others)
        each = with_parts_passed_over(each, message, told, asked, pieces, self.marker, self.language)
        texts = dict.fromkeys(message[start:end] for start, end in each)  # "meetings. all day. meetings."
        texts = {text: None for text in texts if not only_points(text, self.language)} or texts
        return replace(value, text="\n".join(texts))

    def _surely(
        self,
        name: str,
        message: str,
        told: Span,
        pieces: Sequence[Piece],
        others: Sequence[str],
        *,
        further: bool,
    ) -> Sequence[Span]:
        """The items as they are marked, where the marks are sure; none where they are not, or what was told is of none.

        `further`: all of them, wherever they stand, but for the words of `others`. Nothing is left out that calls another
        answer by its name: it may be one; nor a figure of a text: "Main St. 7b".
        """
        every = surely_marked(message, pieces)
        if not every:
            return ()
        taken = places_of(others, message)
        left_out = blanked(message, [*every, *taken])[slice(*told)]
        if name == self.text and _FIGURE.search(left_out):
            return ()
        if not meets(told, every) or any(is_named(f, left_out) for f in self.fields if f.name != name):
            return ()
        return [one for one in every if (further or meets(one, [told])) and not meets(one, taken)]


def items(
    message: str, told: Span, pieces: Sequence[Piece], language: Language, *, further: bool = False
) -> Sequence[Span]:
    """Where each item stands of a list of which something was found there: all of that, but for what joins two items.

    `further`: items before it and behind it are of the list, too.
    """
    start, end = told
    begun = _beginnings(message, pieces)
    within = [at for at in begun if start < at < end]
    if within and not any(start <= piece.start < within[0] and piece.inside >= _IS_ONE for piece in pieces):
        within = within[1:]  # words that lead to the first item are of it, where they were found to be
    if further:
        begun = [*(at for at in begun if at < start), start, *within, *(at for at in begun if at >= end)]
    else:
        begun = [start, *within]
    found = []
    for first, until in pairwise([*begun, len(message) if further else end]):
        least = _INSIDE if first < end else _IS_ONE
        last = max((p.end for p in pieces if first <= p.start < until and p.inside >= least), default=first)
        if first < end <= until:
            last = max(end, _grown(end, pieces)) if further else end
        elif first < last:
            last = _joint(message, _word_end(message, last, until), until, language)
        if first < last:
            found.append(trimmed(message, first, last))
    return found


def surely_marked(message: str, pieces: Sequence[Piece]) -> Sequence[Span] | None:
    """Where the items stand that the model marks; None where it is not sure of every word, or has not read all of them."""
    if not all_read(message, pieces):
        return None
    if min(surely(odds) for one in pieces for odds in (one.begins, one.inside)) < _SURE:
        return None
    return [one.span for one in marked(message, pieces)]


def all_read(message: str, pieces: Sequence[Piece]) -> bool:
    """The model has read the message to its end."""
    return bool(pieces) and pieces[-1].end >= len(message.rstrip())


def marked(message: str, pieces: Sequence[Piece]) -> Iterator[Marked]:
    """The items as the model marks them."""
    for first, until in pairwise([*_beginnings(message, pieces), len(message)]):
        behind = [piece for piece in pieces if first <= piece.start < until]
        end = max((piece.end for piece in takewhile(_is_of_one, behind)), default=first)
        start, end = trimmed(message, first, _word_end(message, end, until))
        if WORD.search(message, start, end):
            yield Marked(message[start:end], (start, end), behind[0].begins, behind[0].one)


def _is_of_one(piece: Piece) -> bool:
    return piece.inside >= _INSIDE


def surely(likely: float) -> float:
    """How sure it is of either."""
    return max(likely, 1 - likely)


def _beginnings(message: str, pieces: Sequence[Piece]) -> list[int]:
    """Where an item begins: not in the middle of a word, nor of an item, unless it is sure that there is another one."""
    return [
        piece.start
        for before, piece in pairwise([_NOTHING, *pieces])
        if piece.begins >= (_BEGINS if before.inside < _IS_ONE else _SURE)
        and not _within_a_word(message, piece.start)
    ]


def _grown(end: int, pieces: Sequence[Piece]) -> int:
    """Where the words end that follow there and are surely of the same item."""
    for piece in pieces:
        if piece.start >= end and piece.inside >= _IS_ONE and piece.begins < _BEGINS:
            end = piece.end
        elif piece.start >= end:
            break
    return end


def _joint(message: str, start: int, until: int, language: Language) -> int:
    """Where the first sign or joining word stands, up to which words are of the item before; the start where there is none."""
    for one in _JOINT.finditer(message, start, until):
        if not one[0][0].isalpha() or language.adds(one[0]):
            return one.start()
    return start


def _word_end(message: str, at: int, until: int) -> int:
    """Where the word ends of which a part ends there."""
    while at < until and _within_a_word(message, at):
        at += 1
    return at


def _within_a_word(message: str, at: int) -> bool:
    return 0 < at < len(message) and message[at - 1].isalnum() and message[at].isalnum()
