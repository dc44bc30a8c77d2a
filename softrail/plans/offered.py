"""Words that ask for a table that the operator offers. Every word has to fit; otherwise it is free talk."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.data.databases import Catalogue, Named
from softrail.plans.data.profile import Source
from softrail.plans.forms.tokens import tokens

_LONGEST: Final = 200  #: characters of such a message
_MOST: Final = 3  #: words of a name that nothing has
#: What asks for it: said of nothing but data, and said of many things, where a word for a table has to stand beside it.
_SURELY: Final = frozenset({"attach", "load", "import", "copy", "reload", "refresh"})
_PERHAPS: Final = frozenset({"use", "take", "get", "fetch", "open", "read", "pull", "add", "bring"})
_TABLE: Final = frozenset({"table", "view", "data", "database", "db", "postgres", "postgresql"})
_AROUND: Final = frozenset(
    {
        *(
            "please",
            "the",
            "a",
            "an",
            "our",
            "my",
            "this",
            "again",
            "fresh",
            "new",
            "now",
            "copy",
            "of",
            "in",
        ),
        *(
            "from",
            "can",
            "could",
            "would",
            "will",
            "you",
            "i",
            "i'd",
            "we",
            "let's",
            "want",
            "like",
            "to",
            "me",
        ),
    }
)


def table_in(message: str, catalogue: Catalogue, attached: Sequence[Source] = ()) -> str | None:
    """The name of the table that a message asks for, also one that there is not; None: it asks for none."""
    if not catalogue or len(message) > _LONGEST or "\n" in message or message.startswith("/"):
        return None
    words = [one.word for one in tokens(message)]
    verbs = [n for n, one in enumerate(words) if one in _SURELY | _PERHAPS]
    if not verbs or not _AROUND.issuperset(words[: verbs[0]]):
        return None
    asks, rest = words[verbs[0]], words[verbs[0] + 1 :]
    if asks not in _SURELY and _TABLE.isdisjoint(rest):
        return None
    found = _found(rest, catalogue)
    if found is not None:
        return found.name
    unknown = " ".join(one for one in rest if one not in _AROUND | _TABLE)
    some = 0 < len(unknown.split()) <= _MOST
    return unknown if some and "table" in rest and not _is_there(unknown, attached) else None


def _found(words: Sequence[str], catalogue: Catalogue) -> Named | None:
    """The table of the longest name beside which nothing else is said."""
    spans = [(start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
    for start, end in sorted(spans, key=lambda one: one[0] - one[1]):
        named = catalogue.find(" ".join(words[start:end]))
        beside = {*words[:start], *words[end:]}
        if named is not None and beside <= _AROUND | _TABLE | {w.word for w in tokens(named.database)}:
            return named
    return None


def _is_there(name: str, attached: Sequence[Source]) -> bool:
    """A table of the conversation itself is called so."""
    called = {
        word.casefold() for one in attached for table in one.tables for word in (table.title, table.name)
    }
    return name in called or name.replace(" ", "_") in called
