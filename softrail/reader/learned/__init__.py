"""The learned layer of the reader: one small model over a question and a message.

It says how likely each act is and where a value stands. It knows nothing of processes, sessions and stores, decides
nothing, and does its work without network. numpy, onnxruntime and tokenizers are imported when it is first used.
"""

from softrail.reader.learned.marks import ACTS, Joint, Marker, Marks, Told
from softrail.reader.learned.questions import query
from softrail.reader.learned.reader import LearnedReader, learned

__all__ = ["ACTS", "Joint", "LearnedReader", "Marker", "Marks", "Told", "learned", "query"]
