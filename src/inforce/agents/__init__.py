"""How an agent works: one folder a method, and what all of them share in `runtime`."""
