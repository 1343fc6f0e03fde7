"""Language models, opened by their ids: served, recorded and offline ones, budgets, a cache."""
