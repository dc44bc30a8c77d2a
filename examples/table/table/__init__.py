"""A table for an evening, against a deposit."""

from table.booking import BookATable
from table.house import House

__all__ = ["BookATable", "House"]
