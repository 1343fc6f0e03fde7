"""A small GRPO trainer that needs torch alone; its modules load torch, this package does not."""
