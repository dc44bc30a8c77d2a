"""Training of the joint reading: one message read over all fields of a form at once."""
