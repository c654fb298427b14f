"""What all estimators share: rows taken in, models held, asked, shown and stored."""
