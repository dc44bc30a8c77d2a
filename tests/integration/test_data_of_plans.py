"""A plan over attached data: read, asked and checked in processes of their own, with what each fact rests on."""

from softrail.plans.data.sources import Sources
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
        facts = (await ada.standing()).facts

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
