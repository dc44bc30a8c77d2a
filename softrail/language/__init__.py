"""What people's words mean without any model: consent, stepping off, choices, corrections.

Pure functions over data files: one file of words and phrases per language in `words/`, so a language is added
without code. This room sits just above `core`. It must not know processes, the registry, the store or any
session: who holds a turn, and what happens when a person steps off, is decided by whoever asks here.
"""

from softrail.language.choices import choose, enumerated, is_bulleted, items, without_part
from softrail.language.edits import Edit, Rearranged
from softrail.language.language import Beside, Consent, Language, language
from softrail.language.named_options import options_named, speaks_of_options
from softrail.language.several import change_options, choose_several
from softrail.language.slashes import RESERVED, Slash, nearest, slash
from softrail.language.step_off import Layer, StepOff
from softrail.language.text import normal, without_long_runs
from softrail.language.words import check_words

__all__ = [
    "RESERVED",
    "Beside",
    "Consent",
    "Edit",
    "Language",
    "Layer",
    "Rearranged",
    "Slash",
    "StepOff",
    "change_options",
    "check_words",
    "choose",
    "choose_several",
    "enumerated",
    "is_bulleted",
    "items",
    "language",
    "nearest",
    "normal",
    "options_named",
    "slash",
    "speaks_of_options",
    "without_long_runs",
    "without_part",
]
