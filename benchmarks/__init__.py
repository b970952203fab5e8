"""Instruments: benches that measure and print; none of them is part of the product."""
