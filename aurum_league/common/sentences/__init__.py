"""Every sentence by which a service refuses something, so that pages can say it in the reader's language."""
