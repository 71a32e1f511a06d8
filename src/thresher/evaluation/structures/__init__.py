"""Short structures between paragraphs: which come out whole, in order, and as what they are."""
