"""What a call costs: a table of prices, as data."""

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from softrail.core.errors import DefinitionError

_MILLION: Final = 1_000_000
_DATED: Final = re.compile(r"-\d{8}$")
Dollars = Annotated[Decimal, Field(ge=0, le=100_000, allow_inf_nan=False)]


class Price(BaseModel):
    """US dollars per million tokens of one model, whether it thinks before it answers, and what its cache keeps."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Dollars
    output: Dollars
    cache_write: Dollars
    cache_read: Dollars
    thinks: bool = False  #: by itself, unless told otherwise; its thoughts count as output
    cache_from: int = Field(
        default=0, ge=0
    )  #: tokens; a shorter beginning is not kept by the provider's cache


class Prices:
    """The prices of all models that are known."""

    def __init__(self, table: Mapping[str, Price]) -> None:
        self._table = dict(table)

    def of(self, model: str) -> Price | None:
        """The price of a model or of a dated version of it; None when it is not listed."""
        return self._table.get(model) or self._table.get(_DATED.sub("", model))

    def cost(
        self, model: str, *, input_tokens: int, output_tokens: int, read: int, written: int
    ) -> Decimal | None:
        """What a call cost; `input_tokens` holds those `read` from the cache and `written` to it, too."""
        price = self.of(model)
        if price is None:
            return None
        fresh = max(0, input_tokens - read - written)
        parts = (
            fresh * price.input,
            read * price.cache_read,
            written * price.cache_write,
            output_tokens * price.output,
        )
        return sum(parts, Decimal(0)) / _MILLION


@cache
def bundled_prices() -> Prices:
    """The prices that come with the package."""
    return _read((files("softrail.models") / "models.toml").read_text(encoding="utf-8"), "models.toml")


def load_prices(path: Path | None) -> Prices:
    """The prices of a file in the form of the bundled one, whose place it takes; without a file, that one.

    Raises:
        DefinitionError: The file cannot be read or is no table of prices.
    """
    if path is None:
        return bundled_prices()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DefinitionError(f"The prices in {path} cannot be read: {error}") from error
    return _read(text, str(path))


def _read(text: str, name: str) -> Prices:
    try:
        return Prices(TypeAdapter(dict[str, Price]).validate_python(tomllib.loads(text)))
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(f"{name}: {error}") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise DefinitionError(f"{name}: {where}: {first['msg']}") from error
