"""Pictures: pure functions from values to SVG text that prints, follows the page's colours and needs no JavaScript."""
