"""Notes are found by their words, and know which change of their project made them what they are."""

import sqlalchemy as sa
from alembic import op

from softrail.companion.memory import search

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BATCH = 500


def upgrade() -> None:
    """From the companion's first tables."""
    op.create_table(
        "companion_note_words",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("project_id", "word", "number", name=op.f("pk_companion_note_words")),
        sqlite_with_rowid=False,
    )
    op.add_column("companion_projects", sa.Column("organised_in", sa.BigInteger(), nullable=True))
    op.add_column("companion_notes", sa.Column("changed_in", sa.BigInteger(), nullable=True))
    op.drop_index("ix_companion_notes_changed_at", table_name="companion_notes")
    for name in ("changed_at", "changed_in"):
        op.create_index(
            f"ix_companion_notes_{name}", "companion_notes", ["project_id", "state", name], unique=False
        )
    _count_changes()
    _find_words()


def _count_changes() -> None:
    """What was organised is version 0 of its project, what came later is 1."""
    op.execute("UPDATE companion_projects SET organised_in = 0 WHERE organised_at IS NOT NULL")
    op.execute(
        "UPDATE companion_notes SET changed_in = CASE WHEN number > (SELECT organised_up_to "
        "FROM companion_projects WHERE companion_projects.id = companion_notes.project_id) THEN 1 ELSE 0 END"
    )


def _find_words() -> None:
    """Every note that stands is found by its words from now on."""
    conn = op.get_bind()
    page = sa.text(
        "SELECT project_id, number, text FROM companion_notes WHERE state <> 'withdrawn' "
        "AND (project_id > :project OR (project_id = :project AND number > :number)) "
        "ORDER BY project_id, number LIMIT :most"
    )
    last = {"project": "", "number": 0}
    while rows := conn.execute(page, {**last, "most": BATCH}).all():
        for note in rows:
            search.add(conn, note.project_id, note.number, note.text)
        last = {"project": rows[-1].project_id, "number": rows[-1].number}
