"""A request read over attached tables: the form that it is, the question that has to be asked first, or nothing."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from softrail.plans.data.profile import Column, Source
from softrail.plans.forms.binder import bind
from softrail.plans.forms.choices import AS_SAID, by_key, choices_for, leave_out
from softrail.plans.forms.claims import claimed
from softrail.plans.forms.comparing import beside, wanted_of, without_relations
from softrail.plans.forms.form import ROOM, Choice, Filter, Form, Group, Kind, Measure, Question, Read
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.limits import LIMITED
from softrail.plans.forms.periods import grain_of
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.scanning import Item, scan
from softrail.plans.forms.slots import Slots, amount, columns
from softrail.plans.forms.sql import label
from softrail.plans.forms.state import State
from softrail.plans.forms.times import date_column
from softrail.plans.forms.tokens import Token, stem, tokens
from softrail.plans.forms.vocabulary import (
    SYNONYM,
    Vocabulary,
    as_word,
    is_year,
    measured,
    parts_of,
    vocabulary,
)

LONGEST: Final = 400  #: characters of a request
#: A “no” that turns something down, and is not that of “no returns”.
NO: Final = (
    r"no(?=[,.!:;]|\s+(?:by|only|just|for|from|in|at|use|show|make|the|i|it|that|split|group|break|per"
    r"|please|wait|actually|sorry|rather|instead)\b)"
)
_POLITE: Final = re.compile(
    rf"^(?:(?:{NO}|wait|actually|ok|okay|right|hm+|hey|hi|hello|so|now|then|well|please|and then)[,.!:]?\s+"
    r"|(?:can|could|would|will) you (?:please )?|i(?: woul|')d like (?:you )?to |i want (?:you )?to |let'?s |let us "
    r"|(?:build|make|create|prepare)(?: me| us)? (?=(?:an? )?(?:dashboard|overview|breakdown|comparison|chart|forecast|histogram)\b))+",
    re.IGNORECASE,
)
_KINDS: Final = {"bottom": "top", "which": "top", "who": "top", "plain": "analyze", "ratio": "compare"}
_BEST: Final = {"most": "top", "least": "bottom"}
_ARTICLES: Final = ("the", "a", "an", "me", "our", "my")
#: Leads that speak of data and of nothing else: a word after them that fits nothing is asked about.
_OF_DATA: Final = frozenset({"analyze", "trend", "distribution", "predict", "dashboard"})
_CLAIMS: Final = ("relations", "moves", "extremes", "checks")
#: What a question begins with that is answered by yes or no: a claim, where all of its words are in the data.
_YES_OR_NO: Final = frozenset({"do", "does", "did", "is", "are", "was", "were", "has", "have"})
_ASKING: Final = frozenset({"what", "what's", "how", "tell", "see", "look"})
#: What a question begins with; notes and wishes do not, however many words of theirs are in the data.
QUESTIONS: Final = frozenset(
    {
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
    }
)
ROWS_OR_TOTALS: Final = "?rows"  #: what a limit is of
_PLACES: Final = frozenset({"where", "when"})  #: what a question begins with that asks for pieces
_TOP: Final = 10
_FEW: Final = 6  #: values that a question names
EACH: Final = ", each by itself"  #: how it is told that two are set beside each other
#: Forms of one thing at a time: two that are set beside each other are not told as one.
_OF_ONE: Final = frozenset({"top", "share", "distribution", "against", "predict", "what_if", "dashboard"})
WHOLE: Final = frozenset(
    {"share", "distribution", "against"}
)  #: forms of what adds up or stands in rows: no quotient


@dataclass(frozen=True, slots=True)
class Lead:
    """What a request begins with."""

    name: str  #: "" where it begins with no such words
    words: Sequence[Token]
    first: str = ""

    @property
    def kind(self) -> Kind:
        """The form it asks for."""
        return _KINDS.get(self.name, self.name) or "analyze"  # type: ignore[return-value] # one of them

    @property
    def is_strong(self) -> bool:
        """What follows is a form, or there is something to ask."""
        return self.name not in ("", "plain", "which", "who")


def read(
    message: str,
    sources: Sequence[Source],
    *,
    today: date,
    chosen: Mapping[str, str] | None = None,
    surely: bool = False,
) -> Form | Question | None:
    """What a message asks of the attached tables. None: it is no request of theirs.

    Args:
        message: As it was said.
        sources: What is known of the attached files.
        today: The day that “last month” is counted from.
        chosen: What was answered to questions before: by the word in question, the key of a choice.
        surely: That it is a request is known: what is not clear of it is asked, however little that leaves.
    """
    if len(message) > LONGEST:
        return None
    lead = lead_of(message)
    if not lead.words:
        return None
    picked = dict(chosen or {})
    tables = [vocabulary(source, table) for source in sources for table in source.tables]
    wanted = picked.get("?table")
    tables = [one for one in tables if wanted in (None, one.table.name)]
    found = [(known, _Request(known, lead, picked, today, surely).read()) for known in tables]
    return _best([(known, one) for known, one in found if one is not None])


def _best(found: Sequence[tuple[Vocabulary, Form | Question]]) -> Form | Question | None:
    """Of several tables the one in which all words bind; where that is so in two, it is asked."""
    forms = [(known, one) for known, one in found if isinstance(one, Form)]
    if not forms and found:
        asked = [(known, one) for known, one in found if isinstance(one, Question)]
        best = max((one.bound, -one.unbound) for _, one in asked)
        forms = [(known, one) for known, one in asked if (one.bound, -one.unbound) == best]  # type: ignore[misc] # questions now
    if len(forms) > 1:
        choices = tuple(
            Choice(label=f"{k.table.title} ({k.source.name})", key=k.table.name) for k, _ in forms
        )
        return Question(about="?table", why="which_table", what="table", choices=choices)
    return forms[0][1] if forms else None


def lead_of(message: str) -> Lead:
    """The words that a request begins with, and those after them."""
    words = tokens(_POLITE.sub("", message.strip()))
    name, first = "", words[0].word if words else ""
    for _ in range(3):  # “show me the top 5 …”
        if best := _counted(words):
            name, words = best
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
    return Lead(name=name, words=words, first=first)


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


class _Request:
    """One request over one table."""

    def __init__(
        self, known: Vocabulary, lead: Lead, chosen: Mapping[str, str], today: date, surely: bool
    ) -> None:
        self._known = known
        self._surely = surely
        self._lead = lead
        self._chosen = chosen
        self._items = scan(lead.words, known, today)
        self._superlative()
        self._beside = beside(self._items)
        self._sides = False  #: two things are set beside each other

    def _superlative(self) -> None:
        """“The hottest month in Ulm” as “which month is the hottest”; of months it is the first ten."""
        said = [one for one in self._items if not one.is_filler]
        if self._lead.name not in ("", "plain") or not said or not _is_best(said[0]):
            return
        at = next((n for n, one in enumerate(said[1:4], start=1) if _is_piece(one)), 0)
        if not at or any(not (amount(one) or one.sense("aggregates") == "mean") for one in said[1:at]):
            return
        piece, rest = said[at], said[at + 1 :]
        by = rest[:1] and rest[0].words == ("by",) and len(rest) > 1 and amount(rest[1]) is not None
        senses = {"extremes": (_way(said[0]),)}
        best = replace(said[0], senses=senses)
        self._items = [piece, best, *said[1:at], *rest[bool(by) :]]
        several = piece.words[-1].endswith("s") and stem(piece.words[-1]) != piece.words[-1]
        name = "which" if not several else "top" if _way(said[0]) == "most" else "bottom"
        self._lead = replace(self._lead, name=name, first=name)

    def read(self) -> Form | Question | None:
        if self._lead.name == "verify":
            if not any(set(_CLAIMS) & set(one.senses) for one in self._items):
                return None
            found = claimed(self._known, self._items, self._chosen)
            made = self._form("verify", found.slots, found.parts) if found.parts else None
            return made or self._asked(found.slots)
        if self._lead.name == "" and self._lead.first in _YES_OR_NO and (claim := self._yes_or_no()):
            return claim
        ranked = any("extremes" in one.senses for one in self._items)
        if self._lead.name in ("which", "who") and not (ranked or self._beside or self._surely):
            return None
        slots, percent = self._bound()
        kind, parts = self._kind(slots)
        if not slots.questions:
            self._complete(kind, slots, parts)
        if percent is not None:
            parts["percent"] = percent
        if slots.questions or not self._is_enough(slots, kind):
            return self._asked(slots) if slots.questions else None
        return self._form(kind, slots, parts)

    def _yes_or_no(self) -> Form | None:
        """“Do roses sell better than bulbs?”: the claim that is asked about, where every word of it is clear."""
        if not any(set(_CLAIMS) & set(one.senses) for one in self._items):
            return None
        found = claimed(self._known, self._items, self._chosen)
        if found.parts is None or found.slots.questions or found.slots.unbound:
            return None
        return self._form("verify", found.slots, found.parts)

    def _people(self) -> Sequence[Column]:
        """The columns that name people."""
        return [
            one
            for one in self._known.table.columns
            if one.kind == "text" and parts_of(one) & lexicon().people
        ]

    # -- binding

    def _bound(self) -> tuple[Slots, Any]:
        items, percent = without_relations(self._items) if self._beside else list(self._items), None
        if self._lead.name == "what_if":
            items, percent = _changed(items)
        ranked = any("extremes" in one.senses for one in items)
        group_first = self._lead.name in ("top", "bottom") or (
            self._lead.name == "which" and (ranked or self._lead.first == "which")
        )
        several = self._lead.name in ("compare", "ratio", "against") or any(
            one.does("roles", "against", "beside") for one in items
        )
        which = self._lead.name in ("which", "who")
        if self._beside and not (items and columns(items[0]) & self._beside.of):
            group_first = which = False  # “which sold more, A or B”: what is split by is not said
        people = self._people() if self._lead.name == "who" else ()
        names = {one.name for one in people}
        items = [one for one in items if not (columns(one) & names)]
        state = State(self._known, self._chosen, group_first, which, several, self._surely)
        slots = bind(state, items)
        slots.does |= set(wanted_of(items)) | ({self._lead.name} & {"ratio"})
        if self._lead.name == "who" and len(people) == 1:
            slots.by.insert(0, Group(column=people[0].name, title=people[0].title))
            slots.reads.insert(0, Read(said="who", means=slots.by[0].told()))
            slots.bound += 1
        if self._lead.name == "what_if" and percent is None:
            slots.questions.append(Question(about="?number", why="missing", what="number", choices=()))
        return slots, percent

    def _kind(self, slots: Slots) -> tuple[Kind, dict[str, Any]]:
        """The form that the bound parts make, and what belongs to it alone."""
        kind, parts = self._lead.kind, dict[str, Any]()
        if self._lead.name in ("which", "who") and not slots.extreme:
            kind = "analyze"  # “who was hired in 2023”
        wanted = {"ratio", "difference"} & slots.does
        split = self._beside.sides(slots.where, self._known)
        split = split or (_apart(slots) if kind == "compare" or wanted else ())
        two = len(slots.measures) == 2 and not split
        if two and "ratio" in slots.does and kind in ("analyze", "compare"):
            kind = "analyze"
            self._divided(slots)
        elif kind == "against" or ("against" in slots.does and kind == "analyze" and two and not slots.by):
            kind = "against"
        elif (
            (kind == "analyze" or (self._lead.first == "how" and "trend" not in slots.does))
            and (split or two)
            and (self._beside or wanted or "beside" in slots.does)
        ):
            kind = "compare"
        elif kind == "analyze" and "trend" in slots.does:
            kind = "trend"
        if kind == "compare" and split:
            parts["sides"], parts["ratio"], self._sides = split, "ratio" in slots.does, True
            slots.where = [one for one in slots.where if not set(one.apart) & set(split)]
            slots.by = [one for one in slots.by if one.grain or one.column != split[0].column]
        elif split and self._beside:
            self._each(kind, slots, split)
        elif kind == "analyze" and "share" in slots.does:
            kind = "share"
        elif "share" in slots.does and kind not in ("share", "compare", "what_if"):
            self._fits_nothing("in percent", slots)
        others = [one for one in slots.where if len(one.apart) > 1 and not set(one.apart) & set(split)]
        if split and others:
            self._one_at_a_time(others[0].apart, slots)  # “north 2023 versus south 2024”
        self._sides = self._sides or bool(split)
        if kind == "top":
            parts |= self._top(slots)
        elif kind == "predict" and slots.ahead is not None:
            parts["n"], slots.numbers = slots.ahead[0], []
        return kind, parts

    def _each(self, kind: Kind, slots: Slots, split: Sequence[Filter]) -> None:
        """What is set beside each other is told apart, also where it is no comparison of sums."""
        first = split[0]
        by = Group(column=first.column, title=first.title)
        one_of_them = kind == "top" and by in slots.by
        if (kind == "trend" and first.values) or (kind in ("top", "share") and not slots.by and first.values):
            slots.by.append(by)
        elif kind in _OF_ONE and self._beside.surely and not one_of_them:
            self._one_at_a_time(split, slots)

    def _one_at_a_time(self, some: Sequence[Filter], slots: Slots) -> None:
        self._just(" or ".join(label(one) for one in some), slots)

    def _just(self, said: str, slots: Slots) -> None:
        slots.questions.insert(0, Question(about="?one", said=said, why="one_of", what="filter", choices=()))

    def _top(self, slots: Slots) -> dict[str, Any]:
        least = self._lead.name == "bottom" or slots.extreme == "least"
        one = self._lead.name in ("which", "who")
        n = int(slots.numbers[0][0]) if slots.numbers else 1 if one else _TOP
        slots.numbers = slots.numbers[1:]
        return {"n": max(1, min(n, 1000)), "least": least}

    def _complete(self, kind: Kind, slots: Slots, parts: dict[str, Any]) -> None:
        """What a form cannot do without, and nothing that it has no room for."""
        self._filled(kind, slots, parts)
        measures, groups = ROOM.get(kind, (len(slots.measures), len(slots.by)))
        if slots.questions:
            return
        if len(slots.measures) > measures:
            self._just(" or ".join(one.title for one in slots.measures), slots)
        elif len(slots.by) > groups:
            pieces = [one for one in slots.by if not one.grain]
            several = groups and kind != "predict"
            self._just(
                " or ".join(one.title for one in slots.by)
                if several
                else self._one_of([*pieces, *slots.by][0]),
                slots,
            )
        elif self._lead.first in _PLACES and not slots.by:
            slots.questions.append(self._ask_for("group", slots))

    def _filled(self, kind: Kind, slots: Slots, parts: dict[str, Any]) -> None:
        """What a form cannot do without: taken where there is one, asked for where there are several."""
        if slots.numbers:
            said = format(slots.numbers[0][0], "f")
            slots.unbound.append(said)
            slots.questions.append(Question(about=said, said=said, why="no_fit", what="filter", choices=()))
        if (slots.extreme and kind != "top") or (slots.ahead and kind != "predict"):
            said = slots.extreme or "next"  # a word that nothing came of
            slots.unbound.append(said)
            slots.questions.append(Question(about=said, said=said, why="no_fit", what="filter", choices=()))
        if not slots.measures:
            self._missing_measure(slots)
        if slots.measures and slots.over is not None:
            said, by = slots.over
            if not divide(slots, said, by, self._known):
                self._fits_nothing(said, slots)
        for one in slots.measures if kind in WHOLE else ():
            if one.over:
                self._fits_nothing(next(r.said for r in slots.reads if r.means == one.told()), slots)
        if slots.questions:
            return
        if kind == "share":
            self._shared(slots)
        if kind in ("distribution", "against") and slots.aggregate not in (None, "sum"):
            self._fits_nothing(slots.aggregate or "", slots)
            return
        self._rows_or_totals(kind, slots)
        if kind == "top" and slots.each is not None and len(slots.by) > 1:
            self._just(self._one_of(slots.each), slots)
            return
        if kind in ("trend", "predict") and not any(one.grain for one in slots.by):
            self._over_time(slots)
        elif (kind in ("top", "share") or (kind == "analyze" and slots.drawn)) and not slots.by:
            slots.questions.append(self._ask_for("group", slots))
        elif self._wants_another(kind, parts) and len(slots.measures) < 2:
            slots.questions.append(self._ask_for("filter", slots))
        elif kind == "against" and len(slots.measures) != 2:
            slots.questions.append(self._ask_for("measure", slots))

    def _wants_another(self, kind: Kind, parts: Mapping[str, Any]) -> bool:
        """What is set beside something else is there once only: “2024 versus last year”, said in 2025."""
        beside = self._beside.alone or (self._beside.surely and not self._sides)
        return (kind == "compare" or beside) and not parts.get("sides")

    def _shared(self, slots: Slots) -> None:
        """Whose share is told: of two values it is not clear which of them is the part, and which the whole."""
        ones = [one for one in slots.where if one.values and not one.part]
        if not slots.by and len(ones) < 2:
            _share_of_one(slots)
        named = [one for one in self._items if not one.is_filler][:2]
        of_one = len(named) == 2 and bool(named[0].meanings) and not columns(named[0])
        if ones and slots.by and of_one and named[1].sense("roles") == "neutral":
            self._fits_nothing(named[0].said, slots)  # “the share of online in revenue by region”

    def _rows_or_totals(self, kind: Kind, slots: Slots) -> None:
        """“Which products sold less than 100 units?”: each row is so much, and so is the total of each product."""
        repeated = {c.name for c in self._known.table.columns if 0 < len(c.values) < self._known.table.rows}
        measured_ = {one.column for one in slots.measures}
        which = self._lead.name in ("which", "who") and bool(slots.by)
        for one in slots.where if kind == "analyze" else ():
            meant = (which and one.column in measured_) or bool(measured_ & repeated)
            if one.limits and meant and self._chosen.get(ROWS_OR_TOTALS) != AS_SAID:
                choice = Choice(label=f"Single rows: {one.told().replace('`', '')}", key=AS_SAID)
                slots.questions.append(
                    Question(
                        about=ROWS_OR_TOTALS,
                        said=one.told().replace("`", ""),
                        why="of_rows",
                        what="filter",
                        choices=(choice,),
                    )
                )

    def _one_of(self, group: Group) -> str:
        column = next(one for one in self._known.table.columns if one.name == group.column)
        few = column.values if 1 < len(column.values) <= _FEW and not group.grain else ()
        return f"{', '.join(few[:-1])} or {few[-1]}" if few else f"one {group.grain or column.title}"

    def _divided(self, slots: Slots) -> None:
        """“The ratio of revenue to cost”: the one divided by the other."""
        by = slots.measures.pop()
        said = next((one.said for one in slots.reads if one.means == by.told()), by.title)
        column = next(one for one in self._known.table.columns if one.name == by.column)
        if not divide(slots, said, column, self._known):
            self._fits_nothing(said, slots)

    def _fits_nothing(self, said: str, slots: Slots) -> None:
        slots.unbound.append(said)
        slots.questions.append(Question(about=said, said=said, why="no_fit", what="measure", choices=()))

    def _missing_measure(self, slots: Slots) -> None:
        key = self._chosen.get("?measure")
        meaning = by_key(self._known, key) if key else None
        if meaning is not None:
            slots.measures.append(measured(meaning.column, slots.aggregate))
        elif slots.aggregate == "count":
            slots.measures.append(Measure())
        else:
            slots.questions.append(self._ask_for("measure", slots))

    def _over_time(self, slots: Slots) -> None:
        state = State(self._known, self._chosen)
        column = date_column(state)
        if column is not None:
            grain = slots.ahead[1] if slots.ahead else grain_of(column.least, column.most)
            slots.by.insert(0, Group(column=column.name, title=column.title, grain=grain))
        elif state.slots.questions:
            slots.questions += state.slots.questions
        elif not slots.by:
            years = [one for one in self._known.table.columns if is_year(one)]
            if len(years) == 1:
                slots.by.append(Group(column=years[0].name, title=years[0].title))
            else:
                slots.questions.append(self._ask_for("group", slots))

    def _ask_for(self, what: Any, slots: Slots) -> Question:
        choices = choices_for(self._known, what) if what != "filter" else ()
        return Question(about=f"?{what}", why="missing", what=what, choices=choices)

    # -- what comes of it

    def _is_enough(self, slots: Slots, kind: Kind) -> bool:
        """Words without a lead are a request only where they say more than the name of a column."""
        if self._surely or self._lead.is_strong or self._lead.name in ("which", "who"):
            return True
        per = any(one.over for one in slots.measures)
        more = bool(slots.by or slots.where or slots.aggregate or per or kind in ("against", "compare"))
        return more or (self._lead.name == "plain" and self._lead.first not in _ASKING)

    def _asked(self, slots: Slots) -> Question | None:
        """The first question, where it is about data that it is asked."""
        [question] = slots.questions[:1]
        unbound, bound = len(slots.unbound), slots.bound
        if self._surely:
            if not bound:
                return None
        elif self._lead.is_strong:
            by_number = self._lead.name == "what_if" and all(
                one.about != "?number" for one in slots.questions
            )
            heard = bound or by_number or (self._lead.name in _OF_DATA and self._lead.first != "how")
            if not heard:
                return None
        elif unbound:
            split = any(one.sense("roles") == "by" for one in self._items)
            named = split and slots.by and unbound == 1 and question.what == "measure" and not slots.where
            if not named and not self._is_mostly_data(slots):
                return None
        elif slots.measures and (question.about == LIMITED or question.why == "one_of" or self._beside.alone):
            pass  # “how many orders above 500”: of what is all that is open
        elif not (
            slots.by or slots.where or self._sides or len(slots.questions) > 1 or question.what != "measure"
        ) or (question.why == "missing" and not slots.by and not self._sides):
            return None
        return question.model_copy(
            update={"bound": bound, "unbound": unbound, "choices": (*question.choices, *self._without(slots))}
        )

    def _without(self, slots: Slots) -> Sequence[Choice]:
        """The choice to leave out the words that nothing fits, where that is what is asked first."""
        there = {as_word(one.said) for one in self._items if not one.meanings}
        unfit = [(one.said, one.about) for one in slots.questions if one.why in ("no_fit", "no_use")]
        unfit = [(said, about) for said, about in unfit if about in there]
        asked = slots.questions[0].about
        return [leave_out(unfit)] if self._surely and asked in {about for _, about in unfit} else []

    def _is_mostly_data(self, slots: Slots) -> bool:
        """A question of which more is bound than not: what is left is asked about, and not left to free talk."""
        bound = slots.bound + (slots.aggregate is not None)
        there = bool(slots.measures or [one for one in slots.by if not one.grain]) and bound > 1
        return there and self._lead.first in QUESTIONS and len(slots.unbound) <= bound

    def _form(self, kind: Kind, slots: Slots, parts: Mapping[str, Any]) -> Form:
        given: dict[str, Any] = {
            "measures": tuple(_each_for(kind, slots.measures)),
            "by": tuple(slots.by),
            "where": tuple(slots.where),
            "drawn": "" if slots.drawn == "any" else slots.drawn,
            **parts,
        }
        if kind == "analyze" and not slots.by and slots.aggregate != "sum":
            given["by"] = each_of_several(slots.where)
        form = Form(
            kind=kind,
            source=self._known.source.name,
            table=self._known.table.name,
            title=self._known.table.title,
            **given,
        )
        return form.model_copy(update={"reads": reads_of(form, slots.reads)})


def reads_of(form: Form, said: Sequence[Read]) -> tuple[Read, ...]:
    """How each part of a form was read: as it was said, and what was taken without a word for it."""
    parts = [one.told() for one in form.measures]
    parts += [one.told() for one in form.by] + [one.told() for one in (*form.where, *form.sides)]
    by_title = {one.title: one.told() for one in form.measures if one.aggregate == "each"}
    found = list[Read]()
    for one in said:
        title = one.means.partition("`")[2].rstrip("`")
        each = by_title.get(title) if one.means not in parts else None
        found.append(Read(said=one.said, means=each) if each else one)
    told = {one.means for one in found}
    found += [Read(said="", means=part) for part in parts if part not in told]
    if form.kind == "compare" and form.sides:
        found.append(Read(said="", means=f"{' and '.join(label(one) for one in form.sides)}{EACH}"))
    return tuple(dict.fromkeys(found))


def _way(item: Item) -> str:
    """Whether the most or the least of something is the best."""
    return item.sense("extremes") or {"max": "most", "min": "least"}.get(item.sense("aggregates"), "")


def _is_best(item: Item) -> bool:
    return not item.meanings and bool(_way(item))


def _is_piece(item: Item) -> bool:
    """A piece of time, or a column whose values are names."""
    named = [one.column for one in item.meanings if one.value is None and one.rank <= SYNONYM]
    return (item.sense("grains") not in ("", "default") and not named) or (
        bool(named) and all(one is not None and one.kind == "text" for one in named)
    )


def _each_for(kind: Kind, measures: Sequence[Measure]) -> Sequence[Measure]:
    """Of every row by itself, where a form looks at rows."""
    if kind not in ("distribution", "against"):
        return measures
    return [one.model_copy(update={"aggregate": "each"}) if one.column else one for one in measures]


def _share_of_one(slots: Slots) -> None:
    """“What share of revenue comes from North?”: its share is one among those of all, and no whole of its own."""
    one = next((f for f in slots.where if len(f.values) == 1 and not (f.excluded or f.part)), None)
    if one is not None:
        slots.where.remove(one)
        slots.by.append(Group(column=one.column, title=one.title))
        slots.reads = [read for read in slots.reads if read.means != one.told()]


def each_of_several(where: Sequence[Filter]) -> tuple[Group, ...]:
    """“Revenue for decaf and cocoa”: besides their total each of them is told."""
    several = [one for one in where if len(one.values) > 1 and not (one.excluded or one.part)]
    return tuple(Group(column=one.column, title=one.title) for one in several if len(several) == 1)


def _apart(slots: Slots) -> tuple[Filter, ...]:
    """The first filter of several values: what is compared."""
    return next((one.apart for one in slots.where if len(one.apart) > 1), ())


def _changed(items: list[Item]) -> tuple[list[Item], Any]:
    """“rises 10 %”: how much, with its sign, and the other items."""
    move = next((one for one in items if one.sense("moves")), None)
    number = next((one for one in items if one.number is not None), None)
    if move is None or number is None or number.number is None:
        return [one for one in items if one is not move], None
    percent = any(one.percent or one.words in (("percent",), ("%",)) for one in items)
    sign = 1 if move.sense("moves") == "up" else -1
    rest = [one for one in items if one not in (move, number) and "by" not in one.words]
    return rest, sign * number.number if percent else None
