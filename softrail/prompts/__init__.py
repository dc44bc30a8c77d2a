"""Versioned texts, and the words of a free turn.

`Library` finds a text by name and fills its places; `Texts` remembers which were used; `PlainResponder` says what a
free turn found or did. This room knows files and the `Model` promise. It must not know sessions, the store, the
registry, HTTP, or any vendor of language models; which texts exist is decided by files, never by code.
"""

from softrail.prompts.brought import BroughtTexts
from softrail.prompts.library import Library
from softrail.prompts.rendering import Texts
from softrail.prompts.responder import PlainResponder

__all__ = ["BroughtTexts", "Library", "PlainResponder", "Texts"]
