"""The rules of Aurum, pure: values in, values out; no Django, no clock, no files."""
