"""Which processes and intents exist, and what installed distributions announce; nothing else."""
