"""The companion as a plugin: its tables, its services by type, and what it delivers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from softrail import Model, Projects, Prompts, Records, Settings
from softrail.companion.memory import blobs, jobs
from softrail.companion.memory.blobs import Blobs
from softrail.companion.memory.effects import HANDLERS
from softrail.companion.memory.erasing import erase_person, erase_session
from softrail.companion.memory.organise import Encode, Organiser, Thinking
from softrail.companion.memory.service import Artifacts, CompanionProjects, Dashboard, Groups, Jobs, Notes
from softrail.companion.memory.tables import HEAD, metadata
from softrail.companion.settings import CompanionSettings
from softrail.companion.voice.speech import speech
from softrail.companion.wall import wall_with
from softrail.plugin import (
    Classifier,
    Deliverer,
    ModelKeys,
    PluginTables,
    Responder,
    Services,
    SqlStore,
    Wall,
    encoder,
)

TABLES: Final = PluginTables(
    name="companion",
    metadata=metadata,
    migrations="softrail.companion:migrations",
    head=HEAD,
    handlers=HANDLERS,
    erase_person=erase_person,
    erase_session=erase_session,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Companion:
    """Everything the companion offers over one store."""

    projects: CompanionProjects
    notes: Notes
    groups: Groups
    artifacts: Artifacts
    jobs: Jobs
    dashboard: Dashboard
    deliverers: Mapping[str, Deliverer]

    @property
    def services(self) -> dict[type, object]:
        """The services by type, as steps and handlers ask for them."""
        found = (self.projects, self.notes, self.groups, self.artifacts, self.jobs, self.dashboard)
        return {Companion: self, **{type(service): service for service in found}}


def services(given: Services) -> Mapping[type, object]:
    """What the companion gives: its services, and both ends of a free turn; the entry point of `softrail.services`."""
    store, prompts, chosen = given.service(SqlStore), given.service(Prompts), given.service(CompanionSettings)
    meaning = encoder()
    wall = wall_with(given.service(Settings).prompts_dir)
    assistant = companion(
        store,
        artifacts_dir=chosen.artifacts_dir,
        encode=None if meaning is None else meaning.encode,
        thinking=Thinking(model=given.service(Model), prompts=prompts, keys=given.service(ModelKeys)),
    )
    talk = speech(
        assistant,
        store,
        prompts,
        classifier=given.service(Classifier),
        plain=given.service(Responder),
        records=given.service(Records),
        companion_name=chosen.name,
        encode=None if meaning is None else meaning.encode,
    )
    ends: dict[type, object] = {Classifier: talk.classifier, Responder: talk.responder}
    return {**assistant.services, Projects: assistant.projects, Wall: wall, **ends}


def deliverers(given: Services) -> Mapping[str, Deliverer]:
    """Who delivers the companion's own effects; the entry point of `softrail.deliverers`."""
    return given.service(Companion).deliverers


def companion(
    store: SqlStore,
    *,
    artifacts_dir: Path | None = None,
    encode: Encode | None = None,
    thinking: Thinking | None = None,
) -> Companion:
    """The companion over a store that has its tables.

    Args:
        store: Opened with `plugins=[TABLES]`.
        artifacts_dir: Where the content of files lies; omitted: in the database.
        encode: Turns texts into unit vectors, so that notes are grouped by meaning; omitted: by shared words.
        thinking: How a language model is asked to group notes; omitted: none is.
    """
    kept = Blobs(store, artifacts_dir)
    organiser = Organiser(store, encode, thinking=thinking)
    return Companion(
        projects=CompanionProjects(store),
        notes=Notes(store),
        groups=Groups(store),
        artifacts=Artifacts(store, kept),
        jobs=Jobs(store),
        dashboard=Dashboard(store),
        deliverers={jobs.ASKED: organiser, blobs.RELEASED: kept.deliver},
    )
