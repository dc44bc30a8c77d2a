"""What a request begins with: the words that say which form it asks for, and those after them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from softrail.plans.forms.form import Kind
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.tokens import Token, tokens

LONGEST: Final = 400  #: characters of a request
#: A “no” that turns something down, and is not that of “no returns”.
NO: Final = (
    r"no(?=[,.!:;]|\s+(?:by|only|just|for|from|in|at|use|show|make|the|i|it|that|split|group|break|per"
    r"|please|wait|actually|sorry|rather|instead)\b)"
)
_POLITE: Final = re.compile(
    rf"^(?:(?:{NO}|wait|actually|ok|okay|right|hm+|hey|hi|hello|so|now|then|well|please|and then)[,.!:]?\s+"
    r"|(?:can|could|would|will) you (?:please )?+|i(?: woul|')d like (?:you )?to |i want (?:you )?to |let'?s |let us "
    r"|(?:build|make|create|prepare)(?: me| us)? (?=(?:an? )?(?:dashboard|overview|breakdown|comparison|chart|forecast|histogram)\b))++",
    re.IGNORECASE,
)
_KINDS: Final = {
    "bottom": "top",
    "which": "top",
    "who": "top",
    "plain": "analyze",
    "ratio": "compare",
    "rank": "top",
}
_BEST: Final = {"most": "top", "least": "bottom"}
_ARTICLES: Final = ("the", "a", "an", "me", "our", "my")
#: What a question begins with; notes and wishes do not, however many words of theirs are in the data.
QUESTIONS: Final = frozenset(
    [
        "what",
        "what's",
        "how",
        "which",
        "who",
        "where",
        "when",
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "has",
        "have",
    ]
)


@dataclass(frozen=True, slots=True)
class Lead:
    """What a request begins with."""

    name: str  #: "" where it begins with no such words
    words: Sequence[Token]
    first: str = ""
    place: int = 1  #: “the second best”

    @property
    def kind(self) -> Kind:
        """The form it asks for."""
        return _KINDS.get(self.name, self.name) or "analyze"  # type: ignore[return-value] # one of them

    @property
    def is_strong(self) -> bool:
        """What follows is a form, or there is something to ask."""
        return self.name not in ("", "plain", "which", "who")


def lead_of(message: str) -> Lead:
    """The words that a request begins with, and those after them."""
    words = tokens(_POLITE.sub("", message.strip()))
    name, first, place = "", words[0].word if words else "", 1
    for _ in range(3):  # “show me the top 5 …”
        if best := _counted(words):
            name, words = best
            break
        if placed := _placed(words):
            name, words, place = placed
            break
        length, found = _longest(words)
        if not length or (name and found == "plain"):
            break
        if name and found in ("which", "who"):
            break
        name, words = found, words[length:]
        if found != "plain":
            break
    last = lexicon().endings.get(words[-1].word) if words and name in ("", "plain") else None
    if last is not None:  # “the revenue trend”
        name, words = last, words[:-1]
    return Lead(name=name, words=words, first=first, place=place)


def _counted(words: Sequence[Token]) -> tuple[str, list[Token]] | None:
    """“Our three best customers” as “top 3 customers”; None: it is not put like that."""
    start = int(bool(words) and words[0].word in _ARTICLES)
    number, best = (words[n].word if n < len(words) else "" for n in (start, start + 1))
    if number not in lexicon().numbers and not number.isdecimal():
        return None
    extreme = _extreme(best)
    if extreme:
        return _BEST[extreme], [words[start], *words[start + 2 :]]
    for at in range(start + 2, len(words) - 1):  # “the two classes with the fewest minutes”
        there = at + 1 + (words[at + 1].word == "the")
        if words[at].word == "with" and there < len(words) - 1 and (extreme := _extreme(words[there].word)):
            by = words[at]._replace(word="by", text="by")
            return _BEST[extreme], [*words[start:at], by, *words[there + 1 :]]
    return None


def _placed(words: Sequence[Token]) -> tuple[str, list[Token], int] | None:
    """“The second best region”: what is best, and from which place on."""
    start = int(bool(words) and words[0].word in _ARTICLES)
    which, best = (words[n].word if n < len(words) else "" for n in (start, start + 1))
    place, extreme = lexicon().ranks.get(which, 0), _extreme(best)
    if not (place and extreme):
        return None
    return _BEST[extreme], list(words[start + 2 :]), place


def _extreme(word: str) -> str:
    return lexicon().senses.get((word,), {}).get("extremes", ("",))[0]


def _longest(words: Sequence[Token]) -> tuple[int, str]:
    start = 0
    while start < len(words) and words[start].word in _ARTICLES and start < 1:
        start += 1
    for begin in dict.fromkeys((0, start)):
        for length in range(min(8, len(words) - begin), 0, -1):
            found = lexicon().leads.get(tuple(one.word for one in words[begin : begin + length]))
            if found:
                return begin + length, found[0]
    return 0, ""
