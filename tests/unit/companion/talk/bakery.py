"""Talk about the bakery of `here`."""

from benchmarks.free import World
from softrail.testing import Said


async def say(here: World, *messages: str) -> Said:
    """One after the other, about the bakery; what was said to the last."""
    for message in messages:
        said = await here.talk.say(message, project_id=here.projects["Corner Bakery"])
    return said
