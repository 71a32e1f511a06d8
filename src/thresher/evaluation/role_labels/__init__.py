"""Role labels of blocks: the file of labels, and the desk where they are made."""
