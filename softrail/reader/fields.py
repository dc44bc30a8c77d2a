"""What is asked of the small model for a field that is not the open one, and whether words can be its value."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import time, timedelta
from itertools import pairwise
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Field, Place, Wanted
from softrail.language import Language, choose, normal
from softrail.processes.spoken import length_in_units
from softrail.reader.learned import query, wish

TYPED: Final = frozenset({"number", "date", "time", "file"})  #: read by a reader of their own
CLOSED: Final = frozenset({"bool", "confirm"})  #: answered by a yes or a no
WORDED: Final = TYPED - {"file"} | {"text", "list"}  #: answered by words of a message
OF_WORDS: Final = frozenset({"text", "list"})  #: any words could be the answer
TYPED_VALUE: Final = 0.4  #: as likely is enough for a value where its type must fit, too
BESIDE: Final = 2  #: words beside a value from which on they may be another's
_LEADS: Final = 4  #: words before a name that say that it is one: "and her name is"
_NAME: Final = 4  #: words of a name
WORD: Final = re.compile(r"[^\W\d_]{2,}|\d+")
#: Where a sentence ends: not in "no. 7", "Hauptstr. 3" or "Dr. Morgan".
SENTENCE_END: Final = re.compile(r"(?:(?<!\b[DMS][rst])(?<!\bMrs)\.|[!?;])+(?=\s+[^\W\d]|\s*$)|\n")
#: What stands between two values.
BEHIND: Final = re.compile(r"\s*(?:[,:;(–—]|\s-|,?\s+and\b)[\s\w]{0,12}$")
RUN: Final = re.compile(r"[^\s,;!?()]+")
Span = tuple[int, int]  #: of a message, from where to where
Reads = Callable[[str], object]  #: what words give; None where they give nothing
_KINDS: Final[dict[Wanted, str]] = {"own": "text", "file": "text"}


def meets(one: Span, places: Iterable[Span]) -> bool:
    """A letter of it stands at one of those places."""
    return any(one[0] < end and start < one[1] for start, end in places)


def places_of(texts: Iterable[str], message: str) -> list[Span]:
    """Where each of them stands first, of those that do."""
    return [(at, at + len(text)) for text in texts if (at := message.find(text)) >= 0]


def sentences(message: str) -> list[Span]:
    """Where each sentence stands, with the sign that ends it."""
    ends = [0, *(m.end() for m in SENTENCE_END.finditer(message)), len(message)]
    return list(pairwise(ends))


def asked_kind(wanted: Wanted) -> str:
    """How the small model is told what kind of value is wanted."""
    return _KINDS.get(wanted, wanted)


def open_query(place: Place) -> str:
    """What the small model is asked of the open question; before anything is asked, how one can help."""
    if place.begins and place.field is None:
        return wish()
    question = place.question
    options = (
        [o.label for o in question.options]
        if question is not None and place.wanted not in ("bool", "list")
        else []
    )
    kind = asked_kind(place.wanted)
    if place.wanted == "own" and (options or (question is not None and question.several)):
        kind = "choice" if options else "list"
    if place.wanted == "confirm" and not place.offer:
        return query("confirm", "Is that right?")
    return query(kind, question.asks if question is not None else "", options=options)


def asked_with(place: Place) -> str:
    """What the open answer is asked with, and what it is called."""
    field = place.open_field()
    asks = place.question.asks if place.question is not None else ""
    return f"{asks} {' '.join(field.names)}" if field is not None else asks


def is_typed(field: Field) -> bool:
    """Its value is one of few words: there is less to mistake for it."""
    return bool(field.options) or field.wanted in TYPED


def is_named(field: Field, rest: str) -> bool:
    """The words beside a value call the field by its name: "the audience is …"."""
    said = f" {spaced(rest)} "
    return any(f" {name} " in said for name in names_of(field))


def beside_its_name(field: Field, text: str, language: Language) -> str:
    """The words without the name of the field at one end of them: of "the audience is rather teachers", "rather teachers"."""
    words = list(re.finditer(r"\w+", text))
    keys = [normal(word.group()) for word in words]
    around = [language.is_choosing_word(key) for key in keys]
    for name in sorted(names_of(field), key=len, reverse=True):
        size = len(name.split())
        for at in (at for at in range(1, len(keys) - size + 1) if keys[at : at + size] == name.split()):
            behind = at + size
            if all(around[:at]):
                first = next((n for n in range(behind, len(keys)) if not around[n]), None)
                return text[words[first].start() :].strip() if first is not None else ""
            if behind == len(keys) and around[at - 1]:
                last = max(n for n in range(at) if not around[n])
                return text[: words[last].end()]
    return text


def value_behind_name(field: Field, words: str, language: Language) -> int:
    """Where the value begins in words that call the field and say what it is, "the key is …", "price: …"; 0 where they do not."""
    runs = list(re.finditer(r"\w+", words))
    if len(runs) > 1 and language.gives_a_name(runs[0][0]) and is_for_a_name(field, language):
        return runs[1].start()  # "called Blue Harbor"
    for name in names_of(field):
        many = len(name.split())
        for first in (0, 1):  # an article may stand before it
            said = runs[first : first + many]
            if len(said) < many or spaced(words[said[0].start() : said[-1].end()]) != name:
                continue
            links = 0
            while first + many + links < len(runs) and language.links(runs[first + many + links][0]):
                links += 1
            at = runs[first + many + links - 1].end()
            if first + many + links < len(runs) and (links or words[at:].lstrip().startswith((":", "="))):
                return runs[first + many + links].start()
    return 0


def name_said_last(text: str, language: Language) -> str:
    """The name that the last words say somebody or something has: "a pond called Frog Watch", "my landlady, her name is Grace"."""
    words = list(re.finditer(r"[^\s,]+", text))
    calling = [at for at, word in enumerate(words[:-1]) if at and language.gives_a_name(word[0])]
    if calling and _is_a_short_one(words[calling[-1] + 1 :], language):
        return text[words[calling[-1] + 1].start() :].strip()
    last = [word for word in words if word.start() > text.rfind(",")] if "," in text else []
    for at, word in enumerate(last[:_LEADS]):
        first = at + 1
        key = normal(word[0]).replace("’", "'")
        if language.is_a_name(key) and first < len(last) and language.links(last[first][0]):
            first += 1
        elif not language.is_a_name(key.removesuffix("'s")):
            continue
        if _is_a_short_one(last[first:], language):
            return text[last[first].start() :].strip()
    return text


def _is_a_short_one(words: Sequence[re.Match[str]], language: Language) -> bool:
    return 0 < len(words) <= _NAME and not language.negates(normal(words[0][0]))


def is_for_a_name(field: Field, language: Language) -> bool:
    """What it is called says that its value is a name: "title", "project name"."""
    return any(map(language.is_a_name, names_of(field)))


def is_beside_the_point(field: Field, named: bool) -> bool:
    """Any remark could be its value, and it may do without one: it waits until it is called by its name, or asked for."""
    return field.wanted == "text" and not field.required and not field.options and not named


def names_of(field: Field) -> Sequence[str]:
    """What people call the field, as the words alone."""
    return [spaced(name) for name in (field.label, *field.names) if name]


def words_of_names(fields: Iterable[Field]) -> set[str]:
    """Every word of what people call those fields."""
    return {word for field in fields for name in names_of(field) for word in name.split()}


def spaced(text: str) -> str:
    """Its words alone: "check-in date" is "check in date"."""
    return " ".join(re.findall(r"\w+", normal(text)))


def question_query(field: Field) -> str:
    """What the small model is asked of a part of a message, as if the field were the open one."""
    options = [option.label for option in field.options]
    return query(asked_kind(field.wanted), field.question, options=options)


def field_query(field: Field) -> str:
    """What the small model is asked of a field that is not the open one."""
    about = field.about or f"{field.label}: {field.question}" if field.label else field.question
    options: Sequence[Option] = field.options
    return query(asked_kind(field.wanted), about, options=[o.label for o in options], present=field.present)


def readable(field: Field, text: str, language: Language) -> str | None:
    """The words, if they give a value of the field's type."""
    if field.wanted == "bool":  # what was said before is turned round: the words say that it is to change
        return None if field.present is None else "no" if field.present == "True" else "yes"
    if field.options:
        names = {word for name in names_of(field) for word in name.split()}
        bare = " ".join(
            word for word in text.split() if normal(word) not in names
        )  # "the garden room" is a room
        chosen = choose(text, field.options, language=language) or choose(
            bare, field.options, language=language
        )
        return chosen.means if chosen is not None else None
    if field.wanted in TYPED and field.parses is not None and not field.reads(text):
        return None
    return text


def fewest_words(message: str, span: Span, reads: Reads) -> Span | None:
    """Where the fewest words of a part stand that give what all of it gives; None where it gives nothing."""
    words = [(span[0] + w.start(), span[0] + w.end()) for w in RUN.finditer(message[slice(*span)])]
    value = reads(message[slice(*span)])
    if value is None or not words:
        return None
    while len(words) > 1 and reads(message[words[1][0] : words[-1][1]]) == value:
        words = words[1:]
    while len(words) > 1 and reads(message[words[0][0] : words[-2][1]]) == value:
        words = words[:-1]
    return words[0][0], words[-1][1]


def is_the_same(value: object, present: str) -> bool:
    """What was read is what was there, as a person reads it."""
    if isinstance(value, time):
        return bool(present) and value.isoformat().startswith(present[:5])
    if isinstance(value, timedelta):
        return length_in_units(value) == present
    try:
        return value is not None and (str(value) == present or float(str(value)) == float(present))
    except ValueError:
        return False


def is_there(field: Field, text: str) -> bool:
    """It is what that answer is by now."""
    value = field.parses(text) if field.parses is not None else text
    return is_the_same(value, field.present or "")


def is_of_another_deed(message: str, place: Place, language: Language) -> bool:
    """It says what is to be done, and the question asks something else: "save it" is no yes to one about food."""
    asks = place.question.asks if place.question is not None else ""
    return place.wanted == "bool" and not place.offer and language.names_another_deed(message, asks)


def blanked(message: str, parts: Sequence[Span]) -> str:
    """The message with a mark in place of each of those parts; every other letter stays where it is."""
    for start, end in parts:
        message = message[:start] + "…".ljust(end - start)[: end - start] + message[end:]
    return message
