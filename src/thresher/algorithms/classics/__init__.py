"""Published algorithms, one a file, each reproduced from its source."""
