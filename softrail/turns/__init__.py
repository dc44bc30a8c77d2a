"""Turns in order: taking them, writing them down, running them under their session's lease, committing them.

Start reading at `dispatcher.py`. This room keeps the promises of durability: nothing acknowledged is lost, nothing
happens twice, one writer per session. It must not know what a message means: that is `softrail.dialogue`.
"""
