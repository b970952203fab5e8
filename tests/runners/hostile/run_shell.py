"""Runs a shell as a subprocess."""

import subprocess

subprocess.run(["/bin/sh", "-c", "sleep 600"], check=True)
