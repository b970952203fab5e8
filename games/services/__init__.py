"""Everything that writes matches; one public function is one thing that happens."""
