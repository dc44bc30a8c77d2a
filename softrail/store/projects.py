"""Projects kept as plain records, until something larger keeps them."""

from collections.abc import Sequence

from softrail.core.effects import Record, StoredRecord
from softrail.core.ports import Project, Records

KIND = "project"


class RecordProjects:
    """The Projects promise on the store's records: one record a project, its id the key."""

    def __init__(self, records: Records) -> None:
        self._records = records

    async def count(self, person_id: str) -> int:
        """How many projects the person has."""
        return len(await self._records.list(person_id, KIND))

    async def list(self, person_id: str) -> Sequence[Project]:
        """The person's projects, oldest first."""
        return [_project(record) for record in await self._records.list(person_id, KIND)]

    async def get(self, person_id: str, project_id: str) -> Project | None:
        """The person's project of that id, or None."""
        record = await self._records.get(person_id, KIND, project_id)
        return _project(record) if record is not None else None

    def create(self, project: Project) -> Record:
        """The effect that keeps the project when the turn commits."""
        data = {
            "name": project.name,
            "description": project.description,
            "repository": project.repository,
            "main": project.main,
        }
        return Record(KIND, data, key=project.id, summary=f"Project {project.name} saved")


def _project(record: StoredRecord) -> Project:
    data = record.data
    return Project(
        id=record.key,
        name=str(data.get("name", "")),
        description=str(data.get("description", "")),
        repository=data.get("repository"),
        main=bool(data.get("main", False)),
    )
