"""Presenting: one case or one chart on the whole screen, in large type, turned by keyboard."""
