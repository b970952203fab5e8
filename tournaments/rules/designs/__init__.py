"""Designs: balanced schedules as stored base matchdays, the code that finds them, and closed formulas."""
