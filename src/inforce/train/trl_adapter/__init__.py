"""Training with TRL, for one card: the same episodes, rewards, advantages and settings.

::

    questions ─▶ EASGRPOTrainer ─▶ rollout_function ─▶ collecting ─▶ episodes of the real agents
                      ▲                                                     │
                      └────────── tokens, what the policy wrote, rewards ◀──┘

TRL manages weights, optimizer, checkpoints and logs; it never sees a conversation. Importing this
package loads neither TRL nor torch; `trainer` does. Needs the extra ``trl``.
"""
