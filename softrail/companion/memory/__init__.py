"""What the companion keeps, and the services that read and change it."""
