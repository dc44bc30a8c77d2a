"""What a turn means and does: whose it is, the ways out and back, offers, timeouts, free talk.

Start reading at `path.py`. This room owns every way out of a process, so that no plugin can swallow one. It must
not know which database keeps the truth, how turns are queued, which web framework asks, or which model phrases a
sentence; it meets them through `softrail.core.ports`.
"""
