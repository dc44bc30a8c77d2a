"""The guided processes that come with Softrail: onboarding, standup, clarification.

They import only what the author of any other process could, and are announced like theirs. They
must not know the registry, the store, or each other.
"""
