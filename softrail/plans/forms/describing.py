"""“Which regions are there?”, “what does the date cover?”: what a column holds, told from what is known of the data without a query."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.leading import LONGEST
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.tokens import Token, tokens
from softrail.plans.forms.vocabulary import vocabulary

_FIRST: Final = 3  #: words among which it is said that something is asked
_MOST: Final = 20  #: values that are told one by one
#: How such a question begins, and what else it is made of beside the column.
_ASKS: Final = frozenset({"which", "what", "how", "list", "show", "tell", "name", "give"})
_AROUND: Final = frozenset(
    {
        *("all", "any", "different", "distinct", "many", "your", "i", "you", "they", "this", "these"),
        *("contain", "contains", "cover", "covered", "covers", "span", "spans", "exist", "exists"),
        *("go", "goes", "get", "see", "know", "let", "could", "available", "possible", "exactly"),
        *("dataset", "file", "table", "kind", "kinds", "types", "values", "here", "to", "up"),
    }
)
_TIMES: Final = frozenset({"dates", "period", "range"})  #: beside the words of the grammar for pieces of time


def may_be_described(message: str) -> bool:
    """It begins as such a question does: only then is anything looked up for it."""
    return len(message) <= LONGEST and any(one.word in _ASKS for one in tokens(message)[:_FIRST])


def described(message: str, sources: Sequence[Source]) -> str:
    """What each column that the message asks about holds, a line each; "" where it asks for anything else."""
    words = tokens(message)
    lines = [
        line for source in sources for table in source.tables for line in _of_table(words, source, table)
    ]
    return "\n".join(dict.fromkeys(lines))


def _of_table(words: Sequence[Token], source: Source, table: DataTable) -> list[str]:
    known, asked, whole, at = vocabulary(source, table), list[Column](), False, 0
    while at < len(words):
        word, senses = words[at].word, lexicon().senses.get((words[at].word,), {})
        size, meanings = known.at(words, at)
        meant = [one for one in meanings if one.value is None]
        if size and meant and word not in _ASKS:
            columns = [one.column for one in meant if one.column is not None and one.rank == meant[0].rank]
            if len(columns) > 1:
                return []  # two of them may be meant
            asked += columns
            whole = whole or not columns
            at += size
        elif word in _TIMES or "grains" in senses:
            asked += [column for column in table.columns if column.kind in ("date", "time")]
            at += 1
        elif word in _ASKS or word in _AROUND or "filler" in senses or "neutral" in senses.get("roles", ()):
            at += 1
        else:
            return []
    told = [_told(column) for column in asked]
    if not told and whole and "how" in {one.word for one in words}:
        return [f"{table.title}: {table.rows} rows"]
    return told if all(told) else []


def _told(column: Column) -> str:
    """The values of a column, or from when to when it reaches; "" of numbers, which are worked with."""
    if column.values:
        shown = ", ".join(column.values[:_MOST])
        more = len(column.values) - _MOST
        return f"{column.title}: {shown}" + (f" and {more} more" if more > 0 else f" ({len(column.values)})")
    if column.kind in ("date", "time") and column.least is not None and column.most is not None:
        return f"{column.title}: from {column.least} to {column.most}"
    return ""
