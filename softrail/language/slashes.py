"""Slash commands: how a message looks that is one, and which known one was meant."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

#: Words of leaving: `/exit`, and whatever else people try when they want out.
LEAVING: Final = frozenset(("cancel", "end", "exit", "quit", "stop"))
#: Further ones, which an intent may have for its own: `/leave` may ask for days off.
ALSO_LEAVING: Final = frozenset(("abandon", "abort", "bye", "goodbye", "halt", "leave", "pause"))
#: What a question about leaving is answered by; nobody types it.
HOW_TO_LEAVE: Final = "how-to-leave"
#: Words that are the framework's own: no process has them.
RESERVED: Final = LEAVING | {"help", "status", "why", HOW_TO_LEAVE}

_HOW: Final = re.compile(
    r"(?:(?:ok|okay|so|um|wait|and|but|please|sorry|hm+)[,.]? )*"
    r"(?:(?:can you |could you )?(?:tell|show|remind) me |(?:do you|i don't|i do not) know |any idea "
    r"|(?:i'd|i would) (?:like|love) to know |i want to know |(?:i|i'm|i was) wonder(?:ing)? )?"
    r"(?:how (?:(?:do|can|could|would|should|might|must) (?:i|we|you|one) |(?:i|we|one) (?:do|can|could|would|might|may) |to )"
    r"|(?:what(?:'s| is) (?:the|a) |is there (?:a|any|some) )(?:way|command|word|button) (?:for me |for us )?to "
    r"|what (?:if|(?:happens|will happen|would happen) (?:if|when)) (?:i|we) |(?:(?:if|whether) (?:i|we) should|should (?:i|we)) )"
    r"(?:just )?(?:cancel|stop|quit|exit|end|leave|pause|abort|get out|step out|step off)"
    r"(?: (?:of )?(?:this|that|it|here|all this|this thing))?(?: (?:now|please|again|then))*[ ?!.]*",
    re.IGNORECASE,
)
_SLASH: Final = re.compile(r"/([^\W\d_](?:[^\W\d_]|-){0,63})(?:\s+(.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Slash:
    """A message that looks like a command: its word, in lower case, and what follows."""

    name: str
    argument: str = ""


def slash(message: str) -> Slash | None:
    """The command a message looks like; None for plain text such as "/etc/hosts" or "and/or".

    Whether there is such a command is for the asker to decide. Who asks how to leave has not left.
    """
    if _HOW.fullmatch(" ".join(message[:80].split())):
        return Slash(HOW_TO_LEAVE)
    match = _SLASH.fullmatch(message.strip())
    return Slash(match[1].casefold(), (match[2] or "").strip()) if match else None


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like `word`, the first of equals; empty when none is known."""
    wanted = word.casefold()[:64]
    return max(known, key=lambda name: SequenceMatcher(None, wanted, name.casefold()).ratio(), default="")
