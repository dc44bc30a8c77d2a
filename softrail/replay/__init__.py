"""Conversations played again: `.talk` files read and written, recorded ones in a sandbox, with a clock that stands still.

It builds an application anew on a store in memory and talks to it as a person would. It must not know HTTP, pytest
or any plugin, and nothing that it plays reaches the store, the clock or the deliveries of a server around it.
"""
