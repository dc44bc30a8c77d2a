"""Erasing one note, one file or one project: at once and for good, unlike withdrawing and leaving."""

from sqlalchemy import Connection, delete, select, update

from softrail.companion.memory import artifacts as files
from softrail.companion.memory import groups, search
from softrail.companion.memory.erasing import erase_project as erase_whole_project
from softrail.companion.memory.erasing import release_files
from softrail.companion.memory.rights import locked
from softrail.companion.memory.tables import artifacts, notes, projects
from softrail.plugin import NotFound

_COUNTERS = {"waiting": "notes_waiting", "saved": "notes_saved"}


def erase_note(conn: Connection, person_id: str, project_id: str, number: int) -> None:
    """Erase a note with the words that find it. Its number is not given again. Raises NotFound or Forbidden."""
    locked(conn, person_id, project_id, archived=True)
    here = (notes.c.project_id == project_id) & (notes.c.number == number)
    row = conn.execute(select(notes).where(here)).first()
    if row is None:
        raise NotFound()
    search.remove(conn, project_id, number, row.text)
    conn.execute(delete(notes).where(here))
    groups.forget(conn, project_id, number)
    changes = {"content_version": projects.c.content_version + 1}
    counter = _COUNTERS.get(row.state)
    if counter is not None:
        changes[counter] = projects.c[counter] - 1
    conn.execute(update(projects).where(projects.c.id == project_id).values(changes))


def erase_file(conn: Connection, person_id: str, artifact_id: str) -> None:
    """Erase a file, and its content when no other file has the same. Raises NotFound or Forbidden."""
    found = files.get(conn, person_id, artifact_id)
    if found is None:
        raise NotFound()
    locked(conn, person_id, found.project_id, archived=True)
    conn.execute(delete(artifacts).where(artifacts.c.id == artifact_id))
    release_files(conn, [found.sha256])


def erase_project(conn: Connection, person_id: str, project_id: str) -> None:
    """Erase a project with its notes, groups, files and jobs, for everybody in it. Raises NotFound or Forbidden."""
    locked(conn, person_id, project_id, "owner")
    erase_whole_project(conn, project_id)
