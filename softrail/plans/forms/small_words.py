"""Words that carry nothing, as people put them around what they want: “pls”, “tho”, “lol”, “i guess”.

What tells is learned (`training/small_words.py`) from how words are meant, so that nobody has to list them. A word
stays where it stands for something: behind “for”, “by” or “in”, or with a capital.
"""

import json
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.tokens import Token, stem, tokens
from softrail.plugin import encoder

PLACE: Final = Path(__file__).with_name("small_words.json")
_BAR: Final = 0.9  #: below it a word may say something


def carry_nothing(message: str, unknown: Collection[str]) -> Sequence[str]:
    """Those of the unknown words of a message, as stems, that carry nothing; none without the encoder."""
    meaning, learned = encoder(), _learned()
    if meaning is None or meaning.id != learned["encoder"]:
        return ()
    words, found, kept = tokens(message), dict[str, bool](), message.isupper()
    for at, word in enumerate(words):
        one = stem(word.word)
        if one not in unknown:
            continue
        before = words[at - 1] if at else None
        named = word.text[:1].isupper() and at > 0 and not kept
        if named or (before is not None and _takes(before)):
            found[one] = False
            continue
        said = [word.word, *([f"{before.word} {word.word}"] if before and _is_grammar(before) else [])]
        far = max(float(row @ learned["weights"]) for row in meaning.encode(said)) + learned["bias"]
        found[one] = found.get(one, True) and far >= _BAR
    return [one for one, small in found.items() if small]


def _takes(word: Token) -> bool:
    """What follows it belongs to it."""
    return "roles" in lexicon().senses.get((word.word,), {})


def _is_grammar(word: Token) -> bool:
    return word.word in lexicon().grammar


@cache
def _learned() -> dict[str, Any]:
    import numpy as np

    read = json.loads(PLACE.read_text(encoding="utf-8"))
    return {**read, "weights": np.asarray(read["weights"], dtype=np.float32)}
