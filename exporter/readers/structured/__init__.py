"""YAML and JSON: trees of texts with places, and what the model makes of them."""
