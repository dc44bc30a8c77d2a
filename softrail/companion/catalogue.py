"""The companion's intents: their names, what each means, and things people say."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import Final

from pydantic import BaseModel, Field

from softrail import IntentDefinition
from softrail.plugin import (
    GENERAL,
    Catalogue,
    Labelled,
    load_catalogue,
    normal,
    read_catalogue,
    read_labelled,
)

TALK: Final = "talk.yaml"  #: what is told and declined, and the kinds of talk
FILES: Final = ("intents.yaml", TALK)
#: What many people said, by intent: those of the files, of guided processes and of plans.
SAID: Final = "said.jsonl"
CLARIFICATION: Final = "clarification"  #: the process that asks back
STANDUP: Final = "standup"  #: the bundled part, and its process
SEED: Final = "seed_conversation"  #: the process that describes a new project
CREATE: Final = "create_project"
FINALIZE: Final = "finalize_project"
ADD: Final = "add_knowledge"
SAVE: Final = "save_note"
UNDO: Final = "undo_last"
UNDO_PHRASE: Final = "Undo that"
NOTES: Final = "Note: "  #: what an offer to keep something as a note suggests to say begins with it
PROGRESS: Final = "ask_about_progress"
LEFT_OFF: Final = "left_off"  #: what was under way before; the same as in `softrail.core.intents`, which answers it where something was
PAST: Final = "ask_about_past_input"
DOWNLOAD: Final = "request_download"
TELLS: Final = (
    0.75  #: the bar of what only tells: read wrongly, it costs a sentence. The files of intents have it, too
)
CHANGES: Final = 0.85  #: of what changes or removes what is there
OTHER_LANGUAGE: Final = f"{GENERAL}.other_language"  #: it is written in one that is not read here
REMINDING: Final = f"{GENERAL}.reminding"  #: something is wanted at another time
NOT_SERVED: Final = f"{GENERAL}.not_served"  #: a wish for what nothing here does
WORLD_NOW: Final = f"{GENERAL}.world_now"  #: how it is out there just now: the weather, the news
REDO: Final = f"{GENERAL}.redo"  #: something is to be done or said once more
OPINION: Final = f"{GENERAL}.opinion"  #: advice is wanted
LIST: Final = "list_projects"
CHOOSE: Final = "choose_project"
DESCRIBE: Final = "describe_project"
RENAME: Final = "rename_project"
ARCHIVE: Final = "archive_project"
SEARCH: Final = "search_notes"
EDIT: Final = "edit_note"
EDIT_TO_WHAT: Final = f"{EDIT}.to_what"  #: the focus of a reply that asks what a note shall say
MEMBERS: Final = "members"
UPLOAD: Final = "upload"
SUMMARISE: Final = "summarise"
STANDUPS: Final = "past_standups"
PRIVACY: Final = "privacy"
PROCESS_LENGTH: Final = "process_length"  #: how much is still to be asked
PROCESS_USE: Final = "process_use"  #: what the questions are for, and what becomes of the answers
DELETE_DATA: Final = "delete_my_data"
NOT_YET: Final = ("request_draft", "approve_draft", "request_revision", "request_redirect")
TELLING: Final = (LIST, DESCRIBE, SEARCH, MEMBERS, UPLOAD, SUMMARISE, STANDUPS)  #: these change nothing
CHANGING: Final = (CHOOSE, RENAME, ARCHIVE, EDIT)
ACTING: Final = (SAVE, *CHANGING)  #: these change what is there
#: These are about a project that is there.
OF_PROJECTS: Final = (
    FINALIZE,
    PROGRESS,
    PAST,
    DOWNLOAD,
    SAVE,
    UNDO,
    LIST,
    DESCRIBE,
    SEARCH,
    MEMBERS,
    UPLOAD,
    SUMMARISE,
    *CHANGING,
    *NOT_YET,
)
NAMES: Final = (CREATE, FINALIZE, ADD, PROGRESS, PAST, DOWNLOAD, GENERAL, *NOT_YET)


class Knowledge(BaseModel):
    """What `add_knowledge` takes from a message."""

    knowledge_text: str = Field(description="What is to be kept, without the words around it.")


class Wanted(BaseModel):
    """What `request_download` takes from a message."""

    artifact_description: str = Field(description="Which file is it?")


PARAMETERS: Final[Mapping[str, type[BaseModel]]] = {ADD: Knowledge, DOWNLOAD: Wanted}

#: What each is called where a person has to choose between two readings.
LABELS: Final[Mapping[str, str]] = {
    CREATE: "Describe a new project",
    FINALIZE: "Create the project I described",
    ADD: "Note it down",
    PROGRESS: "See how it is going",
    LEFT_OFF: "See what you were doing",
    PAST: "See my notes",
    DOWNLOAD: "Get a file",
    GENERAL: "Just talk about it",
    LIST: "See my projects",
    CHOOSE: "Go on with another project",
    DESCRIBE: "See what the project is",
    RENAME: "Rename the project",
    ARCHIVE: "Archive the project",
    SEARCH: "Search the notes",
    EDIT: "Change a note",
    MEMBERS: "See who is in the project",
    UPLOAD: "Add a file",
    SUMMARISE: "Have it summarised",
    STANDUPS: "See my standups",
    "request_draft": "Have a draft written",
    "approve_draft": "Approve a draft",
    "request_revision": "Have something revised",
    "request_redirect": "Move notes to another project",
}

#: What to say for those that a call for help tells of.
SAYINGS: Final[Mapping[str, str]] = {
    CREATE: "create a project",
    ADD: "remember that our budget is twenty thousand euros",
    PROGRESS: "how is it going?",
    PAST: "list the notes we have",
    DOWNLOAD: "which files are there",
    LIST: "list all my projects",
    DESCRIBE: "what is this project about",
    SEARCH: "search the notes for the word invoice",
    RENAME: "can you rename this project",
}

#: Not one of the eleven: it confirms what one of them made.
SAVING: Final = IntentDefinition(
    name=SAVE,
    description="They confirm a note that waits, so that it is saved, or take one back.",
    label="Save or withdraw a note",
    say="save note 3",
    bar=CHANGES,
    surely=True,
    examples=(
        "yes, save it",
        "save it",
        "yes save that note",
        "save that",
        "save the note",
        "save note 3",
        "save all waiting notes",
        "keep note 4, it is right",
        "confirm the waiting notes",
        "confirm note 2",
        "withdraw note 2",
        "withdraw that note",
        "take that note back",
        "delete note 5",
        "don't save it",
        "drop the last note",
        "the waiting one is fine, save it",
        "confirm the note about the roof",
        "withdraw note five",
        "note 2 can be dropped",
        "strike the third note",
        "all the waiting notes may be saved",
        "take note 7 off the list",
        "yep keep it",
        "number 2 is correct, make it saved",
        "chuck note 6",
        "Kindly confirm all the notes that are waiting.",
        "toss the note about chairs",
        "that note can go in the bin",
    ),
)


UNDOING: Final = IntentDefinition(
    name=UNDO,
    description="They take back what was done on their last turn: a note saved, withdrawn, changed or made.",
    label="Take back what was just done",
    say=UNDO_PHRASE,
    bar=CHANGES,
    surely=True,
    examples=(
        "undo the last change",
        "revert that",
        "reverse the last action",
        "put everything back as it was before",
        "take back the last step",
        "I didn't want that, undo it",
        "roll that back",
        "cancel the last change",
        "that was wrong, revert it",
        "restore what was there before",
        "undo what you did",
        "please make that undone",
        "that was a slip, reverse it",
        "step back one",
        "I didn't mean that, roll it back",
        "oh no, make that not have happened",
        "Kindly reverse your last step.",
        "what you did just now, please make it back",
        "whoops, wind that back",
    ),
)


ORGANISE: Final = IntentDefinition(
    name="organise_notes",
    description="They want their notes put into groups by what they are about.",
    label="Put my notes into groups",
    say="organise my notes",
    surely=True,
    examples=(
        "organise my notes",
        "organize the notes",
        "organise the notes of the project",
        "group the notes of this project",
        "put my notes into groups",
        "group the notes by topic",
        "sort everything into groups",
        "tidy up the notes for me",
        "cluster what is saved",
        "the notes are a mess, bring some order into them",
        "make new groups",
        "arrange the notes by theme",
        "could you structure the notes?",
        "regroup everything",
        "cluster the notes please",
        "the notes are a mess, put them into topics",
        "my notes are all over the place, group em",
        "Please arrange the notes by subject.",
        "put what belongs together into one group",
    ),
)
SHOW: Final = IntentDefinition(
    name="show_groups",
    description="They want to see the groups that their notes were put into.",
    label="See the groups",
    say="show me the groups",
    bar=TELLS,
    examples=(
        "show me the groups",
        "which groups are there?",
        "what groups do we have",
        "how are the notes grouped?",
        "show the organised view",
        "are the groups ready?",
        "list the groups",
        "let me see how it is organised",
        "which themes did you find?",
        "what is in the groups",
        "let me view the groups of notes",
        "which topics were the notes sorted into",
        "what clusters have you made",
        "which groups did my notes land in",
        "into what groups are the notes sorted",
    ),
)


#: Talk that a language model may answer in words of its own; without one it gets those of the texts.
_FREE: Final = ("opinion", "knowledge")
_COURTESY: Final = ("thanks", "goodbye", "apology", "complaint", "small_talk", "acknowledging")

MANAGE_MEMBERS: Final = "manage_members"
#: Kinds of talk that wish for a deed, which is declined.
_DEEDS: Final = (
    "booking",
    "sending",
    "reminding",
    "buying",
    "media",
    "translating",
    "connecting",
    MANAGE_MEMBERS,
)


@cache
def bundled() -> Mapping[str, IntentDefinition]:
    """Every intent of the bundled files, by name; sub-intents and those of other rooms too."""
    return {intent.name: intent for name in FILES for intent in _file(name)}


def telling() -> Sequence[IntentDefinition]:
    """The intents that tell or decline, and the kinds of talk, but for talk itself."""
    return [intent for intent in _file(TALK) if intent.name != GENERAL]


@cache
def said() -> Mapping[str, Sequence[str]]:
    """What many people said, by the intent that they meant, whoever registers it."""
    found: dict[str, list[str]] = {}
    for one in _labelled(SAID):
        found.setdefault(one.label, []).append(one.text)
    return found


def bundled_files() -> list[Catalogue]:
    """The bundled files of intents as they stand, with their faults."""
    folder = files("softrail.companion")
    found = []
    for name in FILES:
        with as_file(folder / name) as path:
            found.append(read_catalogue(path))
    return found


@cache
def spoken_words() -> frozenset[str]:
    """The words of all examples: whoever says one of them has made no slip."""
    return frozenset(
        word
        for one in (*bundled().values(), SAVING, UNDOING)
        for text in one.examples
        for word in normal(text).split()
    )


@cache
def _file(name: str) -> Sequence[IntentDefinition]:
    resource = files("softrail.companion") / name
    return load_catalogue(str(resource), resource.read_text(encoding="utf-8"))


def listed() -> list[Labelled]:
    """The messages the bundled intents are tested with; no example of any intent may be one of them, or nearly."""
    return _labelled("listed.jsonl")


def _labelled(name: str) -> list[Labelled]:
    with as_file(files("softrail.companion") / name) as path:
        return read_labelled(path)


def own() -> tuple[IntentDefinition, ...]:
    """The intents of the companion's own."""
    return (*(bundled()[name] for name in (*NAMES, *TELLING, *CHANGING)), SAVING, UNDOING)


def starting_phrase() -> str:
    """What a person may say to begin a project."""
    return "create a project"


@cache
def _examples(intent: str) -> frozenset[str]:
    return frozenset(normal(example) for example in bundled()[intent].examples)


def is_example(intent: str, message: str) -> bool:
    """The whole message is one of the intent's examples."""
    return normal(message[:500]) in _examples(intent)


def kind_of(intent: str) -> str:
    """What kind of talk the intent is; "" where it is none, or only talk."""
    primary, _, kind = intent.partition(".")
    return kind if primary == GENERAL else ""


def is_free(intent: str) -> bool:
    """It is answered freely where there is a language model: talk without a kind, advice, the world."""
    return intent == GENERAL or kind_of(intent) in _FREE


def declines_a_deed(intent: str) -> bool:
    """It is a wish for something to be done that nothing here does, and no question."""
    return kind_of(intent) in _DEEDS


def is_talk(intent: str) -> bool:
    """It may tell anything: talk that is no courtesy and is not declined."""
    return is_free(intent) or kind_of(intent) == "small_talk"


def is_courtesy(intent: str) -> bool:
    """A word is all it needs: thanks, a goodbye, and the like."""
    return kind_of(intent) in _COURTESY
