"""How many durable turns a second Softrail and its peers answer: the same six turns, the same durability, one run."""
