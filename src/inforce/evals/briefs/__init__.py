"""Documents whose wrong citations are known, and how many of them are found."""
