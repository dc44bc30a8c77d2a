"""The guarantees of people: nobody else sees what is theirs, what is erased is gone, and no log has their words."""

import pytest

from softrail.api import border, connections, failures, identity, logs
from softrail.api.hosts import KnownHosts
from softrail.api.identity import Identity
from softrail.api.tokens import Tokens
from softrail.companion.memory import erasing as companion_erasing
from softrail.companion.memory import rights
from softrail.core import keys, people
from softrail.prompts.template import Template
from softrail.store import commit, engines, erasing, path, reading, sqlite
from softrail.store import people as store_people
from softrail.store.sqlstore import SqlStore
from softrail.turns import queue
from tests.faults.breaking import Breaks, rewritten

BREAKS = Breaks()
breaks = BREAKS.of

IDENTITY = "tests/integration/test_api_identity.py::test_"
LINES = "tests/security/test_no_words_in_logs.py::test_"
NO_ROW = "tests/integration/test_no_row_stays.py::test_"
MEMORY = "tests/contracts/test_store.py::TestMemoryStore::test_"


# -- who asks


OWN = "nobody sees or changes what is somebody else's"


@breaks(
    OWN,
    "a session is found by its id alone",
    f"{MEMORY}sessions_are_listed_newest_first_page_by_page",
    f"{MEMORY}an_opened_session_is_there_before_its_first_turn",
)
def any_session(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        reading.session,
        "sessions.c.id == session_id, sessions.c.person_id == person_id",
        "sessions.c.id == session_id",
    )


@breaks(
    OWN,
    "what was said is read by the id of its session alone",
    f"{MEMORY}items_come_in_order_page_by_page",
)
def any_words(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, reading._visible, "turns.c.person_id == person_id,", "")


@breaks(
    OWN,
    "somebody speaks in a session of another person",
    f"{MEMORY}a_session_of_someone_else_is_no_session",
)
def any_turn(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, path._snapshot_from, "if not rows or rows[0][1] != person.id:", "if not rows:")
    rewritten(patch, commit._verdict, "if row.person_id != session.person_id:", "if False:")


@breaks(
    OWN,
    "any session can be erased",
    f"{MEMORY}a_deleted_session_leaves_nothing_but_records",
)
def any_erasure(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        erasing.delete_session,
        "sessions.c.id == session_id, sessions.c.person_id == person_id",
        "sessions.c.id == session_id",
    )


@breaks(
    OWN,
    "whoever may read a project may change it",
    "tests/integration/test_companion_rights.py::test_a_viewer_reads_everything_and_changes_nothing",
)
def viewers_write(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, rights.require, "if _RANK[role] < _RANK[least]:", "if False:")


@breaks(
    OWN,
    "whoever was let go gets the reply that is kept",
    "tests/security/test_every_route.py::test_whoever_was_let_go_gets_no_stored_answer_any_more",
)
def replays_to_anybody(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        queue.SessionQueue._look,
        "await self._thinker.see_project(run.request, run.person)",
        "pass",
    )


@breaks(
    OWN,
    "who reads a project becomes its owner when the last one is erased",
    "tests/integration/test_companion_background.py::test_a_viewer_never_becomes_the_owner_and_the_project_is_archived",
)
def viewer_inherits(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        companion_erasing._heir,
        'members.c.role.in_(("owner", "member"))',
        "members.c.role.is_not(None)",
    )


KEYS = "whoever has no access key is let in by this machine alone"


@breaks(
    KEYS,
    "erasing the last one who has a key opens the server",
    f"{IDENTITY}erasing_the_last_holder_of_a_key_opens_nothing",
)
def open_without_rows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(store_people, "keyed", lambda conn: bool(store_people.all_keys(conn)))


@breaks(
    KEYS,
    "a name that leads here is believed",
    f"{IDENTITY}local_mode_answers_by_no_name_but_its_own_on_any_route",
)
def any_name(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, identity._only_from_here, "(is_loopback(host) or is_listed(host, hosts))", "True")

    async def known(self: KnownHosts, given: list[str]) -> bool:
        return True

    patch.setattr(KnownHosts, "_known", known)


@breaks(
    KEYS,
    "names are looked at by some routes alone",
    f"{IDENTITY}local_mode_answers_by_no_name_but_its_own_on_any_route",
)
def some_routes(patch: pytest.MonkeyPatch) -> None:
    async def known(self: KnownHosts, given: list[str]) -> bool:
        return True

    patch.setattr(KnownHosts, "_known", known)


@breaks(
    KEYS,
    "another machine is let in",
    f"{IDENTITY}local_mode_answers_no_other_machine_whatever_it_says",
)
def any_machine(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, identity._only_from_here, "is_loopback(peer.host)", "True")


@breaks(
    KEYS,
    "a proxy on this machine is taken for it",
    f"{IDENTITY}local_mode_trusts_only_its_own_machine",
)
def any_proxy(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch, identity._only_from_here, "not any(HANDED_ON.search(name) for name, _ in headers.raw)", "True"
    )


@breaks(
    KEYS,
    "a page of another site asks in its name",
    f"{IDENTITY}local_mode_trusts_only_its_own_machine",
)
def any_page(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch, identity._only_from_here, "all(is_loopback(_host(origin)) for origin in origins)", "True"
    )


@breaks(
    KEYS,
    "a form of another site is read like JSON",
    "tests/integration/test_api_errors.py::test_a_body_that_is_no_json_type_is_422",
)
def any_form(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(border, "json_only", lambda request: None)


TAKEN_BACK = "an access that was taken back is over"


@breaks(
    TAKEN_BACK,
    "a revoked key still opens",
    f"{IDENTITY}a_revoked_key_is_refused_and_revoking_all_keys_opens_nothing",
)
def revoked_opens(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Identity._by_access_key, "found.revoked_at is not None or", "")


@breaks(
    TAKEN_BACK,
    "the stream of a revoked key goes on",
    "tests/unit/api/test_standing.py::test_the_stream_of_a_revoked_key_ends_and_so_does_that_of_local_mode",
)
def revoked_listens(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        store_people.keys_in_use,
        "keys.c.hash.in_(some), keys.c.revoked_at.is_(None)",
        "keys.c.hash.in_(some)",
    )


@breaks(
    TAKEN_BACK,
    "a token lasts for ever",
    "tests/integration/test_api_tokens.py::test_it_is_good_for_fifteen_minutes_at_most_and_not_a_second_longer",
)
def lasting_token(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, Tokens.owner, "if token.expires_at <= now():", "if False:")


SECRET = "what is kept of a secret opens nothing"


@breaks(
    SECRET,
    "access keys are kept as they are",
    f"{IDENTITY}a_hash_that_leaked_is_no_key",
    "tests/integration/test_cli_commands.py::test_a_key_is_shown_once_and_only_its_hash_is_kept",
)
def plain_keys(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, keys.hash_key, 'hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()', "key")


@breaks(
    "two people are never taken for one",
    "letters that look alike are the same",
    "tests/unit/core/test_emails.py::test_an_address_that_could_be_somebody_elses_is_refused",
)
def alike(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch, people._kept_name, "if any(normalize", "name = normalize('NFKC', name)\n    if any(normalize"
    )


# -- what is erased


GONE = "what is erased is gone from every place"


@breaks(
    GONE,
    "decision records stay",
    f"{NO_ROW}erasing_a_person_leaves_no_row_in_any_table[sqlite]",
)
def decisions_stay(patch: pytest.MonkeyPatch) -> None:
    kept = tuple(one for one in erasing._OF_A_SESSION if one.name != "decisions")
    patch.setattr(erasing, "_OF_A_SESSION", kept)


@breaks(
    GONE,
    "records stay",
    f"{NO_ROW}erasing_a_person_leaves_no_row_in_any_table[sqlite]",
    f"{NO_ROW}erasing_a_person_leaves_no_row_in_any_table[postgres]",
)
def records_stay(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        erasing.delete_person,
        "conn.execute(delete(records).where(records.c.person_id == person_id))",
        "pass",
    )


@breaks(
    GONE,
    "effects that wait are still delivered",
    f"{NO_ROW}erasing_a_session_leaves_what_is_the_persons_own_and_no_other_row[sqlite]",
)
def effects_stay(patch: pytest.MonkeyPatch) -> None:
    kept = tuple(one for one in erasing._OF_A_SESSION if one.name != "effects")
    patch.setattr(erasing, "_OF_A_SESSION", kept)


@breaks(
    GONE,
    "what plugins keep of a session stays",
    "tests/integration/test_plan_routes.py::test_erasing_a_session_erases_its_plans",
)
def plugins_keep(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, erasing._erase_session, "plugin.erase_session(conn, session_id)", "pass")


@breaks(
    GONE,
    "notes and projects stay",
    "tests/integration/test_companion_background.py::test_erasing_a_person_erases_all_that_is_theirs_alone",
)
def projects_stay(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, erasing.delete_person, "plugin.erase_person(conn, person_id)", "pass")


@breaks(
    GONE,
    "a SQLite file keeps it in its pages",
    "tests/integration/test_store_upkeep.py::test_a_new_file_gives_pages_back_and_overwrites_what_is_erased",
)
def pages_keep(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, sqlite.sqlite_connection, "PRAGMA secure_delete = ON", "PRAGMA secure_delete = OFF")


@breaks(
    GONE,
    "the log beside the file keeps it",
    "tests/integration/test_store_upkeep.py::test_what_is_erased_while_somebody_reads_leaves_the_log_with_a_later_write",
)
def log_keeps(patch: pytest.MonkeyPatch) -> None:
    async def nothing(self: SqlStore) -> None:
        """Leave it there."""

    patch.setattr(SqlStore, "scrub", nothing)


# -- what is said


SAID = "what people say is text, and stays with them"


@breaks(
    SAID,
    "what they type is filled in like a template",
    "tests/unit/prompts/test_library.py::test_a_value_appears_as_typed_whatever_it_looks_like",
)
def typed_template(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        Template.fill,
        'return "".join(filled)',
        'return _PLACE.sub(lambda found: values.get(found[1], found[0]), "".join(filled))',
    )


LOGS = "no log has words of people"


@breaks(
    LOGS,
    "an error of a database names the values of its statement",
    f"{LINES}a_statement_that_breaks_tells_no_values",
)
def values_in_errors(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, engines.engine_over, "hide_parameters=True", "hide_parameters=False")


@breaks(
    LOGS,
    "errors are told with their words",
    f"{LINES}a_process_that_fails_over_words_leaves_none_of_them",
)
def errors_talk(patch: pytest.MonkeyPatch) -> None:
    rewritten(
        patch,
        logs._named,
        "if isinstance(error, StepFailed):",
        "return f'{name}: {error}'\n    if isinstance(error, StepFailed):",
    )


@breaks(
    LOGS,
    "libraries tell what they send",
    f"{LINES}libraries_are_heard_when_they_warn",
)
def libraries_talk(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(logs.NoWordsOfPeople, "filter", lambda self, record: True)


@breaks(
    "an answer shows nothing of what is inside",
    "an error is told with its traceback",
    "tests/integration/test_api_errors.py::test_a_fault_of_ours_shows_an_id_and_nothing_else",
)
def traceback_shown(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, failures.unexpected, '{"fault": fault}', '{"fault": fault, "error": repr(error)}')


BOUNDS = "nobody takes more than their part"


@breaks(
    BOUNDS,
    "a body is read however long it is",
    "tests/integration/test_api_hostile.py::test_a_body_over_the_limit_is_413",
)
def any_length(patch: pytest.MonkeyPatch) -> None:
    rewritten(patch, border.read, "if size > limit:", "if False:")


@breaks(
    BOUNDS,
    "headers are kept however long they are",
    "tests/integration/test_connections.py::test_headers_that_have_no_end_are_not_kept[one header]",
)
def any_headers(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(connections, "LONGEST_HEAD", 10**12)
