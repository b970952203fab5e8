"""How the learnt bots' weights are made: self-play, nets in numpy, and the files the brains read."""
