"""Revisions of the companion's tables; the store runs them."""
