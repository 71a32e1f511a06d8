"""Training of shipped weights: labelled pages → features → weights; imports the engine only."""
