"""Training of the items model: where the items begin of a list that was told in one breath."""
