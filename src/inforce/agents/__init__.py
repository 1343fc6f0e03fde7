"""How an agent works: protocols that turn a question into research and an answer."""
