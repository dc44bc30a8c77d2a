"""What each intent does."""
