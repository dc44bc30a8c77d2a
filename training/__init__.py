"""Trains the model of the reader's learned layer; `python -m training` does all of it."""
