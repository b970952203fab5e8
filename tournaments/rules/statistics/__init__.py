"""Statistics of a pool or a tournament: intervals from blocks, crosstable, seat bias, rounds and bids."""
