"""What people say for a number, an amount, a day, a time of day and a length of time: a closed domain, read by a grammar.

A message becomes tokens once, its numbers in figures (`said.py`); every kind of token has a sign (`grammar.py`, from the
words of the language), and what is looked for are patterns over those signs: `numbers.py`, `days.py`, `times.py`,
`lengths.py`. Nothing here knows of fields or questions beyond their words; what is not clear is raised as `Unread`.
"""

from softrail.processes.spoken.calendar import day_in_words
from softrail.processes.spoken.days import asks_for_a_week, read_day
from softrail.processes.spoken.lengths import (
    counts_otherwise,
    is_amount_alone,
    is_measured,
    is_told_in_units,
    length_in_units,
    length_in_words,
    read_in_units,
    read_length,
    unit_asked_for,
)
from softrail.processes.spoken.moments import read_moment
from softrail.processes.spoken.money import Money, read_money
from softrail.processes.spoken.moved import Moved, is_told_to_move, moved, times_in
from softrail.processes.spoken.numbers import (
    asks_how_many,
    leaves_a_number,
    leaves_open,
    more_than_one,
    number_ahead,
    read_number,
    tells_the_total,
    weighs_up,
)
from softrail.processes.spoken.places import in_digits, is_cut, length_from, stays, whole
from softrail.processes.spoken.rates import refuse_rates
from softrail.processes.spoken.things import counts_things, refuse_things
from softrail.processes.spoken.times import read_time, tells_a_time

__all__ = [
    "Money",
    "Moved",
    "asks_for_a_week",
    "asks_how_many",
    "counts_otherwise",
    "counts_things",
    "day_in_words",
    "in_digits",
    "is_amount_alone",
    "is_cut",
    "is_measured",
    "is_told_in_units",
    "is_told_to_move",
    "leaves_a_number",
    "leaves_open",
    "length_from",
    "length_in_units",
    "length_in_words",
    "more_than_one",
    "moved",
    "number_ahead",
    "read_day",
    "read_in_units",
    "read_length",
    "read_moment",
    "read_money",
    "read_number",
    "read_time",
    "refuse_rates",
    "refuse_things",
    "stays",
    "tells_a_time",
    "tells_the_total",
    "times_in",
    "unit_asked_for",
    "weighs_up",
    "whole",
]
