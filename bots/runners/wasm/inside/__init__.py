"""The confined half: what runs in a host's own process, and all that ever loads wasmtime or a module."""
