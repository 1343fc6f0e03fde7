"""A trainer that needs torch alone; importing this package does not load it, its modules do."""
