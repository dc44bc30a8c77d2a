"""The fields that plugins add to replies: one form of a reply with all of them, made once."""

from collections.abc import Mapping
from copy import copy
from functools import lru_cache
from typing import Any, Final, cast

from pydantic import BaseModel, ConfigDict, create_model

from softrail.core.errors import DefinitionError
from softrail.core.turns import Reply

AFTER: Final = "project_id"  #: the field of a reply that those of plugins follow


class ReplyForm:
    """A reply's own fields and those of plugins, which stand after `project_id`, in the order in which they are added."""

    def __init__(self) -> None:
        """Make it; without plugins it is `Reply` itself."""
        self._brought: dict[type[BaseModel], None] = {}
        self.model: type[Reply] = Reply

    def add(self, fields: type[BaseModel]) -> None:
        """Add the fields of a model. Raises DefinitionError when they cannot be added."""
        if fields in self._brought:
            return
        where = f"{fields.__module__}.{fields.__qualname__}"
        for name, field in fields.model_fields.items():
            if field.is_required():
                raise DefinitionError(
                    f"{where}: the field {name!r} needs a default. A reply has it when nobody gives one, too."
                )
            if field.alias or field.serialization_alias or name in Reply.model_fields or hasattr(Reply, name):
                raise DefinitionError(f"{where}: the field {name!r} needs another name: a reply has its own.")
            other = next((one for one in self._brought if name in one.model_fields), None)
            if other is not None:
                raise DefinitionError(
                    f"{where}: the field {name!r} is added by {other.__qualname__} already."
                )
        self._brought[fields] = None
        self.model = _made(tuple(self._brought))

    def values(self, fields: BaseModel) -> Mapping[str, Any]:
        """What such a model gives to a reply. Raises DefinitionError for one that was not added."""
        if type(fields) not in self._brought:
            known = ", ".join(sorted(one.__qualname__ for one in self._brought)) or "none"
            raise DefinitionError(
                f"{type(fields).__qualname__} adds no fields to replies. Announce it under softrail.reply. Known: {known}."
            )
        return {name: getattr(fields, name) for name in type(fields).model_fields}


class _Form(BaseModel):
    """What every form has besides its fields."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)

    def to_json(self) -> str:
        """The bytes a client gets, now and at every retry."""
        return self.model_dump_json(by_alias=True)


@lru_cache(maxsize=16)  # of the same plugins it is the same
def _made(brought: tuple[type[BaseModel], ...]) -> type[Reply]:
    """A model with the fields of a reply in their places. It is no subclass: those would stand last."""
    fields: dict[str, Any] = {}
    for name, field in Reply.model_fields.items():
        fields[name] = (field.annotation, copy(field))
        if name == AFTER:
            for one in brought:
                fields |= {more: (given.annotation, copy(given)) for more, given in one.model_fields.items()}
    made = create_model(
        Reply.__name__, __base__=_Form, __module__=Reply.__module__, __doc__=Reply.__doc__, **fields
    )
    return cast("type[Reply]", made)
