"""The parts of the page *Errors*."""
