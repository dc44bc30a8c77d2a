"""A guided refund: which order, what was wrong, and money back or a voucher."""

from refunds.orders import Order, Orders, SampleOrders
from refunds.process import Refund

__all__ = ["Order", "Orders", "Refund", "SampleOrders"]
