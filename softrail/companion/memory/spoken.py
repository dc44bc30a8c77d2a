"""Which notes a session spoke of last, and which of a person's own notes wait."""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import bindparam, case, select

from softrail.companion.memory import notes
from softrail.companion.memory.rights import Database, role_of
from softrail.companion.memory.tables import members
from softrail.companion.memory.tables import notes as table
from softrail.companion.memory.values import Spoken, Waiting
from softrail.plugin import effects_table as effects
from softrail.plugin import turns_table as turns

_ABOUT_NOTES: Final = ("note_saved", "note_changed")
_REPLIES: Final = 8  #: back from the newest, of which one may have listed what is spoken of by its place
_STANDS: Final = 4  #: of them, in which something was offered that is still to be had
_LOOKED_AT: Final = 100  #: sequence numbers back from the newest turn; each turn has two
_LISTED: Final = re.compile(r"^#(\d+)\b", re.MULTILINE)
_MOST: Final = 50  #: notes of one turn
# Statements of every turn are made once: composing one costs more than the rows it finds.
_HERE: Final = (
    (turns.c.session_id == bindparam("of_session"))
    & (turns.c.person_id == bindparam("of_person"))
    & (turns.c.status == "committed")
)
_SAID: Final = (
    select(turns.c.seq).where(_HERE, turns.c.request.is_not(None)).order_by(turns.c.seq.desc()).limit(1)
)
_ANSWERED: Final = (
    select(turns.c.reply).where(_HERE, turns.c.reply.is_not(None)).order_by(turns.c.seq.desc()).limit(1)
)
_REPLIED: Final = (
    select(turns.c.seq, turns.c.reply)
    .where(_HERE, turns.c.reply.is_not(None))
    .order_by(turns.c.seq.desc())
    .limit(_REPLIES)
)
_MADE: Final = (
    select(effects)
    .where(effects.c.session_id == bindparam("of_session"), effects.c.person_id == bindparam("of_person"))
    .where(effects.c.seq > bindparam("behind"), effects.c.kind.in_(_ABOUT_NOTES))
    .order_by(effects.c.seq.desc(), effects.c.n)
    .limit(_MOST)
)


def last(db: Database, person_id: str, session_id: str) -> Spoken | None:
    """The notes that the last turn about notes made or changed; None when lately none did."""
    newest = newest_turn(db, person_id, session_id)
    if newest is None:
        return None
    given = {"of_session": session_id, "of_person": person_id, "behind": newest - _LOOKED_AT}
    rows = db.execute(_MADE, given).all()
    if not rows:
        return None
    of_one_turn = [row for row in rows if row.seq == rows[0].seq]
    where = [_place(row) for row in of_one_turn]
    project_id = where[0][0]
    if role_of(db, person_id, project_id) is None:
        return None
    found = [notes.get(db, person_id, project_id, number) for other, number in where if other == project_id]
    return Spoken(
        project_id=project_id,
        notes=sorted((note for note in found if note and note.mine), key=lambda note: note.number),
        just=rows[0].seq == newest,
        told=any(row.kind == "note_saved" for row in of_one_turn),
    )


def waiting(
    db: Database, person_id: str, project_id: str | None, session_id: str, *, limit: int
) -> Sequence[Waiting]:
    """Waiting notes that the person told, where they may still save them: those of this session first, then the newest."""
    here = case((table.c.session_id == session_id, 1), else_=0)
    query = notes.told().add_columns(here.label("here"))
    query = query.join(members, members.c.project_id == table.c.project_id)
    query = query.where(members.c.person_id == person_id, members.c.role != "viewer")
    query = query.where(table.c.told_by == person_id, table.c.state == "waiting")
    if project_id is not None:
        query = query.where(table.c.project_id == project_id)
    query = query.order_by(here.desc(), table.c.created_at.desc(), table.c.number.desc()).limit(limit)
    return [
        Waiting(project_id=row.project_id, note=notes.seen(row, person_id), here=bool(row.here))
        for row in db.execute(query)
    ]


def suggested(db: Database, person_id: str, session_id: str) -> str | None:
    """The one thing that the newest reply of the session suggested to say; None where it suggested none, or several."""
    actions: list[str] = _newest_reply(db, person_id, session_id).get("suggested_actions") or []
    return str(actions[0]) if len(actions) == 1 else None


def offered(db: Database, person_id: str, session_id: str, begins: str) -> str | None:
    """What one of the last replies alone suggested to say that begins so, where nothing has been noted or changed since."""
    here = {"of_session": session_id, "of_person": person_id}
    replies = db.execute(_REPLIED, here).all()[:_STANDS]
    made = db.execute(_MADE, {**here, "behind": replies[-1].seq if replies else 0}).first()
    for row in replies:
        if made is not None and row.seq <= made.seq:
            return None
        actions: list[str] = json.loads(row.reply).get("suggested_actions") or []
        if len(actions) == 1 and str(actions[0]).startswith(begins):
            return str(actions[0])
    return None


def listed(db: Database, person_id: str, session_id: str) -> Sequence[int]:
    """The numbers of the notes that one of the last replies listed line by line, in that order; none where none did."""
    for row in db.execute(_REPLIED, {"of_session": session_id, "of_person": person_id}):
        shown = _LISTED.findall(str(json.loads(row.reply).get("companion_message") or ""))
        if len(shown) > 1:
            return [int(number) for number in shown]
    return []


def named_last(db: Database, person_id: str, session_id: str, number: int) -> bool:
    """The newest reply of the session shows the note of that number."""
    text = str(_newest_reply(db, person_id, session_id).get("companion_message") or "")
    return re.search(rf"#{number}(?!\d)", text) is not None


def newest_turn(db: Database, person_id: str, session_id: str) -> int | None:
    """The sequence number of the newest turn that the person took in the session."""
    seq = db.execute(_SAID, {"of_session": session_id, "of_person": person_id}).scalar()
    return None if seq is None else int(seq)


def _newest_reply(db: Database, person_id: str, session_id: str) -> dict[str, Any]:
    reply = db.execute(_ANSWERED, {"of_session": session_id, "of_person": person_id}).scalar()
    found: dict[str, Any] = json.loads(reply) if reply else {}
    return found


def _place(row: Any) -> tuple[str, int]:
    """The project and the number of the note that an effect made or changed."""
    payload = json.loads(row.payload)
    return str(payload.get("to_project") or payload["project_id"]), int(row.ref)
