"""Judges that ask a model, and what they are made of."""
