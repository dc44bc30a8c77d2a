"""Suites of tests, one per port, that every implementation must pass.

A suite is a class: subclass it in a test module and give it the fixtures it asks for. It knows the port it
tests and nothing of any implementation.
"""
