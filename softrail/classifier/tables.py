"""The figures of an evaluation as text: a table, a confusion picture, a table of bars."""

from collections import Counter
from collections.abc import Sequence

from softrail.classifier.evaluate import Report
from softrail.classifier.tuning import BarRow

_SHADES = " .:-=+*#%@"


def report_table(found: Report) -> str:
    """The figures, one a line."""
    covered, bar = found.coverage_at_precision
    median, worst = found.milliseconds
    rows = [
        ("accuracy, in scope", str(found.accuracy)),
        ("macro-F1, in scope", f"{100 * found.macro_f1:.1f} %"),
        ("decided without a model (coverage)", str(found.coverage)),
        ("  of those right (precision)", str(found.precision)),
        ("kinds named, of messages labelled with one", _or_none(found.kinds)),
        ("coverage at 95 % precision", f"{100 * covered:.1f} % at a bar of {bar:.2f}"),
        ("out-of-scope recall", _or_none(found.out_of_scope_recall)),
        ("out-of-scope AUROC of the confidence", _percent(found.out_of_scope_auroc)),
        ("out-of-scope AUROC of the in-scope score", _percent(found.in_scope_auroc)),
        ("calibration error, intent probability", _percent(found.intent_calibration_error)),
        ("calibration error, accept gate", _percent(found.gate_calibration_error)),
        ("reported as several intents", str(found.several)),
        ("tiers", ", ".join(f"{tier} {n}" for tier, n in sorted(found.tiers.items()))),
        ("time a message", f"{median:.1f} ms median, {worst:.1f} ms at the 99th percentile"),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name.ljust(width)}  {value}" for name, value in rows)


def confusion_picture(found: Report, *, most: int = 24) -> str:
    """Labels down, readings across, darker for more; the labels with the most mistakes when there are too many."""
    counts = Counter(found.confusion)
    wrong = Counter[str]()
    for (label, top), n in counts.items():
        wrong[label] += n * (label != top)
    labels = [name for name, _ in sorted(wrong.items(), key=lambda item: (-item[1], item[0]))[:most]]
    tops = list(dict.fromkeys([*labels, *sorted({top for label, top in counts if label in labels})]))
    width = max((len(name) for name in labels), default=0)
    lines = [
        "What was said (rows) and how it was read (columns); the more, the darker, up to @ for all.",
        f"{'':{width}}  " + " ".join(_letter(i) for i in range(len(tops))),
    ]
    for label in labels:
        total = sum(counts[label, top] for top in tops) or 1
        cells = [_SHADES[min(int(10 * counts[label, top] / total), 9)] for top in tops]
        cells = ["." if c == " " and counts[label, top] else c for c, top in zip(cells, tops, strict=True)]
        lines.append(f"{label:{width}}  {' '.join(cells)}")
    legend = [f"{_letter(i)} {top}" for i, top in enumerate(tops)]
    return "\n".join([*lines, "", "read as: " + ", ".join(legend)])


def bars_table(rows: Sequence[BarRow]) -> str:
    """Coverage against precision, one bar a line."""
    head = f"{'bar':>5}  {'coverage':>9}  precision"
    return "\n".join([head, *(f"{r.bar:5.2f}  {100 * r.coverage:8.1f}%  {r.precision}" for r in rows)])


def _letter(i: int) -> str:
    return chr(ord("a") + i) if i < 26 else chr(ord("A") + (i - 26) % 26)


def _percent(value: float | None) -> str:
    return "no data" if value is None else f"{100 * value:.1f} %"


def _or_none(value: object | None) -> str:
    return "no data" if value is None else str(value)
