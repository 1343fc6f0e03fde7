"""Who answers: language models by their ids."""
