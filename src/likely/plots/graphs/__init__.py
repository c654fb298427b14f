"""Pictures of networks, structures and trees."""
