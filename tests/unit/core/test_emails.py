"""E-mail addresses as they are compared: two people are never one, and one person is never two."""

import pytest

from softrail.core.errors import BadRequest
from softrail.core.people import clean_email


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (" Ada@Example.ORG ", "ada@example.org"),
        ("ada@example.org.", "ada@example.org"),
        ("Ada@B\u00dcCHER.example", "ada@b\u00fccher.example"),
        ("ada@xn--bcher-kva.example", "ada@b\u00fccher.example"),
        ("ada@bu\u0308cher.example", "ada@b\u00fccher.example"),
        ("ada@\uff45xample\u3002org", "ada@example.org"),
        ("ada@stra\u00dfe.example", "ada@stra\u00dfe.example"),
        ("REN\u00c9@example.org", "ren\u00e9@example.org"),
        ("Rene\u0301@example.org", "ren\u00e9@example.org"),
        ("stra\u00dfe@example.org", "stra\u00dfe@example.org"),
        ("me@localhost", "me@localhost"),
        ("a_b@my_host.example", "a_b@my_host.example"),
    ],
)
def test_one_address_is_kept_in_one_way(given: str, kept: str) -> None:
    assert clean_email(given) == kept
    assert clean_email(kept) == kept


@pytest.mark.parametrize(
    "given",
    [
        pytest.param("\u212aim@example.org", id="the sign of Kelvin"),
        pytest.param("\uff4bim@example.org", id="a wide letter"),
        pytest.param("\ufb01nn@example.org", id="a ligature"),
        pytest.param("\u017fam@example.org", id="a long s"),
        pytest.param("ada\ufe0f@example.org", id="a selector that shows nothing"),
        pytest.param("a\u034fda@example.org", id="a joiner that shows nothing"),
    ],
)
def test_an_address_that_could_be_somebody_elses_is_refused(given: str) -> None:
    with pytest.raises(BadRequest, match="plain letters"):
        clean_email(given)


@pytest.mark.parametrize(
    "given",
    [
        "",
        "ada",
        "@example.org",
        "ada@",
        "ada@.",
        "a@b@c",
        "a da@example.org",
        "a\u200bda@example.org",
        "ada@xn--zzzzzz99999.example",
        "ada@☃️..example",
        f"{'a' * 250}@example.org",
    ],
)
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(BadRequest, match="no e-mail address"):
        clean_email(given)


def test_no_letter_of_another_script_becomes_one_of_ours() -> None:
    for point in range(0x80, 0x1_0000):
        try:
            kept = clean_email(f"{chr(point)}@example.org")
        except BadRequest:
            continue
        assert not kept.isascii()
        assert clean_email(kept) == kept
