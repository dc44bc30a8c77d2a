"""What exists and whose turn it is: the registry of processes and intents, and the dispatcher.

Start reading at `dispatcher.py`. This room owns every way out of a process: escape words, refusals, offers,
timeouts, resuming. It must not know which database keeps the truth, which web framework asks, or which model
phrases a sentence; it meets them through `softrail.core.ports`.
"""
