"""``python -m exporter``."""

from exporter.cli import main

main()
