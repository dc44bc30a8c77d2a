"""The word files: one YAML file per language, read once, every fault named with its line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from softrail.core.documents import read_document
from softrail.core.errors import DefinitionError
from softrail.core.faults import Fault
from softrail.language.phrases import FIELD, TEXT, PhraseError, list_pattern, phrase_pattern
from softrail.language.text import word_key

FOLDER: Final = Path(__file__).parent / "words"
ENGLISH: Final = "en"

#: Lists of plain words or signs; everything else in a file is phrases.
PLAIN: Final = frozenset({"yes_signs", "no_signs", "greeting_signs", "plural_endings"})
#: What every language says, and what it is for.
REQUIRED: Final[Mapping[str, str]] = {
    "escape": "layer 1: the whole message, with politeness around it",
    "later": "not now; an escape, or no to a yes/no question",
    "politeness": "what may stand around a whole message without changing it",
    "exit": "layer 2: the whole message",
    "refusal": "layer 3: the head of a message, up to the end of a clause",
    "exit_named": "layer 3: an exit that names the process at the head of a longer message",
    "openers": "what may stand before a refusal or a command",
    "asides": "what may follow a refusal in its clause: right now, today",
    "limiting": "words before what alone is meant: only",
    "joints": "words that begin a new clause: and, but, so",
    "reasons": "words that begin a reason for a refusal, which needs no answer",
    "remember": "the head of a message that is to be kept as a note",
    "beside": "the head of what is told beside what is spoken of: by the way",
    "adding": "the head of what is told beside it, or of more of the same: oh, and",
    "announcing": "the same, where a stop follows: one more thing",
    "beside_lead": "what may stand before those",
    "beside_behind": "words behind what is told beside: just so you know",
    "so_far": "asks what was told up to now",
    "so_far_lead": "what may stand before that",
    "told": "words for telling something, in any form",
    "noting": "before a colon: what follows is to be remembered",
    "until_now": "words for up to now",
    "question_starts": "how questions begin, with or without a question mark",
    "yes": "consent",
    "no": "no consent",
    "never": "no for good: not offered again",
    "yes_signs": "emoji that are consent",
    "no_signs": "emoji that are no consent",
    "greeting": "the whole message, several together",
    "greeting_signs": "emoji that greet",
    "resume": "go on with what was paused",
    "stays": "take a wish to leave back",
    "undo": "take back what was just done",
    "start_over": "begin again",
    "skip": "leave this answer out",
    "skip_all": "leave this and all further answers out",
    "back": "to the question before",
    "none": "there is none of what is asked for",
    "done": "nothing more to add",
    "done_tail": "done-words so clear that no stop is needed before them",
    "correction": "a new answer to a question asked earlier, with {field} and {text}",
    "add": "one more item, with {text} and perhaps {field}",
    "remove": "one item less, with {text} and perhaps {field}",
    "ordinals": "first, second, third …, in order; each may be a phrase with choices",
    "last": "the last one",
    "middle": "the one in the middle",
    "indifferent": "in the name of an option: who does not mind or does not know means that one",
    "choosing": "words around a choice that name no option: the, one, option, please",
    "negations": "words that turn a choice round",
    "plural_endings": "endings that do not make another word: blocker, blockers",
}
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "correction": (FIELD, TEXT),
    "add": (TEXT,),
    "remove": (TEXT,),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One word or phrase, and the line it stands on."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class WordFile:
    """A file as read: its lists, and the faults found."""

    name: str
    lists: Mapping[str, tuple[Entry, ...]]
    faults: tuple[Fault, ...]

    def phrases(self) -> Mapping[str, Sequence[str]]:
        """The lists without their lines."""
        return {name: tuple(entry.text for entry in entries) for name, entries in self.lists.items()}


def read(source: bytes, name: str) -> WordFile:
    """A word file from its bytes; whatever is wrong becomes a fault, never an exception."""
    try:
        text = source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        return WordFile(name, {}, (Fault(name, line, "This is not UTF-8. Save the file as UTF-8."),))
    try:
        root = read_document(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "cannot be read"
        return WordFile(
            name, {}, (Fault(name, mark.line + 1 if mark else 1, f"This is not YAML: {problem}."),)
        )
    lists, faults = _lists(root, name)
    if not faults:
        faults = _phrase_faults(lists, name)
    return WordFile(name, lists, tuple(faults))


def _lists(root: yaml.Node | None, name: str) -> tuple[dict[str, tuple[Entry, ...]], list[Fault]]:
    # The nodes are read as they stand, so `no` is the word and not a falsehood, and every line is known.
    if not isinstance(root, yaml.MappingNode):
        return {}, [Fault(name, 1, "A word file is a mapping from list names to lists of phrases.")]
    lists: dict[str, tuple[Entry, ...]] = {}
    faults: list[Fault] = []
    for key, value in root.value:
        line, title = key.start_mark.line + 1, str(key.value)
        if title in lists:
            faults.append(Fault(name, line, f"The list '{title}' stands here twice. Join the two."))
        elif not isinstance(value, yaml.SequenceNode):
            faults.append(
                Fault(name, line, f"The list '{title}' is not a list. Write one '- phrase' a line.")
            )
        else:
            entries = []
            for item in value.value:
                if isinstance(item, yaml.ScalarNode) and str(item.value).strip():
                    entries.append(Entry(str(item.value).strip(), item.start_mark.line + 1))
                else:
                    at = item.start_mark.line + 1
                    faults.append(
                        Fault(name, at, f"An entry of '{title}' is not a word or phrase. Put it in quotes.")
                    )
            lists[title] = tuple(entries)
    for title, purpose in REQUIRED.items():
        if not lists.get(title) and not any(f"'{title}'" in fault.message for fault in faults):
            faults.append(Fault(name, 1, f"The list '{title}' is missing or empty ({purpose})."))
    return lists, faults


def _phrase_faults(lists: Mapping[str, tuple[Entry, ...]], name: str) -> list[Fault]:
    plain = {title: tuple(entry.text for entry in entries) for title, entries in lists.items()}
    faults = []
    for title, entries in lists.items():
        for entry in entries if title not in PLAIN else ():
            try:
                phrase_pattern(entry.text, plain, word_key, (title,))
            except PhraseError as error:
                faults.append(Fault(name, entry.line, f"The phrase '{entry.text}' of '{title}' {error}."))
                continue
            for placeholder in _NEEDED.get(title, ()):
                if entry.text.count(placeholder) != 1:
                    problem = f"needs {placeholder} once"
                    faults.append(
                        Fault(name, entry.line, f"The phrase '{entry.text}' of '{title}' {problem}.")
                    )
    return faults


def pattern_of(title: str, lists: Mapping[str, Sequence[str]]) -> str:
    """The pattern of a list of a file without faults."""
    return list_pattern(title, lists, word_key)


def files() -> Mapping[str, Path]:
    """Every language there is a file for. A locale only ever picks from these; it never becomes a path."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}


@cache
def load(code: str) -> Mapping[str, Sequence[str]]:
    """The lists of one language, read once. A file with faults raises DefinitionError naming the first."""
    path = files()[code]
    found = read(path.read_bytes(), path.name)
    if found.faults:
        more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
        raise DefinitionError(f"{found.faults[0]}{more}", file=str(path), line=found.faults[0].line)
    return found.phrases()


def check_words(folder: Path | None = None) -> list[Fault]:
    """Every fault of every word file, in order; empty when all is well. Files are named by their path."""
    faults: list[Fault] = []
    for path in sorted((folder or FOLDER).glob("*.yaml")):
        faults.extend(read(path.read_bytes(), str(path)).faults)
    return faults
