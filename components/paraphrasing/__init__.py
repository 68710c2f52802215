"""Questions in other words."""
