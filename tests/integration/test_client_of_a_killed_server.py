"""A client whose server is killed in mid-turn: the turn is said once, and its answer comes."""

from pathlib import Path

from softrail.client import Client
from softrail.core.turns import Reply
from tests.browser.test_chat_network import Server


async def test_a_server_killed_in_mid_turn_answers_it_once(tmp_path: Path) -> None:
    server = Server(tmp_path)
    try:
        async with Client(server.url, wait=0.05, tries=1000) as client:
            heard = []
            async for event in client.stream("do the slow thing"):
                heard.append(event)
                if event.name == "text.delta" and not (tmp_path / "open").exists():
                    server.kill()
                    (tmp_path / "open").touch()
                    server.begin()
            whole = heard[-1].data
            again = await client.say("do the slow thing", turn_id=whole["turn_id"])
            said = await client.turns(whole["session_id"])

        assert heard[-1].name == "turn.committed"
        assert whole["companion_message"].endswith("All done.")
        assert again == Reply.model_validate(whole)
        assert [item.content for item in said.items] == ["do the slow thing", whole["companion_message"]]
    finally:
        server.kill()
