"""Everything that writes bots: registering, versions, qualification, matches of their own, and connected play."""
