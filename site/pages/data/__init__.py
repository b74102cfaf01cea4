"""A person's own data: what there is, taking it along, and having it deleted."""
