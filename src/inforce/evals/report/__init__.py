"""Reports on runs of benchmarks: Markdown, and one page that needs nothing else."""
