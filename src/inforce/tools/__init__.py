"""What an agent may do: tools with typed arguments, and answers it can act on."""
