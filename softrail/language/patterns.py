"""The word lists of one language, compiled once."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from softrail.language.phrases import phrase_pattern
from softrail.language.text import CLAUSE, brief, normal, readings, spoken, squeezed, word_key
from softrail.language.words import pattern_of

Pattern = re.Pattern[str]

#: A longer message is never one of the words for stepping off, consent and the like.
LONGEST_WORDS: Final = 120
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


@dataclass(frozen=True)
class Patterns:
    """What `Language` matches with; see the word file for what each list is for."""

    escape: Pattern
    escape_squeezed: frozenset[str]
    later: Pattern
    exit: Pattern
    refusal: Pattern
    exit_named: Pattern
    joint: Pattern
    polite: Pattern
    reason: Pattern
    question_starts: Pattern
    remember: Pattern
    yes: Pattern
    no: Pattern
    never: Pattern
    greeting: Pattern
    moves: Mapping[str, Pattern]  #: resume, undo, start_over, skip, skip_all, back, done
    done_end: Pattern
    done_tail: Pattern
    correction: Sequence[Pattern]
    add: Sequence[Pattern]
    remove: Sequence[Pattern]
    ordinals: Sequence[Pattern]
    last: Pattern
    choosing: Pattern
    negations: Pattern
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

    return Patterns(
        escape=whole("escape"),
        escape_squeezed=frozenset(
            squeezed(normal(word)) for word in lists["escape"] if not set(word) & set("(<[")
        ),
        later=whole("later"),
        exit=re.compile(f"(?:{openers}){{0,3}}{of('exit')}(?:{polite}|{asides}){{0,4}}"),
        refusal=re.compile(f"{head}{of('refusal')}{aside}{clause}"),
        exit_named=re.compile(f"{head}{of('exit_named')}{aside}{clause}"),
        joint=re.compile(f"(?:{CLAUSE} |{of('joints')}){{0,4}}"),
        polite=re.compile(f"(?:(?:{polite}|{asides})(?:{CLAUSE} )?){{0,4}}"),
        reason=re.compile(of("reasons")),
        question_starts=re.compile(f"(?:{polite}){{0,3}}{of('question_starts')}"),
        remember=re.compile(of("remember")),
        yes=whole("yes", times=3),
        no=whole("no", times=3),
        never=whole("never"),
        greeting=whole("greeting", times=4),
        moves={
            name: whole(name)
            for name in ("resume", "undo", "start_over", "skip", "skip_all", "back", "done", "later")
        },
        done_end=re.compile(f"(?:{polite}){{0,2}}{of('done')}(?:{polite}|{asides}){{0,3}}"),
        done_tail=re.compile(f"{of('done_tail')}(?:{polite}|{asides}){{0,3}}"),
        correction=each("correction"),
        add=each("add"),
        remove=each("remove"),
        ordinals=each("ordinals"),
        last=re.compile(of("last")),
        choosing=re.compile(of("choosing")),
        negations=re.compile(of("negations")),
        signs={name: frozenset("".join(lists[f"{name}_signs"])) for name in ("yes", "no", "greeting")},
        plural_endings=tuple(lists["plural_endings"]),
    )


def named_form(form: str, names: Mapping[str, str]) -> str:
    """A form of a short message with names replaced by what stands for them."""
    said = spoken(form)
    named = said.named(names)
    return said.line(named).text if named else form


def matches(pattern: Pattern, read: Sequence[str]) -> bool:
    """The whole message, in any of its forms, is what the pattern says."""
    return any(pattern.fullmatch(form) for form in read)
