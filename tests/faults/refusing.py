"""A PostgreSQL that refuses transactions as it does under contention: as deadlocked, or as not serializable."""

from typing import Final

import asyncpg

from tests.postgres import run_sql

#: What every turn, every acceptance and every sign of life writes into.
TABLES: Final = ("sessions", "turns", "workers")

#: A transaction is counted at the first row it writes. The count outlives it, so that a second try is another one.
_COUNT: Final = """CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN
  IF coalesce(current_setting('refuse.how', true), '') = '' THEN
    n := nextval('begun');
    PERFORM set_config('refuse.how', 'not', true);
    IF n % CAST(TG_ARGV[0] AS bigint) = 0 THEN
      n := nextval('refused');
      IF n % 2 = 0 THEN
        RAISE EXCEPTION 'not now' USING ERRCODE = '40P01';
      END IF;
      PERFORM set_config('refuse.how', 'at its end', true);
    END IF;
  END IF;
  RETURN NULL; END $$"""
_AT_ITS_END: Final = """CREATE FUNCTION refuse_at_its_end() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF current_setting('refuse.how', true) = 'at its end' THEN
    RAISE EXCEPTION 'not now' USING ERRCODE = '40001';
  END IF;
  RETURN NULL; END $$"""


async def refuse(url: str, *, one_in: int) -> None:
    """From now on one in so many transactions is refused: half of them in the middle, half at their COMMIT."""
    triggers = [
        statement
        for table in TABLES
        for statement in (
            f"CREATE TRIGGER refuse AFTER INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse({one_in})",
            f"CREATE CONSTRAINT TRIGGER refuse_at_its_end AFTER INSERT OR UPDATE ON {table} "
            "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse_at_its_end()",
        )
    ]
    await run_sql(url, "CREATE SEQUENCE begun", "CREATE SEQUENCE refused", _COUNT, _AT_ITS_END, *triggers)


async def refused(url: str) -> tuple[int, int]:
    """How many were refused, of how many; from now on none is."""
    counted = "SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {}"
    conn = await asyncpg.connect(url)
    try:
        found = [int(await conn.fetchval(counted.format(name))) for name in ("refused", "begun")]
        await conn.execute("DROP FUNCTION refuse, refuse_at_its_end CASCADE; DROP SEQUENCE begun, refused")
    finally:
        await conn.close()
    return found[0], found[1]
