"""Fits what tells a sentence that claims an effect from one that does not, from the sentences of `claims.toml`.

    python -m training.claims

writes `softrail/companion/claims.json` and prints how it does on acts and frames that were left out of the fitting.
"""

import json
import tomllib
from pathlib import Path

import numpy as np

from softrail.companion.voice.claims import BITS, features, sentences

HOME = Path(__file__).parents[1] / "softrail" / "companion"
STEPS, RATE, KEPT_SMALL = 250, 4.0, 2e-4


def made() -> list[tuple[str, int, int]]:
    """Every sentence, whether it claims, and the fold it belongs to: that of its act, or of its own."""
    told = tomllib.loads((HOME / "claims.toml").read_text(encoding="utf-8"))
    found = []
    for at, (do, did, done, thing) in enumerate(told["acts"]):
        values = {"do": do, "did": did, "done": done, "thing": thing, "Thing": thing[0].upper() + thing[1:]}
        for frames, claims in ((told["claims"], 1), (told["honest"], 0)):
            found += [(frame.format(**values), claims, at % 5) for frame in frames]
    for at, subject in enumerate(told["subjects"]):
        found += [(f"{subject} {one}.", 0, at % 5) for one in told["predicates"]]
    for part, claims in ((told["said_falsely"], 1), (told["said_honestly"], 0)):
        found += [(text, claims, at % 5) for at, text in enumerate(part)]
    return [(one, claims, fold) for text, claims, fold in found for one in sentences(text)]


def fitted(rows: list[tuple[str, int, int]]) -> np.ndarray:
    """Weights of a regression on the features, each class as heavy as the other."""
    seen = [sorted(set(features(text))) for text, _, _ in rows]
    is_claim = np.array([claims for _, claims, _ in rows], dtype=np.float64)
    heavy = np.where(is_claim == 1, 0.5 / is_claim.sum(), 0.5 / (len(rows) - is_claim.sum()))
    weights, squares = np.zeros(1 << BITS), np.full(1 << BITS, 1e-8)
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.array([weights[one].sum() for one in seen])))
        slope = KEPT_SMALL * weights
        for one, error in zip(seen, (chances - is_claim) * heavy, strict=True):
            slope[one] += error
        squares += slope**2
        weights -= 0.1 * RATE * slope / np.sqrt(squares)
    return weights


def judged(weights: np.ndarray, rows: list[tuple[str, int, int]]) -> list[tuple[float, int]]:
    """The chance of each, and whether it claims."""
    return [
        (float(1 / (1 + np.exp(-weights[sorted(set(features(text)))].sum()))), claims)
        for text, claims, _ in rows
    ]


def _chance(weights: np.ndarray, text: str) -> float:
    return float(1 / (1 + np.exp(-weights[sorted(set(features(text)))].sum())))


def main() -> None:
    """Fit, judge, write."""
    rows = made()
    held = []
    for fold in range(5):
        weights = fitted([row for row in rows if row[2] != fold])
        held += judged(weights, [row for row in rows if row[2] == fold])
    for bar in (0.1, 0.2, 0.3, 0.4, 0.5):
        missed = sum(chance < bar for chance, claims in held if claims)
        false = sum(chance >= bar for chance, claims in held if not claims)
        print(
            f"bar {bar}: missed {missed} of {sum(c for _, c in held)}, false {false} of {sum(1 - c for _, c in held)}"
        )
    weights = fitted(rows)
    kept = {str(at): round(float(weights[at]), 2) for at in np.flatnonzero(np.abs(weights) >= 0.01)}
    (HOME / "claims.json").write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{len(rows)} sentences, {len(kept)} weights")


if __name__ == "__main__":
    main()
