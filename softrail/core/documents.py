"""YAML documents as nodes: every word as it is written, and the line it stands on."""

from typing import Final

import yaml

#: The parser written in C, ten times as fast, where PyYAML was built with it.
_FAST: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_document(text: str) -> yaml.Node | None:
    """The nodes of one document; None where there is nothing. Raises yaml.YAMLError, in the same words everywhere."""
    try:
        return yaml.compose(text, Loader=_FAST)
    except yaml.YAMLError:
        return yaml.compose(text, Loader=yaml.SafeLoader)  # the two do not complain in the same words
