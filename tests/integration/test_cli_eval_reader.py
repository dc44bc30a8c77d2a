"""Answers of one's own are judged by the reader that is installed."""

import json
from pathlib import Path

from typer.testing import CliRunner

from softrail.cli import app

LINES: list[dict[str, object]] = [
    {"question": "Who is it for?", "message": "I think teachers", "label": "inform", "value": "teachers"},
    {"question": "Who is it for?", "message": "hm, let me think", "label": "hold"},
    {"question": "Who is it for?", "message": "stop", "label": "leave"},
    {"question": "Is it ready?", "message": "yes", "label": "affirm", "kind": "bool"},
    {"question": "Which size?", "message": "small", "label": "inform", "options": ["small", "large"]},
    {"question": "Who is it for?", "message": "I think teachers", "label": "inform", "value": "pupils"},
]


def judged(tmp_path: Path, lines: list[dict[str, object]], *more: str) -> tuple[int, str, str]:
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    told = CliRunner().invoke(app, ["eval", "--reader", str(file), *more])
    return told.exit_code, told.stdout, told.stderr


def test_lines_are_counted_by_act_and_what_went_wrong_is_shown(tmp_path: Path) -> None:
    code, told, _ = judged(tmp_path, LINES)

    assert code == 0
    rows = {line.split()[0]: line.split() for line in told.splitlines()[1:5]}
    assert "Read by: exact 50.0%, learned 50.0%" in told
    assert rows["inform"][1:3] == ["3", "66.7%"]
    assert all(rows[act][2] == "100.0%" for act in ("hold", "leave", "affirm"))
    assert "inform: Who is it for? / I think teachers -> stored “teachers”" in told


def test_what_less_of_the_reader_would_make_of_them_is_printed_beside_it(tmp_path: Path) -> None:
    told = judged(tmp_path, LINES, "--ablation")[1]

    right = {
        row[:22].strip(): row.split("%")[0].split()[-1]
        for row in told.splitlines()
        if row[:5] in ("exact", "small")
    }
    assert right == {"exact words": "50.0", "small model, no bars": "83.3", "small model": "83.3"}


def test_every_line_is_there_as_json(tmp_path: Path) -> None:
    found = json.loads(judged(tmp_path, LINES, "--json")[1])

    assert [row["outcome"] for row in found] == ["right"] * 5 + ["wrong"]
    assert found[2]["became"] == "paused"
    assert [row["layer"] for row in found] == ["learned", "learned", "exact", "exact", "exact", "learned"]


def test_a_line_that_is_none_is_named_with_what_is_wrong(tmp_path: Path) -> None:
    code, _, wrong = judged(tmp_path, [LINES[0], {"question": "Q?", "message": "m", "label": "nonsense"}])

    assert code == 2
    assert ":2: label" in wrong.replace("\n", "").replace("│", "").replace(" ", "").replace(
        ":2:label", ":2: label"
    )


def test_an_ablation_of_anything_but_the_reader_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps(LINES[0]), encoding="utf-8")

    told = CliRunner().invoke(app, ["eval", str(file), "--ablation"])

    assert told.exit_code == 2
    assert "use it with --reader" in " ".join(told.stderr.replace("│", "").split())
