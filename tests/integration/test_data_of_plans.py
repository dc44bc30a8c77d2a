"""A plan over attached data: read, asked and checked in processes of their own, with what each fact rests on."""

from softrail.companion.plugin import Companion
from softrail.core.clock import now
from softrail.core.turns import Reply, Request
from softrail.plans.data.children import Children
from softrail.plans.data.files import Files
from softrail.plans.data.sources import Sources
from softrail.settings import BUNDLED
from tests.integration.companion_server import founded
from tests.integration.plan_server import Planned, plan, planned

SALES = b"""Region;Revenue (EUR);Day
North;1.234,56;13.02.2024
South;99,00;14.02.2024
North;0,44;15.02.2024
Total;1.334,00;
"""


async def attach(ada: Planned, name: str, content: bytes) -> None:
    if ada.session_id is None:
        await ada.say("hello")
    sources = ada.dispatcher.registry.service(Sources)
    await sources.attach(ada.here, ada.person.id, name, content)


def ask(id: str, sql: str, *needs: str, **more: object) -> dict[str, object]:
    return {"id": id, "action": "query", "arguments": {"sql": sql, **more}, "needs": list(needs)}


async def test_a_plan_reads_asks_and_checks_and_each_fact_says_what_it_rests_on() -> None:
    async with planned() as ada:
        await attach(ada, "Sales.csv", SALES)
        await ada.say(
            plan(
                {"id": "look", "action": "read", "arguments": {"source": "sales.csv"}},
                ask("total", "SELECT sum(revenue_eur) FROM sales", "look", unit="EUR"),
                ask(
                    "regions",
                    "SELECT region, sum(revenue_eur) AS revenue FROM sales GROUP BY 1 ORDER BY 1",
                    "look",
                    unit={"revenue": "EUR"},
                ),
                {
                    "id": "north",
                    "action": "check",
                    "arguments": {
                        "claim": "Every region makes more than 100 EUR",
                        "sql": "SELECT region, sum(revenue_eur) > 100 AS holds FROM sales GROUP BY 1",
                    },
                    "needs": ["look"],
                },
            )
        )
        await ada.say("yes")
        told = await ada.heard("total: 1334")
        chain = await ada.say("how did you get the total?")
        facts = (await ada.standing()).facts

    assert "by SELECT sum(revenue_eur) FROM sales (1 row)" in chain.companion_message
    assert "from Sales.csv (sha256 " in chain.companion_message
    assert "total: 1334.00 EUR" in told.content
    assert facts["regions"].value == {
        "columns": [
            {"name": "region", "kind": "text", "unit": ""},
            {"name": "revenue", "kind": "number", "unit": "EUR"},
        ],
        "rows": [["North", "1235.00"], ["South", "99.00"]],
    }
    assert facts["north"].value["verdict"] == "does not hold"
    assert facts["north"].value["rows"] == [["South"]]
    assert facts["total"].evidence is not None
    [used] = facts["total"].evidence["sources"]
    assert (used["name"], used["rows"], used["tables"]) == ("Sales.csv", 3, ["sales"])
    assert facts["total"].evidence["query"] == "SELECT sum(revenue_eur) FROM sales"
    assert facts["look"].evidence is not None
    assert "Row 5 (“Total”) is left out: it is the sum of rows above." in facts["look"].evidence["repairs"]


async def test_data_that_is_attached_again_is_another_version_and_its_facts_are_found_anew() -> None:
    async with planned() as ada:
        await attach(ada, "sales.csv", SALES)
        total = plan(ask("total", "SELECT sum(revenue_eur) FROM sales"))
        await ada.say(total)
        await ada.say("yes")
        await ada.heard("total: 1334.00")
        assert "known already" in (await ada.say(total)).companion_message

        await attach(ada, "sales.csv", SALES.replace(b"99,00", b"100,00").replace(b"1.334", b"1.335"))

        assert "known already" not in (await ada.say(total)).companion_message
        await ada.say("yes")
        await ada.heard("total: 1335.00")
        [source] = await ada.dispatcher.registry.service(Sources).of(ada.here)
    assert [table.name for table in source.tables] == ["sales"]


async def test_in_proof_mode_each_query_is_run_twice_in_processes_of_their_own() -> None:
    async with planned() as ada:
        await attach(ada, "sales.csv", SALES)
        await ada.say(plan(ask("total", "SELECT sum(revenue_eur) FROM sales"), problem="Verify the total"))
        before = ada.dispatcher.registry.service(Children).started
        await ada.say("yes")
        await ada.heard("total: 1334.00")
        evidence = (await ada.standing()).facts["total"].evidence
        assert ada.dispatcher.registry.service(Children).started == before + 2
    assert evidence is not None
    assert evidence["runs"] == 2


async def test_a_step_whose_query_is_refused_fails_with_the_reason() -> None:
    async with planned() as ada:
        await attach(ada, "sales.csv", SALES)
        await ada.say(plan(ask("x", "SELECT * FROM salaries")))
        await ada.say("yes")
        failed = await ada.heard("There is no table “salaries” here.")
    assert "try again" in failed.content.lower()


YEARS = b"Region,2021,2022,2023\nNorth,10,12,14\nSouth,20,21,22\n"


async def test_a_chart_a_table_and_a_forecast_are_made_of_a_table_and_kept_with_the_conversation() -> None:
    by_year = ask(
        "by_year", "SELECT year, sum(value) AS revenue FROM sales GROUP BY 1 ORDER BY 1", unit="EUR"
    )
    rows = {"rows": {"fact": "by_year"}, "x": "year", "y": "revenue"}
    async with planned() as ada:
        await attach(ada, "sales.csv", YEARS)
        await ada.say(
            plan(
                by_year,
                {
                    "id": "next",
                    "action": "forecast",
                    "arguments": rows | {"periods": 2},
                    "needs": ["by_year"],
                },
                {
                    "id": "picture",
                    "action": "chart",
                    "arguments": rows | {"kind": "line", "title": "Revenue <by> year"},
                    "needs": ["by_year"],
                },
                {
                    "id": "sheet",
                    "action": "table",
                    "arguments": {"rows": {"fact": "by_year"}, "title": "Revenue"},
                    "needs": ["by_year"],
                },
            )
        )
        await ada.say("yes")
        done = await ada.heard("by least squares through 3 points")
        listed = await ada.say("/facts")
        facts = (await ada.standing()).facts
        files = ada.dispatcher.registry.service(Files)
        found = {}
        for href in (facts["picture"].value["svg"], facts["picture"].value["png"], facts["sheet"].ref):
            assert href is not None
            found[href.rpartition("/")[2]] = await files.find(ada.here, href.rpartition("/")[2])

    assert facts["by_year"].value["rows"] == [["2021", "30"], ["2022", "33"], ["2023", "36"]]
    assert facts["next"].value["rows"] == [["2024", "39"], ["2025", "42"]]
    assert facts["next"].evidence is not None
    assert "it goes on changing as it has so far" in facts["next"].evidence["method"]
    (svg_name, _, svg), (_, png_kind, png), (_, _, sheet) = [one for one in found.values() if one is not None]
    assert svg_name == "Revenue _by_ year.svg"
    assert b"Revenue &lt;by&gt; year" in svg
    assert (png_kind, png[:4]) == ("image/png", b"\x89PNG")
    assert f"“Revenue” is kept as a file for spreadsheets: {facts['sheet'].ref}" in done.content
    assert f"\n  as a file: {facts['sheet'].ref}" in listed.companion_message
    assert sheet.decode("utf-8-sig") == "year,revenue (EUR)\r\n2021,30\r\n2022,33\r\n2023,36\r\n"


async def test_what_is_made_about_a_project_is_kept_in_its_library_once_and_else_with_the_conversation() -> (
    None
):
    async with planned(bundled=BUNDLED) as ada:
        services = ada.dispatcher.registry.service(Companion)
        project = await founded(ada.store, ada.person)
        request = Request(message="hello", project_id=project)
        ada.session_id = Reply.model_validate_json(
            await ada.dispatcher.converse(request, ada.person)
        ).session_id
        files = ada.dispatcher.registry.service(Files)

        kept = [await files.keep(ada.here, ada.person.id, "Revenue", "csv", b"a") for _ in range(2)]
        [artifact] = await services.artifacts.list(ada.person.id, project)
        assert kept == [artifact.href, artifact.href]
        assert (artifact.title, artifact.file_name, artifact.type) == ("Revenue", "Revenue.csv", "csv")

        bob = await ada.store.ensure_person("bob@example.org", id="bob", at=now())
        await services.projects.add_member(ada.person.id, project, bob.email, "viewer")
        request = Request(message="hello", project_id=project)
        here = Reply.model_validate_json(await ada.dispatcher.converse(request, bob)).session_id
        assert (await files.keep(here, bob.id, "Revenue", "csv", b"b")).startswith(
            f"/sessions/{here}/artifacts/"
        )
