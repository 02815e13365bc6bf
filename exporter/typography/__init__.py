"""CJK–Latin spacing, line breaking and display width: shared by the writers."""
