"""Reads what a person wants when no process owns the turn: split, exemplars, model, outcome.

It implements the `Classifier` promise of `softrail.core.ports`. It knows intents and text; it must not know sessions,
stores, processes, HTTP or a vendor's SDK: a language model and prompt texts reach it through their ports. Importing it
loads neither numpy nor the sentence encoder; the first message (or `Cascade.warm`) does.
"""

from softrail.classifier.plain import PlainClassifier

__all__ = ["PlainClassifier"]
