"""What a form cannot do without, and nothing that it has no room for: taken where there is one, asked where there are several."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from softrail.plans.forms.choices import AS_SAID, by_key, choices_for
from softrail.plans.forms.form import ROOM, Choice, Filter, Group, Kind, Measure, Question
from softrail.plans.forms.periods import grain_of
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.request import Request
from softrail.plans.forms.slots import Slots, columns
from softrail.plans.forms.state import State
from softrail.plans.forms.times import date_column
from softrail.plans.forms.vocabulary import Vocabulary, is_year, measured

#: Forms of what adds up or stands in rows: no quotient.
WHOLE: Final = frozenset({"share", "distribution", "against"})
_ROWS_OR_TOTALS: Final = "?rows"  #: what a limit is of
_PLACES: Final = frozenset({"where", "when"})  #: what a question begins with that asks for pieces
_VERBS: Final = frozenset(
    {"is", "are", "was", "were", "would", "has", "have", "had", "did", "do", "comes", "came", "come"}
)
_ANSWERS: Final = (("true",), ("false",))  #: what a filter of a yes or no counts
_FEW: Final = 6  #: values that a question names


def complete(request: Request, kind: Kind, slots: Slots, parts: Mapping[str, Any]) -> None:
    """Fill in what is not said, and ask for what cannot be."""
    if not _has_measures(request, kind, slots):
        return
    _fill(request, kind, slots, parts)
    _follow(request, kind, slots, parts)
    if slots.questions:
        return
    measures, groups = ROOM.get(kind, (len(slots.measures), len(slots.by)))
    if len(slots.measures) > measures:
        slots.just(" or ".join(one.title for one in slots.measures))
    elif len(slots.by) > groups:
        pieces = [one for one in slots.by if not one.grain]
        several = groups and kind != "predict"
        titles = " or ".join(one.title for one in slots.by)
        slots.just(titles if several else _one_of(request, [*pieces, *slots.by][0]))
    elif request.lead.first in _PLACES and not slots.by:
        _ask_for(request, "group", slots)


def _has_measures(request: Request, kind: Kind, slots: Slots) -> bool:
    """There is what is looked at, every word was of use, and nothing is to be asked yet."""
    if slots.numbers:
        slots.fits_nothing(format(slots.numbers[0][0], "f"), "filter")
    if (slots.extreme and kind != "top") or (slots.ahead and kind != "predict"):
        slots.fits_nothing(slots.extreme or "next", "filter")  # a word that nothing came of
    if not slots.measures and kind == "share" and any(one.values in _ANSWERS for one in slots.where):
        slots.measures.append(Measure())  # “what percentage would recommend us”: of the rows
    if not slots.measures:
        _missing_measure(request, slots)
    if slots.measures and slots.over is not None and not divide(slots, *slots.over, request.known):
        slots.fits_nothing(slots.over[0])
    for one in slots.measures if kind in WHOLE else ():
        if one.over:
            slots.fits_nothing(next(r.said for r in slots.reads if r.means == one.told()))
    return not slots.questions


def _fill(request: Request, kind: Kind, slots: Slots, parts: Mapping[str, Any]) -> None:
    if kind == "share":
        _shared(request, slots)
    if kind in ("distribution", "against") and slots.aggregate not in (None, "sum"):
        slots.fits_nothing(slots.aggregate or "")
        return
    _rows_or_totals(request, kind, slots)
    if kind == "top" and slots.each is not None and len(slots.by) > 1:
        slots.just(_one_of(request, slots.each))
    elif kind in ("trend", "predict") and not any(one.grain for one in slots.by):
        _over_time(request, slots)
    elif (kind in ("top", "share") or (kind == "analyze" and slots.drawn)) and not slots.by:
        _ask_for(request, "group", slots)
    elif _wants_another(request, kind, parts) and len(slots.measures) < 2:
        _ask_for(request, "filter", slots)
    elif kind == "against" and len(slots.measures) != 2:
        _ask_for(request, "measure", slots)


def _follow(request: Request, kind: Kind, slots: Slots, parts: Mapping[str, Any]) -> None:
    """What is told of pieces that follow each other needs time to split by, and a number that adds up."""
    along, said = slots.along
    if not along or slots.questions:
        return
    if (
        kind != "analyze"
        or len(slots.measures) != 1
        or (along == "running" and not adds_up(slots.measures[0]))
    ):
        slots.no_use(said)
        return
    times = [one for one in slots.by if is_in_time(one, request.known)]
    if len(times) > 1:
        slots.just(" or ".join(one.grain or one.title for one in times))
    elif times:
        slots.by = [times[0], *(one for one in slots.by if one != times[0])]
    else:
        _over_time(request, slots)


def adds_up(measure: Measure) -> bool:
    """What several pieces have of it is their sum."""
    return not measure.over and (measure.aggregate == "sum" or not measure.column)


def is_in_time(group: Group, known: Vocabulary) -> bool:
    """Its pieces follow each other."""
    years = {one.name for one in known.table.columns if is_year(one)}
    return group.grain is not None or group.column in years


def _wants_another(request: Request, kind: Kind, parts: Mapping[str, Any]) -> bool:
    """What is set beside something else is there once only: “2024 versus last year”, said in 2025."""
    beside = request.beside.alone or (request.beside.surely and not request.sides)
    return (kind == "compare" or beside) and not parts.get("sides")


def _shared(request: Request, slots: Slots) -> None:
    """Whose share is told: of two values it is not clear which of them is the part, and which the whole."""
    ones = [one for one in slots.where if one.values and not one.part]
    answers = [
        one for one in ones if one.values in _ANSWERS and one.column not in {g.column for g in slots.by}
    ]
    if slots.by and answers and _are_said_to_be(request, answers):
        # “What percentage would recommend us in each department?”: the share of whom among whom is not said.
        titles = [*(one.title for one in answers), *(one.title for one in slots.by)]
        slots.just(" or ".join(titles))
        return
    if not slots.by:
        if len(ones) < 2:
            _share_of_one(slots, ones[:1])
        elif len(ones) == 2 and _says_what_is_so(request):
            _share_of_one(slots, ones[1:])
        return
    named = [one for one in request.items if not one.is_filler][:2]
    of_one = len(named) == 2 and bool(named[0].meanings) and not columns(named[0])
    if ones and of_one and named[1].sense("roles") == "neutral":
        slots.fits_nothing(named[0].said)  # “the share of online in revenue by region”


def _says_what_is_so(request: Request, at: int = -1) -> bool:
    """“What percentage of the Tech tickets is open?”: what is said behind the verb is the part, what comes before it the whole."""
    named = [-1, *(n for n, one in enumerate(request.items) if one.meanings)]
    between = request.items[named[at - 1] + 1 : named[at]] if len(named) > 1 else ()
    return any(set(one.words) & _VERBS for one in between)


def _are_said_to_be(request: Request, answers: Sequence[Filter]) -> bool:
    """“… would recommend us in each department”: a yes that is told of them, where “of new members” are the whole."""
    names = {one.column for one in answers}
    named = [one for one in request.items if one.meanings]
    places = [n for n, one in enumerate(named, start=1) if columns(one) & names]
    return any(set(named[n - 1].words) & _VERBS or _says_what_is_so(request, n) for n in places)


def _share_of_one(slots: Slots, ones: Sequence[Filter]) -> None:
    """“What share of revenue comes from North?”: its share is one among those of all, and no whole of its own."""
    one = next((f for f in ones if len(f.values) == 1 and not f.excluded), None)
    if one is not None:
        slots.where.remove(one)
        slots.by.append(Group(column=one.column, title=one.title))
        slots.reads = [read for read in slots.reads if read.means != one.told()]


def _rows_or_totals(request: Request, kind: Kind, slots: Slots) -> None:
    """“Which products sold less than 100 units?”: each row is so much, and so is the total of each product."""
    table = request.known.table
    repeated = {c.name for c in table.columns if 0 < len(c.values) < table.rows}
    measures = {one.column for one in slots.measures}
    which = request.picks and bool(slots.by)
    limited = [one for one in slots.where if one.limits] if kind == "analyze" else []
    for one in limited if request.chosen.get(_ROWS_OR_TOTALS) != AS_SAID else ():
        if (which and one.column in measures) or measures & repeated:
            told = one.told().replace("`", "")
            choices = (Choice(label=f"Single rows: {told}", key=AS_SAID),)
            asked = Question(about=_ROWS_OR_TOTALS, said=told, why="of_rows", what="filter", choices=choices)
            slots.questions.append(asked)


def _one_of(request: Request, group: Group) -> str:
    column = next(one for one in request.known.table.columns if one.name == group.column)
    few = column.values if 1 < len(column.values) <= _FEW and not group.grain else ()
    return f"{', '.join(few[:-1])} or {few[-1]}" if few else f"one {group.grain or column.title}"


def _missing_measure(request: Request, slots: Slots) -> None:
    key = request.chosen.get("?measure")
    meaning = by_key(request.known, key) if key else None
    if meaning is not None:
        slots.measures.append(measured(meaning.column, slots.aggregate))
    elif slots.aggregate == "count":
        slots.measures.append(Measure())
    else:
        _ask_for(request, "measure", slots)


def _over_time(request: Request, slots: Slots) -> None:
    state = State(request.known, request.chosen)
    column = date_column(state)
    slots.questions += state.slots.questions
    if column is not None:
        grain = slots.ahead[1] if slots.ahead else grain_of(column.least, column.most)
        slots.by.insert(0, Group(column=column.name, title=column.title, grain=grain))
    elif not slots.by and not state.slots.questions:
        years = [one for one in request.known.table.columns if is_year(one)]
        if len(years) == 1:
            slots.by.append(Group(column=years[0].name, title=years[0].title))
        else:
            _ask_for(request, "group", slots)


def _ask_for(request: Request, what: Any, slots: Slots) -> None:
    choices = choices_for(request.known, what) if what != "filter" else ()
    slots.questions.append(Question(about=f"?{what}", why="missing", what=what, choices=choices))
