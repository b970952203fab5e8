"""What `aurum bench` measures: our rules, and those of others to compare with."""
