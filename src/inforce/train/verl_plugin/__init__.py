"""Training on a Ray cluster with verl: our agents, rewards and advantages as its plug-ins.

verl imports `registration` by the entry point ``verl.plugins`` in every process it starts. From
then on a configuration may have these names; ``configs/`` has the configurations of the two papers:

=======================  ==========================================================
``inforce_r1``           agent loops: R1 and MSR2 as they are, with their own tools
``inforce_msr2``
``inforce_population``   advantage estimators by the deviation they divide by; unlike verl's
``inforce_sample``       ``grpo``, they leave out episodes whose reward is unknown
``inforce``              trainer: synchronous, with entropy-based advantage shaping
=======================  ==========================================================

Our own settings are the node ``inforce`` of the configuration (`settings`). Importing this package
loads neither verl nor torch.
"""
