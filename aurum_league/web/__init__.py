"""Between the server and Django: whole requests, probes, and streams to open pages."""
