"""What a script cannot say: nobody of those addresses has ever been here."""

from softrail.testing.plugin import Talk

from leave import ApproveLeave, Leave


async def test_where_nobody_is_there_to_decide_the_person_is_told(talk: Talk) -> None:
    c = await talk(Leave, ApproveLeave)
    for message in ("I need some days off", "2026-03-09", "3", "yes"):
        await c.say(message)
    for _ in range(3):
        await c.sweep()

    assert (await c.newest_session()).text == "Nobody has decided about your leave. Please talk to somebody."
