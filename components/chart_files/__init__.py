"""PNG and SVG of a chart, made in the browser that shows it."""

from components.chart_files.view import SAVE_SCRIPT, chart_file, chart_files

__all__ = ["SAVE_SCRIPT", "chart_file", "chart_files"]
