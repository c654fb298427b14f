"""Pictures of beliefs."""
