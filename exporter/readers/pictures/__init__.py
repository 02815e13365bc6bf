"""Pictures of an issue: found, decoded whole, and made fit for every edition."""
