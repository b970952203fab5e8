"""The site as a whole: settings, addresses, embedded services and the commands that run them."""
