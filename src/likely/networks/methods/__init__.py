"""What a network can be asked and told, by what it is about."""
