"""Plans that a language model writes, for wishes whose words do not bind: asked outside the turn, believed only as far as checked.

`asking` says what the model is told and the form of its answer, `checking` takes that answer apart as it would a person's
plan, `wishes` keeps what is wished and has it thought about. What people wrote, and what their files say, is data in a
request, never a part of its instructions. Nothing here runs a step: a plan that comes of it waits for a yes like any other.
"""
