"""What a person wants of it: wishes read from words, clause by clause."""
