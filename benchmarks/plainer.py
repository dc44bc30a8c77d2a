"""`python -m benchmarks.plainer serve …`: the server as it is where nobody needs pages, ways out or progress in a reply."""

from softrail.cli import app
from softrail.core.instances import Instance
from softrail.core.turns import ProcessView
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.ways import Ways


async def no_ways(_: Ways, draft: Draft) -> None:
    """A draft without ways out."""
    draft.ways = ()


def described(parts: Parts, instance: Instance) -> ProcessView:
    """An instance without its title and progress."""
    definition = parts.registry.of(instance)
    return ProcessView(
        name=instance.process,
        version=instance.version,
        instance_id=instance.id,
        state=str(instance.state),
        step=instance.step,
        description=definition.description if definition else "",
    )


if __name__ == "__main__":
    Ways.note = no_ways  # type: ignore[method-assign]
    Parts.describe = described  # type: ignore[method-assign]
    app()
