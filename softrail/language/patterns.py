"""The word lists of one language, compiled once."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from softrail.language.phrases import phrase_pattern
from softrail.language.text import CLAUSE, brief, find, normal, readings, squeezed, word_key
from softrail.language.words import pattern_of

Pattern = re.Pattern[str]

#: A longer message is never one of the words for stepping off, consent and the like.
LONGEST_WORDS: Final = 120
#: The lists whose phrases are whole messages, and how often one may be said.
WHOLE: Final[Mapping[str, int]] = {
    "escape": 1,
    "later": 1,
    "yes": 3,
    "no": 3,
    "never": 1,
    "greeting": 4,
    "resume": 1,
    "undo": 1,
    "start_over": 1,
    "skip": 1,
    "skip_all": 1,
    "back": 1,
    "done": 1,
}
_NOT_ALNUM: Final = re.compile(r"[^\w\s']+|_+")
_INNER: Final = re.compile(r"[^\w\s]+|_+")


@lru_cache(maxsize=256)  # one turn reads its message a dozen times
def forms(message: str) -> Sequence[str]:
    """The ways to read a short message as words of a whole-message list; none for a long one.

    Punctuation inside may part words or be noise within one ("ok,stop", "s.t.o.p"), letters may be dragged
    out, and a word said several times counts once.
    """
    text = brief(message, LONGEST_WORDS)
    if not text:
        return ()
    found: dict[str, None] = {}
    for reading in readings(text):
        for spaced in (_NOT_ALNUM.sub(" ", reading), _INNER.sub("", reading)):
            keys = [key for key in map(word_key, spaced.split()) if key]
            once = [key for at, key in enumerate(keys) if at == 0 or keys[at - 1] != key]
            found["".join(f"{key} " for key in once)] = None
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Patterns:
    """What `Language` matches with; see the word file for what each list is for."""

    whole: Mapping[str, Pattern]  #: of lists whose phrases are whole messages
    any_whole: Pattern  #: any of those
    escape_squeezed: frozenset[str]
    exit: Pattern
    refusal: Pattern
    exit_named: Pattern
    joint: Pattern
    polite: Pattern
    reason: Pattern
    question_starts: Pattern
    remember: Pattern
    done_end: Pattern
    done_tail: Pattern
    correction: Sequence[Pattern]
    add: Sequence[Pattern]
    remove: Sequence[Pattern]
    ordinals: Sequence[Pattern]
    last: Pattern
    choosing: Pattern
    negations: Pattern
    deeds: Pattern | None  #: of a yes; a language may have none
    signs: Mapping[str, frozenset[str]]
    plural_endings: Sequence[str]


def compile_patterns(lists: Mapping[str, Sequence[str]]) -> Patterns:
    """The patterns of a word file without faults."""

    def of(name: str) -> str:
        return pattern_of(name, lists)

    polite, asides, openers = of("politeness"), of("asides"), of("openers")
    clause = f"(?={CLAUSE} |{of('joints')}|{of('reasons')}|\\Z)"
    head = f"(?:{openers}(?:{CLAUSE} )?){{0,3}}"
    aside = f"(?:(?:{CLAUSE} )?{asides}){{0,3}}"

    def whole(name: str, *, times: int = 1) -> Pattern:
        return re.compile(f"(?:{polite}){{0,4}}(?:{of(name)}){{1,{times}}}(?:{polite}){{0,4}}")

    def each(name: str) -> tuple[Pattern, ...]:
        return tuple(re.compile(phrase_pattern(phrase, lists, word_key)) for phrase in lists[name])

    lists_of_messages = {name: whole(name, times=times) for name, times in WHOLE.items()}
    return Patterns(
        whole=lists_of_messages,
        any_whole=re.compile("|".join(pattern.pattern for pattern in lists_of_messages.values())),
        escape_squeezed=frozenset(
            squeezed(normal(word)) for word in lists["escape"] if not set(word) & set("(<[")
        ),
        exit=re.compile(f"(?:{openers}){{0,3}}{of('exit')}(?:{polite}|{asides}){{0,4}}"),
        refusal=re.compile(f"{head}{of('refusal')}{aside}{clause}"),
        exit_named=re.compile(f"{head}{of('exit_named')}{aside}{clause}"),
        joint=re.compile(f"(?:{CLAUSE} |{of('joints')}){{0,4}}"),
        polite=re.compile(f"(?:(?:{polite}|{asides})(?:{CLAUSE} )?){{0,4}}"),
        reason=re.compile(of("reasons")),
        question_starts=re.compile(f"(?:{polite}){{0,3}}{of('question_starts')}"),
        remember=re.compile(of("remember")),
        done_end=re.compile(f"(?:{polite}){{0,2}}{of('done')}(?:{polite}|{asides}){{0,3}}"),
        done_tail=re.compile(f"{of('done_tail')}(?:{polite}|{asides}){{0,3}}"),
        correction=each("correction"),
        add=each("add"),
        remove=each("remove"),
        ordinals=each("ordinals"),
        last=re.compile(of("last")),
        choosing=re.compile(of("choosing")),
        negations=re.compile(of("negations")),
        deeds=re.compile(rf"(?:\A|(?<= )){of('deeds')}") if "deeds" in lists else None,
        signs={name: frozenset("".join(lists[f"{name}_signs"])) for name in ("yes", "no", "greeting")},
        plural_endings=tuple(lists["plural_endings"]),
    )


@lru_cache(maxsize=256)
def said_wholly(patterns: Patterns, message: str) -> Collection[str]:
    """The lists that have a phrase which is the whole message, in any of its forms."""
    read = [form for form in forms(message) if patterns.any_whole.fullmatch(form)]
    return frozenset(name for name, one in patterns.whole.items() if matches(one, read)) if read else ()


def named_form(form: str, names: Mapping[str, str]) -> str:
    """A form of a short message with names replaced by what stands for them."""
    if not names:
        return form
    words = form.split()
    for name in reversed(find([squeezed(word) for word in words], names)):
        words[name.start : name.end] = [name.stands_for]
    return "".join([f"{word} " for word in words])


def matches(pattern: Pattern, read: Sequence[str]) -> bool:
    """The whole message, in any of its forms, is what the pattern says."""
    return any(map(pattern.fullmatch, read))
