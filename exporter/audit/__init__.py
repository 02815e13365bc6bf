"""Audits: what is said of finished files, read back as their readers' programs read them."""
