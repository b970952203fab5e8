"""The organiser's desk: everything that makes and runs an event, for whoever it belongs to."""
