"""Data for plans, as the server's process knows it: what was attached and what its columns are. Nothing here opens a file of theirs."""
