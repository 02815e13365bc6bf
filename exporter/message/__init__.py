"""The MIME message: headers folded by rules of our own, parts with fixed boundaries, the same bytes each time."""
