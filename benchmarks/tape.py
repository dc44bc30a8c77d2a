"""What Softrail makes of lines said in the middle of a guided flow.

    python -m benchmarks.tape [--own | --ordinary | --closed | --lists | --numbers | --strangers LIST] [--json] [--misses LABEL] [--ablation]

The tape of real lines is played (a minute or two), with `--own` our own frozen lines, with `--ordinary` the 60 corrections,
refusals and remarks, with `--closed` what is said to choices and yes-or-no questions, with `--lists` what is said to questions for a list and beside one, with `--numbers` what is said to questions for a number, with `--strangers` one of the lists of people who knew nothing of the reader. `--json` prints
hits and lines of every figure; `--misses` the lines of a label that went wrong, for development; `--ablation` plays
the lines three times, each time with more of the reader. How lines are judged is told in `docs/reference/reading.md`.
"""

import argparse
import json
from collections.abc import Sequence

from benchmarks.reading import lists, numbers
from benchmarks.reading.lines import STRANGERS, Line, closed, ordinary, own, strangers, tape
from benchmarks.reading.play import play_all
from benchmarks.reading.tables import (
    CLOSED_ROWS,
    ORDINARY_ROWS,
    OWN_ROWS,
    STRANGERS_ROWS,
    TAPE_ROWS,
    Judged,
    before,
    figures,
    judged,
    layers,
    show,
    show_verdicts,
    told,
    verdicts,
)
from softrail.core.reading import Bars
from softrail.reader import LayeredReader
from softrail.reader.learned import learned

SAID_OTHERWISE = "said otherwise"


def main() -> None:
    """Play, judge, print."""
    options = argparse.ArgumentParser(prog="python -m benchmarks.tape", description=__doc__.split("\n")[0])
    options.add_argument("--own", action="store_true", help="our own lines instead of the tape")
    options.add_argument("--ordinary", action="store_true", help="corrections, refusals and remarks instead")
    options.add_argument("--closed", action="store_true", help="answers to closed questions instead")
    options.add_argument(
        "--lists", action="store_true", help="answers to questions for a list, and what changes one, instead"
    )
    options.add_argument("--numbers", action="store_true", help="answers to questions for a number instead")
    options.add_argument(
        "--strangers",
        choices=sorted(file.stem for file in STRANGERS.glob("*.jsonl")),
        help="one of the lists of strangers instead",
    )
    options.add_argument("--json", action="store_true", help="hits and lines of every figure")
    options.add_argument(
        "--misses", metavar="LABEL", help="print the lines of this label, or all, that went wrong"
    )
    options.add_argument(
        "--ablation", action="store_true", help="the figures with more and more of the reader"
    )
    chosen = options.parse_args()
    if chosen.lists:
        show_lists(misses=bool(chosen.misses))
        return
    if chosen.numbers:
        show_numbers(misses_too=bool(chosen.misses))
        return
    lines = ordinary() if chosen.ordinary else closed() if chosen.closed else own() if chosen.own else tape()
    if chosen.strangers:
        lines = [line for line in strangers() if line.source == chosen.strangers]
    if chosen.ablation:
        show_ablation(lines, own=chosen.own)
        return
    if chosen.misses:
        misses(judged(play_all(line for line in lines if chosen.misses in (line.label, "all"))))
        return
    found = judged(play_all(lines))
    if chosen.json:
        print(json.dumps(as_json(found, own=chosen.own), indent=1))
        return
    print(layers(found))
    if chosen.strangers:
        show("Lines of strangers", STRANGERS_ROWS, found, {})
        show_verdicts("By label", verdicts(found, lambda line: line.label))
    elif chosen.ordinary:
        show("Corrections, refusals and remarks of ordinary people", ORDINARY_ROWS, found, {})
        show_verdicts("By label", verdicts(found, lambda line: line.label))
    elif chosen.closed:
        show("Answers to closed questions", CLOSED_ROWS, found, {})
    elif chosen.own:
        show_own(found)
    else:
        show("Real lines said in the middle of a flow (development half)", TAPE_ROWS, found, before()["tape"])
        show_verdicts("By label", verdicts(found, lambda line: line.label))


def show_lists(*, misses: bool) -> None:
    """Print what became of the lists, or those that are not as they were told."""
    for file in lists.ANSWERS:
        found = lists.listed(lists.answers(file))
        for one in found if misses else ():
            if not one.right:
                print(f"{one.message!r}\n  told {[*one.items]}\n  stored {[*one.stored]}")
        print(f"{file}.jsonl")
        lists.show(found)
    for file in lists.CHANGES:
        changed = lists.changed(lists.changes(file))
        for one in changed if misses else ():
            if one.verdict != "right":
                print(
                    f"{one.verdict} {one.message!r}\n  there {[*one.there]}\n  meant {[*one.meant]}\n  stored {[*one.stored]}"
                )
        lists.show_changed(f"{file}.jsonl", changed)


def show_numbers(*, misses_too: bool) -> None:
    """Print what became of the numbers, or those that are not what was meant."""
    for file in numbers.FILES:
        found = numbers.counted(file)
        if misses_too:
            misses(found)
        numbers.show(f"{file}.jsonl", found)


def show_ablation(lines: Sequence[Line], *, own: bool) -> None:
    """Print what exact words make of the lines, what the small model adds, and what its bars add."""
    readers = {
        "exact words": LayeredReader(furthest="exact"),
        "small model, no bars": LayeredReader(learned, furthest="learned", bars=Bars.off()),
        "small model": LayeredReader(learned, furthest="learned"),
    }
    runs = {name: judged(play_all(lines, reader=reader)) for name, reader in readers.items()}
    if own:
        runs = {name: parted(found)[0] for name, found in runs.items()}
    rows = OWN_ROWS if own else TAPE_ROWS
    tables = {name: figures(rows, found) for name, found in runs.items()}
    print(f"{'':40}" + "".join(f"{name:32}" for name in tables))
    for row in rows:
        print(f"{row.name:40}" + "".join(f"{told(table[row.name]):32}" for table in tables.values()))


def parted(found: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """Our own lines: those by flow, and the ten sentences said otherwise."""
    otherwise = [j for j in found if not j.line.id.startswith("own-")]
    return [j for j in found if j.line.id.startswith("own-")], otherwise


def as_json(found: Sequence[Judged], *, own: bool) -> dict[str, object]:
    """The figures of a run as JSON, by part."""
    if not own:
        return {"tape": figures(TAPE_ROWS, found)}
    flows, otherwise = parted(found)
    by_file = verdicts(otherwise, lambda line: line.source)
    right = {name: (counts["right"], sum(counts.values())) for name, counts in by_file.items()}
    return {"own": figures(OWN_ROWS, flows), SAID_OTHERWISE: right}


def show_own(found: Sequence[Judged]) -> None:
    """Print what became of our own lines."""
    flows, otherwise = parted(found)
    show("Our own lines", OWN_ROWS, flows, before()["own"])
    show_verdicts("By label", verdicts(flows, lambda line: line.label))
    show_verdicts("Ten sentences, each said in 30 other ways", verdicts(otherwise, lambda line: line.source))


def misses(found: Sequence[Judged]) -> None:
    """Print what went wrong, line by line."""
    for one in found:
        if one.verdict == "right":
            continue
        line, seen = one.line, one.seen
        now = {name: seen.after.get(name) for name in sorted(seen.changed)}
        print(f"{one.verdict:8} {line.id}\n  {line.question[-100:]!r}\n  {line.message!r}")
        print(
            f"  meant {line.wants or line.means or line.about or '-'}; stored {now or '-'}; {seen.state}",
            end="",
        )
        print(f", asks {seen.asks}\n  {' '.join(seen.words.split())[:160]!r}")
    print(f"{sum(j.verdict != 'right' for j in found)} of {len(found)}")


if __name__ == "__main__":
    main()
