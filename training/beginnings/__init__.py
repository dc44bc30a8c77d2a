"""Training of the reading of messages with which a form begins: all fields at once, and none asked for."""
