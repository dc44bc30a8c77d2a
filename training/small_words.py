"""Fits what tells a word that carries nothing (“pls”, “tho”, “lol”) from one that data may have.

    python -m training.small_words

writes `softrail/plans/forms/small_words.json` and prints how it does on words that were left out of the fitting. What
carries nothing are the words of grammar and courtesy that are known to, and short talk; what carries something are all
other words that forms are made with, and those that notes are made of.
"""

import json
import re
from pathlib import Path

import numpy as np

from softrail.classifier.linear import fit_logits
from softrail.companion.memory.stems import COMMON
from softrail.companion.understanding.phrases import vocabulary
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.small_words import PLACE
from softrail.plugin import encoder

SAID = Path(__file__).parents[1] / "softrail" / "companion" / "said.jsonl"
STRENGTH, FOLDS = 1.0, 5
_LONGEST = 2  #: words of what carries nothing
_TALK = frozenset(
    [
        "greeting",
        *(
            f"general_conversation.{one}"
            for one in ("acknowledging", "goodbye", "small_talk", "thanks", "apology")
        ),
    ]
)
#: Known to mean nothing in a request, but not elsewhere.
_SAYS = frozenset(
    ["shipped out", "data", "figures", "earn", "earns", "earned", "fare", "fares", "fared", "brought", "made"]
)


def words() -> tuple[list[str], list[str]]:
    """Those that carry nothing, and those that carry something."""
    known = lexicon()
    alone = {" ".join(phrase) for phrase, senses in known.senses.items() if set(senses) == {"filler"}}
    small = (alone | set(known.grammar)) - _SAYS
    small |= {one for one in vocabulary()["wish"]["filler"] if len(one.split()) <= _LONGEST}
    said = [json.loads(line) for line in SAID.read_text("utf-8").splitlines()]
    for one in said:
        text = re.sub(r"[^a-z' ]", "", one["text"].lower()).strip()
        if one["label"] in _TALK and 0 < len(text.split()) <= _LONGEST:
            small.add(text)
    others = {" ".join(phrase) for phrase, senses in known.senses.items() if set(senses) != {"filler"}}
    others |= {*known.months, *known.units, *known.rows, *known.people, *known.averaged, *known.synonyms}
    others |= {" ".join(phrase) for phrase in known.adjectives}
    told = " ".join(one["text"].lower() for one in said if one["label"] == "add_knowledge")
    others |= set(re.findall(r"[a-z]{3,}", told)) - COMMON
    return sorted(small), sorted(others - set(" ".join(small).split()) - small)


def main() -> None:
    """Fit, judge, write."""
    meaning = encoder()
    assert meaning is not None
    small, others = words()
    rows = np.asarray(meaning.encode([*small, *others]), dtype=np.float32)
    labels = np.array([1] * len(small) + [0] * len(others))
    folds = np.random.default_rng(7).integers(0, FOLDS, len(labels))
    chances = np.zeros(len(labels))
    for fold in range(FOLDS):
        at = folds != fold
        both = fit_logits(rows[at], labels[at], 2, strength=STRENGTH)
        chances[~at] = rows[~at] @ (both[:-1, 1] - both[:-1, 0]) + both[-1, 1] - both[-1, 0]
    for bar in (0.0, 0.5, 1.0, 1.5):
        found = chances >= bar
        print(f"bar {bar}: {found[labels == 1].mean():.0%} found, {found[labels == 0].mean():.1%} wrongly")
    both = fit_logits(rows, labels, 2, strength=STRENGTH)
    weights = [round(float(one), 2) for one in both[:, 1] - both[:, 0]]
    kept = {"encoder": meaning.id, "bias": weights[-1], "weights": weights[:-1]}
    PLACE.write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(small)} words that carry nothing, {len(others)} that do")


if __name__ == "__main__":
    main()
