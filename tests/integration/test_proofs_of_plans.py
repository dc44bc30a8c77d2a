"""A plan in proof mode ends with a file; done again over its data it agrees, and one changed byte is found."""

import asyncio
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from softrail.bootstrap import plugin_tables
from softrail.cli import app
from softrail.plans.data.children import Children
from softrail.plans.data.files import Files
from softrail.plans.proofs.laid import found_in
from softrail.plans.proofs.proof import Proof, ProofUnreadable, read_proof, written
from softrail.plans.proofs.verifying import Verified, verify
from softrail.store import open_store
from tests.integration.plan_server import Planned, plan, planned, sum_of
from tests.integration.test_data_of_plans import SALES, ask, attach

pytestmark = pytest.mark.usefixtures("quick_data")

LOOK: dict[str, Any] = {"id": "look", "action": "read", "arguments": {"source": "Sales.csv"}}
TOTAL = ask("total", "SELECT sum(revenue_eur) FROM sales", "look", unit="EUR")
REGIONS = ask(
    "regions", "SELECT region, sum(revenue_eur) AS revenue FROM sales GROUP BY 1 ORDER BY 1", "look"
)
HIGH: dict[str, Any] = {
    "id": "high",
    "action": "check",
    "arguments": {
        "claim": "Every region makes more than 100 EUR",
        "sql": "SELECT region, sum(revenue_eur) > 100 AS holds FROM sales GROUP BY 1",
    },
    "needs": ["look"],
}
PICTURE: dict[str, Any] = {
    "id": "picture",
    "action": "chart",
    "arguments": {
        "rows": {"fact": "regions"},
        "kind": "bar",
        "x": "region",
        "y": "revenue",
        "title": "Regions",
    },
    "needs": ["regions"],
}
DOUBLE = sum_of("double", "total * 2", "total", unit="EUR")


async def proved(ada: Planned, *steps: dict[str, Any]) -> bytes:
    """The proof file of a plan that was carried out."""
    await attach(ada, "Sales.csv", SALES)
    await ada.say(plan(*steps, problem="Verify what the regions make"))
    await ada.say("yes")
    told = (await ada.heard("The proof is a file")).content
    run = (await ada.standing()).run
    assert run is not None
    assert run.proof is not None
    assert run.proof in told
    found = await ada.dispatcher.registry.service(Files).find(ada.here, run.proof.rpartition("/")[2])
    assert found is not None
    assert found[:2] == ("Verify what the regions make.proof.json", "application/json")
    return found[2]


def honest_in(path: Path) -> Proof:
    return read_proof(path.read_bytes())


async def checked(proof: Proof, *files: Path) -> Verified:
    found = {one.name: found_in(files, one) for one in proof.sources}
    return await verify(proof, found, Children())


@pytest.fixture(scope="module")
def kept() -> dict[str, bytes]:
    return {}


@pytest.fixture
async def proof(kept: dict[str, bytes], tmp_path: Path) -> Path:
    """The proof of a plan of every kind of step, with its data beside it; made once."""
    if not kept:
        async with planned() as ada:
            kept["proof"] = await proved(ada, LOOK, TOTAL, REGIONS, HIGH, PICTURE, DOUBLE)
    (tmp_path / "Sales.csv").write_bytes(SALES)
    path = tmp_path / "made.proof.json"
    path.write_bytes(kept["proof"])
    return path


async def test_the_chain_of_every_number_ends_in_the_hash_of_a_file_and_a_query(proof: Path) -> None:
    told = honest_in(proof)
    facts = {one.name: one for one in told.facts}

    assert [(one.name, one.sha256) for one in told.sources] == [("Sales.csv", sha256(SALES).hexdigest())]
    for name, fact in facts.items():
        while fact.inputs and "query" not in (fact.evidence or {}):
            fact = facts[fact.inputs[0]]
        assert fact.evidence is not None, name
        assert fact.evidence["sources"][0]["sha256"] == told.sources[0].sha256
        assert name == "look" or fact.evidence["query"].startswith("SELECT")
    assert "- total: 1334.00 EUR" in told.conclusions


async def test_done_again_over_its_data_it_agrees(proof: Path) -> None:
    found = await checked(honest_in(proof), proof.parent / "Sales.csv")

    assert found.wrong == []
    assert (found.again, found.sources) == (6, 1)


def test_every_single_changed_byte_of_the_proof_is_found(kept: dict[str, bytes], proof: Path) -> None:
    whole = proof.read_bytes()
    for at in range(0, len(whole), 7):
        changed = bytearray(whole)
        changed[at] ^= 1
        with pytest.raises(ProofUnreadable):
            read_proof(bytes(changed))
    for other in (whole + b" ", whole[:-1], whole.replace(b"\n", b"\r\n"), b"", b"[]", b"[" * 100_000):
        with pytest.raises(ProofUnreadable):
            read_proof(other)


async def test_one_changed_byte_of_the_data_is_found(proof: Path) -> None:
    data = proof.parent / "Sales.csv"
    data.write_bytes(SALES.replace(b"0,44", b"0,45"))

    found = await checked(honest_in(proof), data)

    assert "Sales.csv is not the file that the proof rests on" in found.wrong[0]
    assert found.sources == 0


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("total", "1335.00", "“total” is 1335.00 EUR in the proof; done again, it is 1334.00 EUR."),
        ("double", "2669.00", "“double” is 2669.00 EUR in the proof; done again, it is 2668.00 EUR."),
    ],
)
async def test_a_value_that_was_forged_with_its_signature_is_found_by_doing_it_again(
    proof: Path, name: str, value: str, told: str
) -> None:
    honest = honest_in(proof)
    facts = tuple(
        one.model_copy(update={"value": value, "shown": f"{value} EUR"}) if one.name == name else one
        for one in honest.facts
    )
    forged = read_proof(written(honest.model_copy(update={"facts": facts})))

    found = await checked(forged, proof.parent / "Sales.csv")

    assert told in found.wrong


async def test_a_forged_query_conclusion_or_way_of_showing_is_found(proof: Path) -> None:
    honest = honest_in(proof)
    total = next(one for one in honest.facts if one.name == "total")
    others = tuple(one for one in honest.facts if one.name != "total")
    for changed, told in (
        ({"conclusions": ("- total: 9 EUR",)}, "What the proof concludes is not what its facts say."),
        (
            {"facts": (*others, total.model_copy(update={"shown": "9 EUR"}))},
            "“total” is shown as 9 EUR, which is not its value.",
        ),
        (
            {"facts": (*others, total.model_copy(update={"evidence": {"query": "SELECT 1"}}))},
            "“total” rests on another query, or on other files, than the proof says.",
        ),
        ({"facts": others}, "Step “total” has no fact “total” in the proof."),
    ):
        found = await checked(honest.model_copy(update=changed), proof.parent / "Sales.csv")
        assert told in found.wrong


@pytest.mark.parametrize("needs", [("gone",), ("total",)], ids=["nobody", "itself"])
async def test_a_step_that_would_never_be_looked_at_is_found(proof: Path, needs: tuple[str, ...]) -> None:
    honest = honest_in(proof)
    steps = tuple(
        one.model_copy(update={"needs": needs}) if one.id == "total" else one for one in honest.plan.steps
    )
    forged = honest.model_copy(update={"plan": honest.plan.model_copy(update={"steps": steps})})

    found = await checked(forged, proof.parent / "Sales.csv")

    assert any(one.startswith("Step “total” needs steps") for one in found.wrong)


async def test_two_facts_of_one_name_are_found(proof: Path) -> None:
    honest = honest_in(proof)
    twice = honest.model_copy(update={"facts": (*honest.facts, honest.facts[0])})
    found = await checked(twice, proof.parent / "Sales.csv")
    assert found.wrong == [f"There are two facts “{honest.facts[0].name}”."]


@pytest.mark.parametrize(
    "odd",
    [{"evidence": {"sources": 5}}, {"evidence": {"sources": ["x"]}}, {"type": "number", "value": {"x": 1}}],
    ids=["sources of no list", "sources of no mapping", "a number that is none"],
)
async def test_what_no_plan_writes_is_told_and_ends_nothing(proof: Path, odd: dict[str, Any]) -> None:
    honest = honest_in(proof)
    facts = tuple(one.model_copy(update=odd) if one.name == "total" else one for one in honest.facts)
    found = await checked(honest.model_copy(update={"facts": facts}), proof.parent / "Sales.csv")
    assert any("total" in one for one in found.wrong)


async def test_what_the_person_said_and_what_reaches_outside_is_taken_as_it_stands_and_told() -> None:
    async with planned() as ada:
        ada.gates["outside"].opened.set()
        await ada.say(plan(sum_of("price", "12.50"), "outside", problem="Verify the price"))
        await ada.say("yes")
        await ada.heard("The proof is a file")
        await ada.say("use 13 for the price")
        await ada.say("yes")
        run = (await ada.standing()).run
        assert run is not None
        await ada.heard("- price: 13 (as you said)")
        run = (await ada.standing()).run
        assert run is not None
        assert run.proof is not None
        found = await ada.dispatcher.registry.service(Files).find(ada.here, run.proof.rpartition("/")[2])
    assert found is not None
    told = (await checked(read_proof(found[2]))).taken
    assert told == [
        "“price” is 13 because the person said so.",
        "“outside” was not found again: its action, hold, may reach outside.",
    ]


async def test_a_plan_that_explores_ends_without_a_proof() -> None:
    async with planned() as ada:
        await ada.say(plan(sum_of("price", "12.50")))
        await ada.say("yes")
        done = await ada.heard("- price: 12.50")
        run = (await ada.standing()).run
    assert "proof" not in done.content
    assert run is not None
    assert run.proof is None


def softrail(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, f"{result.output}\n{result.stderr}\n{result.exception!r}"
    return result


def test_the_command_takes_the_data_from_beside_the_proof_and_says_that_it_agrees(proof: Path) -> None:
    told = softrail("plans", "verify", str(proof)).stdout

    assert "It agrees: 6 steps done again over 1 file, with the same result." in told


def test_the_command_says_in_sentences_what_does_not_agree_and_exits_with_one(
    proof: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(proof.parent)
    data = proof.parent / "Sales.csv"
    data.write_bytes(SALES + b"\n")
    told = softrail("plans", "verify", str(proof), code=1).stdout
    assert "Does not agree: Sales.csv is not the file that the proof rests on: its sha256 is" in told

    data.rename(proof.parent / "moved.csv")
    as_json = json.loads(softrail("plans", "verify", str(proof), "--json", code=1).stdout)
    assert "Sales.csv is not there: neither beside the proof nor" in as_json["wrong"][0]
    assert as_json["agrees"] is False

    (proof.parent / "elsewhere.csv").write_bytes(SALES)
    softrail("plans", "verify", str(proof), "--data", str(proof.parent / "elsewhere.csv"))

    proof.write_bytes(proof.read_bytes().replace(b"1334.00", b"1335.00", 1))
    assert "not as it was written" in softrail("plans", "verify", str(proof), code=1).stderr


def test_a_proof_is_written_and_checked_with_nothing_but_the_projects_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOFTRAIL_DURABILITY", "normal")

    async def made() -> tuple[str, bytes]:
        store = open_store("sqlite:///softrail.db", plugins=plugin_tables(), durability="normal")
        async with planned(store) as ada:
            content = await proved(ada, LOOK, TOTAL)
            return ada.here, content

    session, content = asyncio.run(made())
    file = tmp_path / "Verify what the regions make.proof.json"

    assert f"Wrote {file.name}" in softrail("plans", "proof", session).stdout
    assert file.read_bytes() == content
    assert "is there already" in softrail("plans", "proof", session, code=1).stderr
    assert "It agrees: 2 steps done again over 1 file" in softrail("plans", "verify", file.name).stdout
    assert "There is no proof" in softrail("plans", "proof", "elsewhere", code=1).stderr
