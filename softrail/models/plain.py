"""No language model: everything that is said comes from texts."""

from collections.abc import AsyncIterator

from softrail.core.errors import ModelUnavailable
from softrail.core.ports import Model, ModelAnswer, ModelRequest

PLAIN = "plain"


class PlainModel:
    """Stands where a language model would be. Whoever can do without one asks `is_plain` first."""

    name = PLAIN

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        """Raises ModelUnavailable: there is no model to ask."""
        raise ModelUnavailable("No language model is configured.", purpose=request.purpose, asked=False)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        """Raises ModelUnavailable at the first piece."""
        yield await self.answer(request)


def is_plain(model: Model) -> bool:
    """There is no language model behind this one."""
    return model.name == PLAIN
