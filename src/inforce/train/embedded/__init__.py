"""A small GRPO trainer that needs only torch; all its modules but `settings` load it."""
