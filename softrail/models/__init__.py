"""Language models behind one promise, `softrail.core.ports.Model`.

`PlainModel` stands for having none; `ScriptedModel` answers from a list, for tests; `claude` asks Anthropic's API and
`compatible` any server that speaks OpenAI's, with a circuit around it, at known prices, on the system's account or a person's own. This room knows how a model is asked and
paid. It must not know what a turn is or which prompt is used; people's keys it hands to the store sealed.
"""

from softrail.models.opening import Models, open_models
from softrail.models.plain import PlainModel
from softrail.models.scripted import ScriptedModel

__all__ = ["Models", "PlainModel", "ScriptedModel", "open_models"]
