"""What a report says, as plain data: one module a section."""
