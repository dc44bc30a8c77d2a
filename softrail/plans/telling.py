"""Tells a conversation of what has come to its end outside of its turns."""

import contextlib
from typing import TYPE_CHECKING, Final

from softrail import Signal
from softrail.plugin import NotFound

if TYPE_CHECKING:
    from softrail.plans.work import Plans

PROCESS: Final = "planning"


async def tell(plans: "Plans", session_id: str, signal: Signal) -> None:
    """Send a signal to whoever plans there; once for each key, whoever sends it and however often."""
    if plans.host is None:
        raise RuntimeError("The worker has not begun.")
    instances = await plans.store.instances(session_id)
    here = [i for i in instances if i.process == PROCESS and i.state is not None and not i.state.ended]
    if here:
        with contextlib.suppress(NotFound):  # erased meanwhile: nobody is there to be told
            await plans.host.signal(here[-1].id, signal)
