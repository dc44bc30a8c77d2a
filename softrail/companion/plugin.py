"""The companion as a plugin: its tables, its services by type, and what it delivers."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from softrail.companion import blobs, jobs
from softrail.companion.blobs import Blobs
from softrail.companion.effects import HANDLERS
from softrail.companion.erasing import erase_person, erase_session
from softrail.companion.organise import Encode, Organiser, Thinking
from softrail.companion.service import Artifacts, CompanionProjects, Dashboard, Groups, Jobs, Notes
from softrail.companion.tables import HEAD, metadata
from softrail.core.ports import Deliverer
from softrail.store import PluginTables, SqlStore

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
