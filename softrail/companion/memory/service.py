"""The companion's services: what plugins and routes may ask of it and have done.

Every method takes the person who asks. What is not theirs is None or NotFound, exactly as what does not
exist; what a viewer may read but not change is Forbidden. Methods that return an Effect change nothing: the
change is made when the turn that carries the effect commits, and rights are checked again then.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, BinaryIO, Final

from softrail import Effect, Project
from softrail.companion.memory import (
    artifacts,
    dashboard,
    effects,
    groups,
    jobs,
    members,
    notes,
    projects,
    removing,
    spoken,
    undoing,
)
from softrail.companion.memory.artifacts import ContentErased
from softrail.companion.memory.blobs import Blobs
from softrail.companion.memory.dashboard import MOST
from softrail.companion.memory.rights import require, role_of
from softrail.companion.memory.undoing import Done
from softrail.companion.memory.values import (
    Artifact,
    AuthorKind,
    DashboardView,
    Job,
    Member,
    NewProject,
    Note,
    NoteCounts,
    NoteState,
    Organised,
    ProjectDetail,
    ProjectWish,
    Role,
    Spoken,
    Waiting,
)
from softrail.plugin import Ids, NotFound, SqlStore, StoreUnavailable, TimeOrderedIds, now

_TRIES: Final = 3
RECENTLY: Final = timedelta(days=7)  #: how far back a dashboard looks when nobody says


class CompanionProjects:
    """The projects of a person; keeps the promise `core.ports.Projects`, and more."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def count(self, person_id: str) -> int:
        """How many projects the person is in."""
        return await self._store.read(lambda conn: projects.count(conn, person_id))

    async def list(self, person_id: str) -> Sequence[Project]:
        """The projects the person is in, oldest first."""
        return [detail.project for detail in await self.details(person_id)]

    async def get(self, person_id: str, project_id: str) -> Project | None:
        """The project, when the person is in it; else None."""
        detail = await self.detail(person_id, project_id)
        return None if detail is None else detail.project

    def create(self, project: Project) -> Effect:
        """The effect `project_created`: the project, owned by the person, when the turn commits."""
        return self.found(
            NewProject(
                id=project.id,
                name=project.name,
                description=project.description,
                repository=project.repository,
                main=project.main,
            )
        )

    def found(self, project: NewProject) -> Effect:
        """The effect `project_created`, with specification and first notes; its ref is the project's id."""
        return effects.project_created(project)

    async def details(self, person_id: str) -> Sequence[ProjectDetail]:
        """The projects the person is in with all that describes them, oldest first."""
        return await self._store.glance(lambda conn: projects.details(conn, person_id))

    async def detail(self, person_id: str, project_id: str) -> ProjectDetail | None:
        """The project with all that describes it, when the person is in it; else None."""
        return await self._store.glance(lambda conn: projects.detail(conn, person_id, project_id))

    async def named(self, person_id: str, words: str) -> Sequence[ProjectDetail]:
        """The person's projects whose name these words say: an equal name alone, else those that share words."""
        return projects.matching(await self.details(person_id), words)

    async def role(self, person_id: str, project_id: str) -> Role | None:
        """What the person is in the project; None when they are not in it or it does not exist."""
        return await self._store.glance(lambda conn: role_of(conn, person_id, project_id))

    async def must(self, person_id: str, project_id: str, least: Role = "viewer") -> Role:
        """The person's role in the project, at least this one. Raises NotFound or Forbidden."""
        return await self._store.read(lambda conn: require(conn, person_id, project_id, least))

    async def change_seed(self, person_id: str, project_id: str, seed: Mapping[str, Any]) -> ProjectDetail:
        """Replace what was told about the project. Raises NotFound or Forbidden."""
        at = now()
        return await self._store.write(
            lambda conn: projects.change_seed(conn, person_id, project_id, seed, at)
        )

    async def change(
        self, person_id: str, project_id: str, *, name: str | None = None, archived: bool | None = None
    ) -> ProjectDetail:
        """Rename it, put it aside or bring it back. Raises NotFound, Forbidden or BadRequest."""
        at = now()
        return await self._store.write(
            lambda conn: projects.change(conn, person_id, project_id, name=name, archived=archived, at=at)
        )

    def changing(self, was: ProjectDetail, wish: ProjectWish) -> Effect:
        """The effect `project_changed`: refused, if somebody else changes the same before the commit."""
        return effects.project_changed(was, wish)

    def choosing(self, project: ProjectDetail, *, before: str | None) -> Effect:
        """The effect `project_chosen`: the session goes on with that project, and was about `before`."""
        return effects.project_chosen(project, before)

    async def members(self, person_id: str, project_id: str) -> Sequence[Member]:
        """Who is in the project, longest first. Raises NotFound."""
        return await self._store.read(lambda conn: members.members(conn, person_id, project_id))

    async def add_member(self, person_id: str, project_id: str, email: str, role: Role) -> Member:
        """Take someone in, or change what they are. Raises NotFound, Forbidden or BadRequest."""
        new_id, at = TimeOrderedIds().new(), now()
        return await self._store.write(
            lambda conn: members.add(conn, person_id, project_id, email, role, new_id=new_id, at=at)
        )

    async def remove_member(self, person_id: str, project_id: str, email: str) -> None:
        """Let someone go. Raises NotFound, Forbidden, or BadRequest for the last owner."""
        await self._store.write(lambda conn: members.remove(conn, person_id, project_id, email))

    async def erase(self, person_id: str, project_id: str) -> None:
        """Erase the project with all that is in it, for everybody. Raises NotFound or Forbidden."""
        await self._store.write(lambda conn: removing.erase_project(conn, person_id, project_id))
        await self._store.scrub()


class Notes:
    """The numbered notes of projects."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def list(
        self,
        person_id: str,
        project_id: str,
        *,
        states: Sequence[NoteState] = ("waiting", "saved"),
        after: int = 0,
        newest_first: bool = False,
        limit: int = 50,
    ) -> Sequence[Note]:
        """Notes with numbers above `after`, in order of number, or the newest first. Raises NotFound."""
        return await self._store.read(
            lambda conn: notes.listed(
                conn,
                person_id,
                project_id,
                states=states,
                after=after,
                newest_first=newest_first,
                limit=limit,
            )
        )

    async def about(self, person_id: str, project_id: str, words: str, *, limit: int = 50) -> Sequence[Note]:
        """Waiting and saved notes that share words with `words`, those that say most of them first, then the newest.

        The cost is the same for any number of notes. Raises NotFound.
        """
        return await self._store.read(
            lambda conn: notes.about(conn, person_id, project_id, words, limit=limit)
        )

    async def since_groups(self, person_id: str, project_id: str, *, limit: int = 50) -> Sequence[Note]:
        """Notes that were saved, or changed, after the groups were made, the newest first. Raises NotFound."""
        return await self._store.read(
            lambda conn: notes.since_groups(conn, person_id, project_id, limit=limit)
        )

    async def counts(self, person_id: str, project_id: str) -> NoteCounts:
        """How many notes there are in which state. Raises NotFound."""
        return await self._store.glance(lambda conn: notes.counts(conn, person_id, project_id))

    async def spoken_of(self, person_id: str, session_id: str) -> Spoken | None:
        """The person's own notes that the session spoke of last; None when it spoke of none lately."""
        return await self._store.glance(lambda conn: spoken.last(conn, person_id, session_id))

    async def suggested(self, person_id: str, session_id: str) -> str | None:
        """The one thing that the newest reply of the session suggested to say."""
        return await self._store.glance(lambda conn: spoken.suggested(conn, person_id, session_id))

    async def offered(self, person_id: str, session_id: str, begins: str) -> str | None:
        """What one of the last replies alone suggested to say that begins so, where nothing has been noted or changed since."""
        return await self._store.glance(lambda conn: spoken.offered(conn, person_id, session_id, begins))

    async def listed(self, person_id: str, session_id: str) -> Sequence[int]:
        """The numbers of the notes that one of the last replies listed line by line, in that order."""
        return await self._store.glance(lambda conn: spoken.listed(conn, person_id, session_id))

    async def named_last(self, person_id: str, session_id: str, number: int) -> bool:
        """The newest reply of the session shows the note of that number."""
        return await self._store.glance(lambda conn: spoken.named_last(conn, person_id, session_id, number))

    async def own_waiting(
        self, person_id: str, project_id: str | None, *, session_id: str, limit: int = 50
    ) -> Sequence[Waiting]:
        """Waiting notes that the person told, in one project or in all: those of this session first, then the newest."""
        return await self._store.read(
            lambda conn: spoken.waiting(conn, person_id, project_id, session_id, limit=limit)
        )

    async def get(self, person_id: str, project_id: str, number: int) -> Note | None:
        """One note; None when there is none of that number, or the project is not theirs."""
        return await self._store.glance(lambda conn: notes.get(conn, person_id, project_id, number))

    async def add(self, person_id: str, project_id: str, text: str, *, state: NoteState = "saved") -> Note:
        """Add a note of the person's own. Raises NotFound, Forbidden or BadRequest."""
        at = now()
        return await self._store.write(
            lambda conn: notes.add_own(conn, person_id, project_id, text, state=state, at=at)
        )

    async def change(
        self,
        person_id: str,
        project_id: str,
        number: int,
        *,
        text: str | None = None,
        state: NoteState | None = None,
    ) -> Note:
        """Change a note's text, state or both. Raises NotFound, Forbidden or BadRequest."""
        at = now()
        return await self._store.write(
            lambda conn: notes.change(conn, person_id, project_id, number, text=text, state=state, at=at)
        )

    async def move(self, person_id: str, project_id: str, number: int, to_project: str) -> Note:
        """Move a note to another project, where it gets the next number; its old number is withdrawn.

        Raises NotFound (either project), Forbidden or BadRequest.
        """
        at = now()
        return await self._store.write(
            lambda conn: notes.move(conn, person_id, project_id, number, to_project, at=at)
        )

    async def erase(self, person_id: str, project_id: str, number: int) -> None:
        """Erase the note; its number is not given again. Raises NotFound or Forbidden."""
        await self._store.write(lambda conn: removing.erase_note(conn, person_id, project_id, number))
        await self._store.scrub()

    def saving(
        self,
        project_id: str,
        text: str,
        *,
        state: NoteState = "waiting",
        author_kind: AuthorKind = "companion",
        author_name: str = "Companion",
    ) -> Effect:
        """The effect `note_saved`: a note in the turn's own commit; its ref is the note's number."""
        return effects.note_saved(
            project_id, text, state=state, author_kind=author_kind, author_name=author_name
        )

    def changing(
        self,
        project_id: str,
        number: int,
        *,
        text: str | None = None,
        state: NoteState | None = None,
        to_project: str | None = None,
        was: Note | None = None,
    ) -> Effect:
        """The effect `note_changed`: text, state or project of a note; its ref is the (new) number.

        With `was`, how the note stands now, it can be taken back on the next turn, and is refused if the note is
        changed by somebody else before the commit.
        """
        return effects.note_changed(
            project_id, number, text=text, state=state, to_project=to_project, was=was
        )

    async def last_done(self, person_id: str, session_id: str) -> Done | None:
        """What the last turn of a session did; None when it did nothing."""
        return await self._store.glance(lambda conn: undoing.last(conn, person_id, session_id))

    async def changed_last(self, person_id: str, session_id: str) -> Sequence[str]:
        """What the session changed last, in words; nothing where it never changed anything."""
        return await self._store.read(lambda conn: undoing.before(conn, person_id, session_id))

    def undoing(self, done: Done, summary: str) -> Effect:
        """The effect `turn_undone`: what that turn did is taken back, all of it or nothing."""
        return effects.turn_undone(done.seq, summary)


class Groups:
    """The organised view of projects, made in the background."""

    def __init__(self, store: SqlStore, *, ids: Ids | None = None) -> None:
        self._store = store
        self._ids = ids or TimeOrderedIds()

    async def list(self, person_id: str, project_id: str, *, numbers: bool = True) -> Organised:
        """The groups as they were made last. Raises NotFound.

        Without `numbers`, the groups have their counts only, and the cost is the same for any number of notes.
        """
        return await self._store.read(
            lambda conn: groups.organised(conn, person_id, project_id, numbers=numbers)
        )

    async def organise(self, person_id: str, project_id: str) -> Job:
        """Have the groups made anew; the job under way if there is one. Raises NotFound or Forbidden."""
        job_id, at = self._ids.new(), now()

        return await self._store.write(lambda conn: jobs.request(conn, person_id, project_id, job_id, at))

    def organising(self, project_id: str) -> Effect:
        """The effect `organise_requested`: have them made anew after the turn; its ref is the job's id."""
        return effects.organise_requested(project_id, self._ids.new())


class Artifacts:
    """The files of projects."""

    def __init__(self, store: SqlStore, blobs: Blobs, *, ids: Ids | None = None) -> None:
        self._store = store
        self._blobs = blobs
        self._ids = ids or TimeOrderedIds()

    async def check_ready(self) -> None:
        """Raises StoreUnavailable while no file can be kept."""
        await self._blobs.check_ready()

    async def list(
        self, person_id: str, project_id: str, *, before: str | None = None, limit: int = 200
    ) -> Sequence[Artifact]:
        """The project's files, newest first, after the one of id `before`. Raises NotFound."""
        return await self._store.glance(
            lambda conn: artifacts.listed(conn, person_id, project_id, before=before, limit=limit)
        )

    async def get(self, person_id: str, artifact_id: str) -> Artifact | None:
        """One file's description; None when it is not theirs or does not exist."""
        return await self._store.glance(lambda conn: artifacts.get(conn, person_id, artifact_id))

    async def open(self, person_id: str, artifact_id: str) -> tuple[Artifact, AsyncGenerator[bytes, None]]:
        """One file, and its content piece by piece: nobody holds all of it. Raises NotFound."""
        artifact, pieces = await self._store.read(
            lambda conn: artifacts.with_place(conn, person_id, artifact_id)
        )
        return artifact, await self._blobs.read(artifact.sha256, pieces)

    async def read(self, person_id: str, artifact_id: str) -> tuple[Artifact, bytes]:
        """One file with its content. Raises NotFound."""
        artifact, pieces = await self.open(person_id, artifact_id)
        return artifact, b"".join([piece async for piece in pieces])

    async def store(
        self,
        person_id: str,
        project_id: str,
        *,
        title: str,
        type: str,
        file_name: str,
        content: bytes | BinaryIO,
    ) -> Artifact:
        """Keep a file the person gives, piece by piece. Raises NotFound, Forbidden or BadRequest."""
        artifact_id, at = self._ids.new(), now()
        await self._store.read(lambda conn: require(conn, person_id, project_id, "member"))
        new = artifacts.NewArtifact(
            id=artifact_id, project_id=project_id, title=title, type=type, file_name=file_name
        )
        for _ in range(_TRIES):
            kept = await self._blobs.keep(content)
            describe = partial(artifacts.add_own, person_id=person_id, new=new, kept=kept, at=at)
            with suppress(ContentErased):
                return await self._store.write(describe)
        raise StoreUnavailable("The file cannot be kept just now. Try again in a moment.")

    async def erase(self, person_id: str, artifact_id: str) -> None:
        """Erase a file, and its content when no other file has the same. Raises NotFound or Forbidden."""
        await self._store.write(lambda conn: removing.erase_file(conn, person_id, artifact_id))
        await self._store.scrub()

    async def storing(
        self,
        project_id: str,
        *,
        title: str,
        type: str,
        file_name: str,
        content: bytes,
        author_kind: AuthorKind = "companion",
        author_name: str = "Companion",
    ) -> Effect:
        """The effect `artifact_stored`: a file in the turn's own commit; its ref is where it is downloaded.

        On disk the content is written at once, under its hash; only the commit makes it anybody's.
        """
        new = artifacts.NewArtifact(
            id=self._ids.new(), project_id=project_id, title=title, type=type, file_name=file_name
        )
        kept = await self._blobs.keep(content)
        return effects.artifact_stored(new, kept, author_kind=author_kind, author_name=author_name)


class Jobs:
    """What runs in the background."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def list(self, person_id: str, project_id: str, *, limit: int = 50) -> Sequence[Job]:
        """The project's jobs, newest first. Raises NotFound."""
        return await self._store.read(lambda conn: jobs.listed(conn, person_id, project_id, limit=limit))

    async def get(self, person_id: str, job_id: str) -> Job | None:
        """One job; None when it is not theirs or does not exist."""
        return await self._store.read(lambda conn: jobs.get(conn, person_id, job_id))


class Dashboard:
    """What runs, what needs the person, what has happened lately."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def of_person(self, person_id: str, *, since: datetime | None = None) -> DashboardView:
        """Over all the person's projects and sessions."""
        start = since if since is not None else now() - RECENTLY
        return await self._store.read(lambda conn: dashboard.view(conn, person_id, None, start, MOST))

    async def of_project(
        self, person_id: str, project_id: str, *, since: datetime | None = None
    ) -> DashboardView:
        """Of one project. Raises NotFound."""
        start = since if since is not None else now() - RECENTLY
        found = await self._store.read(
            lambda conn: (
                None
                if role_of(conn, person_id, project_id) is None
                else dashboard.view(conn, person_id, project_id, start, MOST)
            )
        )
        if found is None:
            raise NotFound()
        return found
