"""Training: the episodes, rewards, advantages and losses of LegalSearch-R1 and MSR2.

Whatever uses tensors needs the extra ``train``; importing this package does not load torch.
"""
