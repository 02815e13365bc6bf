"""Importing: sources of other kinds become a tree, the tree an issue, with an account of what is lost."""
