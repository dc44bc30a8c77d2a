"""What a message does in its place: one reading, in layers, the certain ones first.

`exact` knows words that leave no doubt, `learned` is a small model over (question, message), `model` asks a language
model where there is one. A reading is a value: what comes of it is decided in `softrail.dialogue`. This room must not
know sessions, the store or who holds a turn.
"""

from softrail.reader.reader import LayeredReader

__all__ = ["LayeredReader"]
