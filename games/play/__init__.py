"""Tables: matches with agents and clocks, no Django."""
