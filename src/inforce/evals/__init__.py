"""Was it right: benchmarks and their metrics."""
