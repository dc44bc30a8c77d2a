"""A request read over attached tables: the form that it is, the question that has to be asked first, or nothing."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from softrail.plans.data.profile import Source
from softrail.plans.forms.asking import first_question, is_enough
from softrail.plans.forms.binder import bind
from softrail.plans.forms.choices import GROWTH, growth_of_what
from softrail.plans.forms.claims import claimed
from softrail.plans.forms.comparing import latest_first, rest_of, wanted_of, without_relations
from softrail.plans.forms.completing import complete
from softrail.plans.forms.form import Choice, Filter, Form, Group, Kind, Measure, Question, Read
from softrail.plans.forms.leading import LONGEST, lead_of
from softrail.plans.forms.listing import counts_them, lists
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.reads import each_of_several, reads_of
from softrail.plans.forms.request import YES_OR_NO, Request, request
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import Slots, columns
from softrail.plans.forms.sql import label
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import Vocabulary, is_date, is_year, vocabulary

_CLAIMS: Final = ("relations", "moves", "extremes", "checks")
_TOP: Final = 10
#: Forms of one thing at a time: two that are set beside each other are not told as one.
_OF_ONE: Final = frozenset({"top", "share", "distribution", "against", "predict", "what_if", "dashboard"})


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
    found = [(known, _read(request(known, lead, picked, today, surely=surely))) for known in tables]
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


def _read(asked: Request) -> Form | Question | None:
    """The same of one table."""
    lead, percent = asked.lead, None
    claims = any(set(_CLAIMS) & set(one.senses) for one in asked.items)
    if lead.name == "verify" and not claims:
        return None
    if lead.name == "verify" or (lead.name == "" and lead.first in YES_OR_NO and claims):
        found = claimed(asked.known, asked.items, asked.chosen)
        clear = found.parts is not None and not (found.slots.questions or found.slots.unbound)
        if found.parts and (lead.name == "verify" or clear):
            return _form(asked, "verify", found.slots, found.parts)
        if lead.name == "verify":
            return first_question(asked, found.slots)
    if asked.picks and not (asked.ranked or asked.beside or asked.surely):
        return None
    slots, percent = _bound(asked)
    kind, parts = _kind(asked, slots)
    if kind == "analyze" and asked.picks and counts_them(asked, slots):
        slots.by = []  # “which tickets are late? just the number”
    if kind == "analyze" and lists(asked, slots):
        counted = {*(one.told() for one in slots.by), *(one.told() for one in slots.measures)}
        kind, slots.by, slots.measures = "rows", [], [Measure()]
        slots.reads = [one for one in slots.reads if one.means not in counted]
    if not slots.questions:
        complete(asked, kind, slots, parts)
    if percent is not None:
        parts["percent"] = percent
    if slots.questions:
        return first_question(asked, slots)
    return _form(asked, kind, slots, parts) if is_enough(asked, slots, kind) else None


def _bound(asked: Request) -> tuple[Slots, Any]:
    """What the words of a request come to, and by how many percent something rises."""
    lead, percent = asked.lead, None
    items = without_relations(asked.items) if asked.beside else list(asked.items)
    if lead.name == "what_if":
        items, percent = _changed(items)
    ranked = any("extremes" in one.senses for one in items)
    group_first = lead.name in ("top", "bottom", "rank") or (
        lead.name == "which" and (ranked or lead.first == "which")
    )
    several = lead.name in ("compare", "ratio", "against")
    several = several or any(one.does("roles", "against", "beside") for one in items)
    which = asked.picks
    if asked.beside and not (items and columns(items[0]) & asked.beside.of):
        group_first = which = False  # “which sold more, A or B”: what is split by is not said
    people = asked.people() if lead.name == "who" else ()
    names = {one.name for one in people}
    items = [one for one in items if not (columns(one) & names)]
    slots = bind(State(asked.known, asked.chosen, group_first, which, several, asked.surely), items)
    slots.does |= set(wanted_of(items)) | ({lead.name} & {"ratio"})
    if len(people) == 1:
        slots.by.insert(0, Group(column=people[0].name, title=people[0].title))
        slots.reads.insert(0, Read(said="who", means=slots.by[0].told()))
        slots.bound += 1
    if lead.name == "what_if" and percent is None:
        slots.questions.append(Question(about="?number", why="missing", what="number", choices=()))
    return slots, percent


def _kind(asked: Request, slots: Slots) -> tuple[Kind, dict[str, Any]]:
    """The form that the bound parts make, and what belongs to it alone."""
    kind, parts = asked.lead.kind, dict[str, Any]()
    if asked.picks and not slots.extreme:
        kind = "analyze"  # “who was hired in 2023”
    wanted = bool({"ratio", "difference"} & slots.does or slots.growth)
    split = asked.beside.sides(slots.where, asked.known)
    split = split or (_apart(slots) if kind == "compare" or wanted else ())
    if slots.growth and not slots.along[0]:
        split = latest_first(split, asked.known)
        kind = kind if split else _growing(asked, kind, slots)
    if slots.rest and kind != "top":
        split = rest_of(slots.where) if kind in ("analyze", "compare") else ()
        kind = "compare" if split else kind
        slots.rest = "" if split else slots.rest
    kind = _set_beside(asked, kind, slots, split)
    kind = "analyze" if slots.along[0] and kind == "trend" else kind
    if kind == "compare" and split:
        parts["sides"], parts["ratio"] = split, "ratio" in slots.does
        slots.where = [one for one in slots.where if not set(one.apart) & set(split)]
        slots.by = [one for one in slots.by if one.grain or one.column != split[0].column]
    elif split and asked.beside:
        _each(asked, kind, slots, split)
    elif kind == "analyze" and "share" in slots.does and not slots.along[0]:
        kind = "share"
    elif "share" in slots.does and kind not in ("share", "compare", "what_if") and not slots.along[0]:
        slots.fits_nothing("in percent")
    others = [one for one in slots.where if len(one.apart) > 1 and not set(one.apart) & set(split)]
    if split and others:
        _one_at_a_time(others[0].apart, slots)  # “north 2023 versus south 2024”
    asked.sides = bool(split)
    if slots.order[0] and kind == "analyze" and len(slots.by) == len(slots.measures) == 1:
        kind, parts["least"], slots.order = "top", slots.order[0] == "least", ("", "")
    elif kind == "top":
        parts |= _top(asked, slots)
    elif kind == "predict" and slots.ahead is not None:
        parts["n"], slots.numbers = slots.ahead[0], []
    for said in (slots.order[1], slots.rest):
        if said:
            slots.no_use(said)
    return kind, parts


def _set_beside(asked: Request, kind: Kind, slots: Slots, split: Sequence[Filter]) -> Kind:
    """The form of two things or two numbers: divided, against each other, compared."""
    lead, does = asked.lead, slots.does
    two = len(slots.measures) == 2 and not split
    plain = kind == "analyze" or (lead.first == "how" and "trend" not in does)
    if two and "ratio" in does and kind in ("analyze", "compare"):
        _divided(asked, slots)
        return "analyze"
    if kind == "against" or ("against" in does and kind == "analyze" and two and not slots.by):
        return "against"
    if (
        plain
        and (split or two)
        and (asked.beside or slots.growth or {"ratio", "difference", "beside"} & does)
    ):
        return "compare"
    return "trend" if kind == "analyze" and "trend" in does else kind


def _each(asked: Request, kind: Kind, slots: Slots, split: Sequence[Filter]) -> None:
    """What is set beside each other is told apart, also where it is no comparison of sums."""
    first = split[0]
    by = Group(column=first.column, title=first.title)
    one_of_them = kind == "top" and by in slots.by
    if (kind == "trend" and first.values) or (kind in ("top", "share") and not slots.by and first.values):
        slots.by.append(by)
    elif kind in _OF_ONE and asked.beside.surely and not one_of_them:
        _one_at_a_time(split, slots)


def _growing(asked: Request, kind: Kind, slots: Slots) -> Kind:
    """“Revenue growth”, of no two times: what is set beside what has to be asked."""
    meant = "trend" if asked.lead.first == "how" else asked.chosen.get(GROWTH)
    if kind not in ("analyze", "trend") or not any(
        is_date(c) or is_year(c) for c in asked.known.table.columns
    ):
        slots.no_use(slots.growth)
    elif meant == "change":
        slots.along = ("change", slots.growth)
    elif meant == "trend":
        return "trend"
    else:
        slots.questions.append(growth_of_what(slots.growth))
    return kind


def _one_at_a_time(some: Sequence[Filter], slots: Slots) -> None:
    slots.just(" or ".join(label(one) for one in some))


def _top(asked: Request, slots: Slots) -> dict[str, Any]:
    least = asked.lead.name == "bottom" or slots.extreme == "least"
    if asked.lead.name == "rank" and not slots.numbers:
        least, slots.order = slots.order[0] == "least", ("", "")
        return {"least": least}
    one = asked.picks or asked.lead.place > 1 or asked.of_one
    n = int(slots.numbers[0][0]) if slots.numbers else 1 if one else _TOP
    slots.numbers = slots.numbers[1:]
    rest, slots.rest = bool(slots.rest), ""
    return {"n": max(1, min(n, 1000)), "least": least, "rest": rest, "place": asked.lead.place}


def _divided(asked: Request, slots: Slots) -> None:
    """“The ratio of revenue to cost”: the one divided by the other."""
    by = slots.measures.pop()
    said = next((one.said for one in slots.reads if one.means == by.told()), by.title)
    column = next(one for one in asked.known.table.columns if one.name == by.column)
    if not divide(slots, said, column, asked.known):
        slots.fits_nothing(said)


def _form(asked: Request, kind: Kind, slots: Slots, parts: Mapping[str, Any]) -> Form:
    given: dict[str, Any] = {
        "measures": tuple(_each_for(kind, slots.measures)),
        "by": tuple(slots.by),
        "where": tuple(slots.where),
        "drawn": "" if slots.drawn == "any" else slots.drawn,
        "along": slots.along[0],
        **parts,
    }
    if kind == "analyze" and not slots.by and slots.aggregate != "sum":
        given["by"] = each_of_several(slots.where)
    table = asked.known.table
    form = Form(kind=kind, source=asked.known.source.name, table=table.name, title=table.title, **given)
    return form.model_copy(update={"reads": reads_of(form, slots.reads)})


def _each_for(kind: Kind, measures: Sequence[Measure]) -> Sequence[Measure]:
    """Of every row by itself, where a form looks at rows."""
    if kind not in ("distribution", "against"):
        return measures
    return [one.model_copy(update={"aggregate": "each"}) if one.column else one for one in measures]


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
