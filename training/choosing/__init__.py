"""The choosing model: which of some options, or yes or no, a message means in whatever words."""
