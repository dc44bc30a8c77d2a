"""The texts that intents bring along, beside those of files."""

import hashlib
from collections.abc import Iterable

from softrail.core.intents import IntentDefinition
from softrail.core.ports import Prompts, PromptText
from softrail.prompts.template import template

REPLY = "responder/{name}"
INSTRUCTION = "instructions/{name}"


class BroughtTexts:
    """The given texts, and an intent's own reply and instruction where no file has them. Implements `Prompts`."""

    def __init__(self, prompts: Prompts, intents: Iterable[IntentDefinition] = ()) -> None:
        self._prompts = prompts
        self._brought: dict[str, PromptText] = {}
        self.bring(intents)

    def bring(self, intents: Iterable[IntentDefinition]) -> None:
        """Make the texts of these intents known, too; they are registered after services that want to speak."""
        self._brought |= {name: _text(name, text) for i in intents for name, text in texts_of(i).items()}

    def get(self, name: str) -> PromptText | None:
        """The live version of an asset; None when there is no such asset."""
        return self._prompts.get(name) or self._brought.get(name)

    def render(self, name: str, default: str | None = None, /, **values: str) -> str:
        """Its text with every `{name}` filled once; `default` stands in where there is no asset."""
        brought = self._brought.get(name)
        if brought is None or self._prompts.get(name) is not None:
            return self._prompts.render(name, default, **values)
        return template(brought.text).fill(f"{name!r} (of the intent)", values)


def texts_of(intent: IntentDefinition) -> dict[str, str]:
    """The texts an intent brings, by the name of the asset that replaces each."""
    brought = {REPLY: intent.reply, INSTRUCTION: intent.instruction}
    return {name.replace("{name}", intent.name): text for name, text in brought.items() if text}


def _text(name: str, text: str) -> PromptText:
    return PromptText(name=name, version=1, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())
