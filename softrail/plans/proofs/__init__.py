"""Proof files: what a plan in proof mode has found, with all that it rests on, as one file that can be checked anywhere.

`proof` is the form of the file, `making` writes one when a run is over, `verifying` does everything in it again over the
files that it names. A proof is judged by itself and those files alone: no conversation, no store and no model is asked.
"""
