"""The tape of real lines played to other frameworks, each used as its documentation recommends.

Every peer runs in an environment of its own, without a network; `README.md` says how to make one. Nothing in it is
imported from Softrail.
"""
