"""A trainer that needs torch alone: a small model on a laptop, or one large card.

Warm start (`warm_start`), sampling in batches (`sampling`), steps of GRPO (`grpo`), and the loop
with its checkpoints (`trainer`). Importing this package does not load torch; its modules do.
"""
