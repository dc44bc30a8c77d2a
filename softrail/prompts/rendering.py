"""Texts with their places filled, and the account of which they were."""

from collections.abc import Mapping

from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Prompts
from softrail.prompts.template import template


class Texts:
    """Renders texts and remembers which they were, for the record of the turn."""

    def __init__(self, prompts: Prompts) -> None:
        self._prompts = prompts
        self._refs: dict[str, None] = {}

    @property
    def refs(self) -> tuple[str, ...]:
        """The texts used so far, each with its version."""
        return tuple(self._refs)

    def has(self, name: str) -> bool:
        """There is such a text."""
        return self._prompts.get(name) is not None

    def fits(self, name: str, values: Mapping[str, str]) -> bool:
        """There is such a text, and it has no place that these values leave open."""
        found = self._prompts.get(name)
        return found is not None and template(found.text).places <= values.keys()

    def text(self, name: str, /, **values: str) -> str:
        """The text with exactly these values."""
        found = self._prompts.get(name)
        if found is not None:
            self._refs[found.ref] = None
        return self._prompts.render(name, **values)

    def trouble(self, error: ModelUnavailable | None, *, answered: bool) -> str:
        """Why no language model could phrase it; `answered`: what stands before it answers all the same."""
        kind = error.trouble if error is not None else "declined"
        alone = "responder/fallback" if kind == "away" else f"responder/fallback_{kind}"
        return self.text(f"responder/short_{kind}" if answered else alone)

    def fitting(self, name: str, values: Mapping[str, str]) -> str:
        """The text with those of the values that it has places for."""
        found = self._prompts.get(name)
        wanted = values if found is None else {k: v for k, v in values.items() if f"{{{k}}}" in found.text}
        return self.text(name, **wanted)
