"""Prints every installed package with its version and its licence, as its own metadata name it."""

from importlib.metadata import Distribution, distributions


def licence(of: Distribution) -> str:
    """What its metadata say: an expression, classifiers, or a line of text."""
    told = of.metadata
    classifiers = [
        c.rpartition(" :: ")[2] for c in told.get_all("Classifier", []) if c.startswith("License ::")
    ]
    written = (told.get("License") or "").strip().partition("\n")[0]
    return told.get("License-Expression") or "; ".join(classifiers) or written[:60] or "not named"


found = {one.metadata["Name"]: one for one in distributions()}
for name in sorted(found, key=str.casefold):
    print(f"{name:32} {found[name].version:16} {licence(found[name])}")
