"""Data to try things with: two years of a coffee roaster that never was, made for this project."""

from functools import lru_cache
from importlib.resources import files
from typing import Final

NAME: Final = "sample_sales.csv"


@lru_cache(maxsize=1)
def sample() -> bytes:
    """The file as it is attached."""
    return files(__package__).joinpath(NAME).read_bytes()
