"""Training of an adapter of the shipped model on a user's own labels; needs only numpy.

`fit` makes examples of labelled pages and fits weights to them; `recipe` assigns pages to folds,
computes the learning curve, evaluates the new model against the shipped one, and writes its card.
"""
