"""Words for numbers and days: one file per language, loaded once."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def words(locale: str) -> Mapping[str, Any]:
    """The words of a locale's language; English where there is no file for it."""
    tongue = locale.replace("_", "-").split("-")[0].lower()
    known = {entry.name for entry in files(__name__).iterdir()}
    name = f"{tongue}.toml" if f"{tongue}.toml" in known else "en.toml"
    return tomllib.loads((files(__name__) / name).read_text("utf-8"))
