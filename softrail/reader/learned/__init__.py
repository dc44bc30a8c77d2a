"""The learned layer of the reader: small models over questions and a message.

One says how likely each act is and where a value stands, one does that for all fields of a form at once, one for a message
with which a form begins, one says which of some options is meant, and one where the items of a list begin, and which of them
go. They know nothing of processes, sessions and stores, decide nothing, and do their work without network. numpy, onnxruntime
and tokenizers are imported when one is first used.
"""

from softrail.reader.learned.marks import ACTS, Chosen, Edited, Joint, Marker, Marks, Piece, Told
from softrail.reader.learned.questions import query, wish
from softrail.reader.learned.reader import LearnedReader, learned
from softrail.reader.learned.spans import trimmed

__all__ = [
    "ACTS",
    "Chosen",
    "Edited",
    "Joint",
    "LearnedReader",
    "Marker",
    "Marks",
    "Piece",
    "Told",
    "learned",
    "query",
    "trimmed",
    "wish",
]
