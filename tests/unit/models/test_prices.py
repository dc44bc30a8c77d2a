"""What a call costs, from a table."""

from decimal import Decimal
from pathlib import Path

import pytest

from softrail.core.errors import DefinitionError
from softrail.models.prices import Prices, bundled_prices, load_prices

TABLE = """
[house-model]
input = "3"
output = "15"
cache_write = "3.75"
cache_read = "0.30"
"""


@pytest.fixture
def prices(tmp_path: Path) -> Prices:
    path = tmp_path / "prices.toml"
    path.write_text(TABLE)
    return load_prices(path)


def test_each_kind_of_token_has_its_price(prices: Prices) -> None:
    cost = prices.cost("house-model", input_tokens=1_000, output_tokens=100, read=600, written=300)

    assert cost == Decimal("0.003105")  # 100 at 3, 300 at 3.75, 600 at 0.30, 100 at 15, per million
    assert prices.cost("house-model", input_tokens=0, output_tokens=0, read=0, written=0) == 0


def test_a_model_that_is_not_listed_has_no_cost_rather_than_a_guessed_one(prices: Prices) -> None:
    assert prices.cost("claude-sonnet-5-5", input_tokens=9, output_tokens=9, read=0, written=0) is None


def test_a_dated_version_costs_what_its_model_costs(prices: Prices) -> None:
    assert prices.of("house-model-20260101") == prices.of("house-model")
    assert prices.of("house-model-2") is None


def test_the_usual_model_has_a_price_that_comes_with_the_package() -> None:
    from softrail.models.claude import DEFAULT_MODEL
    from softrail.settings import Settings

    assert Settings.model_fields["claude_model"].default == DEFAULT_MODEL
    price = bundled_prices().of(DEFAULT_MODEL)
    assert price is not None
    assert price.cache_read < price.input < price.cache_write < price.output


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[m\n", "prices.toml"),
        ('[m]\ninput = "1"\n', "m.output"),
        (TABLE.replace('"3"', '"-3"'), "house-model.input"),
        (TABLE.replace('"3"', '"NaN"'), "house-model.input"),
        (TABLE + 'inptu = "1"\n', "house-model.inptu"),
        ("x = 1\n", "prices.toml: x"),
    ],
    ids=["no toml", "incomplete", "negative", "nan", "misspelt", "no table"],
)
def test_a_file_that_is_no_table_of_prices_is_refused_with_the_place(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)

    with pytest.raises(DefinitionError, match=words):
        load_prices(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="cannot be read"):
        load_prices(tmp_path / "none.toml")
