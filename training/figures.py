"""Counts what readings get right, with the bars in use: tables of kind, n, share and 95 % interval."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from softrail.core.reading import Bars
from softrail.reader.learned.marks import ACTS
from training.pairs import Pair
from training.reading import VALUE, Calibration, Read, label, share
from training.tape import SPECIAL, polarity

EXITS = ("leave", "pause", "human", "open", "hold", "none")  #: an answer is likelier than each of these
BESIDE = ("ask", "request", "repeat", "social", "inform_other", "correct")  #: may be there beside an answer

Row = tuple[str, int, int]  #: what, how many right, of how many


class Counts:
    """Right ones of all, by name, in the order of their first mention."""

    def __init__(self) -> None:
        self._counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def add(self, name: str, right: bool) -> None:
        """One more."""
        self._counts[name][0] += right
        self._counts[name][1] += 1

    def rows(self) -> list[Row]:
        """All of them."""
        return [(name, right, n) for name, (right, n) in self._counts.items()]


def stores(reading: Read, by: Calibration, bars: Bars) -> bool:
    """Whether an open question's answer would be kept from this message."""
    acts = {act: by.act(reading, act) for act in ACTS}
    return (
        acts["inform"] >= bars.inform
        and by.probability(reading, VALUE) >= bars.value
        and reading.end > reading.start
        and max(acts[act] for act in EXITS) < acts["inform"]
        and max(acts[act] for act in BESIDE) < acts["inform"] + bars.beside
    )


def leaves(reading: Read, by: Calibration, bars: Bars) -> bool:
    """Whether it would be taken for a wish to leave or pause."""
    return by.act(reading, "leave") >= bars.leave or by.act(reading, "pause") >= bars.leave


def consent(reading: Read, by: Calibration, bars: Bars) -> str:
    """Yes, no, or nothing that is sure."""
    yes, no = by.act(reading, "affirm"), by.act(reading, "negate")
    if yes >= bars.consent and by.act(reading, "correct") >= bars.correct:
        return ""  # “yes, but make it 30”
    return "affirm" if yes >= bars.consent > no else "negate" if no >= bars.consent > yes else ""


def top(reading: Read, by: Calibration) -> str:
    """The likeliest act."""
    return max(ACTS, key=lambda act: by.act(reading, act))


def of_tape(readings: Sequence[tuple[dict[str, Any], list[Read]]], by: Calibration, bars: Bars) -> list[Row]:
    """The tape, by label."""
    counts = Counts()
    for row, (reading, *others) in readings:
        label = row["label"]
        closed = reading.pair.query.split(":", 1)[0] in ("bool", "confirm")
        if label.startswith("answer"):
            counts.add("answers taken for leaving or pausing", leaves(reading, by, bars))
            if closed:
                meant = polarity(row["line"])
                if meant and label != "answer_correction":
                    counts.add("yes and no understood", consent(reading, by, bars) == meant)
                    counts.add(
                        "yes and no taken the wrong way", consent(reading, by, bars) not in ("", meant)
                    )
            else:
                counts.add("answers to open questions kept", stores(reading, by, bars))
                if reading.pair.spans:
                    counts.add("… span exact", reading.exact)
                    counts.add("… span exact or close", reading.exact or reading.close)
        else:
            kind = "open questions" if not closed else "yes/no and summaries"
            if not closed:
                counts.add("no answer, open questions: stored", stores(reading, by, bars))
                counts.add(f"… {label}: stored", stores(reading, by, bars))
            else:
                counts.add(
                    "no answer, yes/no and summaries: taken for a yes", consent(reading, by, bars) == "affirm"
                )
            act = "correct" if label == "correction" else SPECIAL[label][0]
            allowed = {act} | {name for name in ACTS if name not in reading.pair.acts}
            counts.add(f"{label}: act found ({kind})", top(reading, by) in allowed)
        for other in others:
            value = by.probability(other, VALUE) >= bars.other
            if other.pair.label == "corrected":
                counts.add("corrections: field found", value)
                if other.pair.spans:
                    counts.add(
                        "corrections: field found, span exact or around it",
                        value and (other.exact or other.close or other.holds),
                    )
            elif other.pair.label == "untouched":
                counts.add("other fields, nothing said of them: value seen", value)
    return sorted(counts.rows(), key=lambda row: row[0].lstrip("… "))


def of_fields(readings: Sequence[Read], by: Calibration, bars: Bars) -> list[Row]:
    """Fields of services that were not trained on."""
    counts = Counts()
    for reading in readings:
        value = by.probability(reading, VALUE) >= bars.other
        if "option" in reading.pair.label:
            counts.add(f"{reading.pair.label}: seen", value)
        elif reading.pair.source == "sgd-field":
            if reading.pair.value:
                counts.add("field given: seen", value)
                if reading.pair.spans:
                    counts.add("field given: span exact", reading.exact)
            else:
                counts.add("field not given: value seen", value)
        elif reading.pair.label == "inform":
            counts.add("answers kept", stores(reading, by, bars))
            counts.add("answers taken for leaving", leaves(reading, by, bars))
            if reading.pair.spans:
                counts.add("answers: span exact", reading.exact)
        elif reading.pair.label in ("affirm", "negate", "affirm+ask"):
            meant = reading.pair.label.split("+")[0]
            counts.add("yes and no understood", consent(reading, by, bars) == meant)
            counts.add("yes and no taken the wrong way", consent(reading, by, bars) not in ("", meant))
        elif reading.pair.label in ("ask", "request"):
            counts.add(f"{reading.pair.label} stored", stores(reading, by, bars))
    return counts.rows()


def of_scenes(readings: Sequence[Read], by: Calibration, bars: Bars) -> list[Row]:
    """Messages of scenes: what is open, other fields, options."""
    counts, opened = Counts(), []
    for reading in readings:
        value = by.probability(reading, VALUE) >= bars.other
        if reading.pair.query.startswith("option:"):
            counts.add("option meant: seen" if reading.pair.value else "option not meant: seen", value)
        elif reading.pair.acts:
            opened.append(reading)
        elif reading.pair.value == 0:
            counts.add("other field, nothing said of it: value seen", value)
        elif reading.pair.spans:
            counts.add("other field given: seen, span exact", value and reading.exact)
    return [*of_lines(opened, by, bars), *counts.rows()]


def of_lines(readings: Sequence[Read], by: Calibration, bars: Bars) -> list[Row]:
    """Lines about projects, standups, orders."""
    counts = Counts()
    for reading in readings:
        pair = reading.pair
        label = pair.label.split("+")[0]
        allowed = {*pair.label.split("+")} | {act for act in ACTS if act not in pair.acts}
        if label in ("inform", "choice", "hard"):
            if pair.spans:
                counts.add(f"{pair.label}: kept", stores(reading, by, bars))
                counts.add(f"{pair.label}: span exact", reading.exact)
                if "pause" not in pair.label:
                    counts.add(f"{pair.label}: taken for leaving or pausing", leaves(reading, by, bars))
        elif label in ("affirm", "negate"):
            counts.add(f"{pair.label}: understood", consent(reading, by, bars) == label)
        elif label in ("given", "corrected"):
            counts.add(
                f"{label}: seen, span exact", by.probability(reading, VALUE) >= bars.other and reading.exact
            )
        elif label in ("absent", "wrong"):
            counts.add(f"{label}: value seen", by.probability(reading, VALUE) >= bars.other)
        else:
            counts.add("no answer: stored", stores(reading, by, bars))
            if "+" not in pair.label:
                counts.add(f"{label}: act found", top(reading, by) in allowed)
                if label in ("leave", "pause", "human"):
                    counts.add(f"{label}: stored", stores(reading, by, bars))
    return sorted(counts.rows())


def of_calibration(readings: Sequence[Read], by: Calibration) -> Iterator[str]:
    """Rows of Markdown: for each act how likely it was said to be, how often it was there, and how far that is apart.

    The last is the mean difference within tenths of the likelihood, each counted by its lines.
    """
    yield "| act | n | said to be there, % | there, % | apart, points |"
    yield "|---|---|---|---|---|"
    for at, act in enumerate((*ACTS, "value")):
        told = [(by.probability(r, at), y) for r in readings if (y := label(r.pair, at)) is not None]
        if not told:
            continue
        tenths = [[(p, y) for p, y in told if min(int(10 * p), 9) == tenth] for tenth in range(10)]
        apart = sum(abs(sum(p - y for p, y in tenth)) for tenth in tenths) / len(told)
        said, there = (100 * sum(column) / len(told) for column in zip(*told, strict=True))
        yield f"| {act} | {len(told)} | {said:.1f} | {there:.1f} | {100 * apart:.1f} |"


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Rows of Markdown."""
    yield "| what | n | % (95 % interval) |"
    yield "|---|---|---|"
    for name, right, n in rows:
        yield f"| {name} | {n} | {share(right, n)} |"


def known(pairs: Sequence[Pair], act: str) -> list[Pair]:
    """Pairs of which it is known whether the act is there."""
    return [pair for pair in pairs if act in pair.acts]
