"""The command line: serve, chat, look, check, keep up.

Each command loads what it needs and no more. It uses the same dispatcher and database as the server and talks to
the web room only by its address. It must not know how a turn is decided, and nothing here is the only way to do it.
"""

from softrail.core.loading import loading

with loading():
    from softrail.cli.main import app

__all__ = ["app"]
