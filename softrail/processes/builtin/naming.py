"""Finds the name of a project in the words that describe it."""

import re

_LOOK_AT = 1000  #: characters; a name comes early
_LONGEST = 60  #: characters of a name
_MOST_WORDS = 8

#: What a name follows, the surest first.
_BEFORE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:called|named)\s+",
        r"\b(?:my|our|the)\s+(?:\w+\s+)?project(?:'s name)?\s+is\s+(?:just\s+)?",
        r"\banother\s+(?:project|one)\s+is\s+",
        r"\bits\s+name\s+is\s+",
        r"\b(?:working|work)\s+on\s+(?:building\s+)?",
        r"\b(?:building|making|developing|writing)\s+",
    )
)
_APP = re.compile(r"\bthe\s+((?:[\w'&.-]+\s+){1,4}?)(?:app|project|website|site|tool|game)\b", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“”„«]([^\"“”„«»\n]{1,60})[\"“”»]|(?<!\w)['‘]([^'‘’\n]{1,60})['’](?!\w)")
_STOP = re.compile(r"[.!?](?=\s|$)|[,;:\n()]|\s[-–—]+\s")
_ARTICLES = frozenset(("a", "an", "the", "my", "our", "some"))
#: In a name only between two capitalised words: "Search and Rescue".
_JOINS = frozenset(("and", "of", "for", "the", "in", "on", "to", "&", "de", "la"))
#: Where a name in small letters ends.
_AFTER = frozenset(
    (
        *("and", "which", "that", "for", "because", "with", "in", "on", "at", "using", "since", "now", "it"),
        *("is", "to", "so", "but", "who", "where", "when", "right", "these", "this", "as", "from"),
    )
)

#: Says that there is a project, and nothing about it.
_ANNOUNCES = re.compile(
    r"(?:(?:yes|yeah|yep|sure|ok|okay|actually|well|oh|there(?:'s| is| are)|i(?:'ve| have)?(?: got)?|we(?:'ve| have)?"
    r"(?: got)?|do|have|has|had|want|would|like|can|let me|i'd|add|tell you|tell|you|me|about|to|of|also|too|please|"
    r"just|still|is|are|it|them|project|projects|one|ones|thing|another|more|a|an|second|third|new|other|"
    r"different|few|couple|some|and|mention|describe|share|with|for|the|my|first|next)(?:[\s,.!]+|$))+",
    re.IGNORECASE,
)


def announces(message: str) -> bool:
    """The message says that there is a project and tells nothing of it: "Yes, I have another project"."""
    words = message.strip()[:_LOOK_AT].replace("’", "'")
    return not words or _ANNOUNCES.fullmatch(words) is not None


def name_of(message: str) -> str:
    """The name of the project a message describes; without one, its first sentence, shortened."""
    text = message.strip()[:_LOOK_AT].replace("’", "'")
    for before in _BEFORE:
        for found in before.finditer(text):
            name = _name_at(text[found.end() :])
            if name:
                return name
    app = _APP.search(text)
    if app is not None:
        return _shortened(app[1])
    quoted = _QUOTED.search(text)
    if quoted is not None:
        return _shortened(quoted[1] or quoted[2])
    return _shortened(_first_sentence(text))


def has_name(message: str) -> bool:
    """A name stands in the message by one of the ways people introduce one."""
    text = message.strip()[:_LOOK_AT].replace("’", "'")
    named = _BEFORE[:4]
    return any(_name_at(text[f.end() :]) for pattern in named for f in pattern.finditer(text))


def _name_at(rest: str) -> str:
    quoted = _QUOTED.match(rest)
    if quoted is not None:
        return _shortened(quoted[1] or quoted[2])
    stop = _STOP.search(rest)
    words = (rest[: stop.start()] if stop else rest).split()
    while len(words) > 1 and words[0].lower() in _ARTICLES:
        words = words[1:]
    if not words or (words[0].lower() in _ARTICLES):
        return ""
    kept = _capitalised(words) if _is_capital(words[0]) else _small(words)
    return _shortened(" ".join(kept))


def _is_capital(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdecimal()


def _capitalised(words: list[str]) -> list[str]:
    """Words up to the first that no longer belongs to a name written in capitals."""
    kept: list[str] = []
    for at, word in enumerate(words[:_MOST_WORDS]):
        following = words[at + 1] if at + 1 < len(words) else ""
        if not _is_capital(word) and not (word.lower() in _JOINS and following and _is_capital(following)):
            break
        kept.append(word)
    return kept


def _small(words: list[str]) -> list[str]:
    kept: list[str] = []
    for word in words[:_MOST_WORDS]:
        if kept and word.lower() in _AFTER:
            break
        kept.append(word)
    return kept


def _first_sentence(text: str) -> str:
    line = next((line for line in text.splitlines() if line.strip()), text)
    end = re.search(r"[.!?](?=\s|$)", line)
    return line[: end.start()] if end and line[: end.start()].strip() else line


def _shortened(name: str) -> str:
    name = " ".join(name.split()).strip(" .,;:!?\"“”'‘’-–—")
    if len(name) <= _LONGEST:
        return name
    cut = name[:_LONGEST].rsplit(" ", 1)[0] if " " in name[:_LONGEST] else name[: _LONGEST - 1]
    return f"{cut}…"
