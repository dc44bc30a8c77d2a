"""What it says, with a language model and without."""
