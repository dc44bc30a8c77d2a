"""Language models behind one promise, `softrail.core.ports.Model`.

`PlainModel` stands for having none; `ScriptedModel` answers from a list, for tests. This room knows how a model is
asked. It must not know what a turn is, which prompt is used, where anything is stored, or who is asking.
"""

from softrail.models.opening import open_model
from softrail.models.plain import PlainModel
from softrail.models.scripted import ScriptedModel

__all__ = ["PlainModel", "ScriptedModel", "open_model"]
