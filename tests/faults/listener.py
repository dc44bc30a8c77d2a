"""A process that listens to one streamed answer, and tells how much it heard and how much memory that took.

python -m tests.faults.listener URL
"""

import asyncio
import sys
from pathlib import Path

from softrail.core.ports import Message, ModelRequest
from softrail.models.claude import AnthropicModel


def memory(name: str) -> int:
    """That line of what the system knows about the memory of this process, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(row.split()[1]) * 1024 for row in status.splitlines() if row.startswith(name))


async def listen(url: str) -> tuple[int, int]:
    """How many characters came, and by how many bytes the process was larger at its peak."""
    model = AnthropicModel(model="claude-double", api_key="key", base_url=url)
    await model.warm()
    before, heard = memory("VmRSS"), 0
    async for piece in model.stream(
        ModelRequest(purpose="answer", system="Talk.", messages=[Message(role="user", content="Go on.")])
    ):
        heard += len(piece) if isinstance(piece, str) else 0
    return heard, memory("VmHWM") - before


if __name__ == "__main__":
    print(*asyncio.run(listen(sys.argv[1])))
