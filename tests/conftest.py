"""Fixtures for all tests."""

import os

from tests.postgres import empty_postgres_url, postgres_url

__all__ = ["empty_postgres_url", "postgres_url"]

# No test may reach a real model, whatever is in the environment of whoever runs it.
for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
    os.environ.pop(name, None)

# The processes that tests start find the bytecode of those before them, also where a container says to write none.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
