"""Files that search reads: glossaries, which people edit, and what recipes have learnt."""
