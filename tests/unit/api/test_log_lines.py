import json
import logging
import sys

import pytest

from softrail.api.logs import JsonLines, PlainLines

FORGED = 'hi\r\n{"level":"CRITICAL","message":"forged"}\u2028\x00\x1b[31m'


def record(message: str, *args: object, **more: object) -> logging.LogRecord:
    made = logging.LogRecord("softrail.turns", logging.INFO, __file__, 1, message, args, None)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def test_text_from_people_cannot_forge_a_line() -> None:
    line = JsonLines().format(record("turn said=%s", FORGED))

    assert "\n" not in line
    assert "\r" not in line
    assert json.loads(line)["message"] == f"turn said={FORGED}"
    assert json.loads(line)["level"] == "INFO"


def test_plain_lines_cannot_be_forged_either() -> None:
    assert "\n" not in PlainLines().format(record("turn said=%s", FORGED))


def test_extra_facts_and_errors_are_in_the_line() -> None:
    try:
        raise ValueError("x\ny")
    except ValueError:
        made = record("failed", turn_id="t1", odd=object(), worse=float("nan"))
        made.exc_info = sys.exc_info()

    line = json.loads(JsonLines().format(made))

    assert line["turn_id"] == "t1"
    assert line["error"].endswith("\nValueError")  # what it says may be what a person said
    assert "ValueError: x\ny" in json.loads(JsonLines(words=True).format(made))["error"]


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_a_lone_surrogate_in_a_log_line_breaks_nothing(text: str) -> None:
    assert json.loads(JsonLines().format(record("said %s", text)))["logger"] == "softrail.turns"
