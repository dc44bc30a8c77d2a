"""What a durable guided turn costs, beside the floor: the raw driver writing the same rows in the same run.

Nothing here is a test and no figure is asserted anywhere. This package may use every room; no room knows it.
"""
