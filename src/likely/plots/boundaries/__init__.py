"""Pictures of decision surfaces."""
