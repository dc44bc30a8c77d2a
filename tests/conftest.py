"""Fixtures for all tests."""

from tests.postgres import empty_postgres_url, postgres_url

__all__ = ["empty_postgres_url", "postgres_url"]
