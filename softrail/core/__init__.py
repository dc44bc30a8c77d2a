"""The nouns of a guided conversation and the promises its parts make to each other.

This room knows no other room, no database, no web framework and no language model. Everything in it is a
frozen value, a protocol (`ports`), or one of the two sources of the outside world: `clock.now` and `ids`.
"""
