"""Plans you can talk to: shown before they run, driven beside the conversation, and steered by what is said meanwhile.

A bundled plugin like the companion: it knows `softrail` and `softrail.plugin`, and is wired by entry points alone. What
is true of plans, runs and facts is in tables of its own; `Planning` is the process that talks about them, `PlanWork`
the long work that carries them out.
"""
