"""Training on a Ray cluster with verl: our agents, rewards and advantages as its plug-ins.

verl finds `registration` by the entry point ``verl.plugins`` in every process it starts. From then
on these names may be in a configuration; ``configs/`` holds those of the two papers:

=======================  ==========================================================
``inforce_r1``           agent loops: R1 and MSR2 as they are, with their own tools
``inforce_msr2``
``inforce_population``   advantage estimators by the deviation they divide by; unlike verl's
``inforce_sample``       ``grpo``, they leave out episodes whose reward nobody could measure
``inforce``              trainer: synchronous, with entropy-based advantage shaping
=======================  ==========================================================

What verl cannot know is under ``inforce`` in the configuration (`settings`). Importing this
package loads neither verl nor torch.
"""
