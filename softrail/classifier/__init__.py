"""Reads what a person wants when no process owns the turn: split, exemplars, model, outcome.

`Cascade` and `PlainClassifier` implement the `Classifier` promise of `softrail.core.ports`. This room knows intents and
text; it must not know sessions, stores, processes, HTTP or a vendor's SDK: a language model and prompt texts reach it
through their ports. Importing it loads neither numpy nor the sentence encoder; the first message (or `Cascade.warm`)
does.
"""

from softrail.classifier.cascade import Cascade, default_cache
from softrail.classifier.catalogue import load_catalogue
from softrail.classifier.plain import PlainClassifier
from softrail.classifier.reading import Bars

__all__ = ["Bars", "Cascade", "PlainClassifier", "default_cache", "load_catalogue"]
