"""Settings: base is true everywhere; embedded, server and test are small overlays of it."""
