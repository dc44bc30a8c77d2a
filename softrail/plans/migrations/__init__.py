"""Revisions of the tables of planning, run by the store."""
