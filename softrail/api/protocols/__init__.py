"""The doors for frontends that speak a protocol of their own: what they send as turns, and the events of a turn as their frames.

Nothing here reads a store or waits for anything but `thread` and `telling`: the frames of a turn follow from its events alone.
The room adds nothing to what a turn answers; it must not know how a client draws it.
"""
