"""A folder of models, where dodona.load() looks for them."""
