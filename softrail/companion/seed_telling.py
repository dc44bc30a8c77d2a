"""What a message tells of a new project: which parts, in which words, and what it wants dropped or asked again."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from softrail.companion.phrases import phrases
from softrail.companion.seed import FIELDS, is_list
from softrail.language import Language, items, normal

_WORD: Final = re.compile(r"[^\W_]+")
_QUESTION_WORDS: Final = frozenset(["what", "who"])
_KEYS: Final = {normal(name): f.key for f in FIELDS for name in (f.key, f.label, *f.names)}
_NAMES: Final[Mapping[str, Sequence[str]]] = {f.key: f.names for f in FIELDS}
_SURE_NAMES: Final[Mapping[str, Sequence[str]]] = {
    f.key: [name for name in f.names if name not in f.common] for f in FIELDS
}
_COMMON: Final = frozenset(normal(name) for f in FIELDS for name in f.common)
#: Where a sentence about users, or one with "it must", is no answer to what is asked.
_WHO_UNASKED: Final = frozenset(["what", "name", "who", ""])
_MUST_UNASKED: Final = frozenset(["name", "who", ""])
_SUBJECTS: Final = ("it ", "this ", "everything ", "we ", "the ")
_LONGEST: Final = 2_000  #: characters; a longer message answers what was asked
_SHORT: Final = 4  #: words; in so few, naming a part asks for it


@dataclass(frozen=True, slots=True)
class Told:
    """What a message tells: parts in place of what was told before, and more of parts."""

    answers: dict[str, str] = field(default_factory=dict)
    further: dict[str, str] = field(default_factory=dict)

    @property
    def keys(self) -> Sequence[str]:
        """The parts it tells something of."""
        return [*self.answers, *(key for key in self.further if key not in self.answers)]


def telling(message: str, words: Language, *, asked: str = "", known: Mapping[str, str]) -> Told:
    """What a message tells by itself, without a model.

    `asked` is the part that was asked for, "" in the review; `known` is what was told before.
    """
    name = known.get("name", "")
    rest = phrases().told_after(message)
    if name and rest.lower().startswith(f"{name.lower()} "):
        rest = message = f"it {rest[len(name) :].lstrip()}"
    if aside_of(message) and len(message.splitlines()) == 1:
        return Told()
    if found := labelled(message) or labelled(rest):
        return _of(found, more=bool(phrases().told("adds", message)))
    if len(message) > _LONGEST:
        return Told()
    if replaced := _replaced(rest, asked, known):
        return Told(replaced)
    parts = phrases().told_parts(rest)
    each = [_one(part, words, asked) for part in parts]
    if len(each) > 1 and all(told.keys for told in each[1:]) and (each[0].keys or _answers(parts[0], words)):
        merged = Told(
            {} if each[0].keys or not asked else {asked: parts[0].strip(" ,.!" if asked == "name" else " ,")}
        )
        for told in each:
            merged.answers.update(told.answers)
            merged.further.update(told.further)
        return merged
    whole = _one(message, words, asked)
    return whole if whole.keys else _one(rest, words, asked)


def labelled(message: str) -> dict[str, str]:
    """Answers that name what they answer, one a line: "Audience: farmers". Empty when a line does not."""
    found: dict[str, str] = {}
    for line in message.splitlines():
        if not line.strip():
            continue
        label, colon, value = line.partition(":")
        key = _KEYS.get(normal(label))
        if not colon or key is None or not value.strip():
            return {}
        found[key] = value.strip()
    return found


def aside_of(message: str) -> str:
    """What is to be noted beside what was asked: "remember that …", whatever stands before it."""
    return phrases().aside(message) or phrases().aside(phrases().told_after(message))


def asides(message: str) -> list[str]:
    """What is to be noted beside what was asked, in so many words or as a list with bullets."""
    aside = aside_of(message)
    return [aside] if aside else items(message) if is_list(message) else []


def spoken_of(message: str) -> str | None:
    """The one part a message names to have it asked again: "the success part is wrong"."""
    words = _WORD.findall(normal(message))
    if len(words) > _SHORT and not phrases().complains(message):
        return None
    said = f" {' '.join(words)} "
    found = {key for name, key in _KEYS.items() if name not in _QUESTION_WORDS and f" {name} " in said}
    return found.pop() if len(found) == 1 else None


def key_of(message: str, *, asked: str = "") -> str | None:
    """What a message names and says nothing else about: "the audience". "Customers" may be who is asked for."""
    said = normal(message).removeprefix("the ").removeprefix("its ")
    return None if asked == "who" and said in _COMMON else _KEYS.get(said)


def dropped(message: str) -> str | None:
    """The part that a message wants dropped: "remove the constraints", "no constraints"."""
    gone = phrases().drops(message) or phrases().drops(phrases().told_after(message))
    return _KEYS.get(normal(gone))


def names(message: str, name: str) -> bool:
    """The message holds this name, whole words of it."""
    looked_for, said = (" ".join(_WORD.findall(normal(text))) for text in (name, message))
    return bool(looked_for) and f" {looked_for} " in f" {said} "


def tells_something(message: str) -> bool:
    """There are words enough to be kept, and they are more than a wish or a thank-you."""
    words = _WORD.findall(phrases().told_after(message))
    enough = len(words) > 2 and phrases().says_much(message)
    return (enough or bool(phrases().told("adds", message))) and not phrases().thanks(message)


def is_sentence(message: str) -> bool:
    """An answer that is a sentence where a name is asked for."""
    return bool(phrases().told("sentences", message)) and not _is_title(message, "name")


def _one(message: str, words: Language, asked: str) -> Told:
    if name := phrases().name(message):
        return Told(_name_told(message, name, asked))
    if (answers := _stated(message, asked) or _corrected(message, words, asked)) or _is_title(message, asked):
        return _of(answers)
    if (who := phrases().told("for_whom", message)) or (asked in _WHO_UNASKED and asked and _bare(message)):
        return Told({"who": who or _bare(message)})
    if success := phrases().told("success", message):
        return Told({"success": success})
    if asked == "name" and (work := phrases().told("work", message)):
        return Told({"what": work})
    constraint = phrases().told("constraint", message)
    if constraint and (asked != "success" or any(map(str.isdigit, constraint))):
        return Told(further={"constraints": constraint})
    must = phrases().told("must", message) if asked in _MUST_UNASKED else ""
    if must and (asked != "who" or normal(must).startswith(_SUBJECTS)):
        return Told(further={"constraints": must})
    return Told()


def _of(answers: dict[str, str], *, more: bool = False) -> Told:
    # Notes never take the place of notes, nor do constraints that are added.
    beside = ("notes", "constraints") if more else ("notes",)
    return Told(answers, {key: answers.pop(key) for key in beside if key in answers})


def _replaced(message: str, asked: str, known: Mapping[str, str]) -> dict[str, str]:
    """The one part whose old words the message names beside the new ones: "kids instead of tourists"."""
    found = {key: value for key, old in known.items() if (value := phrases().replacing(message, old))}
    plain = not phrases().stated(message) and not phrases().told("for_whom", message)
    return found if len(found) == 1 and plain and asked not in ("what", "name") else {}


def _answers(part: str, words: Language) -> bool:
    """It may be the answer to what was asked, before more is told."""
    others = ("nothing", "decides_later", "takes_proposal", "told_already", "holds_back")
    said_nothing = phrases().unsure(part) or any(phrases().means(what, part) for what in others)
    return words.consent(part) == "other" and not words.is_skip(part) and not said_nothing


def _name_told(message: str, name: str, asked: str) -> dict[str, str]:
    # "it's called FarmGuard and it waters fields" answers what the work is, too.
    ends = message.rstrip(' .!”"').endswith(name)
    more = not ends and len(message.split()) - len(name.split()) >= _SHORT
    return {"name": name, "what": message} if asked == "what" and more else {"name": name}


def _bare(message: str) -> str:
    return phrases().told("for_whom_bare", message)


def _stated(message: str, asked: str) -> dict[str, str]:
    found = phrases().stated(message)
    if found is None:
        return {}
    label, value = normal(found[0]), found[1]
    key = _KEYS[label]
    if label in _COMMON and asked not in _WHO_UNASKED:
        return {}  # "users are happy" says what success is
    if asked == "what" and (key == "what" or (key == "success" and normal(value).startswith("to "))):
        return {}  # "the goal is to water fields" says what the work is
    return {key: value}


def _corrected(message: str, words: Language, asked: str) -> dict[str, str]:
    found = words.correction(message, _NAMES if phrases().changes(message) else _SURE_NAMES)
    if found is None or not found[1].strip():
        return {}
    return {found[0]: found[1].strip()}


def _is_title(message: str, asked: str) -> bool:
    """An answer written as names are, where a name is asked for: "For Farmers"."""
    return (
        asked == "name" and len(message.split()) > 1 and all(word[:1].isupper() for word in message.split())
    )
