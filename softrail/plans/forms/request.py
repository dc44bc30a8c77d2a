"""One request over one table, as it stands before anything of it is bound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms.comparing import Beside, beside
from softrail.plans.forms.leading import Lead
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.scanning import Item, scan
from softrail.plans.forms.slots import amount
from softrail.plans.forms.tokens import is_several
from softrail.plans.forms.vocabulary import SYNONYM, Vocabulary, is_year, parts_of

_SORTED: Final = frozenset({"sorted", "ranked", "ordered"})
_GROWN: Final = {"comparing": ("growth",)}
#: What a question begins with that is answered by yes or no.
YES_OR_NO: Final = frozenset({"do", "does", "did", "is", "are", "was", "were", "has", "have"})


@dataclass
class Request:
    """What it begins with, its items, and what it sets beside each other."""

    known: Vocabulary
    lead: Lead
    items: Sequence[Item]
    chosen: Mapping[str, str]
    surely: bool  #: that it is one is known
    beside: Beside
    sides: bool = False  #: two things are set beside each other

    @property
    def picks(self) -> bool:
        """“Which”, “who”: one of several is asked for."""
        return self.lead.name in ("which", "who")

    @property
    def ranked(self) -> bool:
        """The most or the least of something is spoken of."""
        return any("extremes" in one.senses for one in self.items)

    @property
    def of_one(self) -> bool:
        """“The best year for events”: what it begins with is one piece, and not several."""
        first = next((one for one in self.items if not one.is_filler), None)
        years = first is not None and any(m.column is not None and is_year(m.column) for m in first.meanings)
        if first is None or not (_is_piece(first) or years) or len(first.words) > 1:
            return False
        return not is_several(first.words[0])

    def people(self) -> Sequence[Column]:
        """The columns that name people."""
        texts = [one for one in self.known.table.columns if one.kind == "text"]
        return [one for one in texts if parts_of(one) & lexicon().people]


def request(
    known: Vocabulary, lead: Lead, chosen: Mapping[str, str], today: date, *, surely: bool
) -> Request:
    """The words of a request, as one table knows them."""
    lead, items = _superlative(lead, scan(lead.words, known, today))
    lead, items = _ranking(lead, _two_times(lead, items))
    return Request(known, lead, items, chosen, surely, beside(items))


def _superlative(lead: Lead, items: Sequence[Item]) -> tuple[Lead, Sequence[Item]]:
    """“The hottest month in Ulm” as “which month is the hottest”; of months it is the first ten."""
    said = [one for one in items if not one.is_filler]
    if lead.name not in ("", "plain") or not said or said[0].meanings or not _way(said[0]):
        return lead, items
    at = next((n for n, one in enumerate(said[1:4], start=1) if _is_piece(one)), 0)
    if not at or any(not (amount(one) or one.sense("aggregates") == "mean") for one in said[1:at]):
        return lead, items
    piece, rest = said[at], said[at + 1 :]
    by = rest[:1] and rest[0].words == ("by",) and len(rest) > 1 and amount(rest[1]) is not None
    best = replace(said[0], senses={"extremes": (_way(said[0]),)})
    name = "which" if not is_several(piece.words[-1]) else "top" if _way(said[0]) == "most" else "bottom"
    return replace(lead, name=name, first=name), [piece, best, *said[1:at], *rest[bool(by) :]]


def _ranking(lead: Lead, items: Sequence[Item]) -> tuple[Lead, Sequence[Item]]:
    """“Products sorted by revenue”, “regions from best to worst” as “rank products by revenue”."""
    said = [one for one in items if not one.is_filler]
    orders = any(one.sense("order") for one in said) or any(one.words[0] in _SORTED for one in said[1:])
    if lead.name not in ("", "plain") or not orders or not _is_piece(said[0]) or amount(said[0]) is not None:
        return lead, items
    return replace(lead, name="rank"), items


def _two_times(lead: Lead, items: Sequence[Item]) -> Sequence[Item]:
    """“Growth from 2023 to 2024”, where what lies between the two is asked for: each of them by itself, and no range."""
    ranges = [n for n, one in enumerate(items) if one.period is not None and one.period.ends is not None]
    values = sum(any(m.value is not None for m in one.meanings) for one in items)
    if len(ranges) != 1 or values > 1 or lead.name in ("verify", "what_if") or lead.first in YES_OR_NO:
        return items
    [n] = ranges
    wanted = any(one.sense("comparing") in ("difference", "growth") for one in items)
    moves = any(one.sense("moves") for one in items) and (
        lead.first in ("by", "how") or any(one.words == ("in",) for one in items)
    )
    if not (wanted or moves or (lead.name == "compare" and n and items[n - 1].words == ("between",))):
        return items
    grown = [replace(one, senses=_GROWN) if moves and one.sense("moves") else one for one in items]
    first, last = items[n].period.ends  # type: ignore[union-attr, misc] # it is a range
    two = [replace(items[n], said=one.said, period=one) for one in (first, last)]
    return [
        *grown[:n],
        two[0],
        Item("and", ("and",), senses={"roles": ("and", "with")}),
        *two[1:],
        *grown[n + 1 :],
    ]


def _way(item: Item) -> str:
    """Whether the most or the least of something is the best."""
    return item.sense("extremes") or {"max": "most", "min": "least"}.get(item.sense("aggregates"), "")


def _is_piece(item: Item) -> bool:
    """A piece of time, or a column whose values are names."""
    named = [one.column for one in item.meanings if one.value is None and one.rank <= SYNONYM]
    texts = bool(named) and all(one is not None and one.kind == "text" for one in named)
    return texts or (item.sense("grains") not in ("", "default") and not named)
