"""What is understood of requests about data, on lines that were written first: `python -m benchmarks.forms`."""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import chdir
from datetime import date
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from softrail.plans.data.profile import Column, DataTable, Source
from softrail.plans.forms.form import Form, Measure, Question
from softrail.plans.forms.grammar import read
from softrail.plans.forms.revising import revise
from softrail.plans.sample import NAME, sample

LINES = Path(__file__).parent / "data" / "requests"


def sources_of(tables: Mapping[str, Mapping[str, Any]]) -> tuple[Source, ...]:
    """The sources of a schema as the file has it."""
    return tuple(_source(name, tables[name]) for name in tables)


def _source(name: str, tables: Mapping[str, Any]) -> Source:
    made = tuple(
        DataTable(
            title=title,
            name=_slug(title),
            rows=rows,
            columns=tuple(Column(title=t, name=_slug(t), kind=kind, **more) for t, kind, more in columns),
        )
        for title, (rows, columns) in tables.items()
    )
    ending = name.rpartition(".")[2]
    return Source(id=name, name=name, format=ending, sha256="0" * 64, bytes=1, tables=made)


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


def schemas() -> tuple[Mapping[str, tuple[Source, ...]], date]:
    """The sources that lines speak of, by name, and the day on which they are said."""
    found = json.loads((LINES / "schemas.json").read_text(encoding="utf-8"))
    today = date.fromisoformat(found.pop("today"))
    return {name: sources_of(tables) for name, tables in found.items()}, today


def lines(name: str = "requests.jsonl") -> list[dict[str, Any]]:
    """The lines as the file has them."""
    return [json.loads(line) for line in (LINES / name).read_text(encoding="utf-8").splitlines()]


def files() -> Mapping[str, tuple[str, bytes]]:
    """The files that the second list speaks of, by name: as each is called, and what is in it."""
    own = {one.stem: (one.name, one.read_bytes()) for one in sorted((LINES / "files").glob("*.csv"))}
    return {**own, "sales": (NAME, sample())}


def read_from(name: str, content: bytes) -> tuple[Source, ...]:
    """The source of a file, as planning reads it."""
    from softrail.plans.child.reading import read as read_file

    with TemporaryDirectory() as folder, chdir(folder):
        Path("source").write_bytes(content)
        found = read_file(Path(folder), {"file": "source", "name": name})
    tables = [
        DataTable.model_validate({k: v for k, v in one.items() if k != "file"}) for one in found["tables"]
    ]
    return (
        Source(id=name, name=name, format="csv", sha256="0" * 64, bytes=len(content), tables=tuple(tables)),
    )


def told(form: Form) -> dict[str, Any]:
    """A form in the words of the file."""
    found: dict[str, Any] = {"form": form.kind}
    each = form.kind in ("distribution", "against")
    row = form.claim is not None and form.claim.kind in ("rows", "unique", "filled")
    found["measures"] = [
        one.title if each or row else f"{one.aggregate} {one.title}" for one in form.measures
    ]
    if form.kind not in ("verify", "predict") or (form.claim and form.claim.kind == "columns"):
        found["by"] = [f"{one.grain} of {one.title}" if one.grain else one.title for one in form.by]
    found["where"] = [one.told().replace("`", "") for one in form.where]
    found["sides"] = [] if form.claim else [one.told().replace("`", "") for one in form.sides]
    found |= {"n": form.n, "least": form.least or None, "ratio": form.ratio or None}
    found |= {"along": form.along or None, "rest": form.rest or None}
    found["place"] = form.place if form.place > 1 else None
    found["percent"] = format(form.percent, "f") if form.percent is not None else None
    found["claim"] = _claim(form)
    return {name: value for name, value in found.items() if value not in (None, [])}


def _claim(form: Form) -> str | None:
    claim = form.claim
    if claim is None:
        return None
    sides = [one.told().replace("`", "") for one in form.sides]
    match claim.kind:
        case "limit":
            return f"{claim.relation} {claim.number}"
        case "rows":
            return f"each row {claim.relation} {claim.number}"
        case "groups":
            return f"each {form.by[0].title} {claim.relation} {claim.number}"
        case "columns":
            return f"each {form.by[0].title} {claim.relation}" if form.by else claim.relation
        case "sides":
            return f" {claim.relation} ".join(sides)
        case "most":
            return f"{'most' if claim.relation == '>' else 'least'}: {sides[0]}"
        case "rises":
            return f"rises {claim.relation} by {form.by[0].grain}"
    return claim.kind


def judged() -> Iterator[tuple[str, dict[str, Any], Form | Question | None]]:
    """Each line with what was made of it: right, asked, unheard or wrong."""
    known, today = schemas()
    for line in lines():
        sources = known[line["on"]]
        before = read(line["under"], sources, today=today) if "under" in line else None
        if isinstance(before, Form):
            found = revise(before, line["said"], sources, today=today)
        else:
            found = read(line["said"], sources, today=today)
        yield _judged(line, found), line, found


def second(
    name: str = "fresh", *, surely: bool = False
) -> Iterator[tuple[str, dict[str, Any], Form | Question | None]]:
    """The same of a list that is said of files; `surely`: each is known to be a request."""
    _, today = schemas()
    known = {name: read_from(*file) for name, file in files().items()}
    for line in lines(f"{name}.jsonl"):
        found = read(line["said"], known[line["on"]], today=today, surely=surely)
        yield means_it(line, _by_rows(found, known[line["on"]])), line, found


def _by_rows(found: Form | Question | None, sources: tuple[Source, ...]) -> Form | Question | None:
    """The same with rows counted where what numbers each row is: those are as many."""
    if not isinstance(found, Form):
        return found
    keys = {
        one.name for source in sources for table in source.tables for one in table.columns if one.numbering
    }
    measures = [
        Measure() if one.aggregate == "count" and one.column in keys else one for one in found.measures
    ]
    return found.model_copy(update={"measures": tuple(measures)})


def means_it(line: Mapping[str, Any], found: Form | Question | None) -> str:
    """Whether a line of such a list was read as it is meant: right, asked, unheard or wrong."""
    means = line["means"] if isinstance(line["means"], list) else [line["means"]]
    if not isinstance(found, Form):
        return _judged(line, found)
    seen = told(found)
    seen |= {"over": found.measures[0].over_title} if found.measures and found.measures[0].over else {}
    return (
        "right"
        if _unordered(seen) in [_unordered(one) for one in means if one not in ("ask", "no")]
        else "wrong"
    )


def _unordered(meaning: Mapping[str, Any]) -> dict[str, Any]:
    """Neither the order of filters nor that of numbers means anything."""
    return {k: sorted(v) if k in ("where", "measures") else v for k, v in meaning.items()}


def colloquial(*, surely: bool) -> Counter[str]:
    """What becomes of requests as they are said in passing; nobody has labelled what each of them means."""
    known, today = schemas()
    found = [
        read(line["said"], known[line["on"]], today=today, surely=surely)
        for line in lines("colloquial.jsonl")
    ]
    return Counter(
        "unheard" if one is None else "bound" if isinstance(one, Form) else "asked" for one in found
    )


def _judged(line: Mapping[str, Any], found: Form | Question | None) -> str:
    means = line["means"] if isinstance(line["means"], list) else [line["means"]]
    if found is None:
        return "right" if "no" in means else "unheard"
    if isinstance(found, Question):
        return "wrong" if "no" in means else "asked"
    return "right" if told(found) in means else "wrong"


def main() -> None:
    """Print the table; with `-v` every line that is not right."""
    counts: Counter[str] = Counter()
    for judgement, line, found in judged():
        counts[judgement] += 1
        if "-v" in sys.argv and (judgement in ("wrong", "unheard") or "-vv" in sys.argv):
            print(f"{judgement:8} {line['on']}: {line.get('under', '')} | {line['said']}")
            print(f"         {told(found) if isinstance(found, Form) else found}")
    total = sum(counts.values())
    for name in ("right", "asked", "unheard", "wrong"):
        print(f"{name:8} {counts[name]:4} of {total}  {100 * counts[name] / total:5.1f} %")
    for list_, surely in product(("fresh", "further", "third", "fourth"), (False, True)):
        found_ = Counter[str]()
        for judgement, line, found in second(list_, surely=surely):
            found_[judgement] += 1
            if surely and "-v" in sys.argv and (judgement in ("wrong", "unheard") or "-vv" in sys.argv):
                print(f"{judgement:8} {line['on']}: {line['said']}")
                print(f"         {told(found) if isinstance(found, Form) else found}")
        shown = ", ".join(f"{found_[name]} {name}" for name in ("right", "asked", "unheard", "wrong"))
        print(f"Of files, {list_}{', known to be requests' if surely else ''}: {shown} of {found_.total()}")
    for surely in (False, True):
        passing = colloquial(surely=surely)
        told_ = ", ".join(f"{passing[name]} {name}" for name in ("bound", "asked", "unheard"))
        print(f"In passing{', known to be requests' if surely else ''}: {told_} of {passing.total()}")


if __name__ == "__main__":
    main()
