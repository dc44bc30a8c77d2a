"""What the companion says and hears, put together: its responder, its informed classifier, and the wall."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from softrail import Prompts, Records
from softrail.companion.memory.context import Contexts
from softrail.companion.understanding.by_meaning import Encode
from softrail.companion.understanding.reading import InformedClassifier
from softrail.companion.voice.lookups import Lookups
from softrail.companion.voice.requests import Requests
from softrail.companion.voice.responder import CompanionResponder
from softrail.plugin import Classifier, Responder, SqlStore

if TYPE_CHECKING:
    from softrail.companion.plugin import Companion


@dataclass(frozen=True, kw_only=True, slots=True)
class Speech:
    """The companion's two ends of a free turn."""

    classifier: Classifier
    responder: Responder
    contexts: Contexts


def speech(
    companion: "Companion",
    store: SqlStore,
    prompts: Prompts,
    *,
    classifier: Classifier,
    plain: Responder,
    records: Records,
    companion_name: str,
    encode: Encode | None = None,
) -> Speech:
    """Both ends, over the given classifier; `plain` answers where the companion has no words of its own.

    `encode` turns texts into unit vectors, so that notes answer a question by what it means; omitted: by its words.
    """
    contexts = Contexts(store, companion.projects, companion.notes, companion.groups)
    lookups = Lookups(companion.projects, companion.notes, companion.artifacts, companion.dashboard, records)
    requests = Requests(contexts, lookups, companion.projects, companion.notes, companion_name=companion_name)
    return Speech(
        classifier=InformedClassifier(
            classifier, companion.projects, companion.notes, companion.artifacts, contexts, encode=encode
        ),
        responder=CompanionResponder(prompts, requests, plain, companion_name=companion_name),
        contexts=contexts,
    )
