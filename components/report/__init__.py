"""Reports: a run or a comparison of two as one HTML file, which opens without the app and a network."""
