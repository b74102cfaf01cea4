"""The shelf: what a person keeps of matches: favourites, collections, tags, and comments to a ply."""
