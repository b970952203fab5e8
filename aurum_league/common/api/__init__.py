"""What every part of the API is built from: errors, scopes, pages, documentation, conditional answers and exports."""
