"""The guarantees, each with ways to break it on purpose and the tests that must notice."""

from tests.faults.breaking import Breaks
from tests.faults.breaks import people, talk, turns, work

BREAKS = Breaks(turns.BREAKS | talk.BREAKS | people.BREAKS | work.BREAKS)
